"""Exercise 3.8: each row of one text with each row of another, through a matrix, for a batch of texts."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes


def check_through(through: Callable[[Tensor, Tensor, Tensor], Tensor], seed: int | None = None) -> None:
    """Check `through`: x (B, n, d), M (d, e), y (B, m, e) -> (B, n, m), where i, j of a text is x[i] · M · y[j].

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        through,
        compares_each_pair,
        keeps_texts_apart,
        puts_the_matrix_between,
        takes_two_widths,
        agrees_with_loops,
        repeat="check_through(through, seed={seed})",
        seed=seed,
    )


def through(x, M, y):
    return torch.einsum("bnd,de,bme->bnm", x, M, y)


RIGHT = (through,)
LETTERS = "bnd,de,bme->bnm"
# fmt: off
MISTAKES = (
    ("adds up over the texts", "Rows of a text met those of all texts: the letter of the texts has to be one letter, "
     "before the arrow and behind it.", LETTERS, "bnd,de,cme->bnm"),
    ("y of the first text", "Each text met the second rows of the first text.", "M, y)\n",
     "M, y[:1].expand_as(y))\n"),
    ("x of the first text", "The first rows are those of the first text, for all texts.", ", x,",
     ", x[:1].expand_as(x),"),
    ("no matrix", "M is missing: these are dot products.", '"bnd,de,bme->bnm", x, M, y', '"bnd,bmd->bnm", x, y'),
    ("the matrix transposed", "M was transposed: its rows belong to the columns of x.", LETTERS, "bnd,ed,bme->bnm"),
    ("M's diagonal alone", "Only the diagonal of M was used: its two axes need two letters.", LETTERS,
     "bnd,dd,bmd->bnm"),
)
REFUSED = (
    ("turned round", r"returned the shape .*, expected", LETTERS, "bnd,de,bme->bmn"),
    ("pairs of equal places alone", r"returned the shape .*, expected", """
        def through(x, M, y):
            n = min(x.shape[1], y.shape[1])
            return (x[:, :n] @ M * y[:, :n]).sum(-1)"""),
    ("float32 for float64", "agree with loops", ", x, M, y)", ", x.float(), M.float(), y.float())"),
)
# fmt: on


def expect(answer, x: Tensor, M: Tensor, y: Tensor, within: float = 1e-4) -> None:
    """Raises NotYet where a number is wrong."""
    found, given = call(answer, x, M, y), (x.double(), M.double(), y.double())
    expect_tensor(found, (len(x), x.shape[1], y.shape[1]), "through")
    found, right = found.detach().double(), through(*given)
    if fair.alike(found, right, within):
        return
    b, i, j = (~torch.isclose(found, right, rtol=within, atol=within)).nonzero()[0].tolist()
    raise NotYet(
        f"In text {b}, row {i} of x and row {j} of y give {float(found[b, i, j]):.4f}, expected"
        f" {float(right[b, i, j]):.4f}.{likely(found, outcomes(MISTAKES, through, *given))}"
    )


def compares_each_pair(answer, draw: Draw):
    """One text, and a matrix that changes nothing."""
    n, d = draw.between(2, 4), draw.between(2, 5)
    expect(answer, draw.normal(1, n, d), torch.eye(d), draw.normal(1, n + draw.between(1, 3), d))


def keeps_texts_apart(answer, draw: Draw):
    """Each text keeps to itself."""
    B, n, d = draw.between(2, 4), draw.between(2, 4), draw.between(2, 5)
    expect(answer, draw.normal(B, n, d), torch.eye(d), draw.normal(B, n, d))


def puts_the_matrix_between(answer, draw: Draw):
    """M stands between the two, the right way round."""
    B, n, d = draw.between(1, 3), draw.between(2, 4), draw.between(2, 5)
    expect(answer, draw.normal(B, n, d), draw.normal(d, d), draw.normal(B, n, d))


def takes_two_widths(answer, draw: Draw):
    """Rows of two widths."""
    d, e = draw.sample(range(1, 7), 2)
    expect(answer, draw.normal(2, 3, d), draw.normal(d, e), draw.normal(2, 2, e))


def agrees_with_loops(answer, draw: Draw):
    """Odd shapes in float64 agree with loops."""
    for B, n, m, d, e in ((1, 1, 1, 1, 1), (3, 1, 5, 2, 4), (2, 7, 3, 5, draw.between(6, 9))):
        x, M, y = (draw.normal(*shape, dtype=torch.float64) for shape in ((B, n, d), (d, e), (B, m, e)))
        expect(answer, x, M, y, within=1e-9)
