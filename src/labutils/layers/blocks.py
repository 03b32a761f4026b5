"""The block: attention, where rows listen to each other, then a feed-forward network, each row alone.

Both are added to what was there before, the residual stream. The two classes differ in one thing: where
they normalise.
"""

from jaxtyping import Float
from torch import Tensor, nn

from .attention import MultiHeadAttention
from .feed_forward import FeedForward
from .norms import LayerNorm


class PreNormBlock(nn.Module):
    """Normalise what goes into a sub-layer; the stream itself is never normalised. GPT-2.

    Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3.
    """

    def __init__(
        self, d_model: int, n_heads: int, d_ff: int, activation: str, eps: float,
        dropout: float = 0.0, attention_dropout: float = 0.0,
    ):
        super().__init__()
        self.norm1 = LayerNorm(d_model, eps)
        self.attention = MultiHeadAttention(d_model, n_heads, attention_dropout)
        self.norm2 = LayerNorm(d_model, eps)
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "B n d"], mask=None, record=None) -> Float[Tensor, "B n d"]:
        normed1 = self.norm1(x)
        attended = self.attention(normed1, mask, record)
        stream = x + self.dropout(attended)
        normed2 = self.norm2(stream)
        thought = self.feed_forward(normed2, record)
        output = stream + self.dropout(thought)
        if record:
            record(input=x, attention_input=normed1, attention_output=attended, attention_stream=stream)
            record(ffn_input=normed2, ffn_output=thought, output=output)
        return output


class PostNormBlock(nn.Module):
    """Add first, then normalise the stream itself. BERT, and the original Transformer.

    Vaswani et al. 2017, section 3.1: LayerNorm(x + Sublayer(x)).
    """

    def __init__(
        self, d_model: int, n_heads: int, d_ff: int, activation: str, eps: float,
        dropout: float = 0.0, attention_dropout: float = 0.0,
    ):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, attention_dropout)
        self.norm1 = LayerNorm(d_model, eps)
        self.feed_forward = FeedForward(d_model, d_ff, activation)
        self.norm2 = LayerNorm(d_model, eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "B n d"], mask=None, record=None) -> Float[Tensor, "B n d"]:
        attended = self.attention(x, mask, record)
        stream = self.norm1(x + self.dropout(attended))
        thought = self.feed_forward(stream, record)
        output = self.norm2(stream + self.dropout(thought))
        if record:
            record(input=x, attention_input=x, attention_output=attended, attention_stream=stream)
            record(ffn_input=stream, ffn_output=thought, output=output)
        return output
