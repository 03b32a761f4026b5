"""A head as two maps of the stream: what it compares, W_Q W_Kᵀ, and what it moves, W_V W_O. Both are d × d and have at
most d_k directions, for they are made of strips (Elhage et al. 2021, "A Mathematical Framework for Transformer
Circuits").

Strips are (H, d, d_k), W as in x W: what `strips` makes of a matrix (d, d), input first.
"""

import torch
from jaxtyping import Float
from torch import Tensor


def strips(W: Float[Tensor, "d d_out"], n_heads: int) -> Float[Tensor, "H d d_k"]:
    """The columns of W, (in, out), that belong to each head. For W_O, whose rows they are: `strips(W_O.T, H)`."""
    return W.unflatten(-1, (n_heads, -1)).transpose(0, 1)  # (d, H, d_k) -> (H, d, d_k)


def spectrum(A: Float[Tensor, "... d k"], B: Float[Tensor, "... d k"]) -> Float[Tensor, "... k"]:
    """The singular values of A Bᵀ, largest first: all that are not 0. Found in a k × k matrix, not in d × d."""
    (_, R_A), (_, R_B) = torch.linalg.qr(A), torch.linalg.qr(B)
    return torch.linalg.svdvals(R_A @ R_B.mT)


def directions(values: Float[Tensor, "... k"]) -> Float[Tensor, "..."]:
    """How many directions carry a spectrum: k where all are alike, 1 where one has everything.

    The squares as shares p, then 1 / Σ p².
    """
    p = values.square() / values.square().sum(-1, keepdim=True)
    return 1 / p.square().sum(-1)


def overlap(A: Float[Tensor, "... d k"], B: Float[Tensor, "... d k"]) -> Float[Tensor, "..."]:
    """How much of the space of the columns of A lies in that of B: 1 the same, 0 at right angles; k / d by chance."""
    (Q_A, _), (Q_B, _) = torch.linalg.qr(A), torch.linalg.qr(B)
    return (Q_A.mT @ Q_B).square().sum((-2, -1)) / A.shape[-1]
