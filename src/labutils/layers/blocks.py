"""The block: attention, where rows listen to each other, then a feed-forward network,
each row alone.

Both are added to what was there before, the residual stream. The two classes differ in
one thing: where they normalise. Each is handed its parts, so that a block with another
norm, attention or feed-forward network is another call and not another class.
"""

from jaxtyping import Float
from torch import Tensor, nn

from .hooks import See, unseen
from .multi_head import AttentionOptions


class PreNormBlock(nn.Module):
    """GPT-2's: normalise what goes into a sub-layer, never the stream itself.

    Radford et al. 2019, "Language Models are Unsupervised Multitask Learners",
    section 2.3.
    """

    # at first: def __init__(self, norm1, attention, norm2, feed_forward):
    def __init__(self, norm1, attention, norm2, feed_forward, dropout: float = 0.0):
        super().__init__()
        self.norm1, self.attention = norm1, attention
        self.norm2, self.feed_forward = norm2, feed_forward
        self.dropout = nn.Dropout(dropout)  # later

    def forward(
        self,
        x: Float[Tensor, "B n d"],
        mask=None,
        see: See = unseen,
        *options: AttentionOptions,  # later
    ) -> Float[Tensor, "B n d"]:
        """options: for attention, such as a cache; one at most."""  # later
        x = see("input", x)
        heard = see("attention_input", self.norm1(x))
        # at first: attended = see("attention_output", self.attention(heard, mask, see))
        attended = see("attention_output", self.attention(heard, mask, see, *options))
        # at first: x = see("attention_stream", x + attended)
        x = see("attention_stream", x + self.dropout(attended))
        thought = self.feed_forward(see("ffn_input", self.norm2(x)), see)
        # at first: return see("output", x + see("ffn_output", thought))
        return see("output", x + self.dropout(see("ffn_output", thought)))


class PostNormBlock(nn.Module):
    """BERT's and the first Transformer's: add first, then normalise the stream.

    Vaswani et al. 2017, section 3.1: LayerNorm(x + Sublayer(x)).
    """

    # at first: def __init__(self, attention, norm1, feed_forward, norm2):
    def __init__(self, attention, norm1, feed_forward, norm2, dropout: float = 0.0):
        super().__init__()
        self.attention, self.norm1 = attention, norm1
        self.feed_forward, self.norm2 = feed_forward, norm2
        self.dropout = nn.Dropout(dropout)  # later

    def forward(
        self,
        x: Float[Tensor, "B n d"],
        mask=None,
        see: See = unseen,
        *options: AttentionOptions,  # later
    ) -> Float[Tensor, "B n d"]:
        """options: for attention, such as a cache; one at most."""  # later
        x = see("input", x)
        # at first: attended = see("attention_output", self.attention(x, mask, see))
        attended = see("attention_output", self.attention(x, mask, see, *options))
        # at first: x = see("attention_stream", self.norm1(x + attended))
        x = see("attention_stream", self.norm1(x + self.dropout(attended)))
        thought = see("ffn_output", self.feed_forward(x, see))
        # at first: return see("output", self.norm2(x + thought))
        return see("output", self.norm2(x + self.dropout(thought)))
