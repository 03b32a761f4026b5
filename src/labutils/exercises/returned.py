"""What a reader's function returned, as a value that decides nothing: how it is compared is up to the checker.

A tensor of a class of the reader's own may answer `torch.allclose` itself, a number may call itself equal to all, and a
tensor may carry a `tolist` of its own. So numbers, texts, containers and tensors are taken out of such classes; what
cannot be taken out is refused.
"""

import sys
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from functools import wraps
from types import GeneratorType, MappingProxyType, ModuleType

import numpy as np
import torch
from torch import Tensor

from labutils.exercises.showing import kind as in_words

DEEPEST = 50  # lists within lists
DECIDING = (
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__getattr__", "__getattribute__", "__class__"),
    *("__array__", "__float__", "__int__", "__index__", "__bool__", "__len__", "tolist", "__torch_function__"),
    *("__instancecheck__", "__iter__", "__getitem__", "__sub__", "__rsub__"),
)
HEAP = 1 << 9  # this bit tells a class that is made while Python runs
KNOWN = {"labutils", "numpy", "tokenizers", "torch", "transformers", *sys.stdlib_module_names}
KNOWN -= {"test", "unittest"}  # which have values that are equal to all
ITERATORS = (GeneratorType, map, filter, zip, enumerate, reversed)
VIEWS = tuple(type(view) for view in ({}.keys(), {}.values(), {}.items()))


class Decides(TypeError):
    """What was returned decides itself how it is compared. The message begins with what it is."""

    def __init__(self, what: str):
        super().__init__(
            f"{what}, which would say itself what it is equal to. Return numbers, texts, lists or plain tensors."
        )


def plainly(value, depth: int = 0):
    """The value, or the same without classes that are not Python's, PyTorch's, NumPy's or the book's.

    Raises Decides where a class stands in for a value.
    """
    if depth > DEEPEST:
        raise Decides("a list that holds itself")
    kind = type(value)
    if isinstance(value, Tensor):
        return _plain_tensor(value, kind)
    if issubclass(kind, np.ndarray):
        return _plain_array(np.ndarray.view(value, np.ndarray) if kind is not np.ndarray else value, depth)
    if kind in weakref.ProxyTypes:
        raise Decides("a proxy")
    if kind in ITERATORS:
        return (plainly(item, depth + 1) for item in value)
    if kind is MappingProxyType:
        return plainly(dict(value), depth + 1)
    if kind in VIEWS:
        items = [plainly(item, depth + 1) for item in value]
        return value if all(map(_is, items, value)) else items
    for base, made in _PLAIN.items():
        if issubclass(kind, base):
            return value if _known(kind) else made(value)
    for base in (list, tuple, set, frozenset, deque):
        if issubclass(kind, base):
            items = [plainly(item, depth + 1) for item in base.__iter__(value)]
            same = all(map(_is, items, base.__iter__(value)))
            return value if same and _known(kind) else base(items)
    if issubclass(kind, dict):
        items = {plainly(key): plainly(item, depth + 1) for key, item in dict.items(value)}
        same = all(map(_is, items, dict.keys(value))) and all(map(_is, items.values(), dict.values(value)))
        return value if same and _known(kind) else items
    own = [one for one in kind.__mro__ if not _known(one)]
    if any(name in vars(one) for one in own for name in DECIDING):
        raise Decides(in_words(value))
    return value


_PLAIN = {
    bool: bool,
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
}


def _plain_array(value: np.ndarray, depth: int) -> np.ndarray:
    """The same array; one of objects is made of plain ones."""
    if not value.dtype.hasobject:
        return value
    plain = np.empty(value.shape, dtype=object)
    for place in np.ndindex(value.shape):
        plain[place] = plainly(value[place], depth + 1)
    return plain


def _is(one, other) -> bool:
    return one is other


def _plain_tensor(value: Tensor, kind: type) -> Tensor:
    """The same numbers, with the way back to where they come from, and nothing else."""
    own = [one for one in kind.__mro__ if not _known(one)]
    if any("__torch_dispatch__" in vars(one) for one in own):
        raise Decides(in_words(value))
    with torch._C.DisableTorchFunctionSubclass():
        carried = torch._C.TensorBase.__getattribute__(value, "__dict__")
        return Tensor.as_subclass(value, Tensor) if own or carried else value


def _known(kind: type) -> bool:
    """Whether a class is written in C, or is where its name says, in Python or in a library."""
    if not type.__dict__["__flags__"].__get__(kind) & HEAP:
        return True
    module = sys.modules.get(kind.__module__) if isinstance(kind.__module__, str) else None
    if not isinstance(module, ModuleType) or kind.__module__.partition(".")[0] not in KNOWN:
        return False
    found = module
    for name in kind.__qualname__.split("."):
        names = vars(found)
        if not isinstance(names, Mapping) or name not in names:
            return False
        found = names[name]
    return found is kind


def returning_plainly(function: Callable) -> Callable:
    """The function, whose values decide nothing: for tests that call it themselves."""

    @wraps(function)
    def asked(*arguments, **named):
        return plainly(function(*arguments, **named))

    return asked


ASKED = returning_plainly(print).__code__  # where a reader's function begins, as in `checking.call`
