"""Exercise 3.10: the closest matrix of a lower rank, by the eigenvectors of AᵀA."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.ch03.odd import table
from labutils.exercises.checking import NotYet, call, check, expect_tensor
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import likeliest


def check_closest(closest: Callable[[Tensor, int], Tensor], seed: int | None = None) -> None:
    """Check `closest`: A (n, d), r -> (n, d), the matrix of rank r that is closest to A.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        closest,
        keeps_what_has_the_rank,
        keeps_the_longest_stretch,
        takes_other_shapes,
        takes_words,
        does_it_by_itself,
        repeat="check_closest(closest, seed={seed})",
        seed=seed,
    )


def closest(A, r):
    values, vectors = torch.linalg.eigh(A.T @ A)
    kept = vectors[:, -r:]
    return A @ kept @ kept.T


RIGHT = (closest,)
KEPT, FOUND = "vectors[:, -r:]", "torch.linalg.eigh(A.T @ A)"
# fmt: off
MISTAKES = (
    ("keeps the smallest", "The directions that A stretches least were kept: `eigh` gives the smallest first.", KEPT,
     "vectors[:, :r]"),
    ("takes rows for columns", "The rows of `vectors` were taken: an eigenvector is a column of it.", KEPT,
     "vectors[-r:].T"),
    ("takes those of AAᵀ", "The eigenvectors of AAᵀ stand on the left of A, those of AᵀA on its right.", FOUND,
     "torch.linalg.eigh(A @ A.T)"),
    ("stretches once more", "Each direction was multiplied by its eigenvalue as well. A has stretched it already.",
     "return A @ kept", "return A @ kept * values[-r:]"),
    ("takes the mean away", "The mean of the rows was taken away, as for principal components. Here it stays.",
     FOUND, "torch.linalg.eigh((A - A.mean(0)).T @ (A - A.mean(0)))"),
    ("keeps one more", "One direction more was kept: this matrix has the rank r + 1.", KEPT, "vectors[:, -r - 1:]"),
)
REFUSED = (
    ("does not turn back", r"returned the shape .*, expected", "A @ kept @ kept.T", "A @ kept"),
    ("lets PyTorch decompose", "svd` ran in your function", """
        def closest(A, r):
            u, sizes, vt = torch.linalg.svd(A, full_matrices=False)
            return u[:, :r] * sizes[:r] @ vt[:r]"""),
)
# fmt: on


def expect(answer, A: Tensor, r: int, what: str | None = None) -> None:
    """Raises NotYet where the matrix is another."""
    found, right = call(answer, A, r), closest(A, r)
    expect_tensor(found, A.shape, "closest")
    found = found.detach().double()
    if fair.alike(found, right):
        return
    away, least = (float((A - matrix).square().sum().sqrt()) for matrix in (found, right))
    said = likeliest(MISTAKES, closest, answer, found, (A, r), (A + torch.eye(*A.shape), r))
    raise NotYet(
        f"{what or f'A matrix {tuple(A.shape)}'}, r = {r}: yours is {away:.4f} away from it (the root of the sum of"
        f" squares), and the closest is {least:.4f} away.{said}"
    )


def stretching(draw: Draw, n: int, d: int, rank: int) -> Tensor:
    """A matrix that stretches `rank` directions, each clearly less than the one before, and no other."""
    left, right = (torch.linalg.qr(draw.normal(size, rank, dtype=torch.float64)).Q for size in (n, d))
    return left * torch.tensor([3 * 0.7**i for i in range(rank)]) @ right.T


def keeps_what_has_the_rank(answer, draw: Draw):
    """A matrix that has the rank already stays as it is."""
    r = draw.between(1, 3)
    d = 2 * r + draw.between(1, 3)
    expect(answer, stretching(draw, d, d, r), r)


def keeps_the_longest_stretch(answer, draw: Draw):
    """The one direction that is stretched most."""
    d = draw.between(4, 6)
    expect(answer, stretching(draw, d, d, 4), 1)


def takes_other_shapes(answer, draw: Draw):
    """Tall and wide matrices, and every rank from 1 to all."""
    for n, d in ((7, 3), (3, 7), (1, 4), (4, 1), (5, 5)):
        for r in range(1, min(n, d) + 1):
            expect(answer, stretching(draw, n, d, min(n, d)), r)


def takes_words(answer, draw: Draw):
    """The rows of the little GPT-2’s nouns."""
    expect(answer, torch.stack([*table().values()]).double(), draw.between(2, 12), "The rows of 48 nouns")


def does_it_by_itself(answer, draw: Draw):
    """Nothing else decomposes the matrix."""
    seen = ran(answer, stretching(draw, 5, 4, 4), 2)
    refuse(seen, "the eigenvectors of AᵀA are enough", operations=("svd",))
