"""Generate: one function for every way of choosing the next token.

>>> from labutils.models import paper_model
>>> mat_cat_mat = [4, 1, 4]
>>> generate(paper_model(), [mat_cat_mat], most=2)  # greedy: mat the
[[4, 0]]
>>> generate(paper_model(), [mat_cat_mat], most=2, how=Search(width=2))  # on the
[[3, 0]]
"""

from dataclasses import dataclass

import torch
from torch import nn

from labutils.models import for_writing

from .beams import beam_search
from .contrastive import contrasted
from .progress import watched
from .settings import GREEDY, PLAIN, Settings
from .speculative import Odds, drafted_and_checked
from .writing import Stop, check_room, over, until, written


@dataclass(frozen=True)
class Search:
    """The best text of a beam search."""

    width: int
    length_penalty: float = 1.0

    def one(self, model, ids, most, end, stop, dice) -> list[int]:
        if stop is not None:
            raise ValueError("A search compares whole texts: it takes no stop.")
        return list(
            beam_search(model, ids, self.width, most, end, self.length_penalty)[0].ids
        )


@dataclass(frozen=True)
class Contrast:
    """Contrastive search."""

    k: int = 4
    alpha: float = 0.6

    def one(self, model, ids, most, end, stop, dice) -> list[int]:
        tokens = contrasted(model, ids, most, self.k, self.alpha)
        return until(watched(tokens, most), end, stop)


@dataclass(frozen=True)
class Draft:
    """Speculative decoding. odds: what the small model gives after a text."""

    odds: Odds
    ahead: int = 4
    settings: Settings = PLAIN

    def one(self, model, ids, most, end, stop, dice) -> list[int]:
        given = self.odds, ids, most, dice, self.ahead, self.settings
        passes = drafted_and_checked(model, *given)
        tokens = (token for out in passes for token in out)
        return until(watched(tokens, most), end, stop)


def generate(
    model: nn.Module,
    texts: list[list[int]],
    most: int,
    end: int | None = None,
    how: Settings | Search | Contrast | Draft = GREEDY,
    seed: int = 0,
    stop: Stop | None = None,
) -> list[list[int]]:
    """What is written after each text: up to the end sign, and at most `most` tokens.

    model: a causal one of ours; keys and values are kept. A GPT-2 is laid out for it at
    each call; one that `for_writing` has laid out before is not. end: the token that
    ends a text; it stands last in what comes back. how: `Settings` for drawing or
    greedy, all texts as one batch, or another way, one text at a time. stop: says of
    what was written whether it is enough, as `stop_strings` makes it. Where it takes
    long, a bar is drawn on stderr.

    A row whose text has ended is still computed, and what it says is dropped. All texts
    share one sequence of random numbers, so what is drawn for one depends on the others
    beside it. Raises ValueError for a text without a token, where a text would outgrow
    the model's positions, and for anything else that makes no sense.

    >>> from labutils.models import paper_model
    >>> generate(paper_model(), [[0, 1, 2], [0, 1, 2, 3]], most=3)  # the cat sat (on)
    [[3, 0, 4], [0, 4, 0]]
    """
    if not isinstance(how, Settings | Search | Contrast | Draft):
        raise ValueError(
            "Give how as Settings (GREEDY is one), Search, Contrast or Draft, not"
            f" {how!r}."
        )
    if not (stop is None or callable(stop)):
        raise ValueError(f"stop is made by `stop_strings`; it is not {stop!r}.")
    reads_last = isinstance(how, Contrast)  # it reads its candidates before it chooses
    check_room(model, texts, most, end, beyond=int(reads_last))
    model = for_writing(model, last=None if isinstance(how, Draft) else 1)
    if not isinstance(how, Settings):
        dice = torch.Generator().manual_seed(seed)
        return [how.one(model, ids, most, end, stop, dice) for ids in texts]
    told, going = [[] for _ in texts], set(range(len(texts)))
    steps = written(model, texts, most, how, seed, pad=0 if end is None else end)
    for new in watched(steps, most):
        for row in list(going):
            told[row].append(int(new[row]))
            going -= {row} if over(told[row], end, stop) else set()
        if not going:
            break
    return told
