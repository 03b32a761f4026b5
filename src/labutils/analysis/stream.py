"""The residual stream as a sequence of steps: what each sub-layer adds to a row, and how far the row then is.

Each half of a block takes a stream x and hands on another one: x + F(x) where norms stand before the sub-layers
(GPT-2), LayerNorm(x + F(x)) where they stand after (BERT). In the first case what is added is how far the row moves; in
the second the norm moves it as well, even where F adds nothing. So there are two ratios, and each has its own name.

Seen as Euler's method for a differential equation, a half of a block is a step of size 1 (Haber and Ruthotto 2017;
Chen et al. 2018, "Neural Ordinary Differential Equations", section 1); whether the steps are small is measured here.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from labutils.models import Family, family_of

# name, the stream before, what is added to it, the stream after: names of the stages of a block
HALVES = (
    ("attention", "input", "attention_output", "attention_stream"),
    ("feed_forward", "attention_stream", "ffn_output", "output"),
)


class Step(NamedTuple):
    """One half of one block, for every token: four lengths, and the cosine of the streams before and after.

    `stream` is ‖x‖, `added` ‖F(x)‖, `after` the length of what is handed on, `moved` ‖out − x‖, n numbers each.
    """

    layer: int
    part: str  # attention or feed_forward
    stream: Float[Tensor, " n"]
    added: Float[Tensor, " n"]
    after: Float[Tensor, " n"]
    moved: Float[Tensor, " n"]
    cosine: Float[Tensor, " n"]

    @property
    def added_share(self) -> Float[Tensor, " n"]:
        """‖F(x)‖ / ‖x‖: what the sub-layer adds, relative to the stream it is added to."""
        return self.added / self.stream

    @property
    def moved_share(self) -> Float[Tensor, " n"]:
        """‖out − x‖ / ‖x‖: how far the row moves. With the norm after the sum this counts the norm too."""
        return self.moved / self.stream


def step(layer: int, part: str, x: Tensor, added: Tensor, after: Tensor) -> Step:
    """The lengths of one step: x, added and after are (n, d). Where a length is 0 the cosine is nan.

    >>> one = step(0, "attention", torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 1.0]]), torch.tensor([[3.0, 5.0]]))
    >>> one.added_share, one.moved
    (tensor([0.2000]), tensor([1.]))

    Raises:
        ValueError: shapes that differ.
    """
    if not x.shape == added.shape == after.shape:
        raise ValueError(f"A step takes three streams of one shape, not {[tuple(t.shape) for t in (x, added, after)]}.")
    lengths = [t.norm(dim=-1) for t in (x, added, after, after - x)]
    return Step(layer, part, *lengths, (x * after).sum(-1) / (lengths[0] * lengths[2]))


def check_halves(family: Family) -> None:
    """Raises ValueError for an architecture whose blocks have no halves, one after the other."""
    if not {"attention_stream"} & {*family.stages, *family.same}:
        raise ValueError(
            f"A block of {family.title} computes attention and its network side by side: there is no stream between"
            " them."
        )


def steps(trace) -> list[Step]:
    """All steps of a trace, two for each block, in the order in which they are taken.

    Raises ValueError as `check_halves` does.
    """
    check_halves(family_of(trace.kind))
    return [
        step(i, part, *(getattr(layer, stage) for stage in stages))
        for i, layer in enumerate(trace.layers)
        for part, *stages in HALVES
    ]


def streams(trace) -> Float[Tensor, "m n d"]:
    """The stream at all m = 2L + 1 places: before the first block, and after each half of each block."""
    first = [getattr(trace.layers[0], HALVES[0][1])]
    return torch.stack(first + [getattr(layer, after) for layer in trace.layers for *_, after in HALVES])
