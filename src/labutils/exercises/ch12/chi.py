"""Exercise 12.3: a chi-square that finds the sampler that cheats."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import kind, rounded, show

MANY = 6000


def check_chi(chi: Callable[[Tensor, Tensor], float], seed: int | None = None) -> None:
    """Check `chi`: how often each token was drawn, (V,), and its odds, (V,) -> how far they are apart.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        chi,
        adds_up_squares,
        knows_how_many_were_drawn,
        counts_what_never_came,
        passes_over_what_cannot_come,
        is_infinite_where_the_impossible_came,
        finds_the_sampler_that_cheats,
        repeat="check_chi(chi, seed={seed})",
        seed=seed,
    )


def chi(counts, odds):
    expected = counts.sum() * odds
    if counts[odds == 0].sum() > 0:
        return math.inf
    apart = (counts - expected)[odds > 0]
    return float((apart**2 / expected[odds > 0]).sum())


RIGHT = (chi,)
APART = "apart**2 / expected[odds > 0]"
# fmt: off
MISTAKES = (
    ("divides by the counts", "The squares were divided by the counts: divide by what was expected.", APART,
     "apart**2 / counts[odds > 0]"),
    ("compares shares", "Shares were compared, and so it does not matter how many were drawn: compare counts.",
     "expected = counts.sum() * odds", "counts, expected = counts / counts.sum(), odds"),
    ("forgets to square", "The differences were not squared: above and below cancel.", APART,
     "apart / expected[odds > 0]"),
    ("does not divide", "The squares are not divided by what was expected.", APART, "apart**2"),
    ("divides by the square", "The squares were divided by squares: divide by what was expected.", APART,
     "apart**2 / expected[odds > 0] ** 2"),
    ("takes the mean", "That is the mean over tokens: add up.", "/ expected[odds > 0]).sum())",
     "/ expected[odds > 0]).mean())"),
    ("takes the root", "The root was taken: chi-square is the sum itself.",
     "float((apart**2 / expected[odds > 0]).sum())", "float((apart**2 / expected[odds > 0]).sum().sqrt())"),
    ("passes over the impossible", "A token without any odds was drawn, and nothing was said: then no fair sampler"
     " drew it.", "counts[odds == 0].sum() > 0", "False"),
    ("passes over what never came", "A token that was expected and never came was passed over: it counts, with all that"
     " was expected of it.", APART, "(apart**2 / expected[odds > 0])[counts[odds > 0] > 0]"),
    ("passes over what is rare", "Tokens of which few were expected were passed over: all count that can come.", APART,
     "(apart**2 / expected[odds > 0])[expected[odds > 0] >= 5]"),
    ("divides by 0", "0 was divided by 0: a token without odds that never came is passed over.", """
def chi(counts, odds):
    expected = counts.sum() * odds
    return float(((counts - expected) ** 2 / expected).sum())
"""),
)
REFUSED = (
    ("returns words", "expected a number|should return a number", """
def chi(counts, odds):
    return "fits"
"""),
)
# fmt: on


def expect(answer, counts: Tensor, odds: Tensor) -> None:
    value = call(answer, counts, odds)
    found, wanted = fair.number(value), chi(counts, odds)
    if found is None:
        raise NotYet(f"chi should return a number, and it returned {kind(value)}: {show(value)}.")
    if not (found == wanted or fair.alike(found, wanted)):
        cause = likely(found, outcomes(MISTAKES, chi, counts, odds))
        raise NotYet(
            f"For counts {rounded(counts)} and odds {rounded(odds)} it is {found:.4f}, expected {wanted:.4f}.{cause}"
        )


def drawn(draw: Draw, odds: Tensor, many: int = MANY) -> Tensor:
    """How often each token comes in fair draws."""
    drawn_ = torch.tensor(draw.choices(range(len(odds)), many)) if odds.min() == odds.max() else None
    if drawn_ is None:
        ends = odds.cumsum(-1)
        u = torch.tensor([draw.between(0, 10**6 - 1) / 10**6 for _ in range(many)], dtype=torch.float64)
        drawn_ = torch.searchsorted(ends, u, right=True).clamp(max=len(odds) - 1)
    return torch.bincount(drawn_, minlength=len(odds)).double()


def some_odds(draw: Draw, V: int) -> Tensor:
    weights = torch.tensor([draw.between(1, 9) for _ in range(V)], dtype=torch.float64)
    return weights / weights.sum()


def adds_up_squares(answer, draw: Draw):
    """Squared differences are added up, each in units of what was expected."""
    expect(
        answer, torch.tensor([60.0, 30, 10], dtype=torch.float64), torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64)
    )


def knows_how_many_were_drawn(answer, draw: Draw):
    """The same shares of ten times as many draws are ten times as far apart."""
    odds = some_odds(draw, 4)
    counts = torch.tensor([draw.between(5, 40) for _ in range(4)], dtype=torch.float64)
    expect(answer, counts, odds)
    expect(answer, 10 * counts, odds)


def counts_what_never_came(answer, draw: Draw):
    """A token that was expected and never came counts, however few were drawn."""
    expect(answer, torch.tensor([5.0, 0, 2], dtype=torch.float64), torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64))


def passes_over_what_cannot_come(answer, draw: Draw):
    """A token without odds that never came changes nothing."""
    expect(answer, torch.tensor([7.0, 0, 5], dtype=torch.float64), torch.tensor([0.5, 0, 0.5], dtype=torch.float64))


def is_infinite_where_the_impossible_came(answer, draw: Draw):
    """If a token without odds came, it is infinite."""
    expect(answer, torch.tensor([7.0, 1, 5], dtype=torch.float64), torch.tensor([0.5, 0, 0.5], dtype=torch.float64))


def finds_the_sampler_that_cheats(answer, draw: Draw):
    """Of two samplers it finds the one that cheats."""
    odds = some_odds(draw, 6)
    honest, cheat = drawn(draw, odds), drawn(draw, (odds**1.5) / (odds**1.5).sum())
    expect(answer, honest, odds)
    expect(answer, cheat, odds)
