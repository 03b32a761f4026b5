"""Exercise 3.4: a bucket for each distance between two tokens."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes, seeded

EDGE = 1e-3  # so near to the edge of a bucket rounding decides, and either is right


def check_bucket(bucket: Callable[[Tensor, int, int], Tensor], seed: int | None = None) -> None:
    """Check `bucket`: distances (whole numbers), how many buckets, the farthest distance -> a bucket each.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        bucket,
        tells_near_distances_apart,
        tells_the_sides_apart,
        lets_far_distances_share,
        has_a_last_bucket,
        takes_any_shape,
        does_it_by_itself,
        repeat="check_bucket(bucket, seed={seed})",
        seed=seed,
    )


def bucket(distances, buckets, farthest):
    half, exact = buckets // 2, buckets // 4
    far = distances.abs()
    ratio = torch.log(far.clamp(min=1).double() / exact) / math.log(farthest / exact)
    shared = exact + (ratio * (half - exact)).floor().long()
    shared = shared.clamp(max=half - 1)
    return (distances > 0) * half + torch.where(far < exact, far, shared)


RIGHT = (bucket,)
NEAR, RANGES = "torch.where(far < exact, far, shared)", "(half - exact)"
RATIO = "torch.log(far.clamp(min=1).double() / exact) / math.log(farthest / exact)"
OWN = "here, whatever was given."
# fmt: off
MISTAKES = (
    ("sign lost", "The sign is lost: a key before the query and one after it share a bucket.",
     "(distances > 0) * half + ", ""),
    ("sides exchanged", "The sides are exchanged: keys after the query have the second half.", "distances > 0",
     "distances < 0"),
    ("0 is after", "0 is not after the query: it has bucket 0.", "distances > 0", "distances >= 0"),
    ("distance 1 in the first bucket after the query",
     "After the query the distance 1 took the first bucket of its side. That one is for 0 and stays empty.",
     "distances.abs()", "distances.abs() - (distances > 0).long()"),
    ("one exact distance too many", "One distance too many has a bucket of its own.", "buckets // 4",
     "buckets // 4 + 1"),
    ("one exact distance too few", "One distance too few has a bucket of its own.", "buckets // 4", "buckets // 4 - 1"),
    ("128 whatever farthest is", f"farthest is 128 {OWN}", "farthest / exact", "128 / exact"),
    ("log base", "The logarithm was not divided by that of farthest / exact, so the ranges do not end at farthest.",
     " / math.log(farthest / exact)", ""),
    ("as many ranges as exact distances",
     "There are half − exact ranges, here one more than exact, and these are exact many.", RANGES, "exact"),
    ("half many ranges", "There are half − exact ranges, and these are half many.", RANGES, "half"),
    ("one range less", "There are half − exact ranges; this is one less.", RANGES, "(half - exact - 1)"),
    ("no last bucket", "Beyond farthest the numbers go on growing: the last bucket of the half holds all of it.",
     "shared.clamp(max=half - 1)", "shared"),
    ("rounded to the nearest", "The number of the range was rounded to the nearest; here it is rounded down.", "floor",
     "round"),
    ("rounded up", "The number of the range was rounded up; here it is rounded down.", "floor", "ceil"),
    ("far ranges of one width",
     "The far ranges are all equally wide; here each is wider than the one before, by an equal factor.", RATIO,
     "(far - exact) / (farthest - exact)"),
)
SELDOM = (  # which of them it is shows in some draws only
    ("32 buckets, and 128 is the farthest", f"There are 32 buckets and farthest is 128 {OWN}", "half, exact",
     "buckets, farthest = 32, 128\n    half, exact"),
    ("32 buckets", f"There are 32 buckets {OWN}", "half, exact", "buckets = 32\n    half, exact"),
    ("query minus key", "The distance is key minus query; this is query minus key.", "far = distances",
     "distances = -distances\n    far = distances"),
)
REFUSED = (
    ("32 buckets, and 128 is the farthest", SELDOM[0][1], *SELDOM[0][2:], "def bucket", seeded(3) + "def bucket"),
    ("32 buckets",
     "There are 32 buckets here, whatever was given|There are 32 buckets and farthest is 128", *SELDOM[1][2:],
     "def bucket", seeded(3) + "def bucket"),
    ("query minus key", "The sides are exchanged|The distance is key minus query", *SELDOM[2][2:]),
    ("numbers with a decimal point", "should return whole numbers", NEAR, f"{NEAR}.float()"),
    ("borrows HuggingFace's", "ran in your function, and the card does without it", """
        from transformers.models.t5.modeling_t5 import T5Attention

        def bucket(distances, buckets, farthest):
            return T5Attention._relative_position_bucket(distances, True, buckets, farthest)"""),
)
# fmt: on


def sure(distances: Tensor, buckets: int, farthest: int) -> Tensor:
    """Distances whose bucket does not depend on how a logarithm is rounded."""
    half, exact = buckets // 2, buckets // 4
    at = torch.log(distances.abs().clamp(min=1).double() / exact) / math.log(farthest / exact) * (half - exact)
    edge = (at - at.round()).abs() < EDGE
    return distances[~edge | (distances.abs() <= exact) | (at > half - exact + EDGE)]


def expect(answer, distances: Tensor, buckets: int, farthest: int) -> None:
    """Raises NotYet where a distance has the wrong bucket."""
    given = call(answer, distances, buckets, farthest)
    found = fair.numbers(given)
    if found is None or found.shape != distances.shape:
        shape = "something else" if found is None else f"the shape {tuple(found.shape)}"
        raise NotYet(f"bucket should return one number for each of {tuple(distances.shape)}, and it returned {shape}.")
    right = bucket(distances, buckets, farthest)
    whole = bool((found == found.round()).all())
    wrong = (found != right).flatten().nonzero()
    if len(wrong):
        i = int(wrong[0])
        raise NotYet(
            f"With {buckets} buckets and farthest = {farthest} the distance {int(distances.flatten()[i])} has bucket "
            f"{float(found.flatten()[i]):{'.0f' if whole else 'g'}}, expected {int(right.flatten()[i])}."
            f"{likely(found, outcomes(MISTAKES + SELDOM, bucket, distances, buckets, farthest))}"
        )
    if not fair.all_whole(given):
        raise NotYet(
            "The values are right, but a bucket is looked up in a table: bucket should return whole numbers, such as "
            "`.long()` makes, not numbers with a decimal point or truth values."
        )


def sizes(draw: Draw, odd: bool = False) -> tuple[int, int]:
    """How many buckets, and the farthest distance; `odd` halves have one range more than exact distances."""
    buckets = 4 * draw.between(3, 10) + 2 * odd
    return buckets, buckets * draw.between(2, 6)


def tells_near_distances_apart(answer, draw: Draw):
    """Near keys before the query have a bucket each."""
    buckets, farthest = sizes(draw)
    expect(answer, -torch.arange(buckets // 4 + 1), buckets, farthest)


def tells_the_sides_apart(answer, draw: Draw):
    """Keys after the query have the second half of the buckets."""
    buckets, farthest = sizes(draw)
    near = buckets // 4
    expect(answer, torch.arange(-near, near + 1), buckets, farthest)


def lets_far_distances_share(answer, draw: Draw):
    """Far distances share, in ranges that grow by equal factors."""
    for odd in (False, True, False):
        buckets, farthest = sizes(draw, odd)
        expect(answer, sure(torch.arange(-farthest + 1, farthest), buckets, farthest), buckets, farthest)


def has_a_last_bucket(answer, draw: Draw):
    """Whatever is beyond the farthest distance has the last bucket of its side."""
    buckets, farthest = sizes(draw)
    expect(answer, torch.tensor([-9, -2, 2, 9]) * farthest, buckets, farthest)


def takes_any_shape(answer, draw: Draw):
    """A whole matrix of distances, and one distance."""
    buckets, farthest = sizes(draw)
    n = buckets // 4
    expect(answer, torch.arange(n) - torch.arange(n)[:, None], buckets, farthest)
    expect(answer, torch.tensor([0]), buckets, farthest)


def does_it_by_itself(answer, draw: Draw):
    """Nothing else fills the buckets."""
    refuse(ran(answer, torch.arange(-9, 9), 32, 128), "a comparison, a logarithm and a limit are enough")
