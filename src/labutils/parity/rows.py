"""How far two tellings of a stage may lie apart by rounding alone, where nothing says what it is computed of: row by
row, from the numbers of the row and of the stages told just before.
"""

import torch
from torch import Tensor

from labutils.parity.rounding import CARRIED, ROUNDINGS, TINY

BACK = 4  # a stage is computed of the ones that were told so many before it, or what it is computed of shows in it


class RowsBefore:
    """The last stages told: how large each of their rows is, and by which share of that the two tellings differ.

    A row is what stands at one place of the last axis but one, whatever the axes before it. Before the first stage
    stands 1.
    """

    def __init__(self):
        self.sizes = [torch.ones(1)] * BACK
        self.shares = [0.0] * BACK

    def bound(self, b: Tensor, eps: float) -> Tensor:
        """The largest |a - b| that is no difference, for each number of the stage that follows."""
        own = _rows(b)
        n = len(own)
        sizes = [own] + [rows if len(rows) == n else rows.max().expand(n) for rows in self.sizes]
        entered, usual = torch.stack(sizes).amax(0), own.median()
        rounded = ROUNDINGS * eps * entered.clamp(min=float(entered.median()))
        carried = CARRIED * max(self.shares) * own.clamp(min=float(usual))
        excused = (rounded + carried).to(b.dtype)
        return (excused[:, None] if b.ndim > 1 else excused).expand(b.shape)

    def add(self, b: Tensor, gap: Tensor) -> None:
        """One more stage was told. gap: |a - b|, where it came in equal."""
        size = _rows(b)
        share = float((_rows(gap) / size.clamp(min=TINY)).max()) if b.numel() else 0.0
        self.sizes, self.shares = [*self.sizes[1:], size], [*self.shares[1:], share]


def _rows(x: Tensor) -> Tensor:
    """The largest number of each row, without its sign; of scores, of those that are not masked."""
    x = torch.where(x.isfinite(), x.abs(), 0).double()
    rows = x.movedim(-2, 0).flatten(1) if x.ndim > 1 else x.reshape(1, -1)
    return rows.amax(1) if rows.numel() else torch.zeros(1, dtype=torch.float64)
