"""Tensors to tensors, by hand: what BERT and GPT-2 are made of, and the recurrent cells
before them.
"""

from .blocks import PostNormBlock, PreNormBlock
from .cache import Cache, KeptKeys, all_or_nothing, places_and_mask
from .cost import (
    Operations,
    Parameters,
    cache_bytes,
    operations,
    parameters,
    weights_kept,
)
from .embeddings import BertEmbeddings, GPT2Embeddings
from .feed_forward import (
    ACTIVATIONS,
    FeedForward,
    GatedFeedForward,
    gelu,
    gelu_tanh,
    relu,
    silu,
)
from .hooks import Recorder, See, in_layer, readable, unseen, within
from .masks import causal_mask, padding_mask, seen_of_all
from .multi_head import (
    AttentionOptions,
    KeysValues,
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
from .norms import BatchNorm, LayerNorm, RMSNorm
from .norms_backward import NormGradients, layer_norm_backward
from .positions import (
    LearnedPositions,
    ShawPositions,
    T5Bias,
    count_positions,
    relative_places,
    rotation,
    sinusoids,
    speeds,
    t5_buckets,
    turned,
)
from .quantised import Quantised, packed, quantise, restored, unpacked
from .recurrent import GRUCell, LSTMCell, RNNCell, run
from .scaled_dot_product import attention, softmax
from .seq2seq import Seq2Seq
from .slopes import SLOPES, gelu_slope, gelu_tanh_slope, relu_slope, silu_slope

__all__ = [
    "ACTIVATIONS",
    "BatchNorm",
    "BertEmbeddings",
    "Cache",
    "FeedForward",
    "GPT2Embeddings",
    "GRUCell",
    "GatedFeedForward",
    "KeptKeys",
    "AttentionOptions",
    "KeysValues",
    "LSTMCell",
    "LayerNorm",
    "LearnedPositions",
    "MultiHeadAttention",
    "NormGradients",
    "Operations",
    "Parameters",
    "PostNormBlock",
    "PreNormBlock",
    "Quantised",
    "RMSNorm",
    "RNNCell",
    "Recorder",
    "SLOPES",
    "See",
    "Seq2Seq",
    "ShawPositions",
    "T5Bias",
    "all_or_nothing",
    "attention",
    "cache_bytes",
    "causal_mask",
    "count_positions",
    "gelu",
    "gelu_slope",
    "gelu_tanh",
    "gelu_tanh_slope",
    "in_layer",
    "layer_norm_backward",
    "merge_heads",
    "operations",
    "packed",
    "padding_mask",
    "parameters",
    "places_and_mask",
    "quantise",
    "readable",
    "relative_places",
    "relu",
    "relu_slope",
    "restored",
    "rotation",
    "run",
    "seen_of_all",
    "silu",
    "silu_slope",
    "sinusoids",
    "softmax",
    "speeds",
    "split_heads",
    "t5_buckets",
    "turned",
    "unpacked",
    "unseen",
    "weights_kept",
    "within",
]
