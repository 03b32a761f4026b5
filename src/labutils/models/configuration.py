"""Configurations: the handful of numbers that fix a model's shape, read from and
written to HuggingFace's config.json.
"""

from dataclasses import asdict

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
