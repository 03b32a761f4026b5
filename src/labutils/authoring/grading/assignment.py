"""What is graded with: the exercises of an instructor's notebook, with all of their tests."""

import ast
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from nbformat import NotebookNode

from labutils.authoring.self_study import CARD, HIDDEN, TITLE, exercise_checked, student

IMPORTS = ast.Import | ast.ImportFrom


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        name: ``02-pairs``, the id of the cell that a student fills in.
        title: ``2.1 Update the pair counts``.
        points: for an answer that passes all tests; for any other there are none.
        given: the cells that students get and do not change, in order, whether or not they bear a mark.
        start: the student's cell as it is handed out.
        names: what the given cells with a mark and the solution define; the tests take these from the student.
        check: the test that students have.
        hidden: the tests that they have not.
    """

    name: str
    title: str
    points: float
    given: tuple[str, ...]
    start: str
    names: tuple[str, ...]
    check: str
    hidden: str

    @property
    def asked(self) -> tuple[str, ...]:
        """Those of the names that the check uses; the others are the solution's own business. Where it uses none, those
        that the hidden tests use.
        """
        return _used(self.check, self.names) or _used(self.hidden, self.names)


def exercises(source: NotebookNode) -> list[Exercise]:
    """The exercises of an instructor's notebook in order."""
    before, found, given, marked, title = [], [], [], [], None
    released = {cell.id: cell.source for cell in student(source).cells}
    for cell in source.cells:
        marks = cell.get("metadata", {}).get("nbgrader", {})
        if cell.id.endswith(CARD):
            words = TITLE.search(cell.source)
            title = " ".join(words.groups()) if words else cell.id.removesuffix(CARD)
        elif marks.get("solution"):
            answer = cell
        elif marks.get("grade"):
            hidden = "\n".join(HIDDEN.findall(cell.source))
            names = tuple(dict.fromkeys(name for text in [*marked, answer.source] for name in defined(text)))
            about = answer.id, title or answer.id, float(marks.get("points", 0)), (*before, *given)
            found.append(Exercise(*about, released[answer.id], names, released[cell.id], hidden))
            given, marked = [], []
        elif cell.cell_type == "code":
            (before if title is None else given).append(cell.source)
            marked += [cell.source] * bool(marks and title is not None)
    return found


def defined(code: str) -> list[str]:
    """The functions, classes and values that a cell defines; not what it imports."""
    found = []
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found += [name.id for one in targets if one for name in ast.walk(one) if isinstance(name, ast.Name)]
    return found


def functions(code: str) -> set[str]:
    """The functions that a cell defines.

    >>> functions("def one(): pass"), functions("one = 1")
    ({'one'}, set())
    """
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return {node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)}
    return set()


def _used(code: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those of the names that some code uses and does not define itself.

    >>> _used("one = merge(two)", ["merge", "one", "helper"])
    ('merge',)
    """
    found = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)} - set(defined(code))
    return tuple(name for name in names if name in found)


def handed_out(source: NotebookNode) -> dict[str, str]:
    """The code that students get and do not change, cell by cell: its name -> its text."""
    cells = [cell for cell in student(source).cells if cell.cell_type == "code"]
    return {cell.id: cell.source for cell in cells if not cell.get("metadata", {}).get("nbgrader", {}).get("solution")}


def bound(code: str) -> set[str]:
    """The names that a cell defines or imports; none where it is not Python.

    >>> sorted(bound("import os.path, numpy as np; from math import pi; e = 3"))
    ['e', 'np', 'os', 'pi']
    """
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        imported = [name for node in ast.parse(code).body if isinstance(node, IMPORTS) for name in node.names]
        return {*defined(code), *(name.asname or name.name.partition(".")[0] for name in imported)}
    return set()


def imports_alone(code: str) -> bool:
    """Whether a cell imports and does nothing else.

    >>> imports_alone("import math  # for pi"), imports_alone("import math\\npi = math.pi")
    (True, False)
    """
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return all(isinstance(node, IMPORTS) for node in ast.parse(code).body)
    return False


def statements(code: str) -> list[str]:
    """The words of a cell without comments and without what does nothing; all where it is not Python.

    >>> statements("# see above"), statements("pass"), statements("x = 1  # one")
    ([], [], ['x', '=', '1'])
    """
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        kept = [node for node in ast.parse(code).body if not isinstance(node, ast.Pass) and not _is_text(node)]
        code = ast.unparse(ast.Module(kept, []))
    return code.split()


def raises_above(code: str) -> bool:
    """Whether what was handed out to be replaced still stands there, with lines below it that do not run.

    >>> raises_above("def f(x):\\n    raise NotImplementedError('Your turn')\\n    return x")
    True
    >>> raises_above("def f(x):\\n    raise NotImplementedError")
    False
    """
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        bodies = [getattr(node, "body", None) for node in ast.walk(ast.parse(code))]
        return any(_is_unwritten(node) for body in bodies if isinstance(body, list) for node in body[:-1])
    return False


def _is_unwritten(node: ast.stmt) -> bool:
    named = getattr(node.exc, "func", node.exc) if isinstance(node, ast.Raise) else None
    return isinstance(named, ast.Name) and named.id == "NotImplementedError"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def owners(source: NotebookNode) -> dict[str, str]:
    """For each cell that students get: its name -> the exercise it belongs to; cells before the first have none."""
    current, found = "", {}
    checks = {exercise_checked(cell) for cell in source.cells}
    for cell in source.cells:
        if cell.id.endswith(CARD) and cell.id.removesuffix(CARD) in checks:
            current = cell.id.removesuffix(CARD)
        found[cell.id] = current
    return found
