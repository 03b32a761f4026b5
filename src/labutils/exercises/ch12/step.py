"""Exercise 12.2: one step of a beam search."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import kind

END = 0
Step = Callable[[list, Tensor, int, int], tuple]


def check_step(step: Step, seed: int | None = None) -> None:
    """Check `step`: beams, log-odds (b, V), a width and the end sign -> the beams that go on and those that have ended.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        step,
        takes_the_first_step,
        adds_to_what_a_beam_has,
        lets_one_beam_have_all_places,
        sets_ended_beams_aside,
        keeps_only_good_ends,
        takes_any_size,
        repeat="check_step(step, seed={seed})",
        seed=seed,
    )


def step(beams, log_odds, width, end):
    found = []
    for (ids, log_p), row in zip(beams, log_odds):
        for token, value in enumerate(row.tolist()):
            found.append(([*ids, token], log_p + value))
    found.sort(key=lambda one: -one[1])
    ended = [one for one in found[:width] if one[0][-1] == end]
    running = [one for one in found if one[0][-1] != end][:width]
    return running, ended


RIGHT = (step,)
RUNNING, ENDED = "running = [one for one in found if one[0][-1] != end][:width]", "found[:width]"
# fmt: off
MISTAKES = (
    ("loses a place to one that ended", "A beam that ended took a place: as many as before go on, if there are any.",
     RUNNING, "running = [one for one in found[:width] if one[0][-1] != end]"),
    ("chooses within each beam", "Each beam was continued by its own best token: all continuations are compared with"
     " one another.", "found.append(([*ids, token], log_p + value))",
     "found.append(([*ids, token], log_p + value)) if value == row.max() else None"),
    ("normalises per beam", "What a beam has so far was left out: the log-odds of the whole are compared.",
     "log_p + value", "value"),
    ("multiplies logarithms", "The logarithms were multiplied: those of a product are added.", "log_p + value",
     "log_p * value"),
    ("divides by the length too early", "The sums were divided by the length: a length penalty is for texts that have"
     " ended, when they are compared with one another.", "log_p + value", "(log_p + value) / (len(ids) + 1)"),
    ("lets ended beams go on", "A beam that has ended is still among those that go on.", RUNNING,
     "running = found[:width]"),
    ("keeps every end", "A beam that ended was kept although it is not among the best of all continuations.", ENDED,
     "found"),
    ("forgets ended beams", "A beam that ended is lost.", ENDED, "found[:0]"),
    ("takes the worst", "The least probable ones were kept.", "-one[1]", "one[1]"),
)
REFUSED = (
    ("takes 0 for the end sign", "The end sign is", "== end", "== 0", "!= end", "!= 0"),
    ("keeps ends that beat the last that goes on", "those that have ended are", "found[:width] if one[0][-1] == end",
     "found if one[0][-1] == end and one[1] >= [x[1] for x in found if x[0][-1] != end][:width][-1]"),
    ("keeps one end", "those that have ended are", "found[:width] if one[0][-1] == end]",
     "found[:width] if one[0][-1] == end][:1]"),
    ("returns the running ones alone", "a pair", "return running, ended", "return running"),
)
# fmt: on


def expect(answer: Step, beams: list, log_odds: Tensor, width: int, end: int = END) -> None:
    """The end sign is the first column of what was drawn; with another `end` all tokens are counted on."""
    V = log_odds.shape[1]
    beams = [([(token + end) % V for token in ids], log_p) for ids, log_p in beams]
    given = beams, log_odds.roll(end, 1), width, end
    found, right = call(answer, *given), step(*given)
    found = fair.plain(found)
    if not isinstance(found, list) or len(found) != 2 or not all(isinstance(part, list) for part in found):
        raise NotYet(
            f"step should return a pair, the beams that go on and those that have ended; this is {kind(found)}."
        )
    for part, name, wanted in zip(found, ("go on", "have ended"), right):
        if not _alike(part, wanted):
            cause = likely(0, ((said, 0) for said, one in outcomes(MISTAKES, step, *given) if _same(found, one)))
            raise NotYet(
                f"The end sign is {end}. Of {len(beams)} beams and {V} tokens at width {width} those that {name} are"
                f" {_told(part)}, expected {_told(fair.plain(wanted))}.{cause}"
            )


def _alike(one, other) -> bool:
    one, other = fair.plain(one), fair.plain(other)
    return len(one) == len(other) and all(
        isinstance(a, list) and len(a) == 2 and a[0] == b[0] and fair.alike(a[1], float(b[1]))
        for a, b in zip(one, other)
    )


def _same(found, wrong) -> bool:
    return all(_alike(a, b) for a, b in zip(found, wrong))


def _told(beams: list) -> str:
    try:
        return ", ".join(f"{ids} with {log_p:.2f}" for ids, log_p in beams) or "none"
    except (TypeError, ValueError):
        return repr(beams)[:80]


def drawn(draw: Draw, b: int, V: int, end: float = -9.0) -> tuple[list, Tensor]:
    """Beams of one length with their log-odds, and the log-odds of what follows; the end sign is improbable."""
    n = draw.between(1, 3)
    beams = [
        ([draw.between(1, V - 1) for _ in range(n - 1)] + [i + 1], -0.3 * i - draw.between(1, 3)) for i in range(b)
    ]
    logits = 2 * draw.normal(b, V, dtype=torch.float64)
    logits[:, END] = end
    return beams, logits.log_softmax(-1)


def takes_the_first_step(answer: Step, draw: Draw):
    """One beam without a token becomes as many as are to be kept."""
    _, log_odds = drawn(draw, 1, 6)
    expect(answer, [([], 0.0)], log_odds, 3)


def adds_to_what_a_beam_has(answer: Step, draw: Draw):
    """The log-odds of the whole beginning are compared."""
    log_odds = torch.tensor([[0.02, 0.5, 0.48], [0.02, 0.9, 0.08]], dtype=torch.float64).log()
    expect(answer, [([1], -0.2), ([2], -2.5)], log_odds, 2)


def lets_one_beam_have_all_places(answer: Step, draw: Draw):
    """All places may go to continuations of one beam, and longer beams have no advantage."""
    log_odds = torch.tensor([[0.02, 0.5, 0.48], [0.1, 0.46, 0.44]], dtype=torch.float64).log()
    expect(answer, [([1, 1], -0.1), ([2, 2], -6.0)], log_odds, 2)
    expect(answer, *drawn(draw, 3, 5), 3)


def sets_ended_beams_aside(answer: Step, draw: Draw):
    """A beam that ends is set aside, and its place goes to the next best."""
    log_odds = torch.tensor([[0.6, 0.3, 0.1], [0.01, 0.29, 0.7]], dtype=torch.float64).log()
    expect(answer, [([1], -0.5), ([2], -0.7)], log_odds, 2)


def keeps_only_good_ends(answer: Step, draw: Draw):
    """A beam that ends counts only if it is among the best of all continuations."""
    log_odds = torch.tensor([[0.1, 0.5, 0.4], [0.2, 0.42, 0.38]], dtype=torch.float64).log()
    expect(answer, [([1], -0.5), ([2], -0.7)], log_odds, 2)
    log_odds = torch.tensor([[0.5, 0.3, 0.2], [0.45, 0.3, 0.25]], dtype=torch.float64).log()
    expect(
        answer, [([1], -0.5), ([2], -0.8)], log_odds, 1
    )  # of two ends the second is not among the best, but beats all that go on
    expect(answer, [([1], -0.5), ([2], -0.7)], log_odds, 2)  # here both are


def takes_any_size(answer: Step, draw: Draw):
    """One beam, many tokens, other widths, other end signs."""
    expect(answer, *drawn(draw, 1, 4), 1)
    for width in (2, draw.between(3, 5)):
        given = drawn(draw, width, draw.between(8, 12), end=draw.choice([-9.0, 2.0, 4.0]))
        expect(answer, *given, width, end=draw.between(1, 7))
    expect(answer, *drawn(draw, 2, 5, end=4.0), 2, end=3)
