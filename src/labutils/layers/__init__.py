"""Tensors to tensors: the parts that BERT and GPT-2 are made of, written by hand."""

from .blocks import PostNormBlock, PreNormBlock
from .embeddings import BertEmbeddings, GPT2Embeddings
from .feed_forward import ACTIVATIONS, FeedForward, gelu, gelu_tanh, relu
from .hooks import Recorder, See, in_layer, unseen
from .masks import causal_mask, padding_mask
from .multi_head import MultiHeadAttention, merge_heads, split_heads
from .norms import LayerNorm
from .positions import LearnedPositions, count_positions
from .scaled_dot_product import attention, softmax

__all__ = [
    "ACTIVATIONS",
    "BertEmbeddings",
    "FeedForward",
    "GPT2Embeddings",
    "LayerNorm",
    "LearnedPositions",
    "MultiHeadAttention",
    "PostNormBlock",
    "PreNormBlock",
    "Recorder",
    "See",
    "attention",
    "causal_mask",
    "count_positions",
    "gelu",
    "gelu_tanh",
    "in_layer",
    "merge_heads",
    "padding_mask",
    "relu",
    "softmax",
    "split_heads",
    "unseen",
]
