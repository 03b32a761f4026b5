"""A model that reads two texts, in one file: T5, from the parts of the package, with its record. What uses it enters
the record in `labutils.models.FAMILIES`, one line, as `tests/test_t5.py` does. Its network is gated, as in T5 1.1, and
its head is the token table, as in the first T5.

Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer"; the forward
pass is HuggingFace's `T5ForConditionalGeneration`, stage by stage.
"""

from dataclasses import dataclass

import torch
from torch import nn

from labutils.layers import (
    AttentionOptions,
    Cache,
    GatedFeedForward,
    MultiHeadAttention,
    PreNormBlock,
    RMSNorm,
    T5Bias,
    all_or_nothing,
    in_layer,
    padding_mask,
    places_and_mask,
    unseen,
    within,
)
from labutils.models import Family, weight_maps
from labutils.models.configuration import Sizes, complete, from_entries, refuse, to_entries
from labutils.models.initial import initialise
from labutils.models.inputs import check_attention_mask, check_ids, register_output

ENTRIES = {
    "vocab_size": "vocab_size",
    "d_model": "d_model",
    "n_layers": "num_layers",
    "n_decoder_layers": "num_decoder_layers",
    "n_heads": "num_heads",
    "head_dim": "d_kv",
    "d_ff": "d_ff",
    "activation": "dense_act_fn",
    "eps": "layer_norm_epsilon",
    "buckets": "relative_attention_num_buckets",
    "farthest": "relative_attention_max_distance",
}


@dataclass(frozen=True)
class T5Config(Sizes):
    """The defaults are t5-v1.1-small: 6 heads of 64 columns in a width of 512."""

    vocab_size: int = 32128
    d_model: int = 512
    n_layers: int = 8
    n_decoder_layers: int = 8
    n_heads: int = 6
    head_dim: int = 64
    d_ff: int = 1024
    activation: str = "gelu_tanh"
    eps: float = 1e-6
    buckets: int = 32
    farthest: int = 128

    def __post_init__(self):
        complete(self)

    @classmethod
    def from_hf(cls, config: dict) -> "T5Config":
        refuse(config, "t5", {"feed_forward_proj": "gated-gelu", "scale_decoder_outputs": True})
        return cls(**from_entries(config, ENTRIES))

    def to_hf(self) -> dict:
        named = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]}
        return named | {"feed_forward_proj": "gated-gelu"} | to_entries(self, ENTRIES)


@register_output
@dataclass(frozen=True)
class T5Output:
    """logits (B, n, V): row i is about token i + 1 of the target."""

    logits: torch.Tensor


class DecoderBlock(nn.Module):
    """Three sub-layers, each normalised before: attention within the target, attention that asks the source, network."""

    def __init__(self, c: T5Config):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (RMSNorm(c.d_model, c.eps) for _ in range(3))
        self.attention, self.cross = _attention(c), _attention(c)
        self.feed_forward = GatedFeedForward(c.d_model, c.d_ff, c.activation)

    def forward(self, x, mask, see, bias, source, source_mask, cache=None, keys_values=None):
        x = see("input", x)
        heard = see("attention_input", self.norm1(x))
        within_target = self.attention(heard, mask, see, AttentionOptions(bias=bias, scale=1.0, cache=cache))
        x = see("attention_stream", x + see("attention_output", within_target))
        cross = within(see, "cross")
        asking = cross("attention_input", self.norm2(x))
        options = AttentionOptions(source=source, scale=1.0, keys_values=keys_values)
        answer = self.cross(asking, source_mask, cross, options)
        x = cross("attention_stream", x + cross("attention_output", answer))
        thought = self.feed_forward(see("ffn_input", self.norm3(x)), see)
        return see("output", x + see("ffn_output", thought))


class T5Cache(Cache):
    """A cache of the target that keeps the source as well: its keys and values in every layer, made once."""

    def __init__(self, capacity=None):
        super().__init__(capacity)
        self.source = None  # the mask of the source, and (keys, values) of each layer of the decoder


class T5(weight_maps.Exported, nn.Module):
    def __init__(self, config: T5Config):
        super().__init__()
        self.config = c = config
        self.token = nn.Embedding(c.vocab_size, c.d_model)
        self.bias = T5Bias(c.n_heads, c.buckets, c.farthest)
        self.blocks = nn.ModuleList(_block(c) for _ in range(c.n_layers))
        self.norm = RMSNorm(c.d_model, c.eps)
        self.decoder_bias = T5Bias(c.n_heads, c.buckets, c.farthest, both_ways=False)
        self.decoder_blocks = nn.ModuleList(DecoderBlock(c) for _ in range(c.n_decoder_layers))
        self.decoder_norm = RMSNorm(c.d_model, c.eps)
        initialise(self, 0.05)
        self.eval()

    @all_or_nothing
    def forward(
        self, ids=None, attention_mask=None, target_ids=None, target_mask=None, *, cache=None, see=unseen
    ) -> T5Output:
        """ids (B, m), the source; target_ids (B, n). With a cache the source is read in the first pass, and target_ids
        are the new tokens of each.
        """
        past = 0 if cache is None else len(cache)
        if not past:
            check_ids(ids, self.config.vocab_size, ids.shape[-1])
            check_attention_mask(attention_mask, ids)
        check_ids(target_ids, self.config.vocab_size, past + target_ids.shape[-1], past)
        check_attention_mask(target_mask, target_ids, cached=cache is not None)
        _, mask = places_and_mask(cache, target_ids, target_mask)
        if past:
            source, (source_mask, keys_values) = None, cache.source
        else:
            source_mask = padding_mask(torch.ones_like(ids) if attention_mask is None else attention_mask)
            source, keys_values = self.read(ids, source_mask, within(see, "encoder")), [None] * len(self.decoder_blocks)
        if cache is not None and not past:
            keys_values = [block.cross.keys_values(source) for block in self.decoder_blocks]
            cache.source = source_mask, keys_values
        x = self.write(target_ids, mask, within(see, "decoder"), source, source_mask, cache, keys_values)
        return T5Output(see("logits", x * self.config.d_model**-0.5 @ self.token.weight.T))

    def read(self, ids, mask, see):
        x, bias = see("token", self.token(ids)), self.bias(ids.shape[1], ids.shape[1])
        for i, block in enumerate(self.blocks):
            x = block(x, mask, in_layer(see, i), AttentionOptions(bias=bias, scale=1.0))
        return see("final", self.norm(x))

    def write(self, ids, mask, see, source, source_mask, cache, keys_values):
        x, bias = see("token", self.token(ids)), self.decoder_bias(ids.shape[1], mask.shape[-1])
        for i, block in enumerate(self.decoder_blocks):
            own = None if cache is None else cache.layer(i)
            x = block(x, mask, in_layer(see, i), bias, source, source_mask, own, keys_values[i])
        return see("final", self.decoder_norm(x))

    def load_hf_state_dict(self, state_dict) -> None:
        names = ("encoder.embed_tokens", "decoder.embed_tokens", "lm_head")
        tied = {f"{name}.weight": "shared.weight" for name in names}
        weight_maps.load(self, self._map(), state_dict, tied, [])

    def _map(self):
        pairs = {"shared.weight": "token.weight"}
        for stack, ours in (("encoder", ""), ("decoder", "decoder_")):
            table = f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
            pairs |= {f"{stack}.final_layer_norm.weight": f"{ours}norm.gain", table: f"{ours}bias.table.weight"}
            for i in range(len(getattr(self, f"{ours}blocks"))):
                pairs |= {
                    f"{stack}.block.{i}.layer.{theirs}": f"{ours}blocks.{i}.{name}"
                    for theirs, name in (_INSIDE if stack == "encoder" else _INSIDE_DECODER).items()
                }
        return [weight_maps.Same(theirs, (ours,)) for theirs, ours in pairs.items()]


def _attention(c: T5Config) -> MultiHeadAttention:
    return MultiHeadAttention(c.d_model, c.n_heads, bias=False, head_dim=c.head_dim)


def _block(c: T5Config) -> PreNormBlock:
    norms = RMSNorm(c.d_model, c.eps), RMSNorm(c.d_model, c.eps)
    return PreNormBlock(norms[0], _attention(c), norms[1], GatedFeedForward(c.d_model, c.d_ff, c.activation))


_PROJECTIONS = {"q": "query", "k": "key", "v": "value", "o": "output"}
_NETWORK = {"wi_0": "gate", "wi_1": "expand", "wo": "contract"}


def _inside(*attentions: tuple[str, str]) -> dict[str, str]:
    """HuggingFace's names of what is in a block, and ours."""
    names = {}
    for i, (theirs, ours) in enumerate(attentions):
        names[f"{i}.layer_norm.weight"] = f"norm{i + 1}.gain"
        names |= {f"{i}.{theirs}.{one}.weight": f"{ours}.{name}.weight" for one, name in _PROJECTIONS.items()}
    i = len(attentions)
    names[f"{i}.layer_norm.weight"] = f"norm{i + 1}.gain"
    return names | {f"{i}.DenseReluDense.{one}.weight": f"feed_forward.{name}.weight" for one, name in _NETWORK.items()}


_INSIDE = _inside(("SelfAttention", "attention"))
_INSIDE_DECODER = _inside(("SelfAttention", "attention"), ("EncDecAttention", "cross"))


def _places(stack: str, *attentions: tuple[str, str]) -> dict[str, str]:
    """Where HuggingFace's model computes the stages of one stack; of each attention: what it is called, and theirs."""
    block = f"{stack}.block.{{i}}"
    places = {"token": f">{stack}.block.0", "input": f">{block}"}
    for i, (part, name) in enumerate(attentions):
        at = f"{block}.layer.{i}"
        found = {
            "attention_input": f"{at}.layer_norm>",
            "q": f"{at}.{name}.q>",
            "k": f"{at}.{name}.k>",
            "v": f"{at}.{name}.v>",
            "attention": f"{at}.{name}",
            "context": f">{at}.{name}.o",
            "attention_output": f"{at}.{name}.o>",
            "attention_stream": f">{block}.layer.{i + 1}.layer_norm",
        }
        places |= {f"{part} {stage}".strip(): place for stage, place in found.items()}
    at = f"{block}.layer.{len(attentions)}"
    places |= {
        "ffn_input": f"{at}.layer_norm>",
        "ffn_gate": f"{at}.DenseReluDense.wi_0>",
        "ffn_hidden": f"{at}.DenseReluDense.wi_1>",
        "ffn_activated": f">{at}.DenseReluDense.wo",
        "ffn_output": f"{at}.DenseReluDense.wo>",
        "output": f"{block}>",
        "final": f"{stack}.final_layer_norm>",
    }
    return {f"{stack} {stage}": place for stage, place in places.items()}


FAMILY = Family(
    "t5",
    "T5",
    T5Config,
    T5,
    ("T5ForConditionalGeneration",),
    causal=True,
    norm="rms",
    blocks={"encoder": "encoder.block.{i}", "decoder": "decoder.block.{i}"},
    places=_places("encoder", ("", "SelfAttention"))
    | _places("decoder", ("", "SelfAttention"), ("cross", "EncDecAttention"))
    | {"logits": "lm_head>"},
    bias=lambda result: result[1],
    scale=1.0,
    tolerance=1e-6,
    entries=ENTRIES,
    heads=lambda names: ({}, "T5ForConditionalGeneration"),
    layout="pre-norm, encoder and decoder, RMSNorm, relative positions, gated",
    tokenizer="Unigram",
    begins="",
)
