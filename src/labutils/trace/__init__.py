"""The trace: one forward pass with every intermediate, from our models or from HuggingFace's.

>>> import torch
>>> from labutils.models import paper_model
>>> t = trace(paper_model(), [0, 1, 2])         # the cat sat
>>> t
Trace(gpt2, 3 tokens, 1 layers, 2 heads, width 4)
>>> (t.layers[0].weights[0] + 1e-9).round(decimals=4)
tensor([[1.0000, 0.0000, 0.0000],
        [0.8000, 0.2000, 0.0000],
        [0.2500, 0.5000, 0.2500]], dtype=torch.float64)
"""

from collections.abc import Callable, Collection, Mapping

import torch
from torch import Tensor, nn

from labutils.models import family_of
from labutils.models.inputs import check_ids
from labutils.models.stages import STAGES, wanted

from . import huggingface, inputs, ours
from .values import LayerTrace, Trace

__all__ = ["LayerTrace", "Trace", "trace"]


def trace(
    model: nn.Module,
    text_or_ids,
    tokenizer=None,
    attention_mask=None,
    type_ids=None,
    *,
    want: Collection[str] | None = None,
    change: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
) -> Trace | list[Trace]:
    """Run `model` once and keep everything, or only what is wanted.

    Args:
        model: GPT2 or Bert of labutils; GPT2LMHeadModel, BertForPreTraining or BertForMaskedLM of transformers, with
            attn_implementation="eager".
        text_or_ids: one text, its ids (a list or a tensor (n,)) or its Encoding gives one Trace. A list of these, or a
            tensor (B, n), gives a list of traces, one for each text, without the padding.
        tokenizer: needed for a text; with ids it names the tokens.
        attention_mask, type_ids: (B, n) or (n,), as the models take them. Padding may stand on either side: positions
            are counted from the first real token, so the trace of a text does not depend on the batch it was in.
        want: names of stages (`labutils.models.stages`), as ("weights", "logits"): only these are kept.
        change: for the full name of a stage, "layer 2 weights", a function from its value, with the batch in front, to
            the one that the model is to go on with.

    Raises:
        ValueError: a model or an input that cannot be traced, or a stage that there is not.
    """
    family = family_of(model)
    if model.training:
        raise ValueError(
            "The model is in training mode, where dropout makes every pass another one: call model.eval() first."
        )
    names = wanted(STAGES if want is None else want)
    names |= {family.same[name] for name in names if name in family.same}
    batch = inputs.read(text_or_ids, tokenizer, attention_mask, type_ids)
    check_ids(batch.ids, model.config.vocab_size, _n_max(model))
    batch = batch.to(next(model.parameters()).device)
    source = ours if isinstance(model, family.model) else huggingface
    with torch.no_grad():
        stages = source.stages(model, family, batch, lambda name: name.split(" ")[-1] in names, change or {})
    traces = [_one(family.name, stages, row, batch, tokenizer) for row in range(len(batch.ids))]
    return traces[0] if batch.single else traces


def _one(kind: str, stages: Mapping[str, Tensor], row: int, batch: inputs.Batch, tokenizer) -> Trace:
    """The trace of one text of the batch, without its padding."""
    real = batch.attention_mask[row].nonzero().flatten()
    top, layers = {}, []
    for full, tensor in stages.items():
        *layer, name = full.split(" ")  # "layer", "0", "weights"
        value = tensor[row].detach()
        for axis in (-2, -1)[: STAGES[name].tokens]:  # keys are tokens as well
            value = value.index_select(axis, real)
        if layer:
            layers += [{} for _ in range(len(layers), int(layer[1]) + 1)]
        (layers[int(layer[1])] if layer else top)[name] = value.cpu()
    if real[0] != 0:  # these read the first row, which is padding here
        top = {name: value for name, value in top.items() if STAGES[name].tokens}
    ids = batch.ids[row, real].cpu()
    return Trace(kind, inputs.names(ids.tolist(), tokenizer), ids, top, layers)


def _n_max(model: nn.Module) -> int:
    return getattr(model.config, "n_positions", None) or model.config.max_position_embeddings
