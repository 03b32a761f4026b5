"""Exercise 6.4: gradient descent with warm-up and clipping, in which three lines are wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

CLOSE = 1e-5  # float32 and torch's own clipping, which adds 1e-6 to the length, are within it


def check_descend(descend: Callable[..., Tensor], seed: int | None = None) -> None:
    """Check `descend`: w (d,), the gradient as a function, steps, the peak rate, warmup, most -> w after the steps.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        descend,
        takes_one_step,
        rises_to_the_peak,
        takes_each_gradient_anew,
        shortens_what_is_too_long,
        leaves_what_is_short,
        takes_other_settings,
        reaches_the_bottom,
        repeat="check_descend(descend, seed={seed})",
        seed=seed,
    )


def descend(w, gradient, steps, peak, warmup, most):
    for step in range(steps):
        g = gradient(w)
        if g.norm() > most:
            g = g * most / g.norm()
        rate = peak * min(1, (step + 1) / warmup) if warmup else peak
        w = w - rate * g
    return w


RIGHT = (descend,)
RISE, SHORT, LONG = "min(1, (step + 1) / warmup)", "g * most / g.norm()", "if g.norm() > most"
WHOLE = (
    "The first step has the whole peak already. Which of 1 and the fraction is to count, the smaller or the larger,"
    " and which way up is the fraction?"
)
DOWN = "The rate comes down from warmup times the peak: step and warmup are turned round."
UNIT = "What is too long gets the length 1: it is shortened to most."
# fmt: off
MISTAKES = (
    ("leaves the rate upside down", DOWN, RISE, "max(1, warmup / (step + 1))"),
    ("turns the rate round and bounds it by nothing", DOWN, RISE, "(warmup / (step + 1))"),
    ("turns the fraction and leaves its bound", WHOLE, RISE, "max(1, (step + 1) / warmup)"),
    ("turns the bound and leaves the fraction", WHOLE, RISE, "min(1, warmup / (step + 1))"),
    ("forgets the warm-up", WHOLE, RISE, "1"),
    ("begins with a rate of 0", "The first step stands still: it is step 1 of the warm-up, not step 0.", "(step + 1)",
     "step"),
    ("reaches the peak one step too late", "The peak is reached one step too late: step number warmup has it.",
     "/ warmup", "/ (warmup + 1)"),
    ("bounds the rate by nothing", "After the warm-up the rate goes on rising.", RISE, "((step + 1) / warmup)"),
    ("goes on adding gradients", "The gradients of all steps are added up: each step takes its own.", "g = gradient(w)",
     "total = g = gradient(w) + (total if step else 0)"),
    ("takes the gradient once", "Each step takes the gradient of the first place: it is new at each.",
     "g = gradient(w)", "g = start = start if step else gradient(w)"),
    ("goes up", "It goes up: a step is taken against the gradient.", "w - rate", "w + rate"),
    ("lengthens what is too long", "What is too long becomes longer: the factor of the clipping is upside down.", SHORT,
     "g * g.norm() / most"),
    ("makes short gradients longer", "A short gradient was made longer: clipping only shortens.", LONG, "if g.norm()"),
    ("shortens to 1", UNIT, SHORT, "g / g.norm()"),
    ("gives every gradient the length 1", UNIT, LONG, "if g.norm()", SHORT, "g / g.norm()"),
    ("divides by the square of the length", "The factor is divided by the square of the length: the root is missing.",
     SHORT, "g * most / g.norm() ** 2"),
    ("clips number by number", "Each number is clipped by itself, which turns the gradient to another direction.", LONG,
     "if True", SHORT, "g.clamp(-most, most)"),
    ("shortens nothing", "No gradient is shortened. Or do you shorten the step? Shorten before the rate is applied.",
     SHORT, "g"),
    ("shortens the step", "The step is shortened, not the gradient: shorten before the rate is applied.", SHORT, "g",
     "w - rate * g", "w - rate * g * min(1, most / (rate * g.norm()))"),
)
REFUSED = ()
# fmt: on


def expect(answer, w: Tensor, gradient, *settings) -> None:
    """settings: steps, peak, warmup, most."""
    found = call(answer, w, gradient, *settings)
    expect_tensor(found, tuple(w.shape), "descend")
    wanted = descend(w, gradient, *settings)
    if not fair.alike(found, wanted, CLOSE):
        steps, peak, warmup, most = settings
        at = int((found.double() - wanted).abs().nan_to_num(torch.inf).argmax())  # where it shows most
        one, other = _told_apart(float(found[at]), float(wanted[at]))
        raise NotYet(
            f"After {steps} step{'s' * (steps != 1)} with peak {peak}, warmup {warmup} and most {most:.3g}"
            f" w[{at}] is {one}, expected {other}."
            f"{likely(found, outcomes(MISTAKES, descend, w, gradient, *settings), CLOSE)}"
        )


def _told_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with four decimals, or with as many as it takes to see that they differ."""
    decimals = next((n for n in range(4, 12) if f"{one:.{n}f}" != f"{other:.{n}f}"), 12)
    return f"{one:.{decimals}f}", f"{other:.{decimals}f}"


def a_bowl(draw: Draw, d: int) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """A place, and the gradient of a loss whose least value is elsewhere."""
    bottom, steep = draw.normal(d, dtype=torch.float64), draw.normal(d, dtype=torch.float64).abs() + 0.5
    return bottom + 1 + draw.normal(d, dtype=torch.float64).abs(), lambda w: steep * (w - bottom)


def takes_one_step(answer, draw: Draw):
    """One step without warm-up goes down by the peak rate times the gradient."""
    expect(answer, *a_bowl(draw, 3), 1, 0.1, 0, 1e6)


def rises_to_the_peak(answer, draw: Draw):
    """The rate rises in equal parts to the peak, and stays there."""
    for steps in (1, 3, 7):
        expect(answer, *a_bowl(draw, 3), steps, 0.1, 4, 1e6)


def takes_each_gradient_anew(answer, draw: Draw):
    """Each step takes the gradient of its own place."""
    expect(answer, *a_bowl(draw, 4), draw.between(3, 6), 0.1, 0, 1e6)


def shortens_what_is_too_long(answer, draw: Draw):
    """A gradient that is too long is shortened, and keeps its direction."""
    expect(answer, *a_bowl(draw, 4), 1, 2.0, 0, 0.5)
    expect(answer, *a_bowl(draw, 4), 5, 0.1, 0, 0.5)


def leaves_what_is_short(answer, draw: Draw):
    """A gradient that is short enough stays as it is, and so does a gradient of zero."""
    w, gradient = a_bowl(draw, 4)
    expect(answer, w, gradient, 2, 0.01, 0, float(gradient(w).norm()) * 1.5)
    expect(answer, w, lambda at: torch.zeros_like(at), 3, 0.1, 2, 1.0)


def takes_other_settings(answer, draw: Draw):
    """One number, no step, and all of it together."""
    expect(answer, *a_bowl(draw, 1), 4, 0.2, 2, 0.7)
    expect(answer, *a_bowl(draw, 3), 0, 0.1, 5, 1.0)
    expect(answer, *a_bowl(draw, draw.between(2, 6)), draw.between(5, 12), 0.15, draw.between(1, 6), 1.0)


def reaches_the_bottom(answer, draw: Draw):
    """In the end it stands at the bottom."""
    w, gradient = a_bowl(draw, 3)
    end = call(answer, w, gradient, 400, 0.2, 20, 1.0)
    if float(gradient(end).norm()) > 1e-3:
        raise NotYet(
            f"After 400 steps the gradient still has the length {float(gradient(end).norm()):.2g}, expected 0."
        )
