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

from labutils.models import Family, family_of
from labutils.models.inputs import check_attention_mask, check_ids, check_rows
from labutils.models.stages import STAGES, Place, wanted

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
    target=None,
    want: Collection[str] | None = None,
    change: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
) -> Trace | list[Trace]:
    """Run `model` once and keep everything, or only what is wanted.

    Args:
        model: one of `labutils.models.FAMILIES`, as GPT2 or Bert, or HuggingFace's, as GPT2LMHeadModel, with
            attn_implementation="eager".
        text_or_ids: one text, its ids (a list or a tensor (n,)) or its Encoding gives one Trace. A list of these, or a
            tensor (B, n), gives a list of traces, one for each text, without the padding.
        tokenizer: needed for a text; with ids it names the tokens.
        attention_mask, type_ids: (B, n) or (n,), as the models take them. Padding may stand on either side: positions
            are counted from the first real token, so the trace of a text does not depend on the batch it was in.
        target: what the second stack of a model with two reads, in the same forms; the first one reads text_or_ids.
        want: names of stages (`labutils.models.stages`), as ("weights", "logits"): only these are kept.
        change: for the full name of a stage, "layer 2 weights" or "decoder layer 2 cross weights", a function from its
            value, with the batch in front, to the one that the model is to go on with.

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
    batches = _batches(model, family, (text_or_ids, target), tokenizer, attention_mask, type_ids)
    source = ours if isinstance(model, family.model) else huggingface
    with torch.no_grad():
        stages = source.stages(model, family, batches, names.__contains__, change or {})
    first = batches[family.stacks[0]]
    traces = [_one(family, stages, row, batches, tokenizer) for row in range(len(first.ids))]
    return traces[0] if first.single else traces


def _batches(model: nn.Module, family: Family, given: tuple, tokenizer, *masks) -> dict[str, inputs.Batch]:
    """What each stack of the model reads."""
    if (given[1] is not None) != (len(family.stacks) == 2):
        reads = "two texts, and the second is its target" if given[1] is None else "one text, and has no target"
        raise ValueError(f"A {family.title} reads {reads}.")
    found = {}
    for stack, one, described in zip(family.stacks, given, (masks, ())):
        batch = inputs.read(one, tokenizer, *described)
        check_ids(batch.ids, model.config.vocab_size, _n_max(model, family) or batch.ids.shape[1])
        check_attention_mask(batch.attention_mask, batch.ids)
        if family.segments:
            segments = getattr(model.config, "n_segments", getattr(model.config, family.entries["n_segments"], 1))
            check_rows(batch.type_ids, batch.ids, segments, "type_ids", "the table of segments")
        found[stack] = batch.to(next(model.parameters()).device)
    if len({len(batch.ids) for batch in found.values()}) > 1:
        raise ValueError(f"Each source has one target: there are {[len(batch.ids) for batch in found.values()]}.")
    return found


def _one(
    family: Family, stages: Mapping[str, Tensor], row: int, batches: Mapping[str, inputs.Batch], tokenizer
) -> Trace:
    """The trace of one text of the batch, or of one pair of texts, without padding."""
    real = {stack: batch.attention_mask[row].nonzero().flatten() for stack, batch in batches.items()}
    source, last = real[family.stacks[0]], real[family.stacks[-1]]
    found = {}
    for full, tensor in stages.items():
        place, value = Place.of(full), tensor[row].detach()
        tokens = STAGES[place.stage].tokens
        if not tokens and last[0] != 0:  # it reads the first row, which is padding here
            continue
        asking = real.get(place.stack, last)
        asked = source if place.part else asking  # a second attention asks the other text
        first = asked if place.stage in ("k", "v") else asking
        for axis, rows in ((-2, first), (-1, asked))[:tokens]:  # keys are tokens as well
            value = value.index_select(axis, rows)
        found[full] = value.cpu()
    texts = {}
    for stack, batch in batches.items():
        ids = batch.ids[row, real[stack]].cpu()
        texts[stack] = inputs.names(ids.tolist(), tokenizer), ids
    return Trace(family.name, texts, found)


def _n_max(model: nn.Module, family: Family) -> int | None:
    """How many tokens a model can read; None for any number."""
    ours = isinstance(model, family.model)
    name = "n_positions" if ours else family.entries.get("n_positions", "")
    return getattr(model.config, name, None)
