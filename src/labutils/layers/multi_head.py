"""Multi-head attention: several attentions side by side, each in its own strip of the
width.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2. B is the batch, n the
tokens, d the width of the model, H the heads, d_k = d / H the width of one head.
"""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor, nn

from .hooks import See, unseen
from .scaled_dot_product import attention


def split_heads(x: Float[Tensor, "B n d"], heads: int) -> Float[Tensor, "B H n d_k"]:
    """Cut the width into H strips, one for each head."""
    B, n, d = x.shape  # (batch, tokens, width)
    x = x.reshape(B, n, heads, d // heads)  # (batch, tokens, heads, strip)
    return x.transpose(1, 2)  # (batch, heads, tokens, strip)


def merge_heads(x: Float[Tensor, "B H n d_k"]) -> Float[Tensor, "B n d"]:
    """Lay the H strips side by side again: `split_heads` backwards."""
    B, H, n, d_k = x.shape  # (batch, heads, tokens, strip)
    x = x.transpose(1, 2)  # (batch, tokens, heads, strip)
    return x.reshape(B, n, H * d_k)  # (batch, tokens, width)


class MultiHeadAttention(nn.Module):
    """H attentions side by side, each in its own strip, mixed by a projection.

    n_key_heads: with fewer of them than heads, each serves several queries (Ainslie
    et al. 2023, "GQA"). d_source: the width of the text that keys and values are made
    of, if it is another one. bias: whether the four projections have one.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        dropout: float = 0.0,
        n_key_heads: int | None = None,
        d_source: int | None = None,
        bias: bool = True,
    ):
        super().__init__()
        if d_model % n_heads:
            raise ValueError(
                f"{d_model} columns cannot be cut into {n_heads} equal heads."
            )
        if n_heads % (n_key_heads or n_heads):
            raise ValueError(
                f"{n_key_heads} key heads cannot serve {n_heads} heads equally."
            )
        self.n_heads, self.n_key_heads = n_heads, n_key_heads or n_heads
        d_source = d_source or d_model
        d_keys = d_model // n_heads * self.n_key_heads
        self.query = nn.Linear(d_model, d_model, bias)
        self.key = nn.Linear(d_source, d_keys, bias)
        self.value = nn.Linear(d_source, d_keys, bias)
        self.output = nn.Linear(d_model, d_model, bias)
        self.dropout = nn.Dropout(dropout)

    def queries(self, x: Float[Tensor, "B n d"]) -> Float[Tensor, "B H n d_k"]:
        return split_heads(self.query(x), self.n_heads)

    def keys_and_values(
        self, source: Float[Tensor, "B m d_s"]
    ) -> tuple[Float[Tensor, "B G m d_k"], Float[Tensor, "B G m d_k"]]:
        """Those of the text itself, or of another one; G = n_key_heads."""
        k, v = self.key(source), self.value(source)
        return split_heads(k, self.n_key_heads), split_heads(v, self.n_key_heads)

    def forward(
        self,
        x: Float[Tensor, "B n d"],
        mask=None,
        see: See = unseen,
        source: Float[Tensor, "B m d_s"] | None = None,
        cache: Callable | None = None,
        bias=None,
        scale: float | None = None,
    ) -> Float[Tensor, "B n d"]:
        """source: what keys and values are made of, unless it is x (cross-attention).

        cache: is given the keys and values of these tokens and hands back all that
        there are, those of the tokens before in front. The rest as in `attention`.
        """
        # 1) project each row three ways, cut into heads: (B, n, d) -> (B, H, n, d_k)
        q = see("q", self.queries(x))
        k, v = self.keys_and_values(x if source is None else source)
        k, v = cache(k, v) if cache else (k, v)
        k, v = see("k", k), see("v", v)
        # 2) attend, each head by itself: (B, H, n, d_k)
        k, v = self.shared(k), self.shared(v)
        mixed, _ = attention(q, k, v, mask, bias, scale, self.dropout, see)
        # 3) lay the heads side by side and mix them: (B, H, n, d_k) -> (B, n, d)
        return self.output(see("context", merge_heads(mixed)))

    def shared(self, x: Float[Tensor, "B G m d_k"]) -> Float[Tensor, "B H m d_k"]:
        """Each key head once for every head that uses it."""
        each = self.n_heads // self.n_key_heads
        return x if each == 1 else x.repeat_interleave(each, dim=1)
