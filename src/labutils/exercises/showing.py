"""Values in the sentences of a checker: short, and in words where that says more."""

import re
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from torch import Tensor

LONGEST = 60  # characters
MESSAGE = 150  # characters of what an error of the reader's says
OBJECT = re.compile(r"<.* at 0x[0-9a-fA-F]+>", re.DOTALL)  # what Python writes of what has no text of its own
FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)


def show(value) -> str:
    """A value in at most 60 characters, a tensor by its shape unless it is small."""
    if isinstance(value, Tensor):
        small = value.numel() <= 6
        return str(rounded(value)) if small else f"a tensor of shape {tuple(value.shape)}"
    try:
        text = repr(value)
    except Exception:  # a class of the reader's with a broken __repr__
        return f"a {type(value).__name__}"
    if OBJECT.fullmatch(text):
        return kind(value)
    return text if len(text) <= LONGEST else _begin(text, LONGEST - 3) + "..."


def cut(text: str, most: int = MESSAGE) -> str:
    """The first line of a text, with the second where the first announces it, and of that no more than `most`
    characters, and no part of a word.

    >>> cut("no room"), cut("no room", 4), cut("expected one of:\\n * a tensor\\n * a list")
    ('no room', 'no… (cut)', 'expected one of: a tensor')
    """
    first, *more = text.strip().splitlines() or [""]
    text = " ".join([first.rstrip(), more[0].strip(" *\t")]) if more and first.rstrip().endswith(":") else first
    return text if len(text) <= most else f"{_begin(text, most)}… (cut)"


def _begin(text: str, most: int) -> str:
    """The beginning of a longer text, up to the last space unless that is far away."""
    space = text.rfind(" ", 0, most + 1)
    return text[: space if space >= most / 2 else most].rstrip()


def shown_call(name: str, arguments: tuple) -> str:
    """A call as it is written."""
    return f"{cut(name, LONGEST)}({', '.join(map(show, arguments))})"


def rounded(tensor: Tensor) -> list | float:
    """A tensor as (nested) lists with at most four decimals."""

    def short(x):
        return [short(y) for y in x] if isinstance(x, list) else round(x, 4) if isinstance(x, float) else x

    return short(tensor.detach().tolist())


def kind(value) -> str:
    """A type in words.

    >>> import math
    >>> kind([]), kind(max), kind(int), kind(math)
    ('a list', 'a function (max)', 'a class (int)', 'a module (math)')
    >>> import torch
    >>> kind(torch.zeros(1, 1).max(1))
    'a tuple of 2 (what `max` of PyTorch returns)'
    """
    if value is None:
        return "None (is there a return at the end?)"
    for of, said in ((FUNCTIONS, "function"), (type, "class"), (ModuleType, "module")):
        if issubclass(type(value), of):
            return f"a {said} ({cut(value.__name__, LONGEST)})"
    name = cut(type(value).__name__, LONGEST)
    if type(value).__module__ == "torch.return_types":  # of `x.max(1)`: the values and their places
        return f"a tuple of {len(value)} (what `{name}` of PyTorch returns)"
    return f"an {name}" if name[:1] in "aeiouAEIOU" else f"a {name}"
