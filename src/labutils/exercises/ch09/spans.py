"""Exercise 9.3: the best span that can be an answer, or none where [CLS] scores as much."""

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show


def check_span(span, seed: int | None = None) -> None:
    """Check `span`: start (n,), end (n,), context (n,) of bools and a length -> (first, last) or None.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        span,
        finds_two_peaks,
        ends_after_it_begins,
        stays_in_the_context,
        adds_the_scores,
        is_short_enough,
        may_be_none,
        takes_any_scores,
        does_it_by_itself,
        repeat="check_span(span, seed={seed})",
        seed=seed,
    )


def span(start, end, context, longest):
    best, most = None, float(start[0] + end[0])
    for a in range(len(start)):
        for b in range(a, min(len(start), a + longest)):
            if context[a : b + 1].all() and float(start[a] + end[b]) > most:
                best, most = (a, b), float(start[a] + end[b])
    return best


RIGHT = (span,)
LOOPS = "    for a in range(len(start)):\n        for b in range(a, min(len(start), a + longest)):"
# fmt: off
MISTAKES = (
    ("the best start first", "The best start was taken first: a pair with another start may have the larger sum.",
     LOOPS,
     "    for a in [int(start.masked_fill(~context, -torch.inf).argmax())]:\n"
     "        for b in range(a, min(len(start), a + longest)):"),
    ("one too long", "It is one token too long: from a to b there are b − a + 1.", "a + longest)", "a + longest + 1)"),
    ("one too short", "A span of exactly `longest` tokens was left out.", "a + longest)", "a + longest - 1)"),
    ("any length", "It is longer than allowed.", "min(len(start), a + longest)", "len(start)"),
    ("leaps over a gap", "Its begin and its end are in the context, and a token between them is not.",
     "context[a : b + 1].all()", "context[a] and context[b]"),
    ("only its begin is in the context", "It ends outside the context.", "context[a : b + 1].all()", "context[a]"),
    ("outside the context", "It stands outside the context.", "if context[a : b + 1].all() and", "if"),
    ("a tie goes to the span", "A span has to score more than [CLS]; with as much there is no answer.",
     "> most", ">= most"),
    ("never none", "[CLS] scores more, which says that there is no answer.", "float(start[0] + end[0])",
     "float('-inf')"),
    ("multiplies", "The scores are logits: they are added. Two negative ones have a positive product.",
     "float(start[a] + end[b]) > most:\n                best, most = (a, b), float(start[a] + end[b])",
     "float(start[a] * end[b]) > most:\n                best, most = (a, b), float(start[a] * end[b])"),
    ("may end before it begins", "It ends before it begins.", "for b in range(a, min(len(start), a + longest))",
     "for b in range(len(start))"),
)
REFUSED = (
    ("adds chances", "expected",
     "float(start[a] + end[b]) > most:\n                best, most = (a, b), float(start[a] + end[b])",
     "float(start.softmax(0)[a] + end.softmax(0)[b]) > most:\n                best, most = (a, b),"
     " float(start.softmax(0)[a] + end.softmax(0)[b])", "float(start[0] + end[0])",
     "float(start.softmax(0)[0] + end.softmax(0)[0])"),
    ("two best places", "It ends before it begins", "    return best",
     "    return int(start.argmax()), int(end.argmax())"),
    ("an end that is not in it", "expected", "best, most = (a, b), float", "best, most = (a, b + 1), float"),
)
# fmt: on


def scores(draw: Draw, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Low scores everywhere; [CLS] lowest; the context is the second part of the sequence."""
    start, end = 0.1 * draw.normal(n), 0.1 * draw.normal(n)
    start[0] = end[0] = -9.0
    context = torch.arange(n) >= n // 3
    return start, end, context & (torch.arange(n) < n - 1)


def expect(answer, *given) -> None:
    found, right = call(answer, *given), span(*given)
    plain = None if found is None else tuple(fair.plain(found)) if isinstance(fair.plain(found), list) else found
    if plain != right:
        cause = likely(plain, outcomes(MISTAKES, span, *given))
        start, end, context, longest = given
        at = torch.nonzero(context)[:, 0].tolist()
        whole = at and len(at) == at[-1] - at[0] + 1
        which = f"{at[0]} to {at[-1]}" if whole else ", ".join(map(str, at))
        where = f"tokens {which}, at most {longest} together" if at else "no token"
        raise NotYet(f"The context is {where}: found {show(plain)}, expected {show(right)}.{cause}")


def peaks(draw: Draw, a: int, b: int, n: int = 12):
    start, end, context = scores(draw, n)
    start[a], end[b] = 5.0, 5.0
    return start, end, context


def finds_two_peaks(answer, draw: Draw):
    """Where one start and one end stand out, they are the answer."""
    a = draw.between(4, 7)
    start, end, context = peaks(draw, a, a + draw.between(0, 2))
    start[10] = end[10] = -6.0
    expect(answer, start, end, context, 8)


def ends_after_it_begins(answer, draw: Draw):
    """An answer does not end before it begins."""
    start, end, context = peaks(draw, 9, 5)
    end[10], start[4] = 2.0, 3.0
    expect(answer, start, end, context, 8)


def stays_in_the_context(answer, draw: Draw):
    """An answer stands in the context, all of it."""
    start, end, context = peaks(draw, 2, 3)
    start[5], end[6] = 2.0, 2.0
    expect(answer, start, end, context, 8)
    start, end, context = peaks(draw, 8, 11)
    end[9] = 2.0
    expect(answer, start, end, context, 8)
    start, end, context = peaks(draw, 5, 7)
    context[6] = False
    expect(answer, start, end, context, 8)


def adds_the_scores(answer, draw: Draw):
    """A low score counts against a span as much as a high one counts for it."""
    start, end, context = scores(draw, 12)
    start[4], end[4], context[5] = -3.0, 6.0, False
    start[6], end[7] = 4.0, 1.0
    expect(answer, start, end, context, 3)


def is_short_enough(answer, draw: Draw):
    """An answer has at most so many tokens, and may have exactly so many."""
    for last, longest in ((8, 3), (7, 3), (7, 4)):
        start, end, context = peaks(draw, 4, last)
        end[6] = 3.0
        expect(answer, start, end, context, longest)


def may_be_none(answer, draw: Draw):
    """Where no span scores more than [CLS], there is no answer."""
    start, end, context = peaks(draw, 5, 6)
    start[0] = end[0] = 6.0
    expect(answer, start, end, context, 8)
    start[0], end[0] = 4.0, 6.0  # as much as the best span, 5 + 5
    expect(answer, start, end, context, 8)


def takes_any_scores(answer, draw: Draw):
    """It is the best of all pairs, for any scores."""
    for _ in range(6):
        n = draw.between(5, 9)
        start, end, context = draw.normal(n) - 1, draw.normal(n) - 1, draw.mask(n, share=0.6)
        start[0] = end[0] = -4.0
        context[0] = False
        expect(answer, start, end, context, draw.between(1, 4))


def does_it_by_itself(answer, draw: Draw):
    """The package's own search does not do it."""
    refuse(ran(answer, *peaks(draw, 5, 6), 4), "PyTorch alone is enough")
