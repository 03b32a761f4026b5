"""What tests compare with: remembered before a student's code runs, and put back where that has replaced it."""

import builtins
import contextlib
import copy
import functools
import io
import math
import operator
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CellType, FunctionType, ModuleType

import numpy as np
import torch
from torch.overrides import _pop_mode as pop_function_mode
from torch.utils._python_dispatch import _pop_mode as pop_operation_mode

OTHERS = (
    builtins,
    contextlib,
    copy,
    functools,
    math,
    operator,
    random,
    re,
    np,
    torch,
    torch.nn.functional,
    torch.testing,
)
CLASSES = (torch.Tensor, torch.nn.Module)
LIBRARY = (contextlib, functools, io, re)  # of these their classes too: what tests are within, and run by
FIXED = (object, type, bool, int, float, complex, str, bytes, list, tuple, dict, set, torch._C.TensorBase)  # in C
LAZY = {
    "__doc__",
    "__dict__",
    "__weakref__",
    "__abstractmethods__",
    "__annotations__",
    "__annotate__",
    "__parameters__",
}
LAZY |= {"_abc_impl", "__annotate_func__", "__annotations_cache__", "__slotnames__", "__module__"}
SPECIAL = {name for kind in (*FIXED, torch.Tensor) for name in dir(kind)} - LAZY
OF_TESTS = ("labutils.exercises", "labutils.authoring")  # whose lists and tables nobody else changes
LOOKED_INTO = (FunctionType, staticmethod, classmethod, property, list, dict, set)
IMPORTS = ("__import__", "__build_class__")
Setting = tuple[Callable[[], object], Callable[[object], None]]  # what it is, and how it is set
SETTINGS: dict[str, Setting] = {
    "PyTorch's default dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "PyTorch's default device": (torch.get_default_device, torch.set_default_device),
    "whether PyTorch keeps gradients": (torch.is_grad_enabled, torch.set_grad_enabled),
    "what NumPy does with errors": (np.geterr, lambda before: np.seterr(**before)),
    "Python's limit of calls within calls": (sys.getrecursionlimit, sys.setrecursionlimit),
}
HEAP = 1 << 9  # this bit tells a class that is made while Python runs
MODES = (
    (torch._C._len_torch_function_stack, pop_function_mode),
    (torch._C._len_torch_dispatch_stack, pop_operation_mode),
)


@dataclass(frozen=True)
class Memory:
    """What there was.

    Attributes:
        values: owner, name, value, and what makes it do what it does.
        names: of each owner, the names that it has; of sys.modules the modules of the package.
        settings: of PyTorch, NumPy and Python, in the order of SETTINGS.
        modes: how many modes of PyTorch, which see each operation, were switched on, in the order of MODES.
        filters: what Python does with warnings.
    """

    values: list[tuple[object, str, object, tuple]]
    names: list[tuple[object, set[str]]]
    settings: list[object]
    modes: list[int]
    filters: list[tuple]


def remember(own: Iterable[ModuleType] = ()) -> Memory:
    """Everything that a module of the package holds and what its classes hold, the functions and classes of the others,
    and the settings.

    Args:
        own: modules of the package that nobody else finds.
    """
    ours = {name: module for name, module in sorted(sys.modules.items()) if name.split(".")[0] == "labutils"}
    values = [(sys, name, module, ()) for name, module in ours.items()]
    owners = [*own, *ours.values()]
    classes = dict.fromkeys(found for module in (*owners, *LIBRARY) for found in _classes(module))
    for owner in (*owners, *OTHERS):
        for name, value in vars(owner).items():
            if (name in IMPORTS or not name.startswith("__")) and (callable(value) or owner not in OTHERS):
                values.append((owner, name, value, _inside(value, _of_tests(owner))))
    for owner in (*classes, *CLASSES, *FIXED):
        values += [(owner, name, value, _inside(value)) for name, value in vars(owner).items() if name not in LAZY]
    names = [(owner, set(vars(owner))) for owner in (*owners, *OTHERS, *classes, *CLASSES)]
    settings, modes = [read() for read, _ in SETTINGS.values()], [count() for count, _ in MODES]
    return Memory(values, names, settings, modes, list(warnings.filters))


def put_back(memory: Memory) -> list[str]:
    """Put everything but the settings back as it was; returns the names of what had been replaced."""
    changed, last, held = [], None, {}
    for owner, name, value, inside in memory.values:
        if owner is not last:
            last, held = owner, sys.modules if owner is sys else vars(owner)
        now = held.get(name)
        if now is not value and not _wrapped_by_torch(now):
            _set(owner, name, value)
            changed.append(_called(owner, name))
        elif inside and not _same(_inside(value, _of_tests(owner)), inside):
            _fill(value, inside)
            home, called = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
            changed.append(f"{home}.{called}" if home and called else _called(owner, name))
    for owner, names in memory.names:
        for name in [name for name in vars(owner) if name not in names and _hides(owner, name)]:
            delattr(owner, name)
            changed.append(_called(owner, name))
    for (count, pop), before in zip(MODES, memory.modes):
        if count() > before:
            changed.append("what PyTorch's operations do")
        while count() > before:
            pop()
    return list(dict.fromkeys(changed))


def _classes(module: ModuleType) -> Iterator[type]:
    """The classes that a module defines, and those within them."""
    waiting = [value for value in vars(module).values() if isinstance(value, type)]
    for found in waiting:
        if (
            found.__module__ == module.__name__
            and found not in FIXED
            and type.__dict__["__flags__"].__get__(found) & HEAP
        ):
            yield found
            waiting += [value for value in vars(found).values() if isinstance(value, type) and value not in waiting]


def _hides(owner: object, name: str) -> bool:
    """Whether a name that was added stands in front of another: of a module a built-in one, of a class an inherited."""
    if isinstance(owner, ModuleType):
        return owner is not builtins and hasattr(builtins, name) and not name.startswith("__")
    inherited = any(name in vars(base) for base in type.__dict__["__mro__"].__get__(owner)[1:])
    return name not in LAZY and (inherited or name in SPECIAL)


def _set(owner: object, name: str, value: object) -> None:
    if owner is sys:
        sys.modules[name] = value
        return
    with contextlib.suppress(TypeError):  # what is written in C cannot be set: it is asked for again after the test
        (type if isinstance(owner, type) else object).__setattr__(owner, name, value)


def _called(owner: object, name: str) -> str:
    """A value as it is named to a student."""
    if owner is sys:
        return name
    return f"{owner.__name__ if isinstance(owner, ModuleType) else f'{owner.__module__}.{owner.__qualname__}'}.{name}"


def set_back(memory: Memory) -> list[str]:
    """The settings as they were; returns what each of those had been set to that were others."""
    warnings.filters[:] = memory.filters  # nobody's fault: importing a library adds some
    changed = []
    for (name, (read, put)), before in zip(SETTINGS.items(), memory.settings):
        if (now := read()) != before:
            put(before)
            short = isinstance(now, torch.dtype | torch.device | int) and not isinstance(now, bool)
            changed.append(f"{name} to {now}" if short else name)
    return changed


def _wrapped_by_torch(value: object) -> bool:
    """PyTorch wraps functions of its own when a part of it is loaded late, `torch.manual_seed` for one."""
    names = getattr(value, "__globals__", {})
    module = sys.modules.get(names.get("__name__", ""))
    if (
        module is None
        or vars(module) is not names
        or not module.__name__.startswith(("torch._compile", "torch._dynamo"))
    ):
        return False
    return value.__code__.co_filename == module.__file__


def _of_tests(owner: object) -> bool:
    return isinstance(owner, ModuleType) and owner.__name__.startswith(OF_TESTS)


def _function(value: object) -> object:
    """The function that a method or a property is made of; for others what they are."""
    if isinstance(value, staticmethod | classmethod):
        return value.__func__
    return value.fget if isinstance(value, property) else value


def _inside(value: object, contents: bool = False) -> tuple:
    """What makes a function do what it does, and with `contents` what it encloses, or what a list or a table holds;
    nothing for others.
    """
    if type(value) not in LOOKED_INTO:
        return ()
    value = _function(value)
    if type(value) is FunctionType:
        cells = tuple(map(_content, value.__closure__ or ())) if contents else ()
        named = tuple((value.__kwdefaults__ or {}).items())
        return value.__code__, value.__defaults__, named, cells
    if contents and type(value) in (list, dict):
        return tuple(value.items() if isinstance(value, dict) else value)
    if contents and type(value) is set:
        return (frozenset(value),)
    return ()


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # it is empty
        return None


def _same(one: object, other: object) -> bool:
    """Whether both are the same things, sets of the same, or tuples of these."""
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(map(_same, one, other))
    return one is other or type(one) is type(other) is frozenset and one == other


def _fill(value: object, inside: tuple) -> None:
    """Give a function, a list or a table what was in it."""
    value = _function(value)
    if type(value) is FunctionType:
        value.__code__, value.__defaults__, named, cells = inside
        value.__kwdefaults__ = dict(named) or None
        for cell, content in zip(value.__closure__ or (), cells):
            cell.cell_contents = content
    else:
        value.clear()
        value.extend(inside) if type(value) is list else value.update(*inside) if type(value) is set else value.update(
            inside
        )
