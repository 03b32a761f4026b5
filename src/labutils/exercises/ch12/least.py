"""Exercise 12.1: for each token, above which p it stays in the nucleus."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import rounded


def check_least(least: Callable[[Tensor], Tensor], seed: int | None = None) -> None:
    """Check `least`: odds (V,) -> for each token the mass that stands before it, (V,).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        least,
        lets_the_best_stay_always,
        counts_what_stands_before,
        answers_in_the_order_of_the_ids,
        takes_equals_in_the_order_of_their_ids,
        takes_any_size,
        repeat="check_least(least, seed={seed})",
        seed=seed,
    )


def least(odds):
    largest, order = odds.sort(descending=True, stable=True)
    before = largest.cumsum(-1) - largest
    out = torch.empty_like(odds)
    out[order] = before
    return out


RIGHT = (least,)
# fmt: off
MISTAKES = (
    ("counts the token itself", "The token’s own odds were counted too: with this rule the token that crosses p is"
     " dropped, and a best token with more than p as well.", "largest.cumsum(-1) - largest", "largest.cumsum(-1)"),
    ("leaves them sorted", "These stand in the order of their odds: they have to go back to the order of the ids.",
     "out[order] = before", "out = before"),
    ("puts them back the wrong way", "The order was applied a second time: it has to be undone.",
     "out[order] = before", "out = before[order]"),
    ("begins with the smallest", "The sum begins with the least probable token: the most probable one comes first.",
     "descending=True", "descending=False"),
    ("does not sort", "The odds were added up in the order of the ids: the most probable token comes first.",
     "odds.sort(descending=True, stable=True)", "odds, torch.arange(len(odds))"),
    ("drops what crosses", "Only the mass before the one before was counted.", "largest.cumsum(-1) - largest",
     "(largest.cumsum(-1) - largest - largest.roll(1)).clamp(min=0)"),
    ("treats equal ones alike", "Equal odds got the same mass: one of them stands before the other, the one with the"
     " smaller id.", """
def least(odds):
    return torch.stack([odds[odds > x].sum() for x in odds])
"""),
    ("turns equal ones round", "Of equal odds the larger id came first: the smaller one does.", """
def least(odds):
    largest, order = odds.flip(0).sort(descending=True, stable=True)
    out = torch.empty_like(odds)
    out[order] = largest.cumsum(-1) - largest
    return out.flip(0)
"""),
)
REFUSED = (("returns a number", "returned the shape", "return out", "return out.sum()"),)
# fmt: on


def expect(answer, odds: Tensor) -> None:
    found, wanted = call(answer, odds), least(odds)
    expect_tensor(found, tuple(odds.shape), "least")
    if not fair.alike(found, wanted):
        raise NotYet(
            f"For odds {rounded(odds)} least gave {rounded(found)}, expected {rounded(wanted)}."
            f"{likely(found, outcomes(MISTAKES, least, odds))}"
        )


def drawn(draw: Draw, V: int) -> Tensor:
    """Odds of V tokens, no two of them equal, in no order."""
    weights = torch.tensor(draw.sample(range(1, 40), V), dtype=torch.float64)
    return weights / weights.sum()


def lets_the_best_stay_always(answer, draw: Draw):
    """Before the most probable token stands nothing, whatever it has."""
    expect(answer, torch.tensor([0.9, 0.1], dtype=torch.float64))


def counts_what_stands_before(answer, draw: Draw):
    """Every other token has the mass of all that are more probable."""
    expect(answer, drawn(draw, 4).sort(descending=True).values)


def answers_in_the_order_of_the_ids(answer, draw: Draw):
    """The answer stands in the order of the ids."""
    expect(answer, torch.tensor([0.1, 0.2, 0.4, 0.3], dtype=torch.float64))
    expect(answer, drawn(draw, 6))


def takes_equals_in_the_order_of_their_ids(answer, draw: Draw):
    """Of equal odds the smaller id comes first."""
    expect(answer, torch.tensor([0.25, 0.125, 0.25, 0.125, 0.25], dtype=torch.float64))


def takes_any_size(answer, draw: Draw):
    """One token, and many."""
    expect(answer, torch.ones(1, dtype=torch.float64))
    expect(answer, drawn(draw, draw.between(9, 30)))
