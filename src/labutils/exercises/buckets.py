"""Exercise 3.3: a bucket for each distance between two tokens."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse

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


def by_hand(distances: Tensor, buckets: int, farthest: int, **other) -> Tensor:
    """The right answer, or with `other` a mistaken one."""
    half = buckets // 2
    exact = half // 2
    side = (distances > 0) * half
    if other.get("swapped"):
        side = (distances < 0) * half
    if other.get("unsigned"):
        side = 0 * side
    if other.get("zero_after"):
        side = (distances >= 0) * half
    far = distances.abs()
    if other.get("from_1"):
        far = far - (distances > 0).long()
    exact = exact + other.get("more", 0)
    ratio = torch.log(far.clamp(min=1).double() / exact)
    if not other.get("no_base"):
        ratio = ratio / math.log(other.get("until", farthest) / exact)
    if other.get("linear"):
        ratio = (far - exact) / (farthest - exact)
    steps = ratio * other.get("ranges", half - exact)
    shared = exact + getattr(steps, other.get("rounded", "floor"))().long()
    if not other.get("unlimited"):
        shared = shared.clamp(max=half - 1)
    return side + torch.where(far < exact, far, shared)


def mistakes(distances: Tensor, buckets: int, farthest: int) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    given = distances, buckets, farthest
    yield "The sign is lost: a key before the query and one after it share a bucket.", by_hand(*given, unsigned=True)
    yield "The sides are exchanged: keys after the query have the second half.", by_hand(*given, swapped=True)
    yield "0 is not after the query: it has bucket 0.", by_hand(*given, zero_after=True)
    yield (
        "After the query the distance 1 took the first bucket of its side. That one is for 0 and stays empty.",
        by_hand(*given, from_1=True),
    )
    yield "One distance too many has a bucket of its own.", by_hand(*given, more=1)
    if buckets > 8:
        yield "One distance too few has a bucket of its own.", by_hand(*given, more=-1)
    if farthest != 128:
        yield "farthest is 128 here, whatever was given.", by_hand(*given, until=128)
    for own in {128, farthest}:
        if buckets != 32:
            what = "There are 32 buckets" + (" and farthest is 128" if own != farthest else "")
            yield f"{what} here, whatever was given.", by_hand(distances, 32, own)
    yield (
        "The logarithm was not divided by that of farthest / exact, so the ranges do not end at farthest.",
        by_hand(*given, no_base=True),
    )
    half, exact = buckets // 2, buckets // 4
    if half != 2 * exact:
        said = f"There are half − exact ranges, here {half - exact}, and these are exact many."
        yield said, by_hand(*given, ranges=exact)
    yield "There are half − exact ranges, and these are half many.", by_hand(*given, ranges=half)
    yield "There are half − exact ranges; this is one less.", by_hand(*given, ranges=half - exact - 1)
    yield (
        "Beyond farthest the numbers go on growing: the last bucket of the half holds all of it.",
        by_hand(*given, unlimited=True),
    )
    for how, said in (("round", "to the nearest"), ("ceil", "up")):
        yield f"The number of the range was rounded {said}; here it is rounded down.", by_hand(*given, rounded=how)
    yield (
        "The far ranges are all equally wide; here each is wider than the one before, by an equal factor.",
        by_hand(*given, linear=True),
    )
    mirrored = by_hand(-distances, buckets, farthest)
    yield "The distance is key minus query; this is query minus key.", mirrored


def sure(distances: Tensor, buckets: int, farthest: int) -> Tensor:
    """Distances whose bucket does not depend on how a logarithm is rounded."""
    half, exact = buckets // 2, buckets // 4
    at = torch.log(distances.abs().clamp(min=1).double() / exact) / math.log(farthest / exact) * (half - exact)
    edge = (at - at.round()).abs() < EDGE
    return distances[~edge | (distances.abs() <= exact) | (at > half - exact + EDGE)]


def expect(bucket, distances: Tensor, buckets: int, farthest: int) -> None:
    """Raises NotYet where a distance has the wrong bucket."""
    given = call(bucket, distances, buckets, farthest)
    found = fair.numbers(given)
    if found is None or found.shape != distances.shape:
        shape = "something else" if found is None else f"the shape {tuple(found.shape)}"
        raise NotYet(f"bucket should return one number for each of {tuple(distances.shape)}, and it returned {shape}.")
    right = by_hand(distances, buckets, farthest)
    whole = bool((found == found.round()).all())
    wrong = (found != right).flatten().nonzero()
    if len(wrong):
        i = int(wrong[0])
        raise NotYet(
            f"With {buckets} buckets and farthest = {farthest} the distance {int(distances.flatten()[i])} has bucket "
            f"{float(found.flatten()[i]):{'.0f' if whole else 'g'}}, expected {int(right.flatten()[i])}."
            f"{likely(found, mistakes(distances, buckets, farthest))}"
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


def tells_near_distances_apart(bucket, draw: Draw):
    """Near keys before the query have a bucket each."""
    buckets, farthest = sizes(draw)
    expect(bucket, -torch.arange(buckets // 4 + 1), buckets, farthest)


def tells_the_sides_apart(bucket, draw: Draw):
    """Keys after the query have the second half of the buckets."""
    buckets, farthest = sizes(draw)
    near = buckets // 4
    expect(bucket, torch.arange(-near, near + 1), buckets, farthest)


def lets_far_distances_share(bucket, draw: Draw):
    """Far distances share, in ranges that grow by equal factors."""
    for odd in (False, True, False):
        buckets, farthest = sizes(draw, odd)
        expect(bucket, sure(torch.arange(-farthest + 1, farthest), buckets, farthest), buckets, farthest)


def has_a_last_bucket(bucket, draw: Draw):
    """Whatever is beyond the farthest distance has the last bucket of its side."""
    buckets, farthest = sizes(draw)
    expect(bucket, torch.tensor([-9, -2, 2, 9]) * farthest, buckets, farthest)


def takes_any_shape(bucket, draw: Draw):
    """A whole matrix of distances, and one distance."""
    buckets, farthest = sizes(draw)
    n = buckets // 4
    expect(bucket, torch.arange(n) - torch.arange(n)[:, None], buckets, farthest)
    expect(bucket, torch.tensor([0]), buckets, farthest)


def does_it_by_itself(bucket, draw: Draw):
    """Nothing else fills the buckets."""
    refuse(ran(bucket, torch.arange(-9, 9), 32, 128), "a comparison, a logarithm and a limit are enough")
