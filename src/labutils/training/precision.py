"""Mixed precision: a small gradient disappears in float16, unless the loss is made larger first.

Micikevicius et al. 2018, "Mixed Precision Training", section 3.2. PyTorch's is `torch.amp.GradScaler`.
"""

from collections.abc import Sequence

import torch
from torch import Tensor


class LossScaler:
    """Multiply the loss by `scale` before the way back and divide the gradients by it after.

    A gradient that overflows, to inf or nan, means that the scale was too large: that step is left out and the scale
    halved. After `patience` good steps in a row it is doubled, since a larger one saves more small gradients.
    """

    def __init__(self, scale: float = 2.0**16, patience: int = 2000):
        self.scale, self.patience, self.good = scale, patience, 0

    def scaled(self, loss: Tensor) -> Tensor:
        return loss * self.scale

    def unscaled(self, gradients: Sequence[Tensor]) -> list[Tensor] | None:
        """The gradients in float32 and in their own size, or None if this step has to be left out."""
        if not all(torch.isfinite(g).all() for g in gradients):
            self.scale, self.good = self.scale / 2, 0
            return None
        found = [g.float() / self.scale for g in gradients]
        self.good += 1
        if self.good == self.patience:
            self.scale, self.good = self.scale * 2, 0
        return found
