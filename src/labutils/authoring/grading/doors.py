"""Ways to files and programs of which Python tells nothing, as they are written in C: here they tell it themselves.

They tell it as `open` and `subprocess` do. What is replaced is replaced for good, in a process that tries answers.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from multiprocessing import context

import torch
from torch.library import Library

CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
TOLD = subprocess.Popen._execute_child.__code__  # which tells by itself
KEPT = []  # what PyTorch forgets once nobody holds it


def tell() -> None:
    """Let them tell what they open and start, from now on."""
    torch.UntypedStorage.from_file = staticmethod(_telling(torch.UntypedStorage.from_file))
    _tensors_of_files()
    with suppress(ImportError):  # Windows has none
        import readline

        for name in ("read_history_file", "read_init_file"):
            setattr(readline, name, _telling(getattr(readline, name)))
    with suppress(ImportError):
        import _posixsubprocess

        _posixsubprocess.fork_exec = _starting(_posixsubprocess.fork_exec)
        subprocess._fork_exec = _posixsubprocess.fork_exec
    if sys.platform == "linux":  # a pool is one of copies, in which all is told; another would be a Python of its own
        for name in ("spawn", "forkserver"):
            context._concrete_contexts[name] = context._concrete_contexts["fork"]
        context._default_context.set_start_method("fork", force=True)


def _tensors_of_files() -> None:
    """`torch.from_file`, whatever it is called by."""
    original = torch.ops.aten.from_file.default

    def from_file(filename: str, *given, **named):
        sys.audit("open", filename, "r", os.O_RDONLY)
        return original.redispatch(CPU, filename, *given, **named)

    library = Library("aten", "IMPL")
    library.impl("from_file", from_file, "BackendSelect", allow_override=True)
    KEPT.append(library)


def _telling(function: Callable) -> Callable:
    @wraps(function)
    def told(*given, **named):
        sys.audit("open", next(iter((*given, *named.values())), None), "r", os.O_RDONLY)
        return function(*given, **named)

    return told


def _starting(function: Callable) -> Callable:
    @wraps(function)
    def told(arguments, programs, *given):
        if sys._getframe(1).f_code is TOLD:
            return function(arguments, programs, *given)
        found = [program for program in programs if os.path.exists(program)] or list(programs)
        sys.audit("subprocess.Popen", found[0], list(arguments), None, None)
        return function(arguments, programs, *given)

    return told
