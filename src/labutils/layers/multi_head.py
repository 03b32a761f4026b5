"""Multi-head attention: several attentions side by side, each in its own strip of the
width.

Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2. B is the batch, n the
tokens, d the width of the model, H the heads, d_k = d / H the width of one head.

Chapter 5 shows this file without what is marked `# later`, and with the line after
`# at first:` in place of the statement below it. So shortened, it is a whole layer.
"""

from collections.abc import Callable
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from .hooks import See, unseen
from .scaled_dot_product import attention

KeysValues = tuple[Float[Tensor, "B G m d_k"], Float[Tensor, "B G m d_k"]]


@dataclass(frozen=True)
class AttentionOptions:
    """What attention is told besides its rows and its mask; a block hands it on.

    source: what keys and values are made of, unless it is x, as in cross-attention.
    keys_values: of that source, if they have been made before. turn: what queries and
    keys go through before they meet, such as a rotation by the place of each. cache: is
    given the keys and values of these tokens and hands back all there are, those of the
    tokens before in front; the keys that it keeps are turned. bias: is added to the
    scores. scale: of the scores, 1 / √d_k if it is not given.
    """

    source: Float[Tensor, "B m d_s"] | None = None
    keys_values: KeysValues | None = None
    turn: Callable | None = None
    cache: Callable | None = None
    bias: Float[Tensor, "... n m"] | None = None
    scale: float | None = None


PLAIN = AttentionOptions()  # the rows' own keys and values, all of them new


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
    """H attentions side by side, each in its own strip, mixed by a projection."""

    # later: n_key_heads: with fewer of them than heads, each serves several queries
    # (Ainslie et al. 2023, "GQA"). d_source: the width of the text that keys and values
    # are made of, if it is another one. bias: whether the four projections have one.
    # head_dim: the width of one head, where it is not d / H (Raffel et al. 2020, "T5").

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        dropout: float = 0.0,  # later
        n_key_heads: int | None = None,  # later
        d_source: int | None = None,  # later
        bias: bool = True,  # later
        head_dim: int | None = None,  # later
    ):
        super().__init__()
        if head_dim is None and d_model % n_heads:  # later
            raise ValueError(
                f"{d_model} columns cannot be cut into {n_heads} equal heads."
            )
        if n_heads % (n_key_heads or n_heads):  # later
            raise ValueError(
                f"{n_key_heads} key heads cannot serve {n_heads} heads equally."
            )
        self.n_heads = n_heads
        self.n_key_heads = n_key_heads or n_heads  # later
        d_source = d_source or d_model  # later
        head_dim = head_dim or d_model // n_heads  # later
        d_heads, d_keys = n_heads * head_dim, self.n_key_heads * head_dim  # later
        # at first: self.query = nn.Linear(d_model, d_model)
        self.query = nn.Linear(d_model, d_heads, bias)
        # at first: self.key = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_source, d_keys, bias)
        # at first: self.value = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_source, d_keys, bias)
        # at first: self.output = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_heads, d_model, bias)
        self.dropout = nn.Dropout(dropout)  # later

    def forward(
        self,
        x: Float[Tensor, "B n d"],
        mask=None,
        see: See = unseen,
        options: AttentionOptions = PLAIN,  # later
    ) -> Float[Tensor, "B n d"]:
        o = options  # later
        source = x if o.source is None else o.source  # later
        # 1) project each row three ways, cut into heads: (B, n, d) -> (B, H, n, d_k)
        q = split_heads(self.query(x), self.n_heads)
        # at first: k = split_heads(self.key(x), self.n_heads)
        # at first: v = split_heads(self.value(x), self.n_heads)
        k, v = o.keys_values or self.keys_values(source)
        if o.turn:  # later
            q, k = o.turn(q), o.turn(k)
        k, v = o.cache(k, v) if o.cache else (k, v)  # later
        q, k, v = see("q", q), see("k", k), see("v", v)
        # 2) attend, each head by itself: (B, H, n, d_k)
        k, v = self.shared(k), self.shared(v)  # later
        # at first: mixed, _ = attention(q, k, v, mask, see=see)
        mixed, _ = attention(q, k, v, mask, o.bias, o.scale, self.dropout, see)
        # 3) lay the heads side by side and mix them: (B, H, n, d_k) -> (B, n, d)
        return self.output(see("context", merge_heads(mixed)))

    # later: of a source, once for all steps that ask it
    def keys_values(self, source: Float[Tensor, "B m d_s"]) -> KeysValues:
        """Its keys and values, cut into heads: (B, G, m, d_k) each."""
        key, value = self.key(source), self.value(source)
        return split_heads(key, self.n_key_heads), split_heads(value, self.n_key_heads)

    # later: fewer keys than queries
    def shared(self, x: Float[Tensor, "B G m d_k"]) -> Float[Tensor, "B H m d_k"]:
        """Each key head once for every head that uses it."""
        each = self.n_heads // self.n_key_heads
        return x if each == 1 else x.repeat_interleave(each, dim=1)
