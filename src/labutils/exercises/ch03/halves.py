"""Exercise 3.1: sinusoids with all sines in the first half of a row and all cosines in the second."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes, seeded
from labutils.exercises.showing import rounded


def check_halves(halves: Callable[[Tensor, int, float], Tensor], seed: int | None = None) -> None:
    """Check `halves`: places (n,), an even width d, a base -> rows (n, d), the sines first.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        halves,
        begins_with_zeros_and_ones,
        is_right_at_place_one,
        takes_any_places,
        takes_any_base,
        does_it_by_itself,
        repeat="check_halves(halves, seed={seed})",
        seed=seed,
    )


def halves(places, d, base):
    powers = 2 * torch.arange(d // 2, dtype=torch.float64) / d
    angles = places[:, None] / base**powers
    return torch.cat([angles.sin(), angles.cos()], -1)


RIGHT = (halves,)
PLACES, ROWS = "places[:, None]", "torch.cat([angles.sin(), angles.cos()], -1)"
# fmt: off
MISTAKES = (
    ("alternating, as in the chapter", "Sines and cosines alternate, as in the chapter; here all sines come first.",
     ROWS, "torch.stack([angles.sin(), angles.cos()], -1).flatten(1)"),
    ("cosines first", "The cosines stand in front of the sines.", "angles.sin(), angles.cos()",
     "angles.cos(), angles.sin()"),
    ("i/d for 2i/d", "The power is i/d where 2i/d is asked for: i counts pairs, and the last power is nearly 1.",
     "2 * torch", "torch"),
    ("counts columns", "Each power is twice what it should be: with i counting pairs, 2i/d is all of it.", "2 * torch",
     "4 * torch"),
    ("the last power is 1", "The last power became 1. It is 2i/d, so it stays below 1.", ") / d", ") / max(d - 2, 1)"),
    ("counts places from 1", "The places were counted from 1.", PLACES, "(places[:, None] + 1)"),
    ("place / base to the power", "Only the base is raised to the power 2i/d; here place / base was.",
     f"{PLACES} / base**powers", f"({PLACES} / base) ** powers"),
    ("ignores the places", "The places that were given were not used: these are 0, 1, 2, …", PLACES,
     "torch.arange(len(places))[:, None]"),
    ("places as whole numbers", "The places were made whole numbers. Any numbers are allowed.", PLACES,
     "places.long()[:, None]"),
    ("ignores the base", "The base is 10,000 here, whatever was given.", "base**", "10000**"),
    ("multiplies", "The places were multiplied by the powers, not divided by them.", "/ base", "* base"),
)
REFUSED = (
    ("multiplies, in float32", "multiplied by the powers, not divided", "/ base", "* base", ", dtype=torch.float64", "",
     "def halves", seeded(1) + "def halves"),
    ("ignores the base, where the only other base met d = 2 or place 0", "The base is 10,000 here, whatever was given",
     "base**", "10000**", "def halves", seeded(195) + "def halves"),
    ("borrows the package's", "`labutils.layers.positions.* ran in your function", """
        from labutils.layers import rotation, sinusoids

        def halves(places, d, base):
            rows = [sinusoids(1, d, base, torch.float64)[0] @ rotation(float(p), d, base) for p in places]
            return torch.cat([torch.stack(rows)[:, ::2], torch.stack(rows)[:, 1::2]], -1)"""),
)
# fmt: on


def expect(answer, places: Tensor, d: int, base: float = 10_000.0) -> None:
    """Raises NotYet where a row is wrong."""
    found = call(answer, places, d, base)
    expect_tensor(found, (len(places), d), "halves")
    found, right = found.detach().double(), halves(places.double(), d, base)
    if fair.alike(found, right):
        return
    row = int((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).any(-1).nonzero()[0])
    raise NotYet(
        f"With d = {d} and the base {base:g} the row of place {float(places[row]):g} is {rounded(found[row])},"
        f" expected {rounded(right[row])}.{likely(found, outcomes(MISTAKES, halves, places.double(), d, base))}"
    )


def begins_with_zeros_and_ones(answer, draw: Draw):
    """Place 0 has sines of 0 and cosines of 1."""
    expect(answer, torch.zeros(1), 2 * draw.between(2, 4))  # with d = 2 two mistakes would look alike


def is_right_at_place_one(answer, draw: Draw):
    """Each hand is slower than the one before."""
    # the base is not 10,000, whose products float32 blurs, nor its root
    expect(answer, torch.arange(2.0), 2 * draw.between(3, 5), 50.0)


def takes_any_places(answer, draw: Draw):
    """Places that do not begin at 0, stand between two tokens, or before the first."""
    for places in (torch.arange(3.0) + draw.between(2, 50), draw.normal(3) * 5, torch.tensor([-1.0, 0.5])):
        expect(answer, places, 2 * draw.between(1, 5))


def takes_any_base(answer, draw: Draw):
    """Another base, and odd numbers of rows."""
    for rows, pairs in ((2, 2), (1, 1), (1, 1)):  # at least; the base shows from place 1 and the second hand on
        base = float(draw.between(10, 5000))
        expect(answer, torch.arange(float(draw.between(rows, 7))), 2 * draw.between(pairs, 9), base)


def does_it_by_itself(answer, draw: Draw):
    """Nothing else makes the rows."""
    refuse(ran(answer, torch.arange(3.0), 4, 100.0), "sine, cosine and a power are enough")
