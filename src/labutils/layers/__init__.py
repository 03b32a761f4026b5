"""Tensors to tensors: the parts that BERT and GPT-2 are made of, each written by hand.

The function `attention` is imported from its module, `labutils.layers.attention`: exported here it would hide that module.
"""

from .attention import MultiHeadAttention, merge_heads, softmax, split_heads
from .blocks import PostNormBlock, PreNormBlock
from .embeddings import BertEmbeddings, GPT2Embeddings
from .feed_forward import ACTIVATIONS, FeedForward, gelu, gelu_tanh, relu
from .masks import causal_mask, padding_mask
from .norms import LayerNorm
from .positions import LearnedPositions, count_positions
from .recording import Recorder

__all__ = [
    "ACTIVATIONS", "BertEmbeddings", "FeedForward", "GPT2Embeddings", "LayerNorm", "LearnedPositions",
    "MultiHeadAttention", "PostNormBlock", "PreNormBlock", "Recorder", "causal_mask",
    "count_positions", "gelu", "gelu_tanh", "merge_heads", "padding_mask", "relu", "softmax", "split_heads",
]
