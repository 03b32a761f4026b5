"""Exercise 3.9: what is left of rows when given directions are taken out."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import rounded

FINISHED = ("svd", "qr", "lstsq", "solve", "inv", "cholesky", "linalg_eig", "lu_factor")  # parts of names of operations


def check_freed(freed: Callable[[Tensor, Tensor], Tensor], seed: int | None = None) -> None:
    """Check `freed`: rows (n, d), directions (k, d), independent -> (n, d), at right angles to every direction.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        freed,
        takes_one_out,
        takes_two_out,
        takes_slanted_ones_out,
        leaves_right_angles,
        does_it_by_itself,
        repeat="check_freed(freed, seed={seed})",
        seed=seed,
    )


def freed(rows, directions):
    basis = []
    for v in directions:
        for u in basis:
            v = v - (v @ u) * u
        basis.append(v / v.norm())
    for u in basis:
        rows = rows - (rows @ u)[:, None] * u
    return rows


RIGHT = (freed,)
UNIT, STRAIGHT, OUT = "v / v.norm()", "v = v - (v @ u) * u", "rows = rows - (rows @ u)[:, None] * u"
SLANTED = "The directions are not at right angles here: taking one out brings some of another back."
# fmt: off
MISTAKES = (
    ("leaves the lengths", "A direction was used at its own length: a shadow is divided by the square of it.", UNIT,
     "v"),
    ("divides by the length once", "A shadow was divided by the length of its direction: it takes the square of it.",
     UNIT, "v / v.norm().sqrt()"),
    ("returns the shadow", "That is what lies along the directions. What is left was asked.", "basis = []",
     "basis, given = [], rows", "return rows", "return given - rows"),
    ("takes the first out", "Only the first direction was taken out.", "in directions:", "in directions[:1]:"),
    ("takes the last out", "Only the last direction was taken out.", "in directions:", "in directions[-1:]:"),
    ("adds it", "The shadow was added: take it away.", OUT, OUT.replace("rows - (", "rows + (")),
    ("one after the other", SLANTED, STRAIGHT, "pass"),
    ("all at once", SLANTED, STRAIGHT, "pass", OUT, "pass", "return rows",
     "return rows - rows @ torch.stack(basis).T @ torch.stack(basis)"),
)
REFUSED = (
    ("changes the rows it was given", "changed what it was given", "rows = rows - (", "rows -= ("),
    ("float32 for float64", "right angles to each", "basis = []", "basis, rows, directions = [], rows.float(), "
     "directions.float()"),
    ("lets PyTorch find a basis", "linalg_qr` ran in your function", """
        def freed(rows, directions):
            basis = torch.linalg.qr(directions.T).Q
            return rows - rows @ basis @ basis.T"""),
    ("lets PyTorch solve it", "lstsq` ran in your function", """
        def freed(rows, directions):
            return rows - (directions.T @ torch.linalg.lstsq(directions.T, rows.T).solution).T"""),
)
# fmt: on


def expect(answer, rows: Tensor, directions: Tensor, within: float = 1e-4) -> None:
    """Raises NotYet where a row is wrong."""
    found, given = call(answer, rows, directions), (rows.double(), directions.double())
    expect_tensor(found, rows.shape, "freed")
    found, right = found.detach().double(), freed(*given)
    if fair.alike(found, right, within):
        return
    row = int((~torch.isclose(found, right, rtol=within, atol=within)).any(-1).nonzero()[0])
    many = f"{len(directions)} direction{'s' * (len(directions) > 1)}"
    raise NotYet(
        f"Without {many}, row {row} is {rounded(found[row])}, expected {rounded(right[row])}."
        f"{likely(found, outcomes(MISTAKES, freed, *given))}"
    )


def slanted(draw: Draw, k: int, d: int) -> Tensor:
    """Directions of different lengths, 45° from the first and 60° from each other."""
    first = draw.normal(d, dtype=torch.float64)
    others = torch.linalg.qr(torch.cat([first[:, None], draw.normal(d, k, dtype=torch.float64)], 1)).Q.T[:k]
    lengths = torch.tensor([draw.between(2, 4) + 0.5 * i for i in range(k)])[:, None]
    return lengths * (others + others[0]) / (others + others[0]).norm(dim=-1, keepdim=True)


def takes_one_out(answer, draw: Draw):
    """One direction, whatever its length."""
    d = draw.between(3, 6)
    expect(answer, draw.normal(3, d), slanted(draw, 1, d).float())


def takes_two_out(answer, draw: Draw):
    """Two directions at right angles."""
    d = draw.between(3, 6)
    straight = torch.linalg.qr(draw.normal(d, 2)).Q.T * torch.tensor([[2.0], [3.0]])
    expect(answer, draw.normal(3, d), straight)


def takes_slanted_ones_out(answer, draw: Draw):
    """Directions that are not at right angles to each other."""
    for k in (2, 3):
        d = draw.between(k + 1, 7)
        expect(answer, draw.normal(4, d), slanted(draw, k, d).float())


def leaves_right_angles(answer, draw: Draw):
    """What is left is at right angles to each, and where they are a basis nothing is left."""
    for n, k, d in ((1, 1, 2), (5, 3, 8), (2, 3, 3), (1, 1, 1)):
        expect(answer, draw.normal(n, d, dtype=torch.float64), slanted(draw, k, d), within=1e-9)


def does_it_by_itself(answer, draw: Draw):
    """Nothing else takes them out."""
    seen = ran(answer, draw.normal(3, 5), slanted(draw, 2, 5).float())
    refuse(seen, "dot products are enough", operations=FINISHED)
