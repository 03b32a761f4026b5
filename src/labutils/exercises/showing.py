"""Values in the sentences of a checker: short, and in words where that says more."""

from torch import Tensor

LONGEST = 60  # characters
MESSAGE = 150  # characters of what an error of the reader's says


def show(value) -> str:
    """A value in at most 60 characters, a tensor by its shape unless it is small."""
    if isinstance(value, Tensor):
        small = value.numel() <= 6
        return str(rounded(value)) if small else f"a tensor of shape {tuple(value.shape)}"
    try:
        text = repr(value)
    except Exception:  # a class of the reader's with a broken __repr__
        return f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def cut(text: str, most: int = MESSAGE) -> str:
    """The first line of a text, and of that no more than `most` characters.

    >>> cut("no room"), cut("no room", 2)
    ('no room', 'no… (cut)')
    """
    text = next(iter(text.strip().splitlines()), "")
    return text if len(text) <= most else f"{text[:most]}… (cut)"


def shown_call(name: str, arguments: tuple) -> str:
    """A call as it is written."""
    return f"{cut(name, LONGEST)}({', '.join(map(show, arguments))})"


def rounded(tensor: Tensor) -> list | float:
    """A tensor as (nested) lists with at most four decimals."""

    def short(x):
        return [short(y) for y in x] if isinstance(x, list) else round(x, 4) if isinstance(x, float) else x

    return short(tensor.detach().tolist())


def kind(value) -> str:
    """A type in words: "a list", "None"."""
    if value is None:
        return "None (is there a return at the end?)"
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"
