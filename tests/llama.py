"""A third architecture in one file: Llama, from the parts of the package, with its record. What uses it enters the
record in `labutils.models.FAMILIES`, one line, as `tests/test_llama.py` does.

Touvron et al. 2023, "LLaMA: Open and Efficient Foundation Language Models"; the forward pass is HuggingFace's
`LlamaForCausalLM`, stage by stage.
"""

from dataclasses import dataclass

import torch
from torch import nn

from labutils.layers import (
    AttentionOptions,
    GatedFeedForward,
    MultiHeadAttention,
    PreNormBlock,
    RMSNorm,
    all_or_nothing,
    in_layer,
    places_and_mask,
    unseen,
)
from labutils.models import Family, rotary, weight_maps
from labutils.models.configuration import Sizes, complete, from_entries, refuse, to_entries
from labutils.models.initial import initialise
from labutils.models.inputs import check_attention_mask, check_ids, check_rows, register_output

ENTRIES = {
    "vocab_size": "vocab_size",
    "n_positions": "max_position_embeddings",
    "d_model": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_key_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "d_ff": "intermediate_size",
    "activation": "hidden_act",
    "eps": "rms_norm_eps",
    "attention_dropout": "attention_dropout",
    "initializer_range": "initializer_range",
    "tied": "tie_word_embeddings",
}


@dataclass(frozen=True)
class LlamaConfig(Sizes):
    vocab_size: int = 32000
    n_positions: int = 2048
    d_model: int = 4096
    n_layers: int = 32
    n_heads: int = 32
    n_key_heads: int | None = None
    head_dim: int | None = None
    d_ff: int = 11008
    activation: str = "silu"
    eps: float = 1e-6
    attention_dropout: float = 0.0
    initializer_range: float = 0.02
    tied: bool = False
    rotary_base: float = rotary.BASE

    def __post_init__(self):
        object.__setattr__(self, "n_key_heads", self.n_key_heads or self.n_heads)
        object.__setattr__(self, "head_dim", self.head_dim or self.d_model // self.n_heads)
        complete(self)

    @classmethod
    def from_hf(cls, config: dict) -> "LlamaConfig":
        refuse(config, "llama", {"attention_bias": False, "mlp_bias": False})
        return cls(**from_entries(config, ENTRIES), rotary_base=rotary.base_of(config))

    def to_hf(self) -> dict:
        said = {"model_type": "llama", "architectures": ["LlamaForCausalLM"]}
        return said | rotary.entries_of(self.rotary_base) | to_entries(self, ENTRIES)


@register_output
@dataclass(frozen=True)
class LlamaOutput:
    logits: torch.Tensor
    hidden_states: tuple[torch.Tensor, ...]


class Llama(weight_maps.Exported, nn.Module):
    def __init__(self, config: LlamaConfig):
        super().__init__()
        self.config = c = config
        self.embeddings = nn.Module()
        self.embeddings.token = nn.Embedding(c.vocab_size, c.d_model)
        self.blocks = nn.ModuleList(_block(c) for _ in range(c.n_layers))
        self.final_norm = RMSNorm(c.d_model, c.eps)
        self.head = None if c.tied else nn.Linear(c.d_model, c.vocab_size, bias=False)
        initialise(self, c.initializer_range)
        self.eval()

    @all_or_nothing
    def forward(self, ids, attention_mask=None, position_ids=None, *, cache=None, see=unseen) -> LlamaOutput:
        c = self.config
        check_ids(ids, c.vocab_size, c.n_positions, 0 if cache is None else len(cache))
        check_attention_mask(attention_mask, ids, cached=cache is not None)
        check_rows(position_ids, ids, c.n_positions, "position_ids", "the places")
        positions, mask = places_and_mask(cache, ids, attention_mask, position_ids)
        turn = rotary.turning(positions, c.rotary_base, c.rotary_dim)
        x = see("token", self.embeddings.token(ids))
        hidden_states = [x]
        for i, block in enumerate(self.blocks):
            options = AttentionOptions(cache=None if cache is None else cache.layer(i), turn=turn)
            x = block(x, mask, in_layer(see, i), options)
            hidden_states.append(x)
        x = hidden_states[-1] = see("final", self.final_norm(x))
        table = self.head.weight if self.head else self.embeddings.token.weight
        return LlamaOutput(see("logits", x @ table.T), tuple(hidden_states))

    def load_hf_state_dict(self, state_dict) -> None:
        tied = {"lm_head.weight": "model.embed_tokens.weight"} if self.config.tied else {}
        weight_maps.load(self, self._map(), state_dict, tied, [])

    def _map(self):
        pairs = {"model.embed_tokens.weight": "embeddings.token.weight"}
        for i in range(self.config.n_layers):
            theirs, ours = f"model.layers.{i}", f"blocks.{i}"
            pairs |= {f"{theirs}.{name}.weight": f"{ours}.{to}" for name, to in INSIDE.items()}
        pairs["model.norm.weight"] = "final_norm.gain"
        if not self.config.tied:
            pairs["lm_head.weight"] = "head.weight"
        return [weight_maps.Same(theirs, (ours,)) for theirs, ours in pairs.items()]


INSIDE = {
    "input_layernorm": "norm1.gain",
    "self_attn.q_proj": "attention.query.weight",
    "self_attn.k_proj": "attention.key.weight",
    "self_attn.v_proj": "attention.value.weight",
    "self_attn.o_proj": "attention.output.weight",
    "post_attention_layernorm": "norm2.gain",
    "mlp.gate_proj": "feed_forward.gate.weight",
    "mlp.up_proj": "feed_forward.expand.weight",
    "mlp.down_proj": "feed_forward.contract.weight",
}


def _block(c: LlamaConfig) -> PreNormBlock:
    attention = MultiHeadAttention(
        c.d_model, c.n_heads, c.attention_dropout, c.n_key_heads, bias=False, head_dim=c.head_dim
    )
    feed_forward = GatedFeedForward(c.d_model, c.d_ff, c.activation)
    return PreNormBlock(RMSNorm(c.d_model, c.eps), attention, RMSNorm(c.d_model, c.eps), feed_forward)


def _turn(given):
    """What HuggingFace's attention turns queries and keys by: its angles, which are float32."""
    cos, sin = (angles[:, None] for angles in given["position_embeddings"])  # (B, 1, n, d_k)
    half = lambda x: torch.cat([-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], dim=-1)
    return lambda x: x * cos + half(x) * sin


_LAYER = "model.layers.{i}"
FAMILY = Family(
    "llama",
    "Llama",
    LlamaConfig,
    Llama,
    ("LlamaForCausalLM",),
    causal=True,
    norm="rms",
    blocks={"": _LAYER},
    places={
        "token": "model.embed_tokens>",
        "input": f">{_LAYER}",
        "attention_input": f"{_LAYER}.input_layernorm>",
        "q": f"{_LAYER}.self_attn.q_proj>",
        "k": f"{_LAYER}.self_attn.k_proj>",
        "v": f"{_LAYER}.self_attn.v_proj>",
        "attention": f"{_LAYER}.self_attn",
        "context": f">{_LAYER}.self_attn.o_proj",
        "attention_output": f"{_LAYER}.self_attn.o_proj>",
        "attention_stream": f">{_LAYER}.post_attention_layernorm",
        "ffn_input": f"{_LAYER}.post_attention_layernorm>",
        "ffn_gate": f"{_LAYER}.mlp.gate_proj>",
        "ffn_hidden": f"{_LAYER}.mlp.up_proj>",
        "ffn_activated": f">{_LAYER}.mlp.down_proj",
        "ffn_output": f"{_LAYER}.mlp.down_proj>",
        "output": f"{_LAYER}>",
        "final": "model.norm>",
        "logits": "lm_head>",
    },
    turn=_turn,
    tolerance=1e-6,
    gradient_tolerance=1e-5,  # its angles and norms are float32, and go back through all layers
    entries=ENTRIES,
    heads=lambda names: ({}, "LlamaForCausalLM"),
    layout="pre-norm, causal, RMSNorm, rotary positions, gated",
    tokenizer="byte-level BPE",
    begins="<s>",
)
