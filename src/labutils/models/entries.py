"""What each entry of a configuration may be, under our names."""

import math


def check(values: dict, called: dict) -> None:
    """Raises ValueError for a value of which no model can be made.

    values: our name -> value; names that are not there are not looked at. called: our
    name -> the name that the reader knows.
    """
    for name, value in values.items():
        must_be, holds = _RULES.get(name, ("", lambda value: True))
        if not holds(value):
            raise ValueError(
                f"{called.get(name, name)} must be {must_be}, not {value!r}."
            )
    width, heads, pad, rows = (
        values.get(name) for name in ("d_model", "n_heads", "pad_id", "vocab_size")
    )
    key_heads = values.get("n_key_heads")
    if heads and key_heads and heads % key_heads:
        raise ValueError(f"{key_heads} key heads cannot serve {heads} heads equally.")
    if width and heads and not values.get("head_dim") and width % heads:
        raise ValueError(f"{width} columns cannot be cut into {heads} equal heads.")
    if pad is not None and rows and pad >= rows:
        raise ValueError(
            f"{called.get('pad_id', 'pad_id')} must be a row of the table of {rows}"
            f" tokens, not {pad}."
        )


def _whole(value, least: int = 1) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _real(value) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and -math.inf < value < math.inf
    )


_SIZE = ("a whole number of at least 1", _whole)
_SHARE = ("a number from 0 to 1", lambda value: _real(value) and 0 <= value <= 1)
_RULES = {
    **dict.fromkeys(
        ("vocab_size", "n_positions", "n_segments", "d_model", "n_layers", "n_heads"),
        _SIZE,
    ),
    **dict.fromkeys(
        (
            "embedding_dropout",
            "attention_dropout",
            "residual_dropout",
            "hidden_dropout",
        ),
        _SHARE,
    ),
    "tied": ("true or false", lambda value: isinstance(value, bool)),
    **dict.fromkeys(
        ("d_ff", "n_key_heads", "head_dim"),
        (f"{_SIZE[0]} or null", lambda value: value is None or _whole(value)),
    ),
    "pad_id": (
        "a whole number of at least 0 or null",
        lambda value: value is None or _whole(value, 0),
    ),
    "activation": ("the name of an activation", lambda value: isinstance(value, str)),
    **dict.fromkeys(
        ("layer_norm_eps", "eps", "rotary_base"),
        ("a number above 0", lambda value: _real(value) and value > 0),
    ),
    "initializer_range": (
        "a number of at least 0",
        lambda value: _real(value) and value >= 0,
    ),
}
