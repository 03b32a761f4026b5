"""Layer normalisation: bring every row to mean 0 and variance 1, then to a learned
scale and offset.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """gain · (x - mean) / √(variance + eps) + bias, over the last axis, for each row
    alone.

    The variance is divided by d, not by d - 1. Ba, Kiros and Hinton 2016, "Layer
    Normalization", section 3; the eps is the one of the libraries. With eps = 0 a
    constant row gives nan.
    """

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)  # (..., 1)
        return self.gain * (centred / torch.sqrt(variance + self.eps)) + self.bias
