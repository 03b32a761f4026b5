"""Scaled dot-product attention: each row asks all rows it may see, and takes a mixture
of their values.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1. One function serves
every use: keys and values may come from the same text, from another one
(cross-attention) or from a cache, and the mask says which of them a query may see.

n_q queries, n_k keys and values, d_k the width of a query and a key, d_v that of a
value.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from .hooks import See, unseen


def attention(
    q: Float[Tensor, "... n_q d_k"],
    k: Float[Tensor, "... n_k d_k"],
    v: Float[Tensor, "... n_k d_v"],
    mask: Bool[Tensor, "... n_q n_k"] | None = None,
    bias: Float[Tensor, "... n_q n_k"] | None = None,
    scale: float | None = None,
    dropout=None,
    see: See = unseen,
) -> tuple[Float[Tensor, "... n_q d_v"], Float[Tensor, "... n_q n_k"]]:
    """softmax(scale · q kᵀ + bias) v, and the weights: a mixture, a row per query.

    mask: True where a query may see a key; None lets every query see every key.
    scale: 1 / √d_k unless given. dropout: applied to the weights in training. see:
    is shown scores and weights. Raises ValueError for shapes that do not fit or a
    mask that is not boolean.
    """
    check_shapes(q, k, v, mask)
    # (..., n_q, n_k): how well each query fits each key
    scores = q @ k.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if bias is not None:
        scores = scores + bias
    if mask is not None:  # before the softmax, not after it
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = see("weights", softmax(see("scores", scores)))  # each row sums to 1
    shares = dropout(weights) if dropout else weights
    return shares @ v, weights  # (..., n_q, d_v)


def softmax(scores: Float[Tensor, "... n"]) -> Float[Tensor, "... n"]:
    """e^score, divided by the sum of its row: positive weights that sum to 1.

    A score of -inf gets the weight 0. A row of nothing but -inf sees nothing, so it
    takes nothing: its weights are all 0, where the formula alone would give nan.
    Padding that stands before a text has such rows.
    """
    if not isinstance(scores, Tensor):  # later
        raise ValueError(
            f"softmax reads a tensor, not a {type(scores).__name__}: write"
            " softmax(torch.tensor([1.0, 2.0])), say."
        )
    highest = scores.detach().amax(-1, keepdim=True)  # (..., 1): it cancels below
    highest = highest.masked_fill(highest == -torch.inf, 0.0)
    powers = torch.exp(scores - highest)  # at most e⁰ = 1, so nothing overflows
    total = powers.sum(-1, keepdim=True)  # at least 1; 0 in a row that sees nothing
    return powers / total.clamp(min=1.0)


def check_shapes(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> None:
    """Raise ValueError with one sentence if `attention` cannot combine these."""
    (n_q, d_k), (n_k, width) = q.shape[-2:], k.shape[-2:]
    if d_k != width:
        raise ValueError(f"Queries of width {d_k} cannot meet keys of width {width}.")
    if v.shape[-2] != n_k:
        raise ValueError(f"{n_k} keys need {n_k} values, not {v.shape[-2]}.")
    if mask is None:
        return
    if mask.dtype != torch.bool:
        raise ValueError(f"The mask must be boolean, True = visible, not {mask.dtype}.")
    rows, columns = (1, *mask.shape)[-2:]
    if rows not in (1, n_q) or columns not in (1, n_k):
        raise ValueError(
            f"The mask is for {rows} queries and {columns} keys, "
            f"and there are {n_q} queries and {n_k} keys."
        )
