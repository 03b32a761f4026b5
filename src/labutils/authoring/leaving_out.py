"""A copy of code without one of its parameters, or without types: a chapter shows what it needs.

The parameter goes, with what is handed on of it, and where it is a function that is shown a value and gives it back,
as `see` is, the value stays: `see("state", x)` becomes `x`.
"""

import ast
import re
from collections.abc import Iterator

from labutils.authoring.shortening import joined


def without(code: str, name: str) -> str:
    """The code of one definition without the parameter `name`.

    Raises:
        ValueError: the definition has no such parameter, or uses it in another way.

    >>> print(without('def double(x, see=None):\\n    return see("twice", 2 * x)', "see"))
    def double(x):
        return 2 * x
    """
    if not any(isinstance(node, ast.arg) and node.arg == name for node in ast.walk(ast.parse(code))):
        raise ValueError(f"There is no parameter {name} to leave out.")
    while (edit := next(_edits(code, name), None)) is not None:
        start, end, text = edit
        code = code[:start] + text + code[end:]
    code = re.sub(rf"(\n *| +){name}:\s.*?\.(?=\s)", _sentence, code, flags=re.S)
    if any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(ast.parse(code))):
        raise ValueError(f"{name} is used in a way that cannot be left out.")
    return joined(code)


def untyped(code: str) -> str:
    """The code of one function whose first line names its arguments and says nothing of their types.

    >>> print(untyped('def double(\\n    x: Float[Tensor, "n"],\\n) -> Float[Tensor, "n"]:\\n    return 2 * x'))
    def double(x):
        return 2 * x

    Raises:
        ValueError: the code is no function.
    """
    function, lines = ast.parse(code).body[0], code.splitlines()
    if not isinstance(function, ast.FunctionDef):
        raise ValueError("Only a function can be shown without its types.")
    for node in ast.walk(function.args):
        if isinstance(node, ast.arg):
            node.annotation = None
    head = f"def {function.name}({ast.unparse(function.args)}):"
    return "\n".join([*lines[: function.lineno - 1], head, *lines[function.body[0].lineno - 1 :]])


def _sentence(found: re.Match) -> str:
    """What stays of a sentence of a docstring: the end of its line, if it had one."""
    breaks = re.search(r"\n *", found[0])
    return breaks[0].rstrip(" ") + " " * (len(breaks[0]) - 2) if breaks else ""


def _edits(code: str, name: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what stands there instead), one after another; only the first is still right after an edit."""
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = code.splitlines()
    at = lambda line, column: starts[line - 1] + len(lines[line - 1].encode()[:column].decode())
    begin = lambda node: at(node.lineno, node.col_offset)
    end = lambda node: at(node.end_lineno, node.end_col_offset)
    uses = lambda node: any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef):
            yield from _parameter(node, name, begin, end)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id == name and len(node.args) == 2:
                yield begin(node), end(node), code[begin(node.args[1]) : end(node.args[1])]
                continue
            handed = [*node.args, *(keyword for keyword in node.keywords)]
            for before, one in zip([node.func, *handed], handed, strict=False):
                value = one.value if isinstance(one, ast.keyword) else one
                hands_on = isinstance(value, ast.Name) or isinstance(value, ast.Call) and not _shows(value, name)
                if hands_on and uses(value) and not any(_shows(n, name) for n in ast.walk(value)):
                    first = before is node.func
                    yield (begin(one) if first else end(before)), end(one), ""
        elif (
            isinstance(node, ast.Assign)
            and code[begin(node.targets[0]) : end(node.targets[0])] == (code[begin(node.value) : end(node.value)])
        ):
            yield starts[node.lineno - 1], starts[node.end_lineno], ""


def _shows(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _parameter(node: ast.FunctionDef, name: str, begin, end) -> Iterator[tuple[int, int, str]]:
    """The parameter itself, with the comma before it."""
    places = [*node.args.posonlyargs, *node.args.args]
    defaults = [None] * (len(places) - len(node.args.defaults)) + list(node.args.defaults)
    for before, (one, default) in zip([None, *zip(places, defaults, strict=True)], zip(places, defaults, strict=True)):
        if one.arg == name and before is not None:
            yield end(before[1] or before[0]), end(default or one), ""
