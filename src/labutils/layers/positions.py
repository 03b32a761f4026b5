"""Positions: how a model is told where a token stands.

As a row for each place that is added to the token: learned, or made of sines and
cosines. Or as a term in the scores of attention that depends on the distance between
query and key: Shaw's vectors, T5's buckets. Or queries and keys are turned, each by
its place, so that their product depends on the distance.
"""

import math

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from .hooks import readable


class LearnedPositions(nn.Module):
    """A trained row for each place 0 … n_max - 1, as in GPT-2 and BERT. There is no row
    beyond the last place.
    """

    def __init__(self, n_max: int, d_model: int):
        super().__init__()
        self.n_max = n_max
        self.table = nn.Embedding(n_max, d_model)

    def forward(self, positions: Integer[Tensor, "B n"]) -> Float[Tensor, "B n d"]:
        """Raises ValueError for a place that the table does not have."""
        if readable(positions) and (
            positions.min() < 0 or positions.max() >= self.n_max
        ):
            raise ValueError(
                f"This model knows the positions 0 to {self.n_max - 1}; got"
                f" {positions.min()} to {positions.max()}."
            )
        return self.table(positions)  # (B, n) -> (B, n, d)


def count_positions(
    ids: Tensor, attention_mask: Tensor | None = None
) -> Integer[Tensor, "B n"]:
    """0, 1, 2, … for each text of a batch, whatever stands before it: padding tokens
    are not counted.

    ids: (B, n). attention_mask: (B, n), 1 for a token of the text; None counts every
    place. Padding gets the position 0, which no real token ever sees.

    >>> count_positions(torch.zeros(1, 4), torch.tensor([[0, 0, 1, 1]]))
    tensor([[0, 0, 0, 1]])
    """
    if attention_mask is None:
        attention_mask = torch.ones_like(ids, dtype=torch.long)
    return (attention_mask.long().cumsum(-1) - 1).clamp(min=0) * attention_mask.long()


def sinusoids(
    n: int, d_model: int, base: float = 10_000.0, dtype: torch.dtype = torch.float32
) -> Float[Tensor, "n d"]:
    """Rows for the places 0 … n - 1 that need no training: sin and cos of the place,
    each pair of columns slower than the pair before it.

    Vaswani et al. 2017, "Attention Is All You Need", section 3.5: column 2i is
    sin(p / base^(2i/d)), column 2i + 1 the cosine of the same angle. Computed in
    float64, whatever `dtype` is.

    >>> sinusoids(2, 4).round(decimals=2)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8400, 0.5400, 0.0100, 1.0000]])
    """
    angles = torch.arange(n)[:, None] * speeds(d_model, base)  # (n, pairs)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)  # (n, pairs, 2)
    return pairs.flatten(1)[:, :d_model].to(dtype)  # (n, d)


def speeds(d_model: int, base: float = 10_000.0) -> Float[Tensor, " pairs"]:
    """By what angle each pair of columns turns from one place to the next: 1 for the
    first pair, nearly 1 / base for the last. An odd d_model leaves a sine alone.
    """
    columns = torch.arange(0, d_model, 2, dtype=torch.float64)  # 0, 2, 4, …
    return base ** (-columns / d_model)


def rotation(
    shift: float, d_model: int, base: float = 10_000.0
) -> Float[Tensor, "d d"]:
    """The matrix that moves every row of `sinusoids` by `shift` places: row p times it
    is row p + shift, for every p. On its diagonal stand turns of two columns each.

    Raises ValueError for an odd d_model, where a sine has no cosine to turn with.

    >>> table = sinusoids(9, 6, dtype=torch.float64)
    >>> torch.allclose(table[3] @ rotation(5, 6), table[8])
    True
    """
    if d_model % 2:
        raise ValueError(
            f"{d_model} columns do not fall into pairs of sine and cosine."
        )
    angles = shift * speeds(d_model, base)  # (d / 2,)
    s, c = angles.sin(), angles.cos()
    turns = torch.stack([c, -s, s, c], dim=-1).reshape(-1, 2, 2)  # (d / 2, 2, 2)
    return torch.block_diag(*turns)


def turned(
    x: Float[Tensor, "B H n d_k"],
    positions: Integer[Tensor, "B n"],
    base: float = 10_000.0,
) -> Float[Tensor, "B H n d_k"]:
    """Each pair of columns turned by place times speed: rotary positions. The product
    of a query and a key so turned depends on how far apart they stand, not on where.

    Su et al. 2021, "RoFormer", section 3.2.2. A column is paired with the one half a
    width further on, as in HuggingFace's Llama; in the paper with its neighbour. The
    angles are computed in float64. Raises ValueError for an odd width.

    >>> turned(torch.ones(1, 1, 2, 2), torch.tensor([[0, 1]])).round(decimals=2)
    tensor([[[[ 1.0000,  1.0000],
              [-0.3000,  1.3800]]]])
    """
    if x.shape[-1] % 2:
        raise ValueError(f"{x.shape[-1]} columns do not fall into pairs to be turned.")
    speed = speeds(x.shape[-1], base).to(x.device)
    angles = positions[:, None, :, None] * speed  # (B, 1, n, d_k / 2)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * c - second * s, second * c + first * s], dim=-1)


def relative_places(n_q: int, n_k: int, device=None) -> Integer[Tensor, "n_q n_k"]:
    """How far each key stands from each query: 0 for itself, -1 for the token before.
    The queries are the last n_q of the n_k tokens.

    >>> relative_places(2, 3)
    tensor([[-1,  0,  1],
            [-2, -1,  0]])
    """
    places = torch.arange(n_k, device=device)
    return places - places[n_k - n_q :, None]


class ShawPositions(nn.Module):
    """A learned vector for each distance from -left to right; what stands farther away
    gets the vector of the end.

    Shaw et al. 2018, "Self-Attention with Relative Position Representations", section
    3.2. The vectors are added to the keys, or to the values, of one head or of all.
    """

    def __init__(self, left: int, right: int, head_dim: int):
        super().__init__()
        self.left, self.right = left, right
        self.table = nn.Embedding(left + right + 1, head_dim)

    def forward(self, n_q: int, n_k: int) -> Float[Tensor, "n_q n_k d_k"]:
        places = relative_places(n_q, n_k, self.table.weight.device)
        return self.table(places.clamp(-self.left, self.right) + self.left)

    def to_scores(
        self, q: Float[Tensor, "... n_q d_k"], n_k: int
    ) -> Float[Tensor, "... n_q n_k"]:
        """q · vector / √d_k: what added to the keys gives, and added to the scores."""
        vectors = self(q.shape[-2], n_k)  # (n_q, n_k, d_k)
        return torch.einsum("...qd,qkd->...qk", q, vectors) / math.sqrt(q.shape[-1])

    def to_context(
        self, weights: Float[Tensor, "... n_q n_k"]
    ) -> Float[Tensor, "... n_q d_k"]:
        """What added to the values adds to the mixture."""
        return torch.einsum("...qk,qkd->...qd", weights, self(*weights.shape[-2:]))


def t5_buckets(
    places: Integer[Tensor, "..."],
    buckets: int = 32,
    farthest: int = 128,
    both_ways: bool = True,
) -> Integer[Tensor, "..."]:
    """The number of the bucket of each distance, key minus query. Near distances have a
    bucket each, far ones share, and all from `farthest` on have the last.

    both_ways: keys after the query have the second half of the buckets; without it, as
    in a decoder, they count as distance 0. Raffel et al. 2020, "Exploring the Limits of
    Transfer Learning", section 2.1; the numbers are those of HuggingFace's T5.

    >>> t5_buckets(torch.tensor([0, -1, -7, -8, -12, -127, -5000, 1, 5000])).tolist()
    [0, 1, 7, 8, 9, 15, 15, 17, 31]
    """
    if both_ways:
        buckets = buckets // 2
        side, far = (places > 0) * buckets, places.abs()
    else:
        side, far = torch.zeros_like(places), (-places).clamp(min=0)
    exact = buckets // 2  # half of them hold one distance each
    # from `exact` to `farthest` the others grow by equal ratios
    ratio = torch.log(far.clamp(min=1).float() / exact) / math.log(farthest / exact)
    shared = exact + (ratio * (buckets - exact)).to(places.dtype)
    return side + torch.where(far < exact, far, shared.clamp(max=buckets - 1))


class T5Bias(nn.Module):
    """A learned number for each bucket and head, added to the scores."""

    def __init__(
        self,
        n_heads: int,
        buckets: int = 32,
        farthest: int = 128,
        both_ways: bool = True,
    ):
        super().__init__()
        self.how = (buckets, farthest, both_ways)
        self.table = nn.Embedding(buckets, n_heads)

    def forward(self, n_q: int, n_k: int) -> Float[Tensor, "H n_q n_k"]:
        places = relative_places(n_q, n_k, self.table.weight.device)
        return self.table(t5_buckets(places, *self.how)).permute(2, 0, 1)
