"""What the tests compare with: remembered before a student's code runs, and put back where that has replaced it."""

import builtins
import copy
import math
import random
import sys
from types import ModuleType

import torch

OTHERS = (builtins, copy, math, random, torch, torch.nn.functional, torch.testing, torch.Tensor)
Memory = list[tuple[object, str, object, tuple]]


def remember() -> Memory:
    """Everything that a module of the package holds, and the functions and classes of the others."""
    ours = [module for name, module in sorted(sys.modules.items()) if name.split(".")[0] == "labutils"]
    return [
        (owner, name, value, _inside(value))
        for owner in (*ours, *OTHERS)
        for name, value in vars(owner).items()
        if not name.startswith("__") and (callable(value) or owner not in OTHERS)
    ]


def put_back(memory: Memory) -> list[str]:
    """Put everything back as it was; returns the names of what had been replaced."""
    changed = []
    for owner, name, value, inside in memory:
        now = vars(owner).get(name)
        if now is not value and not _wrapped_by_torch(now):
            setattr(owner, name, value)
            home = owner.__name__ if isinstance(owner, ModuleType) else f"{owner.__module__}.{owner.__qualname__}"
            changed.append(f"{home}.{name}")
        elif any(now is not before for now, before in zip(_inside(value), inside)):
            value.__code__, value.__defaults__ = inside
            changed.append(f"{value.__module__}.{value.__qualname__}")
    return changed


def _wrapped_by_torch(value: object) -> bool:
    """PyTorch wraps functions of its own when a part of it is loaded late, `torch.manual_seed` for one."""
    return getattr(value, "__globals__", {}).get("__name__", "").startswith(("torch._compile", "torch._dynamo"))


def _inside(value: object) -> tuple:
    """What makes a function do what it does; nothing for others."""
    return (value.__code__, value.__defaults__) if hasattr(value, "__code__") else ()
