"""Probes: can something be read off a row by one matrix? A probe learns that matrix on some rows and is scored on
others.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Integer
from torch import Tensor


@dataclass(frozen=True)
class Probe:
    """A linear classifier: the class with the largest entry of row @ matrix + offset.

    matrix (d, classes), offset (classes,).
    """

    matrix: Float[Tensor, "d c"]
    offset: Float[Tensor, " c"]

    def __call__(self, rows: Float[Tensor, "... d"]) -> Integer[Tensor, "..."]:
        """The class that is read off each row."""
        return (rows @ self.matrix + self.offset).argmax(-1)

    def accuracy(self, rows: Float[Tensor, "n d"], classes: Integer[Tensor, " n"]) -> float:
        """The share of rows of which the right class is read."""
        return float((self(rows) == classes).double().mean())


def fit_probe(
    rows: Float[Tensor, "n d"], classes: Integer[Tensor, " n"], n_classes: int | None = None, ridge: float = 1e-3
) -> Probe:
    """The matrix that comes nearest to giving 1 for the class of a row and 0 for the others: least squares, in closed
    form, so that nothing is drawn and nothing is trained.

    ridge: times the mean square of the columns, is added against matrices with huge entries. Raises ValueError if the
    classes do not fit the rows.

    >>> rows = torch.tensor([[0.0, 1.0], [0.1, 0.9], [1.0, 0.0], [0.9, 0.2]])
    >>> fit_probe(rows, torch.tensor([0, 0, 1, 1])).accuracy(rows, torch.tensor([0, 0, 1, 1]))
    1.0
    """
    if rows.dim() != 2 or classes.shape != rows.shape[:1]:
        raise ValueError(
            f"A probe needs one class for each row: {tuple(rows.shape)} rows, {tuple(classes.shape)} classes."
        )
    wanted = torch.nn.functional.one_hot(classes, n_classes or int(classes.max()) + 1).to(rows.dtype)  # (n, c)
    mean, share = rows.mean(0), wanted.mean(0)
    centred = rows - mean
    square = centred.T @ centred  # (d, d)
    size = square.diagonal().mean()
    penalty = ridge * torch.where(size > 0, size, 1.0)
    eye = torch.eye(len(square), dtype=rows.dtype, device=rows.device)
    matrix = torch.linalg.solve(square + penalty * eye, centred.T @ (wanted - share))
    return Probe(matrix, share - mean @ matrix)


def shuffled(classes: Integer[Tensor, " n"], seed: int = 0) -> Integer[Tensor, " n"]:
    """The same classes in another order: what a probe reads of these it has learnt by heart."""
    return classes[torch.randperm(len(classes), generator=torch.Generator().manual_seed(seed)).to(classes.device)]
