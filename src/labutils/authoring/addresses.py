"""Addresses inside the repository: a cell of a notebook, a heading of a page, a definition in a file of Python.

notebooks/04_attention.ipynb#mask-early             a cell, by its id
book/notation.md, book/notation.md#sizes            a page, or a heading of it
tests/layers/test_attention.py::test_no_leak        a function or class; in a class file.py::TestRows::test_one
src/labutils/layers/masks.py                        a module
"""

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from labutils.authoring import notebooks
from labutils.authoring.check.links import anchors
from labutils.places import ROOT

FORM = re.compile(
    r"(?P<path>notebooks/[\w/]+\.ipynb)#(?P<cell>[\w-]+)"
    r"|(?P<page>book/\w+\.md)(?:#(?P<heading>[\w-]+))?"
    r"|(?P<file>(?:src|tests)/[\w/]+\.py)(?:::(?P<name>\w+(?:::\w+)*))?"
)
DEFINED = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


@dataclass(frozen=True)
class Address:
    """`path` from the root, and what is meant in it: the id of a cell, a heading, a name; or "" for all of it."""

    path: str
    part: str

    @property
    def kind(self) -> str:
        """`"cell"`, `"page"`, `"test"` or `"code"`."""
        folder, suffix = self.path.split("/")[0], Path(self.path).suffix
        return {".ipynb": "cell", ".md": "page"}.get(suffix, "test" if folder == "tests" else "code")


def read(text: str) -> Address:
    """
    >>> read("tests/layers/test_attention.py::test_no_leak")
    Address(path='tests/layers/test_attention.py', part='test_no_leak')

    Raises:
        ValueError: no address of one of the four forms.
    """
    found = FORM.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is no address of a cell, a page, a test or a module.")
    return Address(
        found["path"] or found["page"] or found["file"], found["cell"] or found["heading"] or found["name"] or ""
    )


def dead(address: Address, root: Path = ROOT) -> str | None:
    """One sentence that says why an address leads nowhere; None where it leads somewhere."""
    path = root / address.path
    if not path.is_file():
        return f"there is no file {address.path}."
    if address.kind == "cell" and address.part not in {cell.get("id") for cell in notebooks.read(path).cells}:
        return f"{address.path} has no cell {address.part}."
    if address.kind == "page" and address.part and address.part not in anchors(path):
        return f"{address.path} has no heading {address.part}."
    if address.kind in ("test", "code") and address.part and definition(path, address.part) is None:
        return f"{address.path} defines no {address.part}."
    if address.kind == "test" and not address.part.split("::")[-1].startswith("test_"):
        return f"{address.path}::{address.part} is no test."
    return None


def definition(path: Path, name: str) -> ast.stmt | None:
    """What a file defines under a name, such as "test_no_leak" or "TestRows::test_one"; None if it does not."""
    body = _tree(path, path.stat().st_mtime_ns).body
    found = None
    for part in name.split("::"):
        found = next((node for node in body if isinstance(node, DEFINED) and part in _names(node)), None)
        body = getattr(found, "body", [])
    return found


@lru_cache
def _tree(path: Path, changed: int) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return {node.name}
