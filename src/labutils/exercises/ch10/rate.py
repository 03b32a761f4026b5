"""Exercise 10.1: a rate that rises in a line and falls in a line, with no step that stands still."""

from collections.abc import Callable

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import kind, show


def check_rate(rate: Callable[..., float], seed: int | None = None) -> None:
    """Check `rate`: step (from 1), warmup, steps, peak -> the rate of that step.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        rate,
        rises_to_the_peak,
        falls_to_the_last_step,
        takes_the_shortest_runs,
        takes_other_settings,
        repeat="check_rate(rate, seed={seed})",
        seed=seed,
    )


def rate(step, warmup, steps, peak):
    if step <= warmup:
        return peak * step / warmup
    return peak * (steps + 1 - step) / (steps + 1 - warmup)


RIGHT = (rate,)
RISE, FALL = "peak * step / warmup", "peak * (steps + 1 - step) / (steps + 1 - warmup)"
# fmt: off
MISTAKES = (
    ("begins with 0", "The first step stands still: step 1 has one part of the rise.", RISE,
     "peak * (step - 1) / warmup"),
    ("reaches the peak one step late", "The peak is reached one step too late: step number warmup has it.", RISE,
     "peak * step / (warmup + 1)"),
    ("ends with 0", "The last step stands still: the rate is 0 only after it.", FALL,
     "peak * (steps - step) / (steps - warmup)"),
    ("leaves the peak one step late", "The peak lasts two steps: the fall begins right after step number warmup.", FALL,
     "peak * (steps + 1 - step) / (steps - warmup)"),
    ("falls over all steps", "The fall is divided by all steps, so the rate drops at once where the rise ends.", FALL,
     "peak * (steps + 1 - step) / (steps + 1)"),
    ("goes on rising", "After the warm-up the rate goes on rising.", FALL, RISE),
    ("stays at the peak", "After the warm-up the rate stays at the peak: it has to fall.", FALL, "peak"),
    ("forgets the rise", "The rise is missing: the first steps have the whole peak.", RISE, "peak"),
    ("forgets the peak", "That is a share of the peak: it is not multiplied by it.", RISE, "step / warmup", FALL,
     "(steps + 1 - step) / (steps + 1 - warmup)"),
)
REFUSED = (
    ("divides by a warm-up of 0", "raised ZeroDivisionError", "step <= warmup", "step <= max(1, warmup)"),
)
# fmt: on


def expect(answer, step: int, warmup: int, steps: int, peak: float) -> None:
    value = call(answer, step, warmup, steps, peak)
    found, wanted = fair.number(value), rate(step, warmup, steps, peak)
    if found is None:
        raise NotYet(f"rate should return a number, and it returned {kind(value)}: {show(value)}.")
    if not fair.alike(found, wanted, 1e-9):
        raise NotYet(
            f"rate({step}, {warmup}, {steps}, {peak}) is {found:.6g}, expected {wanted:.6g}."
            f"{likely(found, outcomes(MISTAKES, rate, step, warmup, steps, peak), 1e-9)}"
        )


def rises_to_the_peak(answer, draw: Draw):
    """The rate rises in equal parts, the first step included, to the peak."""
    for step in (1, 3, 5):
        expect(answer, step, 5, 20, 2.0)


def falls_to_the_last_step(answer, draw: Draw):
    """Then it falls in equal parts, and the last step still moves."""
    for step in (20, 6, 13):
        expect(answer, step, 5, 20, 2.0)


def takes_the_shortest_runs(answer, draw: Draw):
    """No warm-up, one step, and a warm-up as long as the run."""
    expect(answer, 1, 0, 4, 1.0)
    expect(answer, 1, 1, 1, 0.5)
    expect(answer, 7, 7, 7, 0.5)


def takes_other_settings(answer, draw: Draw):
    """Other steps, warm-ups and peaks."""
    for _ in range(6):
        steps = draw.between(5, 300)
        expect(answer, draw.between(1, steps), draw.between(0, steps), steps, draw.between(1, 90) / 1000)
