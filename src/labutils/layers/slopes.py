"""The slopes of the activations: by how much each rises when what goes in rises a
little.

Learning passes through them: a gradient that comes back to a hidden number is
multiplied by the slope there.
"""

import math

import torch
from torch import Tensor


def relu_slope(x: Tensor) -> Tensor:
    """1 above zero, otherwise 0; at 0 itself it has no slope, and torch says 0."""
    return (x > 0).to(x.dtype)


def gelu_slope(x: Tensor) -> Tensor:
    """Φ(x) + x φ(x): of x · Φ(x) by the product rule, φ being the normal density."""
    below = 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))
    return below + x * torch.exp(-0.5 * x.square()) / math.sqrt(2.0 * math.pi)


def gelu_tanh_slope(x: Tensor) -> Tensor:
    """Of ½ x (1 + tanh u) with u = √(2/π) (x + 0.044715 x³)."""
    c = math.sqrt(2.0 / math.pi)
    bent = torch.tanh(c * (x + 0.044715 * x**3))
    inner = c * (1.0 + 3 * 0.044715 * x.square())  # du/dx
    return 0.5 * (1.0 + bent) + 0.5 * x * (1.0 - bent.square()) * inner


def silu_slope(x: Tensor) -> Tensor:
    """σ(x) + x σ(x) (1 - σ(x))."""
    gate = torch.sigmoid(x)
    return gate * (1.0 + x * (1.0 - gate))


SLOPES = {
    "relu": relu_slope,
    "gelu": gelu_slope,
    "gelu_tanh": gelu_tanh_slope,
    "silu": silu_slope,
}
