"""Exercise 4.1: what is kept of two parts of a row of scores, merged into what belongs to the whole row."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, SOFTMAX, ran, refuse
from labutils.exercises.showing import rounded, show
from labutils.exercises.two_parts_mistakes import MISTAKES, Part

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
        survives_large_scores,
        takes_a_part_that_sees_nothing,
        merges_a_row_number_by_number,
        does_it_by_itself,
        repeat="check_merge(merge, seed={seed})",
        seed=seed,
    )


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


def merged(merge, first: Part, second: Part) -> Part:
    """The reader's three. Raises NotYet where they are not three of the right kind."""
    result = call(merge, first, second)
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


def compare(first: Part, second: Part, found: Part, right: Part, names: str = "mso") -> None:
    """Raises NotYet with the first of the three that is wrong; `names` says which are looked at."""
    for name, mine, expected in zip("mso", found, right):
        if name in names and not fair.alike(mine, expected, FLOAT32):
            because = likely(mine, MISTAKES[name](first, second), FLOAT32)
            given = " and ".join(f"({', '.join(map(brief, part))})" for part in (first, second))
            raise NotYet(f"For the parts {given} {name} became {brief(mine)}, expected {brief(expected)}.{because}")


def brief(value: float | Tensor) -> str:
    return str(rounded(value)) if isinstance(value, Tensor) else f"{value:.4g}"


def compare_both_ways(merge, draw: Draw, names: str = "mso", centre: float = 0.0, apart: float = 2.0) -> None:
    """`compare` on random parts, of which the second lies higher, then the first."""
    for first_is_higher in (False, True):
        first, second, right = two_parts(draw, centre, apart, first_is_higher)
        compare(first, second, merged(merge, first, second), right, names)


def keeps_the_largest_score(merge, draw: Draw):
    """m is the largest score of the whole row."""
    compare_both_ways(merge, draw, "m")


def counts_every_score_from_it(merge, draw: Draw):
    """s counts the scores of both parts from the new m."""
    compare_both_ways(merge, draw, "ms")


def mixes_by_the_shares_of_the_parts(merge, draw: Draw):
    """o gives each part its share of the weight."""
    compare_both_ways(merge, draw)


def survives_large_scores(merge, draw: Draw):
    """Scores far above and far below 0 do no harm."""
    for centre, apart in ((1000.0, 1.0), (-1000.0, 1.0), (-800.0, 1600.0)):
        compare_both_ways(merge, draw, centre=centre, apart=apart)


def takes_a_part_that_sees_nothing(merge, draw: Draw):
    """A part in which everything is hidden changes nothing."""
    seen, _, _ = two_parts(draw)
    nothing = -math.inf, 0.0, torch.zeros_like(seen[2])
    for first, second, right in ((nothing, seen, seen), (seen, nothing, seen), (nothing, nothing, nothing)):
        compare(first, second, merged(merge, first, second), right)


def merges_a_row_number_by_number(merge, draw: Draw):
    """A long row, merged one score at a time, comes out as a whole."""
    n, d_v = draw.between(20, 40), draw.between(1, 5)
    scores, values = 5 * draw.normal(n, dtype=torch.float64), draw.normal(n, d_v, dtype=torch.float64)
    scores = scores.masked_fill(draw.mask(n, share=0.3), -torch.inf)
    for rows in (range(n), reversed(range(n))):
        parts = [kept(scores[i : i + 1], values[i : i + 1]) for i in rows]
        found = parts[0]
        for part in parts[1:]:
            found = merged(merge, found, part)
        for name, mine, right in zip("mso", found, kept(scores, values)):
            if not fair.alike(mine, right, FLOAT32):
                raise NotYet(f"After {n} scores, merged one by one, {name} is {brief(mine)}, expected {brief(right)}.")


def does_it_by_itself(merge, draw: Draw):
    """Nothing else computes the softmax."""
    first, second, _ = two_parts(draw)
    refuse(ran(merge, first, second), "`math.exp` and sums are enough", operations=SOFTMAX, functions=AUTOGRAD)
