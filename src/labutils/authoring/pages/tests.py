"""The pages of tests: those that the index and the page of claims name, word for word, each with an address."""

import ast
import re
from html import escape
from pathlib import Path
from textwrap import dedent

from docutils.nodes import make_id

from labutils.authoring import addresses, index, ledger
from labutils.authoring.addresses import Address
from labutils.authoring.check.claims import asserted
from labutils.places import ROOT

PAGES = {  # name of a page: the folders of tests on it, in this order; a file that stands alone counts as one
    "tests_layers": ("layers", "analysis", "shapes"),
    "tests_models": (
        "text",
        "models",
        "checkpoints",
        "trace",
        "parity",
        "engine",
        "world",
        "generation",
        "training",
        "making",
    ),
    "tests_claims": ("claims",),
    "tests_book": ("controls", "figures", "exercises", "authoring", "notebooks", "site"),
}
FOLDERS = {folder: name for name, folders in PAGES.items() for folder in folders}


def listed() -> list[Address]:
    """The tests that a page of the book leads to, folder by folder and file by file."""
    named = [link for row in index.rows() for link in row.addresses() if link.kind == "test"]
    named += map(addresses.read, asserted().values())
    shown = [addresses.read(entry.shown) for entry in ledger.ledger() if entry.shown]
    named += [link for link in shown if link.kind == "test"]
    order = list(FOLDERS)
    return sorted(set(named), key=lambda link: (order.index(_folder(link)), link.path, _place(link)))


def page_of(link: Address) -> str:
    """The name of the page on which a test stands."""
    return FOLDERS[_folder(link)]


def _folder(link: Address) -> str:
    folder = Path(link.path).parts[1].removeprefix("test_").removesuffix(".py")
    if folder not in FOLDERS:
        raise ValueError(f"No page shows {link.path}: name the folder {folder} in pages/tests.py.")
    return folder


def page(name: str) -> str:
    """Markdown of one of PAGES: a heading for each file, below it its tests as code."""
    tests = [link for link in listed() if page_of(link) == name]
    return "\n".join(
        _section(path, [link for link in tests if link.path == path])
        for path in dict.fromkeys(link.path for link in tests)
    )


def _section(path: str, tests: list[Address]) -> str:
    about = ast.get_docstring(ast.parse((ROOT / path).read_text(encoding="utf-8"))) or ""
    code = "\n\n".join(f"({anchor(link)})=\n```python\n{source(link)}\n```" for link in tests)
    return f"## {title(path)}\n\n{about.split(chr(10) * 2)[0]}\n\n{code}\n"


def title(path: str) -> str:
    """
    >>> title("tests/layers/test_attention.py")
    'layers, attention'
    """
    parts = Path(path).relative_to("tests").with_suffix("").parts
    return ", ".join(part.removeprefix("test_").replace("_", " ") for part in parts)


def source(link: Address) -> str:
    """The text of a test, decorators included."""
    node = _node(link)
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    lines = (ROOT / link.path).read_text(encoding="utf-8").splitlines()[first - 1 : node.end_lineno]
    return dedent("\n".join(lines))


def anchor(link: Address) -> str:
    """
    >>> anchor(Address("tests/layers/test_attention.py", "test_no_leak"))
    'layers-attention-no-leak'
    """
    return make_id(f"{title(link.path)} {words(link)}")


def words(link: Address) -> str:
    """
    >>> words(Address("tests/claims/test_attention.py", "test_c146_the_head_comes_first"))
    'C146: the head comes first'
    """
    said = link.part.split("::")[-1].removeprefix("test_")
    return re.sub(r"^c(\d{3})_", r"C\1: ", said).replace("_", " ")


def address(test: Address) -> str:
    """Where a test stands, for a page beside the pages of tests."""
    return f"{page_of(test)}.html#{anchor(test)}"


def link(test: Address) -> str:
    """The same as a link of HTML, with the name of the test as its words."""
    return f'<a href="{address(test)}">{escape(words(test))}</a>'


def _node(link: Address) -> ast.FunctionDef:
    return addresses.definition(ROOT / link.path, link.part)


def _place(link: Address) -> int:
    return _node(link).lineno
