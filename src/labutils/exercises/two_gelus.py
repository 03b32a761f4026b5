"""Exercise 6.1: GELU in both forms, exact and with a hyperbolic tangent."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.showing import rounded

CLOSE = 1e-7  # everything is computed in float64; the two forms differ by up to 5e-4
FINISHED = ("gelu", "silu")  # parts of the names of operations that are half of the answer
FINISHED_GATE = ("normal_cdf", "ndtr")  # and of those that are a finished Φ
BY_HAND = {"erf", "erfc", "special_erf", "special_erfc"}  # with one of them Φ was made
FINISHED_BELOW = ("torch.distributions", "statistics", "scipy")  # here is a finished Φ


def check_gelus(gelus: Callable[[Tensor], tuple[Tensor, Tensor]], seed: int | None = None) -> None:
    """Check `gelus`: x (...) -> (exact, with tanh), both (...).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        gelus,
        returns_two,
        is_exact_in_the_first,
        has_the_tangent_in_the_second,
        takes_any_shape,
        is_right_far_out,
        does_it_by_itself,
        repeat="check_gelus(gelus, seed={seed})",
        seed=seed,
    )


def below(x: Tensor) -> Tensor:
    """Φ(x)."""
    return 0.5 * (1 + torch.erf(x / math.sqrt(2)))


def with_tangent(x: Tensor) -> Tensor:
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def both(gelus, x: Tensor) -> tuple[Tensor, Tensor]:
    found = call(gelus, x)
    expect_type(found, (tuple, list), "gelus", "a pair: the exact form, then the one with tanh")
    if len(found) != 2:
        raise NotYet(f"gelus should return two tensors, and it returned {len(found)}.")
    for one in found:
        expect_tensor(one, tuple(x.shape), "gelus")
    return found[0], found[1]


def expect(found: Tensor, right: Tensor, x: Tensor, which: str, mistakes) -> None:
    if not fair.alike(found, right, CLOSE):
        at = tuple((~torch.isclose(found.double(), right, rtol=CLOSE, atol=CLOSE)).nonzero()[0].tolist())
        raise NotYet(
            f"The {which} of {rounded(x[at])} is {float(found[at]):.6f}, expected {float(right[at]):.6f}."
            f"{likely(found, mistakes, CLOSE)}"
        )


def of_exact(x: Tensor) -> Iterator[tuple[str, Tensor]]:
    yield "That is the form with tanh; the exact one has the error function.", with_tangent(x)
    yield "That is x · σ(x), SiLU: the gate here is Φ(x), not the logistic function.", x * torch.sigmoid(x)
    yield "That is another approximation, x · σ(1.702 x).", x * torch.sigmoid(1.702 * x)
    density = torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    yield "That is x times the density φ(x): Φ(x) is the area below it, up to x.", x * density
    yield "The root of 2 is missing: erf counts in other units than Φ.", 0.5 * x * (1 + torch.erf(x))
    yield "erf counts in other units than Φ: divide by the root of 2.", 0.5 * x * (1 + torch.erf(x * math.sqrt(2)))
    yield "erf goes from −1 to 1, Φ from 0 to 1: erf has to be lifted and halved.", x * torch.erf(x / math.sqrt(2))
    yield "erf goes from −1 to 1, so it has to be lifted before it is halved.", 0.5 * x * torch.erf(x / math.sqrt(2))
    yield "The half is missing: 1 + erf goes from 0 to 2.", 2 * x * below(x)
    yield "The factor x is missing: that is Φ(x), the gate alone.", below(x)
    yield "That is ReLU.", x.clamp(min=0)


def of_tangent(x: Tensor) -> Iterator[tuple[str, Tensor]]:
    yield "That is the exact form.", x * below(x)
    c = math.sqrt(2 / math.pi)
    yield "The root of 2/π is missing.", 0.5 * x * (1 + torch.tanh(x + 0.044715 * x**3))
    yield (
        "The cube is outside the root: both terms are multiplied by it.",
        0.5 * x * (1 + torch.tanh(c * x + 0.044715 * x**3)),
    )
    yield "The root is missing: it is √(2/π).", 0.5 * x * (1 + torch.tanh(c**2 * (x + 0.044715 * x**3)))
    root_of_2 = 0.5 * x * (1 + torch.tanh(math.sqrt(2) / math.pi * (x + 0.044715 * x**3)))
    yield "The root is of 2/π, not of 2 alone.", root_of_2
    yield "Only x is cubed, not its factor.", 0.5 * x * (1 + torch.tanh(c * (x + (0.044715 * x) ** 3)))
    squared = 0.5 * x * (1 + torch.tanh(c * (x + 0.044715 * x**2)))
    yield "The second term has the cube of x, not its square.", squared
    yield "The half is missing.", x * (1 + torch.tanh(c * (x + 0.044715 * x**3)))
    yield "The term with the cube is missing.", 0.5 * x * (1 + torch.tanh(c * x))


def drawn(draw: Draw, *shape: int) -> Tensor:
    return 2 * draw.normal(*shape, dtype=torch.float64)


def returns_two(gelus, draw: Draw):
    """There are two tensors, each of the shape of x."""
    both(gelus, drawn(draw, draw.between(3, 6)))


def is_exact_in_the_first(gelus, draw: Draw):
    """The first is x · Φ(x)."""
    x = drawn(draw, draw.between(5, 9))
    expect(both(gelus, x)[0], x * below(x), x, "exact GELU", of_exact(x))


def has_the_tangent_in_the_second(gelus, draw: Draw):
    """The second is the approximation of the card."""
    x = drawn(draw, draw.between(5, 9))
    expect(both(gelus, x)[1], with_tangent(x), x, "form with tanh", of_tangent(x))


def takes_any_shape(gelus, draw: Draw):
    """One number, no number, and three axes."""
    for shape in ((), (0,), (1,), (2, draw.between(1, 4), 3)):
        x = drawn(draw, *shape)
        exact, tangent = both(gelus, x)
        expect(exact, x * below(x), x, "exact GELU", of_exact(x))
        expect(tangent, with_tangent(x), x, "form with tanh", of_tangent(x))


def is_right_far_out(gelus, draw: Draw):
    """Far out both are x above and 0 below."""
    x = torch.tensor([-40.0, -9.0, 0.0, 9.0, 40.0], dtype=torch.float64)
    for found, name in zip(both(gelus, x), ("exact GELU", "form with tanh")):
        expect(found, x.clamp(min=0), x, name, ())


def does_it_by_itself(gelus, draw: Draw):
    """Neither a finished GELU nor a finished Φ runs."""
    seen = ran(gelus, drawn(draw, 4))
    refuse(seen, "make Φ out of erf", operations=FINISHED_GATE, functions=FINISHED_BELOW)
    made = BY_HAND & {name.strip("_") for name in seen.operations}
    refuse(seen, "write the form with tanh yourself" if made else "make Φ out of erf", operations=FINISHED)
