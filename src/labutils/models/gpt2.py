"""GPT-2: embeddings, L blocks, a last LayerNorm, and mostly the token table a second
time as the output head.

Radford et al. 2019, "Language Models are Unsupervised Multitask Learners"; the forward
pass is HuggingFace's `GPT2LMHeadModel`, stage by stage.
"""

from dataclasses import dataclass

from jaxtyping import Float, Integer
from torch import Tensor, nn

from labutils.layers import (
    AttentionOptions,
    Cache,
    FeedForward,
    GPT2Embeddings,
    LayerNorm,
    MultiHeadAttention,
    PreNormBlock,
    See,
    all_or_nothing,
    in_layer,
    places_and_mask,
    unseen,
)

from . import weight_maps
from .configuration import Sizes, complete, from_entries, refuse, to_entries
from .initial import initialise
from .inputs import check_attention_mask, check_ids, check_rows, register_output
from .records import Family
from .weight_maps import Same, of_linear, of_norm

# our name -> HuggingFace's
ENTRIES = {
    "vocab_size": "vocab_size",
    "n_positions": "n_positions",
    "d_model": "n_embd",
    "n_layers": "n_layer",
    "n_heads": "n_head",
    "d_ff": "n_inner",
    "activation": "activation_function",
    "layer_norm_eps": "layer_norm_epsilon",
    "embedding_dropout": "embd_pdrop",
    "attention_dropout": "attn_pdrop",
    "residual_dropout": "resid_pdrop",
    "initializer_range": "initializer_range",
    "tied": "tie_word_embeddings",
}


@dataclass(frozen=True)
class GPT2Config(Sizes):
    """The shape of a GPT-2. The defaults are GPT-2 small: Radford et al. 2019, table 2.
    d_ff = None means 4 · d_model.

    tied: the output head is the token table; otherwise it has a matrix of its own.
    """

    vocab_size: int = 50257
    n_positions: int = 1024
    d_model: int = 768
    n_layers: int = 12
    n_heads: int = 12
    d_ff: int | None = None
    activation: str = "gelu_tanh"
    layer_norm_eps: float = 1e-5
    embedding_dropout: float = 0.1
    attention_dropout: float = 0.1
    residual_dropout: float = 0.1
    initializer_range: float = 0.02
    tied: bool = True

    def __post_init__(self):
        complete(self)

    @classmethod
    def from_hf(cls, config: dict) -> "GPT2Config":
        """Read the content of a config.json. Absent entries take GPT-2's defaults.

        Raises ValueError for a model that `GPT2` does not compute: another model type,
        another activation, attention scaled or cast in another way, cross-attention.
        """
        refuse(
            config,
            "gpt2",
            {
                "add_cross_attention": False,
                "scale_attn_weights": True,
                "scale_attn_by_inverse_layer_idx": False,
                "reorder_and_upcast_attn": False,
            },
        )
        return cls(**from_entries(config, ENTRIES))

    def to_hf(self) -> dict:
        """The content of a config.json that HuggingFace reads as the same model.
        Special token ids are the caller's to add.
        """
        return {
            "model_type": "gpt2",
            "architectures": ["GPT2LMHeadModel"],
        } | to_entries(self, ENTRIES)


@register_output
@dataclass(frozen=True)
class GPT2Output:
    """logits (B, n, V): row i is about token i + 1. hidden_states: L + 1 times (B, n,
    d), the last one after the last LayerNorm.
    """

    logits: Float[Tensor, "B n V"]
    hidden_states: tuple[Float[Tensor, "B n d"], ...]


class GPT2(weight_maps.Exported, nn.Module):
    """A complete GPT-2 with its language-model head.

    Fresh weights are random; it starts in eval mode, without dropout.
    """

    def __init__(self, config: GPT2Config):
        super().__init__()
        self.config = c = config
        # at first: sizes = c.vocab_size, c.n_positions, c.d_model
        # at first: self.embeddings = GPT2Embeddings(*sizes)
        self.embeddings = GPT2Embeddings(
            c.vocab_size, c.n_positions, c.d_model, c.embedding_dropout
        )
        self.blocks = nn.ModuleList(_block(c) for _ in range(c.n_layers))
        self.final_norm = LayerNorm(c.d_model, c.layer_norm_eps)
        self.head = None  # later
        if not c.tied:  # later
            self.head = nn.Linear(c.d_model, c.vocab_size, bias=False)
        initialise(self, c.initializer_range)  # later
        self.eval()

    def forward(
        self,
        ids: Integer[Tensor, "B n"],
        attention_mask: Integer[Tensor, "B n"] | None = None,  # later
        position_ids: Integer[Tensor, "B n"] | None = None,  # later
        *,  # later
        cache: Cache | None = None,  # later
        see: See = unseen,
    ) -> GPT2Output:
        """Row i of the logits sees the tokens 0 … i, and is about token i + 1.

        attention_mask: 1 for a token, 0 for padding on either side. position_ids: 0
        … n - 1 if not given, as in HuggingFace; with a cache, on from the last place.

        cache: what was kept of the tokens before. `ids`, the mask and the positions are
        then those of the new tokens alone, and so is what comes back; their keys and
        values are kept as well. An empty one is filled. After a pass that is refused or
        interrupted it holds what it held before.

        `see` is shown every stage and says what the model goes on with. Raises
        ValueError for ids, masks or positions that the model cannot read. Rows of
        padding hold finite numbers without a meaning.
        """
        past = 0 if cache is None else len(cache)  # later
        check_ids(ids, self.config.vocab_size, self.config.n_positions, past)  # later
        check_attention_mask(attention_mask, ids, cached=cache is not None)  # later
        check_rows(  # later
            position_ids,
            ids,
            self.config.n_positions,
            "position_ids",
            "the table of positions",
        )
        # at first: n = ids.shape[1]
        # at first: positions, mask = torch.arange(n).expand_as(ids), causal_mask(n)
        positions, mask = places_and_mask(cache, ids, attention_mask, position_ids)

        x = self.embeddings(ids, positions, see)  # (B, n) -> (B, n, d)
        hidden_states = [x]
        for i, block in enumerate(self.blocks):
            own = None if cache is None else cache.layer(i)  # later
            options = [] if own is None else [AttentionOptions(cache=own)]  # later
            # at first: x = block(x, mask, in_layer(see, i))
            x = block(x, mask, in_layer(see, i), *options)
            hidden_states.append(x)
        x = hidden_states[-1] = see("final", self.final_norm(x))
        table = self.embeddings.token.weight
        # (B, n, d) -> (B, n, V): each row against each token
        # at first: logits = see("logits", x @ table.T)
        logits = see("logits", self.head(x) if self.head else x @ table.T)
        return GPT2Output(logits, tuple(hidden_states))

    # later
    def load_hf_state_dict(self, state_dict: dict[str, Tensor]) -> None:
        """Take over the weights of HuggingFace's GPT2LMHeadModel, or of a file without
        the prefix `transformer.`.

        Raises ValueError that names every tensor that is missing, unexpected, of the
        wrong shape, or not tied.
        """
        if not any(name.startswith("transformer.") for name in state_dict):
            state_dict = {
                name if name == "lm_head.weight" else f"transformer.{name}": t
                for name, t in state_dict.items()
            }
        tied = {"lm_head.weight": "transformer.wte.weight"} if self.config.tied else {}
        weight_maps.load(self, self._map(), state_dict, tied)

    # later
    def _map(self):
        return gpt2_map(self.config.n_layers, self.config.tied)


# below the class, which More on GPT-2 shows without a cache
GPT2.forward = all_or_nothing(GPT2.forward)


def _block(c: GPT2Config) -> PreNormBlock:
    norm = lambda: LayerNorm(c.d_model, c.layer_norm_eps)
    # at first: attention = MultiHeadAttention(c.d_model, c.n_heads)
    attention = MultiHeadAttention(c.d_model, c.n_heads, c.attention_dropout)
    # at first: network = FeedForward(c.d_model, c.d_ff, c.activation)
    # at first: return PreNormBlock(norm(), attention, norm(), network)
    return PreNormBlock(
        norm(),
        attention,
        norm(),
        FeedForward(c.d_model, c.d_ff, c.activation),
        c.residual_dropout,
    )


def gpt2_map(n_layers: int, tied: bool = True) -> list[Same]:
    """Names as in GPT2LMHeadModel; a tied head is the token table and has no tensor of
    its own.
    """
    pairs = [
        Same("transformer.wte.weight", ("embeddings.token.weight",)),
        Same("transformer.wpe.weight", ("embeddings.position.table.weight",)),
    ]
    for i in range(n_layers):
        theirs, ours = f"transformer.h.{i}", f"blocks.{i}"
        qkv = [f"{ours}.attention.{name}" for name in ("query", "key", "value")]
        pairs += of_norm(f"{theirs}.ln_1", f"{ours}.norm1")
        pairs += of_linear(f"{theirs}.attn.c_attn", *qkv, conv1d=True)
        pairs += of_linear(
            f"{theirs}.attn.c_proj", f"{ours}.attention.output", conv1d=True
        )
        pairs += of_norm(f"{theirs}.ln_2", f"{ours}.norm2")
        pairs += of_linear(
            f"{theirs}.mlp.c_fc", f"{ours}.feed_forward.expand", conv1d=True
        )
        pairs += of_linear(
            f"{theirs}.mlp.c_proj", f"{ours}.feed_forward.contract", conv1d=True
        )
    pairs += of_norm("transformer.ln_f", "final_norm")
    return pairs if tied else [*pairs, Same("lm_head.weight", ("head.weight",))]


def _scale(config, layer: int) -> float:
    """What HuggingFace's model scales the scores of a layer by. Raises ValueError where
    it computes them in float32 whatever its weights are.
    """
    refuse(config.to_dict(), "gpt2", {"reorder_and_upcast_attn": False})
    scale = (config.hidden_size // config.num_attention_heads) ** -0.5
    scale = scale if config.scale_attn_weights else 1.0
    return scale / (layer + 1) if config.scale_attn_by_inverse_layer_idx else scale


_H = "transformer.h.{i}"
FAMILY = Family(
    "gpt2",
    "GPT-2",
    GPT2Config,
    GPT2,
    ("GPT2LMHeadModel",),
    causal=True,
    blocks={"": _H},
    places={
        "token": "transformer.wte>",
        "position": "transformer.wpe>",
        "embedding_sum": ">transformer.drop",
        "input": f">{_H}",
        "attention_input": f"{_H}.ln_1>",
        "q k v": f"{_H}.attn.c_attn>",
        "attention": f"{_H}.attn",
        "context": f">{_H}.attn.c_proj",
        "attention_output": f"{_H}.attn.c_proj>",
        "attention_stream": f">{_H}.ln_2",
        "ffn_input": f"{_H}.ln_2>",
        "ffn_hidden": f"{_H}.mlp.c_fc>",
        "ffn_activated": f">{_H}.mlp.c_proj",
        "ffn_output": f"{_H}.mlp.c_proj>",
        "output": f"{_H}>",
        "final": "transformer.ln_f>",
        "logits": "lm_head>",
    },
    entries=ENTRIES,
    heads=lambda names: ({}, "GPT2LMHeadModel"),
    layout="pre-norm, causal, tied head",
    tokenizer="byte-level BPE",
    begins="the end sign before the story",
    scale_of=_scale,
)
