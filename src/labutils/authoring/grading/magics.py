"""Magics of a notebook's own: where answers are tried there is a bare shell, which lacks them; here they do nothing."""

import re
import sys
from collections.abc import Callable

from IPython.core.interactiveshell import InteractiveShell

LINES = (
    "autosave",
    "connect_info",
    "qtconsole",
    "matplotlib",
    "gui",
    "clear",
    "less",
    "more",
    "man",
    "subshell",
    "edit",
)
SCRIPTS = ("script", "bash", "sh", "perl", "ruby", "pypy", "python", "python2", "python3")
INSTALL = ("pip", "conda", "mamba", "uv", "micromamba")  # an answer gets what is there
INSTALLS = re.compile(rf"(python[\d.]* -m )?({'|'.join(INSTALL)})[\d.]* (.* )?install\b[^;&|`$\n]*")  # and nothing else
EXTENSIONS = ("load_ext", "reload_ext", "unload_ext", "autoreload", "aimport")
PYLAB = """
import numpy
import numpy as np
from matplotlib import pylab, mlab, pyplot
plt = pyplot
from pylab import *
from numpy import *
"""


def allow(shell: InteractiveShell) -> None:
    """Let the shell pass over magics that need a notebook around them."""
    for name in (*LINES, *INSTALL, *EXTENSIONS):
        shell.register_magic_function(_nothing, "line", name)

    def pylab(line: str) -> None:
        exec(PYLAB, shell.user_ns)

    shell.register_magic_function(pylab, "line", "pylab")
    for name in ("html", "javascript", "js", "svg", "latex", "markdown", "bash", "sh", "script"):
        if name not in shell.magics_manager.magics["cell"]:
            shell.register_magic_function(_nothing, "cell", name)
    shell.run_cell_magic = _told(shell.run_cell_magic)
    shell.system, shell.getoutput = _but_installs(shell.system), _but_installs(shell.getoutput)
    shell.ask_exit = lambda: None  # of quit() and exit(), which end a kernel when its cell has run


def _but_installs(run: Callable[..., object]) -> Callable[..., object]:
    """`!pip install`, as `%pip install`: an answer gets what is there."""

    def system(command: str, *given: object, **more: object) -> object:
        return None if INSTALLS.fullmatch(command.strip()) else run(command, *given, **more)

    return system


def _told(run: Callable[[str, str, str], object]) -> Callable[[str, str, str], object]:
    """Say what a program is given to run, as Python does of a command: here it goes through a pipe."""

    def run_cell_magic(name: str, line: str, cell: str) -> object:
        if name in SCRIPTS:
            sys.audit("os.system", cell)
        return run(name, line, cell)

    return run_cell_magic


def _nothing(line: str, cell: str = "") -> None:
    pass
