"""Exercise 6.4: gradient descent with warm-up and clipping, in which three lines are wrong."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw

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


def right(w, gradient, steps, peak, warmup, most, rise=None, keeps=False, clip=None, of_step=False) -> Tensor:
    """The descent, and what it becomes with a mistake left in."""
    kept = torch.zeros_like(w)
    for step in range(steps):
        g = gradient(w)
        kept = kept + g if keeps else g
        g = kept
        share = rise(step, warmup) if rise else (min(1.0, (step + 1) / warmup) if warmup else 1.0)
        rate = peak * share
        g = rate * g if of_step else g
        length = float(g.norm())
        g = clip(g, length, most) if clip else (g * (most / length) if length > most else g)
        w = w - (g if of_step else rate * g)
    return w


def mistakes(*given) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    warm = "The rate comes down from warmup times the peak: step and warmup are turned round."
    yield warm, right(*given, rise=lambda step, w: max(1.0, w / (step + 1)) if w else 1.0)
    yield warm, right(*given, rise=lambda step, w: w / (step + 1) if w else 1.0)
    yield (
        "The first step has the whole peak already. Which of 1 and the fraction is to count, the smaller or the larger,"
        " and which way up is the fraction?",
        right(*given, rise=lambda step, w: 1.0),
    )
    yield (
        "The first step stands still: it is step 1 of the warm-up, not step 0.",
        right(*given, rise=lambda step, w: min(1.0, step / w) if w else 1.0),
    )
    late = "The peak is reached one step too late: step number warmup has it."
    yield late, right(*given, rise=lambda step, w: min(1.0, (step + 1) / (w + 1)))
    yield "After the warm-up the rate goes on rising.", right(*given, rise=lambda step, w: (step + 1) / w if w else 1.0)
    yield "The gradients of all steps are added up: each step takes its own.", right(*given, keeps=True)
    w, gradient, *settings = given
    start = gradient(w)
    yield "Each step takes the gradient of the first place: it is new at each.", right(w, lambda at: start, *settings)
    yield "It goes up: a step is taken against the gradient.", right(w, lambda at: -gradient(at), *settings)
    long = "What is too long becomes longer: the factor of the clipping is upside down."
    yield long, right(*given, clip=lambda g, n, m: g * (n / m) if n > m else g)
    yield (
        "A short gradient was made longer: clipping only shortens.",
        right(*given, clip=lambda g, n, m: g * (m / n) if n else g),
    )
    unit = "What is too long gets the length 1: it is shortened to most."
    yield unit, right(*given, clip=lambda g, n, m: g / n if n > m else g)
    yield unit, right(*given, clip=lambda g, n, m: g / n if n else g)
    squared = "The factor is divided by the square of the length: the root is missing."
    yield squared, right(*given, clip=lambda g, n, m: g * (m / n**2) if n > m else g)
    yield (
        "Each number is clipped by itself, which turns the gradient to another direction.",
        right(*given, clip=lambda g, n, m: g.clamp(-m, m)),
    )
    yield (
        "No gradient is shortened. Or do you shorten the step? Shorten before the rate is applied.",
        right(*given, clip=lambda g, n, m: g),
    )
    yield ("The step is shortened, not the gradient: shorten before the rate is applied.", right(*given, of_step=True))


def expect(descend, w: Tensor, gradient, *settings) -> None:
    """settings: steps, peak, warmup, most."""
    found = call(descend, w, gradient, *settings)
    expect_tensor(found, tuple(w.shape), "descend")
    wanted = right(w, gradient, *settings)
    if not fair.alike(found, wanted, CLOSE):
        steps, peak, warmup, most = settings
        at = int((found.double() - wanted).abs().nan_to_num(torch.inf).argmax())  # where it shows most
        one, other = _told_apart(float(found[at]), float(wanted[at]))
        raise NotYet(
            f"After {steps} step{'s' * (steps != 1)} with peak {peak}, warmup {warmup} and most {most:.3g}"
            f" w[{at}] is {one}, expected {other}."
            f"{likely(found, mistakes(w, gradient, *settings), CLOSE)}"
        )


def _told_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with four decimals, or with as many as it takes to see that they differ."""
    decimals = next((n for n in range(4, 12) if f"{one:.{n}f}" != f"{other:.{n}f}"), 12)
    return f"{one:.{decimals}f}", f"{other:.{decimals}f}"


def a_bowl(draw: Draw, d: int) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """A place, and the gradient of a loss whose least value is elsewhere."""
    bottom, steep = draw.normal(d, dtype=torch.float64), draw.normal(d, dtype=torch.float64).abs() + 0.5
    return bottom + 1 + draw.normal(d, dtype=torch.float64).abs(), lambda w: steep * (w - bottom)


def takes_one_step(descend, draw: Draw):
    """One step without warm-up goes down by the peak rate times the gradient."""
    expect(descend, *a_bowl(draw, 3), 1, 0.1, 0, 1e6)


def rises_to_the_peak(descend, draw: Draw):
    """The rate rises in equal parts to the peak, and stays there."""
    for steps in (1, 3, 7):
        expect(descend, *a_bowl(draw, 3), steps, 0.1, 4, 1e6)


def takes_each_gradient_anew(descend, draw: Draw):
    """Each step takes the gradient of its own place."""
    expect(descend, *a_bowl(draw, 4), draw.between(3, 6), 0.1, 0, 1e6)


def shortens_what_is_too_long(descend, draw: Draw):
    """A gradient that is too long is shortened, and keeps its direction."""
    expect(descend, *a_bowl(draw, 4), 1, 0.1, 0, 0.5)
    expect(descend, *a_bowl(draw, 4), 5, 0.1, 0, 0.5)


def leaves_what_is_short(descend, draw: Draw):
    """A gradient that is short enough stays as it is, and so does a gradient of zero."""
    w, gradient = a_bowl(draw, 4)
    expect(descend, w, gradient, 2, 0.01, 0, float(gradient(w).norm()) * 1.5)
    expect(descend, w, lambda at: torch.zeros_like(at), 3, 0.1, 2, 1.0)


def takes_other_settings(descend, draw: Draw):
    """One number, no step, and all of it together."""
    expect(descend, *a_bowl(draw, 1), 4, 0.2, 2, 0.7)
    expect(descend, *a_bowl(draw, 3), 0, 0.1, 5, 1.0)
    expect(descend, *a_bowl(draw, draw.between(2, 6)), draw.between(5, 12), 0.15, draw.between(1, 6), 1.0)


def reaches_the_bottom(descend, draw: Draw):
    """In the end it stands at the bottom."""
    w, gradient = a_bowl(draw, 3)
    end = call(descend, w, gradient, 400, 0.2, 20, 1.0)
    if float(gradient(end).norm()) > 1e-3:
        raise NotYet(
            f"After 400 steps the gradient still has the length {float(gradient(end).norm()):.2g}, expected 0."
        )
