"""Principal components: the few directions along which rows differ most."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Components:
    """What `principal_components` finds. Signs are chosen so that the largest entry of each direction is positive.

    mean (d,): of all rows. directions (k, d): of length 1, at right angles. places (n, k): of each row along them.
    shares (k,): of the variance of all rows, one for each direction, the largest first.
    """

    mean: Float[Tensor, " d"]
    directions: Float[Tensor, "k d"]
    places: Float[Tensor, "n k"]
    shares: Float[Tensor, " k"]

    def place(self, rows: Float[Tensor, "m d"]) -> Float[Tensor, "m k"]:
        """Where other rows lie along the same directions."""
        return (rows - self.mean) @ self.directions.T


def principal_components(rows: Float[Tensor, "n d"], k: int = 2) -> Components:
    """The k directions along which the rows differ most, by a singular value decomposition of rows minus their mean.

    Raises ValueError for rows that are not a matrix of two or more, for a k that the matrix does not have, and for rows
    that are all equal.

    >>> found = principal_components(torch.tensor([[0.0, 0.0], [2.0, 2.0], [4.0, 4.0]]), k=1)
    >>> found.directions, found.shares
    (tensor([[0.7071, 0.7071]]), tensor([1.]))
    """
    if rows.dim() != 2 or len(rows) < 2:
        raise ValueError(f"Components need a matrix of two or more rows, not the shape {tuple(rows.shape)}.")
    if not 1 <= k <= min(rows.shape):
        raise ValueError(f"{tuple(rows.shape)} rows and columns have 1 to {min(rows.shape)} components, not {k}.")
    mean = rows.mean(0)
    u, sizes, directions = torch.linalg.svd(rows - mean, full_matrices=False)  # (n, m), (m,), (m, d)
    total = sizes.square().sum()
    if total == 0:
        raise ValueError("These rows are all equal: they differ along no direction.")
    largest = directions.gather(1, directions.abs().argmax(1, keepdim=True))  # (m, 1)
    signs = torch.where(largest < 0, -1.0, 1.0).to(rows.dtype)
    places = u * sizes * signs.T
    return Components(mean, (directions * signs)[:k], places[:, :k], sizes[:k].square() / total)
