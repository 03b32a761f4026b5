"""Exercise 3.1: sinusoids with all sines in the first half of a row and all cosines in the second."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
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


def table(places: Tensor, d: int, base: float, exponent: float = 2.0) -> Tensor:
    """Sines, then cosines; `exponent` times the pair's number, over d, is the power of the base."""
    angles = places.double()[:, None] / base ** (exponent * torch.arange(d // 2, dtype=torch.float64) / d)
    return torch.cat([angles.sin(), angles.cos()], -1)


def mistakes(places: Tensor, d: int, base: float) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    right = table(places, d, base)
    alternating = torch.stack(right.chunk(2, -1), -1).flatten(1)
    yield "Sines and cosines alternate, as in the chapter; here all sines come first.", alternating
    yield "The cosines stand in front of the sines.", right.roll(d // 2, -1)
    yield (
        "The power is i/d where 2i/d is asked for: i counts pairs, and the last power is nearly 1.",
        table(places, d, base, 1.0),
    )
    yield (
        "Each power is twice what it should be: with i counting pairs, 2i/d is all of it.",
        table(places, d, base, 4.0),
    )
    if d > 2:
        yield "The last power became 1. It is 2i/d, so it stays below 1.", table(places, d, base, 2.0 * d / (d - 2))
    yield "The places were counted from 1.", table(places + 1, d, base)
    yield "Only the base is raised to the power 2i/d; here place / base was.", _raised_whole(places, d, base)
    yield (
        "The places that were given were not used: these are 0, 1, 2, …",
        table(torch.arange(len(places), dtype=torch.float64), d, base),
    )
    if not torch.equal(places, places.trunc()):
        yield "The places were made whole numbers. Any numbers are allowed.", table(places.trunc(), d, base)
    yield "The base is 10,000 here, whatever was given.", table(places, d, 10_000.0)
    yield "The places were multiplied by the powers, not divided by them.", _by_product(places, d, base)


def _by_product(places: Tensor, d: int, base: float) -> Tensor:
    angles = places.double()[:, None] * base ** (2 * torch.arange(d // 2, dtype=torch.float64) / d)
    return torch.cat([angles.sin(), angles.cos()], -1)


def _raised_whole(places: Tensor, d: int, base: float) -> Tensor:
    angles = (places.double()[:, None] / base) ** (2 * torch.arange(d // 2, dtype=torch.float64) / d)
    return torch.cat([angles.sin(), angles.cos()], -1)


def expect(halves, places: Tensor, d: int, base: float = 10_000.0) -> None:
    """Raises NotYet where a row is wrong."""
    found = call(halves, places, d, base)
    expect_tensor(found, (len(places), d), "halves")
    found, right = found.detach().double(), table(places, d, base)
    if fair.alike(found, right):
        return
    row = int((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).any(-1).nonzero()[0])
    raise NotYet(
        f"With d = {d} and the base {base:g} the row of place {float(places[row]):g} is {rounded(found[row])},"
        f" expected {rounded(right[row])}.{likely(found, mistakes(places, d, base))}"
    )


def begins_with_zeros_and_ones(halves, draw: Draw):
    """Place 0 has sines of 0 and cosines of 1."""
    expect(halves, torch.zeros(1), 2 * draw.between(2, 4))  # with d = 2 two mistakes would look alike


def is_right_at_place_one(halves, draw: Draw):
    """Each hand is slower than the one before."""
    # the base is not 10,000, whose products float32 blurs, nor its root
    expect(halves, torch.arange(2.0), 2 * draw.between(3, 5), 50.0)


def takes_any_places(halves, draw: Draw):
    """Places that do not begin at 0, stand between two tokens, or before the first."""
    for places in (torch.arange(3.0) + draw.between(2, 50), draw.normal(3) * 5, torch.tensor([-1.0, 0.5])):
        expect(halves, places, 2 * draw.between(1, 5))


def takes_any_base(halves, draw: Draw):
    """Another base, and odd numbers of rows."""
    for rows, pairs in ((2, 2), (1, 1), (1, 1)):  # at least; the base shows from place 1 and the second hand on
        base = float(draw.between(10, 5000))
        expect(halves, torch.arange(float(draw.between(rows, 7))), 2 * draw.between(pairs, 9), base)


def does_it_by_itself(halves, draw: Draw):
    """Nothing else makes the rows."""
    refuse(ran(halves, torch.arange(3.0), 4, 100.0), "sine, cosine and a power are enough")
