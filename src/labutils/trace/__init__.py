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

from dataclasses import fields

import torch
from torch import Tensor, nn

from labutils.models.inputs import check_ids

from . import huggingface, inputs, ours
from .values import LayerTrace, Trace

__all__ = ["LayerTrace", "Trace", "trace"]


def trace(model: nn.Module, text_or_ids, tokenizer=None, attention_mask=None, type_ids=None) -> Trace | list[Trace]:
    """Run `model` once and keep everything.

    model: GPT2 or Bert of labutils; GPT2LMHeadModel, BertForPreTraining or BertForMaskedLM of transformers, with
        attn_implementation="eager".
    text_or_ids: one text, its ids (a list or a tensor (n,)) or its Encoding gives one Trace. A list of these, or a tensor
        (B, n), gives a list of traces, one for each text, without the padding.
    tokenizer: needed for a text; with ids it names the tokens.
    attention_mask, type_ids: (B, n) or (n,), as the models take them. Padding may stand on either side: positions are
        counted from the first real token, so the trace of a text does not depend on the batch it was in.
    Raises ValueError for a model or an input that cannot be traced.
    """
    source = next((s for s in (ours, huggingface) if s.kind(model)), None)
    if source is None:
        raise ValueError(
            f"A trace reads GPT2 and Bert of labutils, and GPT2LMHeadModel, BertForPreTraining and BertForMaskedLM of "
            f"transformers, not {type(model).__name__}."
        )
    if model.training:
        raise ValueError("The model is in training mode, where dropout makes every pass another one: call model.eval() first.")
    batch = inputs.read(text_or_ids, tokenizer, attention_mask, type_ids)
    check_ids(batch.ids, model.config.vocab_size, _n_max(model))
    batch = batch.to(next(model.parameters()).device)
    with torch.no_grad():
        stages, layers = source.stages(model, batch)
    traces = [_one(source.kind(model), stages, layers, row, batch, tokenizer) for row in range(len(batch.ids))]
    return traces[0] if batch.single else traces


def _one(kind: str, stages: dict, layers: list[dict], row: int, batch: inputs.Batch, tokenizer) -> Trace:
    """The trace of one text of the batch, without its padding."""
    real = batch.attention_mask[row].nonzero().flatten()
    keep = lambda tensor: tensor[row].index_select(-2, real).detach().cpu()             # (B, …, n, width) -> (…, n, width)
    whole = lambda tensor: None if tensor is None else tensor[row].detach().cpu()
    pairs = lambda tensor: keep(tensor).index_select(-1, real.cpu())                    # scores and weights: keys as well

    def layer(of: dict) -> LayerTrace:
        return LayerTrace(**{f.name: (pairs if f.name in ("scores", "weights") else keep)(of[f.name]) for f in fields(LayerTrace)})

    optional = {name: keep(stages[name]) for name in ("embedding_norm", "mlm_transform") if name in stages}
    if real[0] == 0:                            # they read the first row, which must not be padding
        optional |= {name: whole(stages.get(name)) for name in ("pooled", "nsp_logits")}
    ids = batch.ids[row, real].cpu()
    return Trace(
        kind=kind, tokens=inputs.names(ids.tolist(), tokenizer), ids=ids,
        embeddings={name: keep(tensor) for name, tensor in stages["embeddings"].items()},
        embedding_sum=keep(stages["embedding_sum"]), layers=[layer(of) for of in layers],
        final=keep(stages["final"]), logits=keep(stages["logits"]), **optional,
    )


def _n_max(model: nn.Module) -> int:
    return getattr(model.config, "n_positions", None) or model.config.max_position_embeddings
