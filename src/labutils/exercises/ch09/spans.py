"""Exercise 9.3: the best spans that can be answers and share no token, or none where [CLS] scores as much."""

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show


def check_spans(spans, seed: int | None = None) -> None:
    """Check `spans`: start (n,), end (n,), context (n,) of bools and how many -> a list of pairs (first, last).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        spans,
        finds_two_peaks,
        ends_after_it_begins,
        stays_in_the_context,
        adds_the_scores,
        goes_on_with_the_rest,
        runs_over_nothing,
        may_be_fewer,
        takes_any_scores,
        does_it_by_itself,
        repeat="check_spans(spans, seed={seed})",
        seed=seed,
    )


def spans(start, end, context, k):
    free, found = context.clone(), []
    while len(found) < k:
        best, most = None, float(start[0] + end[0])
        for a in range(len(start)):
            for b in range(a, len(start)):
                if free[a : b + 1].all() and float(start[a] + end[b]) > most:
                    best, most = (a, b), float(start[a] + end[b])
        if best is None:
            break
        found.append(best)
        free[best[0] : best[1] + 1] = False
    return found


RIGHT = (spans,)
TAKEN = "free[best[0] : best[1] + 1] = False"
FITS = "free[a : b + 1].all()"
LOOPS = "        for a in range(len(start)):\n            for b in range(a, len(start)):"
# fmt: off
MISTAKES = (
    ("pairs that overlap", "These are the best pairs; some of them share tokens.",
     FITS + " and", FITS + " and (a, b) not in found and", TAKEN, "pass"),
    ("only its begin is taken", "Of a span that was found only the first token counts as taken.",
     TAKEN, "free[best[0]] = False"),
    ("its last token stays free", "The last token of a span that was found counts as free.",
     TAKEN, "free[best[0] : best[1]] = False\n        free[best[0]] = False"),
    ("the best start first", "The best start was taken first: a pair with another start may have the larger sum.",
     LOOPS,
     "        for a in [int(start.masked_fill(~free, -torch.inf).argmax())]:\n"
     "            for b in range(a, len(start)):"),
    ("leaps over a gap", "Its begin and its end are free, and a token between them is not.",
     FITS, "free[a] and free[b]"),
    ("only its begin is in the context", "It ends outside the context.", FITS, "free[a]"),
    ("outside the context", "It stands outside the context.", "context.clone()", "torch.ones_like(context)"),
    ("sorted by place", "They stand in the order of the text: the best comes first.", "return found",
     "return sorted(found)"),
    ("one too many", "That is one more than `k`.", "len(found) < k", "len(found) <= k"),
    ("one alone", "It stops after the first span.", "len(found) < k", "len(found) < min(k, 1)"),
    ("a tie goes to the span", "A span has to score more than [CLS]; with as much there is no answer.",
     "> most", ">= most"),
    ("never none", "[CLS] scores more, which says that there is no answer.", "float(start[0] + end[0])",
     "float('-inf')"),
    ("multiplies", "The scores are logits: they are added. Two negative ones have a positive product.",
     "float(start[a] + end[b]) > most:\n                    best, most = (a, b), float(start[a] + end[b])",
     "float(start[a] * end[b]) > most:\n                    best, most = (a, b), float(start[a] * end[b])"),
    ("may end before it begins", "It ends before it begins.", "for b in range(a, len(start))",
     "for b in [*range(a, len(start)), *range(a)]", FITS, "free[min(a, b) : max(a, b) + 1].all()"),
)
REFUSED = (
    ("changes the context", "changed what it was given", "context.clone()", "context"),
    ("adds chances", "expected",
     "float(start[a] + end[b]) > most:\n                    best, most = (a, b), float(start[a] + end[b])",
     "float(start.softmax(0)[a] + end.softmax(0)[b]) > most:\n                    best, most = (a, b),"
     " float(start.softmax(0)[a] + end.softmax(0)[b])", "float(start[0] + end[0])",
     "float(start.softmax(0)[0] + end.softmax(0)[0])"),
    ("one pair, not a list", "a list of pairs", "    return found", "    return found[0] if found else None"),
    ("an end that is not in it", "expected", "found.append(best)", "found.append((best[0], best[1] + 1))"),
)
# fmt: on


def scores(draw: Draw, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Low scores everywhere; [CLS] lowest; the context is the second part of the sequence."""
    start, end = 0.1 * draw.normal(n), 0.1 * draw.normal(n)
    start[0] = end[0] = -9.0
    context = torch.arange(n) >= n // 3
    return start, end, context & (torch.arange(n) < n - 1)


def listed(found) -> list[tuple]:
    """What was returned, as a list of pairs.

    Raises NotYet where it is none.
    """
    plain = fair.plain(found)
    if not isinstance(plain, list | tuple) or not all(isinstance(one, list | tuple) and len(one) == 2 for one in plain):
        raise NotYet(f"Found {show(found)}, expected a list of pairs (first, last), which may be empty.")
    return [tuple(one) for one in plain]


def expect(answer, *given) -> None:
    start, end, context, k = given
    found, right = listed(call(answer, start, end, context.clone(), k)), spans(*given)
    if found != right:
        cause = likely(found, outcomes(MISTAKES, spans, *given))
        at = torch.nonzero(context)[:, 0].tolist()
        whole = at and len(at) == at[-1] - at[0] + 1
        where = f"tokens {at[0]} to {at[-1]}" if whole else f"tokens {', '.join(map(str, at))}" if at else "no token"
        raise NotYet(f"The context is {where}, k is {k}: found {show(found)}, expected {show(right)}.{cause}")


def peaks(draw: Draw, a: int, b: int, n: int = 12):
    start, end, context = scores(draw, n)
    start[a], end[b] = 5.0, 5.0
    return start, end, context


def finds_two_peaks(answer, draw: Draw):
    """Where one start and one end stand out, they are the answer."""
    a = draw.between(4, 7)
    start, end, context = peaks(draw, a, a + draw.between(0, 2))
    expect(answer, start, end, context, 1)


def ends_after_it_begins(answer, draw: Draw):
    """An answer does not end before it begins."""
    start, end, context = peaks(draw, 9, 5)
    end[10], start[4] = 2.0, 3.0
    expect(answer, start, end, context, 1)


def stays_in_the_context(answer, draw: Draw):
    """An answer stands in the context, all of it."""
    start, end, context = peaks(draw, 2, 3)
    start[5], end[6] = 2.0, 2.0
    expect(answer, start, end, context, 1)
    start, end, context = peaks(draw, 8, 11)
    end[9] = 2.0
    expect(answer, start, end, context, 1)
    start, end, context = peaks(draw, 5, 7)
    context[6] = False
    expect(answer, start, end, context, 1)


def adds_the_scores(answer, draw: Draw):
    """A low score counts against a span as much as a high one counts for it."""
    start, end, context = scores(draw, 12)
    start[4], end[4], context[5] = -3.0, 6.0, False
    start[6], end[7] = 4.0, 1.0
    start[8], end[9] = -4.0, -4.0
    expect(answer, start, end, context, 1)


def goes_on_with_the_rest(answer, draw: Draw):
    """The next span is the best of what the first has left, and stands behind it in the list."""
    start, end, context = scores(draw, 12)
    start[0] = end[0] = 1.0
    start[8], start[9], end[10] = 5.0, 0.8, 5.0
    start[4], end[5] = 3.0, 3.0
    for k in (2, 3):
        expect(answer, start, end, context, k)


def runs_over_nothing(answer, draw: Draw):
    """No token is in two spans, and none runs over another."""
    start, end, context = scores(draw, 12)
    start[0] = end[0] = 0.5
    start[6], end[7] = 6.0, 6.0  # taken first; then the best begin stands before it and the best end behind it
    start[4], end[9] = 4.0, 4.0
    end[5], start[8] = 1.0, 2.0
    expect(answer, start, end, context, 3)
    start, end, context = scores(draw, 12)
    start[0] = end[0] = 0.5
    start[5], end[8] = 6.0, 6.0
    start[7], end[6], start[8], end[9] = 3.0, 3.0, 4.0, 4.0  # inside the first, or sharing its last token
    expect(answer, start, end, context, 3)


def may_be_fewer(answer, draw: Draw):
    """Where no span that is left scores more than [CLS], the list ends, and may be empty."""
    start, end, context = peaks(draw, 5, 6)
    start[0] = end[0] = 6.0
    expect(answer, start, end, context, 2)
    start[0], end[0] = 4.0, 6.0  # as much as the best span, 5 + 5
    expect(answer, start, end, context, 2)
    start[0] = end[0] = 1.0
    expect(answer, start, end, context, 3)


def takes_any_scores(answer, draw: Draw):
    """It is right for any scores and any context."""
    for _ in range(6):
        n = draw.between(5, 9)
        start, end, context = draw.normal(n) - 1, draw.normal(n) - 1, draw.mask(n, share=0.6)
        start[0] = end[0] = -1.5
        context[0] = False
        expect(answer, start, end, context, draw.between(1, 4))


def does_it_by_itself(answer, draw: Draw):
    """The package's own search does not do it."""
    refuse(ran(answer, *peaks(draw, 5, 6), 2), "PyTorch alone is enough")
