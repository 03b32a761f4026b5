"""Exercise 10.5: a diagnosis from two curves."""

import math
from collections.abc import Callable

from labutils.exercises.checking import NotYet, call, check
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show

STATES = ("healthy", "memorised", "stuck", "leaks")
POINTS = 50


def check_diagnose(diagnose: Callable[..., str], seed: int | None = None) -> None:
    """Check `diagnose`: the losses of training, those on new texts, ln V -> one of four words.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        diagnose,
        knows_a_healthy_run,
        knows_a_memorised_text,
        knows_a_run_that_is_stuck,
        knows_a_leak,
        takes_any_vocabulary,
        repeat="check_diagnose(diagnose, seed={seed})",
        seed=seed,
    )


def diagnose(train, new, chance):
    end = lambda losses: sum(losses[-5:]) / 5
    helped = 0.05 * chance < min(new) < 0.8 * chance
    if end(train) < 0.05 * chance and not helped:
        return "leaks"
    if end(train) > 0.65 * chance:
        return "stuck"
    if end(new) > min(new) + 0.1 * chance:
        return "memorised"
    return "healthy"


RIGHT = (diagnose,)
# fmt: off
MISTAKES = ()
REFUSED = (
    ("looks at training alone", "memorised.*called healthy", "end(new) > min(new) + 0.1 * chance", "False"),
    ("calls every gap a leak", "memorised.*called leaks", "end(train) < 0.05 * chance and not helped",
     "end(train) < end(new) - 0.2 * chance"),
    ("calls a gap memorised", "healthy.*called memorised", "end(new) > min(new) + 0.1 * chance",
     "end(new) > end(train) + 0.08 * chance"),
    ("calls a wider gap memorised", "memorised.*called healthy", "end(new) > min(new) + 0.1 * chance",
     "end(new) > end(train) + 0.2 * chance"),
    ("calls a wide gap memorised", "memorised.*called healthy", "end(new) > min(new) + 0.1 * chance",
     "end(new) > end(train) + 0.35 * chance"),
    ("calls a wide ratio memorised", "memorised.*called healthy", "end(new) > min(new) + 0.1 * chance",
     "end(new) > 3 * end(train)"),
    ("asks how far training has come", "memorised.*called healthy", "end(new) > min(new) + 0.1 * chance",
     "end(train) < 0.1 * chance"),
    ("goes by how fast training falls", "memorised.*called leaks", "and not helped", "and train[5] < 0.2 * chance"),
    ("calls a leak memorised", "leaks.*called memorised", "end(train) < 0.05 * chance and not helped",
     "False"),
    ("trusts a low loss", "called healthy", "end(train) < 0.05 * chance and not helped", "False",
     "return \"memorised\"", "return \"memorised\" if end(train) > 0.05 * chance else \"healthy\""),
    ("takes any fall for health", "stuck.*called healthy", "end(train) > 0.65 * chance", "train[-1] > train[0]"),
    ("knows one vocabulary", "ln V = ", "end(train) > 0.65 * chance", "end(train) > 4.5"),
    ("knows how far one turns", "ln V = 0.69", "min(new) + 0.1 * chance", "min(new) + 0.3"),
    ("knows how little a leak leaves", "ln V = 0.69", "end(train) < 0.05 * chance and not helped", "end(train) < 0.05"),
    ("believes a perfect run", "leaks.*called healthy", "0.05 * chance < min(new)", "min(new)"),
    ("says something else", "expected one of", "return \"leaks\"", "return \"leak\""),
)
# fmt: on


WIDEST = 19  # hundredths of ln V by which new texts are above training, in a healthy run


def curves(draw: Draw, state: str, chance: float) -> tuple[list[float], list[float]]:
    """Losses of training and on new texts, every ten steps, of a run in this state.

    No gap between the two tells a text that begins to be memorised from a healthy run: new texts are farther above in
    a healthy run of the widest gap. With dropout, training may be above new texts before these turn.
    """
    noise = lambda width: width * chance * (draw.between(-100, 100) / 100)
    fall = lambda k, low, pace: low + (1 - low) * math.exp(-k / pace)
    low, pace = draw.between(18, 38) / 100, draw.between(5, 9)
    gap = (WIDEST if "wide" in state else draw.between(1, WIDEST)) / 100
    turn, bottom, back = draw.between(10, 16), draw.between(50, 60) / 100, draw.between(20, 30) / 100
    train, new = [], []
    for k in range(POINTS):
        if state.startswith("healthy"):
            one = other = fall(k, low, pace)
            other += gap * min(1, k / 5)  # new texts may stay a little above, as long as they do not turn
        elif state == "memorised":
            one = fall(k, draw.between(2, 3) / 100, 12)
            other = fall(k, bottom, 4) + back * max(0, k - turn) / (POINTS - turn)
        elif state == "memorised at once":  # training falls as fast as where the answer leaks
            one, other = fall(k, 0.02, 2), fall(k, bottom, 2) + back * max(0, k - turn) / (POINTS - turn)
        elif state == "memorised a little":
            one, other = fall(k, 0.43, 8), fall(k, 0.4, 4) + 0.2 * max(0, k - 12) / (POINTS - 12)
        elif state == "stuck":
            one = other = fall(k, 0.76 + low / 10, 2) + noise(0.02) / chance
        elif state == "leaks":
            one, other = fall(k, 0.002, 2), 1 + low * (1 - math.exp(-k / 10)) * 4
        else:  # the new texts are measured with the same mistake
            one = other = fall(k, 0.002, 2)
        for losses, share in ((train, one), (new, other)):  # near 0 there is little noise: no loss is 0 or less
            losses.append(share * chance + noise(0.004) * min(1, 5 * share))
    return train, new


def expect(answer, draw: Draw, state: str, V: int = 1000) -> None:
    chance = math.log(V)
    train, new = curves(draw, state, chance)
    found = call(answer, train, new, chance)
    state = state.split()[0]
    if found not in STATES:
        raise NotYet(f"diagnose returned {show(found)}, expected one of {', '.join(STATES)}.")
    if found != state:
        raise NotYet(
            f"A run that {SAID[state]} was called {found}. ln V = {chance:.2f}; training goes from {train[0]:.2f} to"
            f" {train[-1]:.2f}, new texts from {new[0]:.2f} by way of {min(new):.2f} to {new[-1]:.2f}."
        )


SAID = {"healthy": "is healthy", "memorised": "has memorised", "stuck": "is stuck", "leaks": "leaks the answer"}


def knows_a_healthy_run(answer, draw: Draw):
    """A healthy run is left alone, with a gap or without."""
    for _ in range(6):
        expect(answer, draw, "healthy")
    expect(answer, draw, "healthy with a wide gap")


def knows_a_memorised_text(answer, draw: Draw):
    """A run that gets worse on new texts has memorised."""
    for _ in range(3):
        expect(answer, draw, "memorised")
        expect(answer, draw, "memorised a little")
        expect(answer, draw, "memorised at once")


def knows_a_run_that_is_stuck(answer, draw: Draw):
    """A run that stays far up is stuck."""
    for _ in range(3):
        expect(answer, draw, "stuck")


def knows_a_leak(answer, draw: Draw):
    """A run that knows next to everything reads the answer, whether or not new texts show it to be wrong."""
    for _ in range(3):
        expect(answer, draw, "leaks")
        expect(answer, draw, "leaks on both")


def takes_any_vocabulary(answer, draw: Draw):
    """The size of the vocabulary changes no diagnosis."""
    for V in (2, 8, 50_257):
        for state in STATES:
            expect(answer, draw, state, V)
