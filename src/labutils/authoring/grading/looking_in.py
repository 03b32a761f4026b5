"""Whether an answer looks into what it is handed: a function's own parts may hold what a test compares with.

What Python tells of, such as a call stack, `reading.py` sees while the answer runs. Of these names Python tells
nothing, so the answer's text is read.
"""

import ast
import re
from collections.abc import Iterable
from contextlib import suppress

PARTS = ("closure", "code", "defaults", "kwdefaults", "func", "globals", "self", "wrapped", "subclasses")
NAMED = re.compile(rf"\b(__(?:{'|'.join(PARTS)})__|cell_contents|co_consts|_getframe|py_object)\b")
MODULE = re.compile(r"\b(?:import|from|import_module|__import__)\b[^\n]*?\b(inspect)\b")


def looks_in(cells: Iterable[str]) -> str:
    """The first of these names that some code has, be it in a text that Python may run; "" without one.

    >>> looks_in(["x = 1", "getattr(model, '__closure__')"]), looks_in(["import inspect as i"]), looks_in(["x.y"])
    ('__closure__', 'inspect', '')
    """
    for code in map(_without_comments, cells):
        if found := NAMED.search(code) or MODULE.search(code):
            return found[1]
    return ""


def _without_comments(code: str) -> str:
    """All of it where it is not Python, as with a line for IPython."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.unparse(ast.parse(code))
    return code
