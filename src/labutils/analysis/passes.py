"""Many rows of ids through a model, a batch of similar length at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.layers import Recorder
from labutils.training import pad

ROWS = 32  # in one batch


@dataclass(frozen=True)
class Pass:
    """One row through the model, n tokens: logits (n, V); BERT's nsp_logits (2,); weights (L, H, n, n) if they were
    asked for.
    """

    logits: Tensor
    nsp_logits: Tensor | None
    weights: Tensor | None


def passes(
    model, rows: Sequence[list[int]], types: Sequence[list[int]] | None = None, weights: bool = False
) -> Iterator[tuple[int, Pass]]:
    """(i, what the model makes of rows[i]) for every row, the short ones first. `types`: segment ids, for BERT."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    for start in range(0, len(rows), ROWS):
        batch = order[start : start + ROWS]
        ids = pad([rows[i] for i in batch], -1)
        options = {"attention_mask": (ids >= 0).long()}
        if types is not None:
            options["type_ids"] = pad([types[i] for i in batch], 0)
        if weights:
            options["see"] = see = Recorder(lambda name: name.endswith(" weights"))
        with torch.no_grad():
            output = model(ids.clamp(min=0), **options)
        nsp_logits = getattr(output, "nsp_logits", None)
        heads = torch.stack(list(see.stages.values()), 1) if weights else None  # (B, L, H, n, n)
        for b, i in enumerate(batch):
            n = len(rows[i])
            yield (
                i,
                Pass(
                    output.logits[b, :n],
                    None if nsp_logits is None else nsp_logits[b],
                    None if heads is None else heads[b, :, :, :n, :n],
                ),
            )
