"""Attention: each row asks all rows it may see, and takes a mixture of their values.

Vaswani et al. 2017, "Attention Is All You Need": `attention` is section 3.2.1,
`MultiHeadAttention` is section 3.2.2. One function serves every use: keys and values
may come from the same text or from another one (cross-attention), and the mask says
which of them a query may see.

B is the batch, n the tokens, d the width of the model, H the heads, d_k = d / H the
width of one head.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


def attention(
    q: Float[Tensor, "... n_q d_k"],
    k: Float[Tensor, "... n_k d_k"],
    v: Float[Tensor, "... n_k d_v"],
    mask: Bool[Tensor, "... n_q n_k"] | None = None,
    dropout=None,
    record=None,
) -> tuple[Float[Tensor, "... n_q d_v"], Float[Tensor, "... n_q n_k"]]:
    """softmax(q kᵀ / √d_k) v, and the weights: one mixed value and one row per query.

    mask: True where a query may see a key; None lets every query see every key.
    dropout: applied to the weights in training. record: called with q, k, v, scores
    and weights by name. Raises ValueError for shapes that do not fit or a mask that
    is not boolean.
    """
    check_shapes(q, k, v, mask)
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # (..., n_q, n_k): how well they fit
    if mask is not None:                        # before the softmax, not after it
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = softmax(scores)                   # (..., n_q, n_k): each row sums to 1
    if record:
        record(q=q, k=k, v=v, scores=scores, weights=weights)
    if dropout:
        weights = dropout(weights)
    return weights @ v, weights                 # (..., n_q, d_v)


def softmax(scores: Float[Tensor, "... n"]) -> Float[Tensor, "... n"]:
    """e^score, divided by the sum of its row: weights that are positive and sum to 1.

    A score of -inf gets the weight 0. A row of nothing but -inf sees nothing, so it
    takes nothing: its weights are all 0, where the formula alone would give nan.
    Padding that stands before a text has such rows.
    """
    highest = scores.detach().amax(-1, keepdim=True)    # (..., 1): it cancels below
    highest = highest.masked_fill(highest == -torch.inf, 0.0)
    powers = torch.exp(scores - highest)    # at most e⁰ = 1, so nothing overflows
    total = powers.sum(-1, keepdim=True)    # at least 1; 0 in a row that sees nothing
    return powers / total.clamp(min=1.0)


def split_heads(
    x: Float[Tensor, "B n d"], n_heads: int
) -> Float[Tensor, "B H n d_k"]:
    """Cut the width into H strips, one for each head."""
    B, n, d = x.shape                               # (batch, tokens, width)
    x = x.reshape(B, n, n_heads, d // n_heads)      # (batch, tokens, heads, strip)
    return x.transpose(1, 2)                        # (batch, heads, tokens, strip)


def merge_heads(x: Float[Tensor, "B H n d_k"]) -> Float[Tensor, "B n d"]:
    """Lay the H strips side by side again: `split_heads` backwards."""
    B, H, n, d_k = x.shape                          # (batch, heads, tokens, strip)
    x = x.transpose(1, 2)                           # (batch, tokens, heads, strip)
    return x.reshape(B, n, H * d_k)                 # (batch, tokens, width)


class MultiHeadAttention(nn.Module):
    """H attentions side by side, each in its own strip, mixed by a projection."""

    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.0):
        super().__init__()
        if d_model % n_heads:
            raise ValueError(
                f"{d_model} columns cannot be cut into {n_heads} equal heads."
            )
        self.n_heads = n_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Float[Tensor, "B n d"], mask=None, record=None
    ) -> Float[Tensor, "B n d"]:
        # 1) project each row three ways, cut into heads: (B, n, d) -> (B, H, n, d_k)
        q = split_heads(self.query(x), self.n_heads)
        k = split_heads(self.key(x), self.n_heads)
        v = split_heads(self.value(x), self.n_heads)
        # 2) attend, each head by itself: (B, H, n, d_k)
        context, _ = attention(q, k, v, mask, self.dropout, record)
        # 3) lay the heads side by side and mix them: (B, H, n, d_k) -> (B, n, d)
        context = merge_heads(context)
        if record:
            record(context=context)
        return self.output(context)


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
