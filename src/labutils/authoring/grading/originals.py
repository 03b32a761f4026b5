"""What tests compare with: remembered before a student's code runs, and put back where that has replaced it."""

import builtins
import copy
import math
import random
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import torch
from torch.overrides import _pop_mode as pop_function_mode
from torch.utils._python_dispatch import _pop_mode as pop_operation_mode

OTHERS = (builtins, copy, math, random, np, torch, torch.nn.functional, torch.testing, torch.Tensor)
Setting = tuple[Callable[[], object], Callable[[object], None]]  # what it is, and how it is set
SETTINGS: dict[str, Setting] = {
    "PyTorch's default dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "PyTorch's default device": (torch.get_default_device, torch.set_default_device),
    "whether PyTorch keeps gradients": (torch.is_grad_enabled, torch.set_grad_enabled),
    "what NumPy does with errors": (np.geterr, lambda before: np.seterr(**before)),
    "Python's limit of calls within calls": (sys.getrecursionlimit, sys.setrecursionlimit),
}
MODES = (
    (torch._C._len_torch_function_stack, pop_function_mode),
    (torch._C._len_torch_dispatch_stack, pop_operation_mode),
)


@dataclass(frozen=True)
class Memory:
    """What there was.

    Attributes:
        values: owner, name, value, and what makes a function do what it does.
        settings: of PyTorch, NumPy and Python, in the order of SETTINGS.
        modes: how many modes of PyTorch, which see each operation, were switched on, in the order of MODES.
        filters: what Python does with warnings.
    """

    values: list[tuple[object, str, object, tuple]]
    settings: list[object]
    modes: list[int]
    filters: list[tuple]


def remember() -> Memory:
    """Everything that a module of the package holds, the functions and classes of the others, and the settings."""
    ours = [module for name, module in sorted(sys.modules.items()) if name.split(".")[0] == "labutils"]
    values = [
        (owner, name, value, _inside(value))
        for owner in (*ours, *OTHERS)
        for name, value in vars(owner).items()
        if not name.startswith("__") and (callable(value) or owner not in OTHERS)
    ]
    settings, modes = [read() for read, _ in SETTINGS.values()], [count() for count, _ in MODES]
    return Memory(values, settings, modes, list(warnings.filters))


def put_back(memory: Memory) -> list[str]:
    """Put everything but the settings back as it was; returns the names of what had been replaced."""
    changed = []
    for owner, name, value, inside in memory.values:
        now = vars(owner).get(name)
        if now is not value and not _wrapped_by_torch(now):
            setattr(owner, name, value)
            home = owner.__name__ if isinstance(owner, ModuleType) else f"{owner.__module__}.{owner.__qualname__}"
            changed.append(f"{home}.{name}")
        elif any(now is not before for now, before in zip(_inside(value), inside)):
            value.__code__, value.__defaults__ = inside
            changed.append(f"{value.__module__}.{value.__qualname__}")
    for (count, pop), before in zip(MODES, memory.modes):
        if count() > before:
            changed.append("what PyTorch's operations do")
        while count() > before:
            pop()
    return list(dict.fromkeys(changed))


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
    return getattr(value, "__globals__", {}).get("__name__", "").startswith(("torch._compile", "torch._dynamo"))


def _inside(value: object) -> tuple:
    """What makes a function do what it does; nothing for others."""
    return (value.__code__, value.__defaults__) if hasattr(value, "__code__") else ()
