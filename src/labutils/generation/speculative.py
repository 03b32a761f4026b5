"""Speculative decoding: a small model drafts several tokens, the large one checks them
all in one pass, and what comes out is drawn from the large one, exactly.

Leviathan et al. 2023; Chen et al. 2023.
"""

from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from .writing import draw

Odds = Callable[[list[int]], Float[Tensor, " V"]]


def accept(
    large: Float[Tensor, "g+1 V"],
    small: Sequence[Float[Tensor, " V"]],
    drafted: list[int],
    generator: torch.Generator,
) -> list[int]:
    """The drafted tokens that stay, and one more that the large model draws.

    large, small: the odds that each model gave at each of the g places, and the large
    one after them. A drafted token x stays with the
    chance large[x] / small[x], at most 1. The first that does not stay is replaced by
    a draw from what the small model gave too little, max(0, large - small), and the
    tokens after it are dropped. If all stay, one more is drawn from the last row.

    >>> odds = torch.tensor([[0.5, 0.5], [0.0, 1.0]])
    >>> accept(odds, odds[:1], [0], torch.Generator().manual_seed(0))
    [0, 1]
    """
    for i, token in enumerate(drafted):
        chance = large[i, token] / small[i][token]
        if torch.rand((), dtype=torch.float64, generator=generator) >= chance:
            lacking = (large[i] - small[i]).clamp(min=0)
            return [*drafted[:i], int(draw(lacking[None], generator))]
    return [*drafted, int(draw(large[-1:], generator))]


@torch.no_grad()
def speculative(
    model: nn.Module,
    draft: Odds,
    ids: list[int],
    most: int,
    end: int | None = None,
    ahead: int = 4,
    seed: int = 0,
) -> tuple[list[int], int]:
    """What is written after `ids`, and in how many passes of the large model.

    draft: what the small model gives after a text. ahead: how many tokens it drafts
    before the large model reads them all at once, without a cache.

    >>> from labutils.models import paper_model
    >>> model = paper_model()
    >>> itself = lambda ids: model(torch.tensor([ids])).logits[0, -1].softmax(-1)
    >>> told, passes = speculative(model, itself, [0, 1, 2], most=3, ahead=2)
    >>> len(told), passes
    (3, 1)
    """
    generator, told, passes = torch.Generator().manual_seed(seed), [], 0
    while len(told) < most and end not in told:
        drafted, small = [], []
        for _ in range(min(ahead, most - len(told) - 1)):
            small.append(draft([*ids, *told, *drafted]))
            drafted.append(int(draw(small[-1][None], generator)))
        text = [*ids, *told, *drafted]
        rows = model(torch.tensor([text])).logits[0, -len(drafted) - 1 :]  # (g + 1, V)
        passes += 1
        told += accept(rows.softmax(-1), small, drafted, generator)
    return told[: told.index(end) + 1] if end in told else told, passes
