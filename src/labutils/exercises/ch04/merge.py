"""Exercise 4.1: what is kept of two parts of a row of scores, merged into what belongs to the whole row."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, SOFTMAX, ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import rounded, show

Part = tuple[float, float, Tensor]  # the largest score, the sum of e^(score - m), the mixture of values (d_v,)
LOW = 1e-5  # what a part adds that lies 8 units lower is 30 times as much
FLOAT32 = 1e-3  # how far apart numbers may be that were computed in it: scores reach 1,000


def check_merge(merge: Callable[[Part, Part], Part], seed: int | None = None) -> None:
    """Check `merge`: what is kept of two parts of a row -> the same three of the whole row.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        merge,
        keeps_the_largest_score,
        counts_every_score_from_it,
        mixes_by_the_shares_of_the_parts,
        weighs_parts_that_are_equally_high,
        hears_a_part_that_lies_lower,
        survives_large_scores,
        takes_a_part_that_sees_nothing,
        merges_a_row_number_by_number,
        does_it_by_itself,
        repeat="check_merge(merge, seed={seed})",
        seed=seed,
    )


def merge(first, second):
    (m_1, s_1, o_1), (m_2, s_2, o_2) = first, second
    m = max(m_1, m_2)
    if m == -math.inf:
        return first
    s_1, s_2 = s_1 * math.exp(m_1 - m), s_2 * math.exp(m_2 - m)
    return m, s_1 + s_2, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)


RIGHT = (merge,)
SUMS = "s_1, s_2 = s_1 * math.exp(m_1 - m), s_2 * math.exp(m_2 - m)"
MIXTURE = "(s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)"
NOTHING = "if m == -math.inf:\n        return first"
# fmt: off
OF_M = (
    ("keeps the first m", "That is the m of the first part.", "max(m_1, m_2)", "m_1"),
    ("keeps the second m", "That is the m of the second part.", "max(m_1, m_2)", "m_2"),
    ("adds both m", "That is the sum of both.", "max(m_1, m_2)", "m_1 + m_2"),
)
OF_S = (
    ("two parts that see nothing", "−∞ minus −∞ is no number.", NOTHING, ""),
    ("adds both sums as they are", "That is the sum of both, but each was counted from an m of its own.", SUMS, ""),
    ("rescales the wrong way round", "Each was multiplied by e to the power of m minus its own m: the other way round.",
     SUMS, "s_1, s_2 = s_1 * math.exp(m - m_1), s_2 * math.exp(m - m_2)"),
    ("counts from 0", "That is the sum of e^score, not of e^(score − m).", "m, s_1 + s_2,",
     "m, (s_1 + s_2) * math.exp(m),"),
)
OF_O = (
    ("divides 0 by 0", "0 divided by 0 is no number.", "return first", "return m, 0.0, o_1 * math.nan"),
    ("adds both mixtures", "That is the sum of both mixtures.", MIXTURE, "o_1 + o_2"),
    ("mean of both mixtures", "That is the mean of both mixtures, as if both parts had the same weight.", MIXTURE,
     "(o_1 + o_2) / 2"),
    ("does not divide", "The shares are right but for a factor: they sum to s, not to 1.", " / (s_1 + s_2)", ""),
    ("weights by the old sums", "Each mixture was weighted by its s, but these are counted from different m.", MIXTURE,
     "(first[1] * o_1 + second[1] * o_2) / (first[1] + second[1])"),
    ("weights without the sums", "Each mixture was weighted by e^(its m − m) alone; its s is missing.", MIXTURE,
     "(math.exp(m_1 - m) * o_1 + math.exp(m_2 - m) * o_2) / (math.exp(m_1 - m) + math.exp(m_2 - m))"),
)
MISTAKES = OF_M + OF_S + OF_O
REFUSED = (
    ("no shift",
     r"Scores far above .*\n.* s became nan, expected [\d.]+. e to the power of 1001 is too large for a number.", SUMS,
     "one, other, both = torch.exp(torch.tensor([m_1, m_2, m], dtype=torch.float64))\n"
     "    s_1, s_2 = s_1 * one, s_2 * other", "m, s_1 + s_2,", "m, (s_1 + s_2) / both,"),
    ("no shift, with math.exp", r"merge\(.* raised OverflowError: math range error. It happened at .*math.exp",
     SUMS, "s_1, s_2 = s_1 * math.exp(m_1), s_2 * math.exp(m_2)", "m, s_1 + s_2,", "m, (s_1 + s_2) / math.exp(m),"),
    ("lets torch.softmax do it, under another name",
     "Nothing else computes the softmax\n  `softmax` ran in your function, and the card does without it", """
        from torch.nn import Softmax as Shares

        def merge(first, second):
            m, s, o = (torch.stack([torch.as_tensor(x).double() for x in pair]) for pair in zip(first, second))
            if m.max() == -torch.inf:
                return first
            return m.max(), (s * torch.exp(m - m.max())).sum(), Shares(0)(m + torch.log(s)) @ o"""),
    ("logaddexp", "`logaddexp` ran in your function", "return m, s_1",
     "torch.logaddexp(torch.tensor(m_1), torch.tensor(m_2))\n    return m, s_1"),
    ("the plain mean where both are equally high", r"the same largest score.*\n.* o became .* as if both parts had",
     NOTHING, NOTHING + "\n    if m_1 == m_2:\n        return m, s_1 + s_2, (o_1 + o_2) / 2"),
    ("drops a part that lies 5 lower", "several units lower", NOTHING,
     NOTHING + "\n    if abs(m_1 - m_2) > 5:\n        return first if m_1 > m_2 else second"),
    ("overwrites what it was given", "merge changed what it was given", MIXTURE,
     "o_1.mul_(s_1).add_(s_2 * o_2).div_(s_1 + s_2)"),
)
# fmt: on


def mistakes(name: str, first: Part, second: Part) -> Iterator[tuple[str, object]]:
    """What is said of the usual mistakes in m, s or o, and what each gives."""
    m = max(first[0], second[0])
    if name == "s" and m > 700:
        yield from ((f"e to the power of {m:.0f} is too large for a number.", value) for value in (math.inf, math.nan))
    rows = {"m": OF_M, "s": OF_S, "o": OF_O}[name]
    yield from outcomes(rows, merge, first, second, part="mso".index(name))


def kept(scores: Tensor, values: Tensor) -> Part:
    """What is kept of a part: scores (n,) and values (n, d_v), in float64, at least one score."""
    m = float(scores.max())
    if m == -math.inf:
        return m, 0.0, torch.zeros_like(values[0])
    powers = torch.exp(scores - m)
    return m, float(powers.sum()), powers @ values / powers.sum()


def two_parts(
    draw: Draw, centre: float = 0.0, apart: float = 2.0, first_is_higher: bool = False
) -> tuple[Part, Part, Part]:
    """Two parts of a row and the whole of it; the second part lies higher by `apart` unless the first does."""
    sizes, d_v = (draw.between(2, 5), draw.between(2, 5)), draw.between(2, 4)
    low, high = (draw.normal(n, dtype=torch.float64) for n in sizes)
    low = low - low.max() + centre
    high = high - high.max() + centre + apart
    scores = [high, low] if first_is_higher else [low, high]
    values = [3 * draw.normal(len(part), d_v, dtype=torch.float64) for part in scores]
    return *map(kept, scores, values), kept(torch.cat(scores), torch.cat(values))


def merged(answer, first: Part, second: Part) -> Part:
    """The reader's three. Raises NotYet where they are not three of the right kind."""
    result = call(answer, first, second)
    found = expect_list(result, "merge", "three things: m, s and o")
    if len(found) != 3:
        raise NotYet(f"merge should return three things, m, s and o, and it returned {len(found)}.")
    m, s, o = fair.number(found[0]), fair.number(found[1]), fair.numbers(found[2])
    if m is None or s is None:
        name, value = ("m", result[0]) if m is None else ("s", result[1])
        raise NotYet(f"{name} should be a number, and it is {show(value)}.")
    if o is None or o.shape != first[2].shape:
        raise NotYet(f"o is {show(result[2])}, expected a tensor of shape {tuple(first[2].shape)}.")
    return m, s, o


def compare(first: Part, second: Part, found: Part, right: Part, names: str = "mso", within: float = FLOAT32) -> None:
    """Raises NotYet with the first of the three that is wrong; `names` says which are looked at."""
    for name, mine, expected in zip("mso", found, right):
        if name in names and not fair.alike(mine, expected, within):
            because = likely(mine, mistakes(name, first, second), within)
            given = " and ".join(f"({', '.join(map(brief, part))})" for part in (first, second))
            raise NotYet(f"For the parts {given} {name} became {brief(mine)}, expected {brief(expected)}.{because}")


def brief(value: float | Tensor) -> str:
    return str(rounded(value)) if isinstance(value, Tensor) else f"{value:.4g}"


def compare_both_ways(
    answer, draw: Draw, names: str = "mso", centre: float = 0.0, apart: float = 2.0, within: float = FLOAT32
) -> None:
    """`compare` on random parts, of which the second lies higher, then the first."""
    for first_is_higher in (False, True):
        first, second, right = two_parts(draw, centre, apart, first_is_higher)
        compare(first, second, merged(answer, first, second), right, names, within)


def keeps_the_largest_score(answer, draw: Draw):
    """m is the largest score of the whole row."""
    compare_both_ways(answer, draw, "m")


def counts_every_score_from_it(answer, draw: Draw):
    """s counts the scores of both parts from the new m."""
    compare_both_ways(answer, draw, "ms")


def mixes_by_the_shares_of_the_parts(answer, draw: Draw):
    """o gives each part its share of the weight."""
    compare_both_ways(answer, draw)


def weighs_parts_that_are_equally_high(answer, draw: Draw):
    """Two parts with the same largest score still have shares of their own."""
    (m, s, o), (_, _, other), _ = two_parts(draw, apart=0.0)
    part = m, s + draw.between(2, 4), other
    both = s + part[1]
    right = m, both, (s * o + part[1] * other) / both
    for first, second in (((m, s, o), part), (part, (m, s, o))):
        compare(first, second, merged(answer, first, second), right)


def hears_a_part_that_lies_lower(answer, draw: Draw):
    """A part that lies several units lower still counts."""
    for apart in (4.0, 6.0, 8.0):
        compare_both_ways(answer, draw, apart=apart, within=LOW)


def survives_large_scores(answer, draw: Draw):
    """Scores far above and far below 0 do no harm."""
    for centre, apart in ((1000.0, 1.0), (-1000.0, 1.0), (-800.0, 1600.0)):
        compare_both_ways(answer, draw, centre=centre, apart=apart)


def takes_a_part_that_sees_nothing(answer, draw: Draw):
    """A part in which everything is hidden changes nothing."""
    seen, _, _ = two_parts(draw)
    nothing = -math.inf, 0.0, torch.zeros_like(seen[2])
    for first, second, right in ((nothing, seen, seen), (seen, nothing, seen), (nothing, nothing, nothing)):
        compare(first, second, merged(answer, first, second), right)


def merges_a_row_number_by_number(answer, draw: Draw):
    """A long row, merged one score at a time, comes out as a whole."""
    n, d_v = draw.between(20, 40), draw.between(1, 5)
    scores, values = 5 * draw.normal(n, dtype=torch.float64), draw.normal(n, d_v, dtype=torch.float64)
    scores = scores.masked_fill(draw.mask(n, share=0.3), -torch.inf)
    for rows in (range(n), reversed(range(n))):
        parts = [kept(scores[i : i + 1], values[i : i + 1]) for i in rows]
        found = parts[0]
        for part in parts[1:]:
            found = merged(answer, found, part)
        for name, mine, right in zip("mso", found, kept(scores, values)):
            if not fair.alike(mine, right, FLOAT32):
                raise NotYet(f"After {n} scores, merged one by one, {name} is {brief(mine)}, expected {brief(right)}.")


def does_it_by_itself(answer, draw: Draw):
    """Nothing else computes the softmax."""
    first, second, _ = two_parts(draw)
    refuse(ran(answer, first, second), "`math.exp` and sums are enough", operations=SOFTMAX, functions=AUTOGRAD)
