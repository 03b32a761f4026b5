"""Norms: bring numbers to a fixed size, then to a learned scale and offset. LayerNorm
and RMSNorm work on each row alone, BatchNorm on each column over a whole batch.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """gain · (x - mean) / √(variance + eps) + bias, for each row alone.

    A row is the last axis; its variance is divided by d, not by d - 1. Ba, Kiros and
    Hinton 2016, "Layer Normalization", section 3; the eps is the one of the libraries.
    With eps = 0 a constant row gives nan.
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


class RMSNorm(nn.Module):
    """gain · x / √(mean of x² + eps), for each row alone: LayerNorm without the mean
    and without the bias.

    Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", section 4.
    """

    def __init__(self, d_model: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        square = x.square().mean(-1, keepdim=True)  # (..., 1)
        return self.gain * (x / torch.sqrt(square + self.eps))


class BatchNorm(nn.Module):
    """gain · (x - mean) / √(variance + eps) + bias, for each column over all rows of
    the batch. In training these are the statistics of the batch, else a running mean of
    those seen in training.

    Ioffe and Szegedy 2015, "Batch Normalization", algorithms 1 and 2. The running
    variance is divided by rows - 1, as in PyTorch.
    """

    def __init__(self, d_model: int, eps: float = 1e-5, momentum: float = 0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))
        self.register_buffer("running_mean", torch.zeros(d_model))
        self.register_buffer("running_variance", torch.ones(d_model))

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Raises ValueError in training for a single row, which has no variance."""
        mean, variance = self.running_mean, self.running_variance
        if self.training:
            rows = x.flatten(0, -2)  # (rows of the whole batch, d)
            if len(rows) < 2:
                raise ValueError("One row has no variance: a batch needs two or more.")
            mean = rows.mean(0)  # (d,)
            variance = (rows - mean).square().mean(0)
            with torch.no_grad():
                unbiased = variance * len(rows) / (len(rows) - 1)
                self.running_mean.lerp_(mean, self.momentum)
                self.running_variance.lerp_(unbiased, self.momentum)
        return self.gain * ((x - mean) / torch.sqrt(variance + self.eps)) + self.bias
