"""Embeddings: what a token is, plus where it stands (plus, in BERT, which segment it
belongs to).
"""

from jaxtyping import Float, Integer
from torch import Tensor, nn

from .hooks import See, unseen
from .norms import LayerNorm
from .positions import LearnedPositions


class GPT2Embeddings(nn.Module):
    """token + position.

    Radford et al. 2018, "Improving Language Understanding by Generative
    Pre-Training", section 3.1.
    """

    def __init__(
        self,
        vocab_size: int,
        n_positions: int,
        d_model: int,
        dropout: float = 0.0,  # later
    ):
        super().__init__()
        self.token = nn.Embedding(vocab_size, d_model)
        self.position = LearnedPositions(n_positions, d_model)
        self.dropout = nn.Dropout(dropout)  # later

    def forward(
        self,
        ids: Integer[Tensor, "B n"],
        positions: Integer[Tensor, "B n"],
        see: See = unseen,
    ) -> Float[Tensor, "B n d"]:
        token = see("token", self.token(ids))  # (B, n) -> (B, n, d)
        position = see("position", self.position(positions))  # (B, n) -> (B, n, d)
        # at first: return see("embedding_sum", token + position)
        return self.dropout(see("embedding_sum", token + position))


class BertEmbeddings(nn.Module):
    """LayerNorm(token + segment + position).

    The sum is that of Devlin et al. 2019, "BERT", section 3 and figure 2; the norm is
    that of their program. pad_id: the padding token, whose row gets no gradient.
    """

    def __init__(
        self,
        vocab_size: int,
        n_positions: int,
        n_segments: int,
        d_model: int,
        eps: float,
        pad_id: int | None = None,  # later
        dropout: float = 0.0,  # later
    ):
        super().__init__()
        # at first: self.token = nn.Embedding(vocab_size, d_model)
        self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.position = LearnedPositions(n_positions, d_model)
        self.segment = nn.Embedding(n_segments, d_model)
        self.norm = LayerNorm(d_model, eps)
        self.dropout = nn.Dropout(dropout)  # later

    def forward(
        self,
        ids: Integer[Tensor, "B n"],
        positions: Integer[Tensor, "B n"],
        type_ids: Integer[Tensor, "B n"],
        see: See = unseen,
    ) -> Float[Tensor, "B n d"]:
        token = see("token", self.token(ids))  # (B, n) -> (B, n, d)
        segment = see("segment", self.segment(type_ids))  # (B, n) -> (B, n, d)
        position = see("position", self.position(positions))  # (B, n) -> (B, n, d)
        total = see("embedding_sum", token + segment + position)
        # at first: return see("embedding_norm", self.norm(total))
        return self.dropout(see("embedding_norm", self.norm(total)))
