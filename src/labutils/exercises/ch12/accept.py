"""Exercise 12.4: whether a drafted token stays, and what is drawn in its place."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import wrong_functions
from labutils.exercises.showing import kind, rounded, show


def check_accept(accept: Callable[..., int], seed: int | None = None) -> None:
    """Check `accept`: odds of the large and the small model (V,), a drafted token and two random numbers -> a token.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        accept,
        keeps_what_the_large_model_likes_more,
        keeps_the_others_as_often_as_they_should_be,
        draws_what_was_lacking,
        gives_the_odds_of_the_large_model,
        repeat="check_accept(accept, seed={seed})",
        seed=seed,
    )


def accept(large, small, token, u, v):
    if u < large[token] / small[token]:
        return token
    lacking = (large - small).clamp(min=0)
    lacking = lacking / lacking.sum()
    return int((lacking.cumsum(0) > v).int().argmax())


RIGHT = (accept,)
LACKING, CLAMP, SHARE = "(large - small).clamp(min=0)", ".clamp(min=0)", "lacking / lacking.sum()"
# fmt: off
MISTAKES = (
    ("never refuses", "Every token stays.", "u < large[token] / small[token]", "True"),
    ("draws from the large model again", "A refused token was replaced by a draw from the large model: what it gives"
     " to the accepted ones is counted twice then. Draw from what the small model gave too little of.", LACKING,
     "large"),
    ("takes out the refused token alone", "Only the refused token was taken out of the large model’s odds: draw from"
     " large − small, where that is above 0.", LACKING, "large.where(torch.arange(len(large)) != token, 0 * large)"),
    ("draws from the small model again", "A refused token was replaced by a draw from the small model.", LACKING,
     "small"),
    ("turns the ratio round", "The ratio is upside down: a token that the large model likes more has to stay.",
     "large[token] / small[token]", "small[token] / large[token]"),
    ("asks the large model alone", "What the small model gave does not count here: the ratio decides.",
     "large[token] / small[token]", "large[token]"),
    ("takes the size of the difference", "What the small model gave too much of was counted as lacking: where the"
     " difference is negative, nothing is.", LACKING, "(large - small).abs()"),
    ("turns the difference round", "The difference is the wrong way: lacking is what the large model gives more.",
     "(large - small)", "(small - large)"),
    ("does not share the whole", "What is lacking does not add up to 1: divide by its sum before a number between 0"
     " and 1 falls on it.", SHARE, "lacking"),
    ("accepts where it should refuse", "It refuses with the chance with which it should accept.", "u <", "u >="),
)
REFUSED = (("returns nothing", "expected a token", "return token", "return None"),)
# fmt: on


def drawn(draw: Draw, V: int) -> tuple[Tensor, Tensor]:
    """Odds of two models that differ."""
    both = [torch.tensor([draw.between(1, 12) for _ in range(V)], dtype=torch.float64) for _ in range(2)]
    both[0][0], both[1][0] = 20, 2
    both[0][-1], both[1][-1] = 1, 15
    if V > 3:  # of one more token the small model gives too much, and of one more too little
        both[0][1], both[1][1] = draw.between(1, 2), draw.between(11, 12)
        both[0][2], both[1][2] = draw.between(9, 12), draw.between(2, 3)
    return both[0] / both[0].sum(), both[1] / both[1].sum()


def expect(answer, large: Tensor, small: Tensor, *cases: tuple[int, float, float]) -> None:
    """For each case, a token with u and v, the right token; a mistake is named by what it gives for all of them."""
    values = [call(answer, large, small, *case) for case in cases]
    found, right = [fair.whole(value) for value in values], _each(accept, large, small, cases)
    for (token, u, v), value, one, wanted in zip(cases, values, found, right):
        if one is None:
            raise NotYet(f"accept returned {kind(value)}: {show(value)}, expected a token, a whole number.")
        if one != wanted:
            gives = ((said, _each(wrong, large, small, cases)) for said, wrong in wrong_functions(MISTAKES, accept))
            raise NotYet(
                f"With large {rounded(large)}, small {rounded(small)}, token {token}, u = {u:.3f} and v = {v:.3f} it is"
                f" {one}, expected {wanted}.{likely(found, gives)}"
            )


def _each(function, large: Tensor, small: Tensor, cases) -> list[int]:
    return [int(function(large, small, *case)) for case in cases]


def keeps_what_the_large_model_likes_more(answer, draw: Draw):
    """A token to which the large model gives more stays, whatever u is."""
    # 0.35 lies between small / large and large: it tells the two wrong ratios apart
    expect(answer, *drawn(draw, 4), (0, 0.0, 0.99), (0, 0.35, 0.99), (0, 0.999, 0.99))


def keeps_the_others_as_often_as_they_should_be(answer, draw: Draw):
    """Another token stays if u is below the ratio of its odds."""
    large, small = drawn(draw, 4)
    ratio = float(large[-1] / small[-1])
    # what is drawn instead is 0 for every way of drawing: this asks only whether it stays
    expect(answer, large, small, *((3, u, 0.001) for u in (0.5 * ratio, 0.98 * ratio, 1.02 * ratio, 0.99)))


def draws_what_was_lacking(answer, draw: Draw):
    """What is drawn instead comes from what the small model gave too little of."""
    large = torch.tensor([0.5, 0.3, 0.15, 0.05], dtype=torch.float64)
    small = torch.tensor([0.3, 0.1, 0.2, 0.4], dtype=torch.float64)
    expect(answer, large, small, *((3, 0.999, k / 50 + 0.003) for k in range(50)))
    large, small = drawn(draw, draw.between(4, 8))
    expect(answer, large, small, *((len(large) - 1, 0.999, v) for v in (0.02, 0.5, 0.98)))


def gives_the_odds_of_the_large_model(answer, draw: Draw):
    """All together tokens come with the odds of the large model."""
    large, small = drawn(draw, 3)
    came = torch.zeros(3, dtype=torch.float64)
    for token in range(3):
        stays = min(1.0, float(large[token] / small[token]))
        came[token] += small[token] * stays
        if stays < 1:
            for k in range(50):
                found = fair.whole(call(answer, large, small, token, 0.9999999, (k + 0.5) / 50))
                came[found if found is not None else 0] += small[token] * (1 - stays) / 50
    if not fair.alike(came, large, 0.05):
        raise NotYet(f"Tokens come with the odds {rounded(came)}, expected those of the large model, {rounded(large)}.")
