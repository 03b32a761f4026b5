"""Configurations: the handful of numbers that fix a model's shape, read from and
written to HuggingFace's config.json.
"""

from dataclasses import asdict, dataclass

from labutils.layers import ACTIVATIONS

from .entries import check

_OUR_ACTIVATION = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}
_THEIR_ACTIVATION = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_tanh": "gelu_new",
    "silu": "silu",
}


class Sizes:
    """What every configuration says, also where it follows from the rest."""

    rotary_base: float | None = None  # of positions that turn queries and keys

    @property
    def head_dim(self) -> int:
        return self.d_model // self.n_heads

    @property
    def n_key_heads(self) -> int:
        return self.n_heads

    @property
    def rotary_dim(self) -> int:
        """How many columns of a head are turned, the first ones."""
        return self.head_dim

    @property
    def eps(self) -> float:
        return self.layer_norm_eps


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
        return cls(**from_entries(config, GPT2_ENTRIES))

    def to_hf(self) -> dict:
        """The content of a config.json that HuggingFace reads as the same model.
        Special token ids are the caller's to add.
        """
        return {
            "model_type": "gpt2",
            "architectures": ["GPT2LMHeadModel"],
        } | to_entries(self, GPT2_ENTRIES)


@dataclass(frozen=True)
class BertConfig(Sizes):
    """The shape of a BERT. The defaults are BERT base, uncased: Devlin et al. 2019,
    section 3. d_ff = None means 4 · d_model.

    pad_id: the row of the token table that gets no gradient from a look-up.
    nsp: has a pooler and the next-sentence head on it; False for a checkpoint of
    BertForMaskedLM, which has neither.
    """

    vocab_size: int = 30522
    n_positions: int = 512
    n_segments: int = 2
    d_model: int = 768
    n_layers: int = 12
    n_heads: int = 12
    d_ff: int | None = None
    activation: str = "gelu"
    layer_norm_eps: float = 1e-12
    hidden_dropout: float = 0.1
    attention_dropout: float = 0.1
    initializer_range: float = 0.02
    pad_id: int | None = 0
    nsp: bool = True

    def __post_init__(self):
        complete(self)

    @classmethod
    def from_hf(cls, config: dict, nsp: bool = True) -> "BertConfig":
        """Read the content of a config.json. Absent entries take BERT's defaults.
        config.json does not say `nsp`.

        Raises ValueError for a model that `Bert` does not compute: another model type,
        another activation, a decoder, cross-attention, relative positions, an output
        head of its own.
        """
        refuse(
            config,
            "bert",
            {
                "is_decoder": False,
                "add_cross_attention": False,
                "position_embedding_type": "absolute",
                "tie_word_embeddings": True,
            },
        )
        return cls(**from_entries(config, BERT_ENTRIES), nsp=nsp)

    def to_hf(self) -> dict:
        """The content of a config.json that HuggingFace reads as the same model.
        Special token ids are the caller's to add.
        """
        name = "BertForPreTraining" if self.nsp else "BertForMaskedLM"
        return {
            "model_type": "bert",
            "architectures": [name],
            "tie_word_embeddings": True,
        } | to_entries(self, BERT_ENTRIES)


# our name -> HuggingFace's
GPT2_ENTRIES = {
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
BERT_ENTRIES = {
    "vocab_size": "vocab_size",
    "n_positions": "max_position_embeddings",
    "n_segments": "type_vocab_size",
    "d_model": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "d_ff": "intermediate_size",
    "activation": "hidden_act",
    "layer_norm_eps": "layer_norm_eps",
    "hidden_dropout": "hidden_dropout_prob",
    "attention_dropout": "attention_probs_dropout_prob",
    "initializer_range": "initializer_range",
    "pad_id": "pad_token_id",
}


def check_entries(config: dict, entries: dict) -> None:
    """Raises ValueError, with HuggingFace's name, for an entry of which neither library
    can make a model.

    config: the content of a config.json. Absent entries have defaults. entries: our
    name -> HuggingFace's.
    """
    check(
        {ours: config[theirs] for ours, theirs in entries.items() if theirs in config},
        entries,
    )


def from_entries(config: dict, names: dict) -> dict:
    """The entries of a config.json under our names, checked."""
    values = {
        ours: config[theirs] for ours, theirs in names.items() if theirs in config
    }
    check(values, names)
    if "activation" in values:
        if values["activation"] not in _OUR_ACTIVATION:
            raise ValueError(
                f"The activation {values['activation']!r} is not supported; these are:"
                f" {', '.join(_OUR_ACTIVATION)}."
            )
        values["activation"] = _OUR_ACTIVATION[values["activation"]]
    return values


def to_entries(config, names: dict) -> dict:
    """Our configuration under HuggingFace's names."""
    values = {
        names[ours]: value for ours, value in asdict(config).items() if ours in names
    }
    key = names["activation"]
    return values | {key: _THEIR_ACTIVATION[values[key]]}


def refuse(config: dict, model_type: str, needed: dict) -> None:
    """Raise ValueError if the config asks for something that our model would silently
    compute otherwise.
    """
    found = config.get("model_type", model_type)
    if found != model_type:
        raise ValueError(
            f"This config.json describes a model of type {found!r}, not {model_type!r}."
        )
    for name, value in needed.items():
        if config.get(name, value) != value:
            raise ValueError(
                f"A {model_type} with {name} = {config[name]!r} is not supported, only"
                f" {value!r}."
            )


def complete(config) -> None:
    """Fill in what follows from the rest and check everything, as the last step of
    making a configuration.
    """
    values = {
        name: value
        for name, value in asdict(config).items()
        # 0 as in a calculation by hand; a config.json never says so
        if not (name in ("layer_norm_eps", "eps") and value == 0)
    }
    check(values, {})
    if config.d_ff is None:
        # frozen: only here, while it is being made
        object.__setattr__(config, "d_ff", 4 * config.d_model)
    if config.activation not in ACTIVATIONS:
        raise ValueError(
            f"The activation {config.activation!r} is not one of"
            f" {', '.join(ACTIVATIONS)}."
        )
