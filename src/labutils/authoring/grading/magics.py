"""Magics of a notebook's own: where answers are tried there is a bare shell, which lacks them; here they do nothing."""

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
INSTALL = ("pip", "conda", "mamba", "uv", "micromamba")  # an answer gets what is there
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
    shell.ask_exit = lambda: None  # of quit() and exit(), which end a kernel when its cell has run


def _nothing(line: str, cell: str = "") -> None:
    pass
