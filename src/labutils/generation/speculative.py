"""Speculative decoding: a small model drafts several tokens, the large one checks them
all in one pass, and what comes out is drawn from the large one, exactly.

Leviathan et al. 2023; Chen et al. 2023.
"""

from collections.abc import Callable, Iterator, Sequence
from numbers import Integral

import torch
from jaxtyping import Float
from torch import Tensor, nn

from labutils.layers import Cache
from labutils.models import for_writing

from .settings import PLAIN, Settings, processed
from .writing import check_most, draw

Odds = Callable[[list[int]], Float[Tensor, " V"]]  # of a text: what comes next


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
def drafted_and_checked(
    model: nn.Module,
    draft: Odds,
    ids: list[int],
    most: int,
    generator: torch.Generator,
    ahead: int = 4,
    settings: Settings = PLAIN,
) -> Iterator[list[int]]:
    """The tokens of each pass of the large model, `most` in all; it keeps keys and
    values of those that stay. Raises ValueError if no token is to be drafted or
    written, and where the draft gives no odds.
    """
    if not (isinstance(ahead, Integral) and ahead >= 1):
        raise ValueError(f"At least one token is drafted, not {ahead}.")
    check_most(most)
    model, told, V = for_writing(model), [], model.config.vocab_size
    cache = Cache(len(ids) + most)
    while len(told) < most:
        text = [*ids, *told]
        drafted, small = [], []
        for _ in range(min(ahead, most - len(told) - 1)):
            odds = _odds(draft([*text, *drafted]), V)
            small.append(_left(odds.log()[None], settings, [*text, *drafted], odds))
            drafted.append(int(draw(small[-1][None], generator)))
        new = torch.tensor([[*text, *drafted][len(cache) :]])
        rows = model(new, cache=cache).logits[0, -len(drafted) - 1 :]  # (g + 1, V)
        large = [
            _left(rows[i : i + 1], settings, [*text, *drafted[:i]], rows[i].softmax(-1))
            for i in range(len(rows))
        ]
        out = accept(torch.stack(large), small, drafted, generator)
        cache.forget(len(text) + len(out) - 1)  # what was refused was read in vain
        told += out
        yield out


def speculative(
    model: nn.Module,
    draft: Odds,
    ids: list[int],
    most: int,
    end: int | None = None,
    ahead: int = 4,
    seed: int = 0,
    settings: Settings = PLAIN,
) -> tuple[list[int], int]:
    """What is written after `ids`, and in how many passes of the large model.

    draft: what the small model gives after a text. ahead: how many tokens it drafts
    before the large model reads them all at once. settings: for the odds of both.

    >>> from labutils.models import paper_model
    >>> model = paper_model()
    >>> itself = lambda ids: model(torch.tensor([ids])).logits[0, -1].softmax(-1)
    >>> told, passes = speculative(model, itself, [0, 1, 2], most=3, ahead=2)
    >>> len(told), passes
    (3, 1)
    """
    told, passes = [], 0
    dice = torch.Generator().manual_seed(seed)
    for out in drafted_and_checked(model, draft, ids, most, dice, ahead, settings):
        told, passes = told + out, passes + 1
        if end in out:
            return told[: told.index(end) + 1], passes
    return told, passes


def _odds(given: Tensor, V: int) -> Float[Tensor, " V"]:
    """What a draft gave. Raises ValueError unless these are odds of V tokens."""
    if not isinstance(given, Tensor):
        said = f"a {type(given).__name__}"
    elif given.shape != (V,):
        said = f"a tensor of shape {tuple(given.shape)}"
    elif not (given >= 0).all():
        said = "some that are below 0 or no number"
    elif abs(float(given.sum()) - 1) > 1e-3:
        said = f"a sum of {float(given.sum()):.4g}"
    else:
        return given
    raise ValueError(
        f"A draft gives {V} odds, each 0 or more, that add up to 1; this one gave"
        f" {said}."
    )


def _left(
    logits: Float[Tensor, "1 V"],
    settings: Settings,
    ids: list[int],
    plain: Float[Tensor, " V"],
) -> Float[Tensor, " V"]:
    """The odds that settings leave after a text."""
    if settings == PLAIN:
        return plain
    return processed(logits, settings, torch.tensor([ids])).softmax(-1)[0]
