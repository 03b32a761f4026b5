"""LayerNorm backwards: from the gradient of what came out to that of what went in."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class NormGradients(NamedTuple):
    """Of the row, and of the two vectors that are learned."""

    x: Float[Tensor, "... d"]
    gain: Float[Tensor, " d"]
    bias: Float[Tensor, " d"]


def layer_norm_backward(
    upstream: Float[Tensor, "... d"],
    x: Float[Tensor, "... d"],
    gain: Float[Tensor, " d"],
    eps: float = 1e-5,
) -> NormGradients:
    """The gradients of LayerNorm, in closed form.

    A normed row has lost its mean and its length, so a gradient cannot ask for more of
    either: what the upstream gradient g = upstream · gain has along a row of ones, and
    along the normed row itself, is taken out before it is divided by √(variance + eps).

    Follows from the formula of Ba, Kiros and Hinton 2016, section 3, by the chain rule.

    >>> x = torch.tensor([[3.0, -1.0, -1.0, 3.0]])
    >>> pick = torch.tensor([[1.0, 0.0, 0.0, 0.0]])
    >>> layer_norm_backward(pick, x, torch.ones(4), eps=0.0).x
    tensor([[ 0.2500,  0.0000,  0.0000, -0.2500]])
    """
    centred = x - x.mean(-1, keepdim=True)
    spread = torch.sqrt(centred.square().mean(-1, keepdim=True) + eps)  # (..., 1)
    normed = centred / spread
    g = upstream * gain
    along_ones = g.mean(-1, keepdim=True)
    along_row = (g * normed).mean(-1, keepdim=True) * normed
    # all axes but the last: both vectors serve all rows
    rows = tuple(range(x.ndim - 1))
    return NormGradients(
        (g - along_ones - along_row) / spread,
        (upstream * normed).sum(rows) if rows else upstream * normed,
        upstream.sum(rows) if rows else upstream,
    )
