"""Exercise 6.1: GELU in both forms, exact and with a hyperbolic tangent."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import rounded

FORMS = ("exact GELU", "form with tanh")
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


def gelus(x):
    exact = x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return exact, 0.5 * x * (1 + torch.tanh(inner))


RIGHT = (gelus,)
EXACT = "x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))"
TANGENT = "0.5 * x * (1 + torch.tanh(inner))"
# fmt: off
MISTAKES = (
    ("offers the form with tanh as exact", "That is the form with tanh; the exact one has the error function.",
     "return exact", f"return {TANGENT}"),
    ("takes the logistic function for Φ", "That is x · σ(x), SiLU: the gate here is Φ(x), not the logistic function.",
     EXACT, "x * torch.sigmoid(x)"),
    ("takes a third approximation", "That is another approximation, x · σ(1.702 x).", EXACT,
     "x * torch.sigmoid(1.702 * x)"),
    ("takes the density for Φ", "That is x times the density φ(x): Φ(x) is the area below it, up to x.", EXACT,
     "x * torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)"),
    ("forgets the root of 2", "The root of 2 is missing: erf counts in other units than Φ.", "x / math.sqrt(2)", "x"),
    ("multiplies by the root of 2", "erf counts in other units than Φ: divide by the root of 2.", "x / math.sqrt(2)",
     "x * math.sqrt(2)"),
    ("does not lift erf", "erf goes from −1 to 1, Φ from 0 to 1: erf has to be lifted and halved.", "0.5 * (1 + torch",
     "(torch"),
    ("halves erf and does not lift it", "erf goes from −1 to 1, so it has to be lifted before it is halved.",
     "1 + torch.erf", "torch.erf"),
    ("does not halve erf", "The half is missing: 1 + erf goes from 0 to 2.", "x * 0.5 * (1", "x * (1"),
    ("forgets the factor x", "The factor x is missing: that is Φ(x), the gate alone.", "x * 0.5 * (1", "0.5 * (1"),
    ("takes the rectifier", "That is ReLU.", EXACT, "x.clamp(min=0)"),
    ("returns the exact form twice", "That is the exact form.", TANGENT, "exact"),
    ("forgets the root of 2/π", "The root of 2/π is missing.", "math.sqrt(2 / math.pi) * ", ""),
    ("multiplies only one term by the root", "The cube is outside the root: both terms are multiplied by it.",
     "(x + 0.044715 * x**3)", "x + 0.044715 * x**3"),
    ("2/π without its root", "The root is missing: it is √(2/π).", "math.sqrt(2 / math.pi)", "2 / math.pi"),
    ("takes the root of 2 alone", "The root is of 2/π, not of 2 alone.", "sqrt(2 / math.pi)", "sqrt(2) / math.pi"),
    ("cubes the factor too", "Only x is cubed, not its factor.", "0.044715 * x**3", "(0.044715 * x) ** 3"),
    ("squares in the place of the cube", "The second term has the cube of x, not its square.", "x**3", "x**2"),
    ("does not halve the form with tanh", "The half is missing.", TANGENT, "x * (1 + torch.tanh(inner))"),
    ("forgets the cube", "The term with the cube is missing.", " + 0.044715 * x**3", ""),
)
REFUSED = (
    ("uses the finished ones", "the card does without it: make Φ out of erf", EXACT, "torch.nn.functional.gelu(x)",
     TANGENT, "torch.nn.functional.gelu(x, approximate='tanh')"),
    ("takes the finished Φ", "`special_ndtr` ran in your function, and the card does without it: make Φ out of erf",
     EXACT, "x * torch.special.ndtr(x)"),
    ("takes Φ from a distribution", "`torch.distributions.normal.Normal` ran in your function", EXACT,
     "x * torch.distributions.Normal(0.0, 1.0).cdf(x)"),
    ("writes the first and takes the second finished",
     "`gelu` ran in your function, .*: write the form with tanh yourself", TANGENT,
     "torch.nn.functional.gelu(x, approximate='tanh')"),
    ("returns one", "a pair: the exact form", f", {TANGENT}", ""),
)
# fmt: on


def both(answer, x: Tensor) -> tuple[Tensor, Tensor]:
    found = call(answer, x)
    expect_type(found, (tuple, list), "gelus", "a pair: the exact form, then the one with tanh")
    if len(found) != 2:
        raise NotYet(f"gelus should return two tensors, and it returned {len(found)}.")
    for one in found:
        expect_tensor(one, tuple(x.shape), "gelus")
    return found[0], found[1]


def expect(answer, x: Tensor, parts: tuple[int, ...] = (0, 1)) -> None:
    found, right = both(answer, x), gelus(x)
    for i in parts:
        expect_part(found[i], right[i], x, FORMS[i], outcomes(MISTAKES, gelus, x, part=i))


def expect_part(found: Tensor, right: Tensor, x: Tensor, name: str, mistakes=()) -> None:
    if not fair.alike(found, right, CLOSE):
        at = tuple((~torch.isclose(found.double(), right, rtol=CLOSE, atol=CLOSE)).nonzero()[0].tolist())
        raise NotYet(
            f"The {name} of {rounded(x[at])} is {float(found[at]):.6f}, expected {float(right[at]):.6f}."
            f"{likely(found, mistakes, CLOSE)}"
        )


def drawn(draw: Draw, *shape: int) -> Tensor:
    return 2 * draw.normal(*shape, dtype=torch.float64)


def returns_two(answer, draw: Draw):
    """There are two tensors, each of the shape of x."""
    both(answer, drawn(draw, draw.between(3, 6)))


def is_exact_in_the_first(answer, draw: Draw):
    """The first is x · Φ(x)."""
    x = drawn(draw, draw.between(5, 9))
    expect(answer, x, parts=(0,))


def has_the_tangent_in_the_second(answer, draw: Draw):
    """The second is the approximation of the card."""
    x = drawn(draw, draw.between(5, 9))
    expect(answer, x, parts=(1,))


def takes_any_shape(answer, draw: Draw):
    """One number, no number, and three axes."""
    for shape in ((), (0,), (1,), (2, draw.between(1, 4), 3)):
        expect(answer, drawn(draw, *shape))


def is_right_far_out(answer, draw: Draw):
    """Far out both are x above and 0 below."""
    x = torch.tensor([-40.0, -9.0, 0.0, 9.0, 40.0], dtype=torch.float64)
    for found, name in zip(both(answer, x), FORMS):
        expect_part(found, x.clamp(min=0), x, name)


def does_it_by_itself(answer, draw: Draw):
    """Neither a finished GELU nor a finished Φ runs."""
    seen = ran(answer, drawn(draw, 4))
    refuse(seen, "make Φ out of erf", operations=FINISHED_GATE, functions=FINISHED_BELOW)
    made = BY_HAND & {name.strip("_") for name in seen.operations}
    refuse(seen, "write the form with tanh yourself" if made else "make Φ out of erf", operations=FINISHED)
