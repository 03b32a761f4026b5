"""Links inside the book lead to a file that exists, and to a heading of it."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docutils.nodes import make_id

from labutils.authoring import notebooks
from labutils.authoring.check.prose import Block, blocks

TARGET = re.compile(r"^\(([^)\s]+)\)=\s*$|^:(?:label|name): *(\S+)$", re.M)


def texts(path: Path) -> list[tuple[str, str]]:
    """(id, markdown) of the cells of a notebook, or of a page as one piece with the id ""."""
    if path.suffix != ".ipynb":
        return [("", path.read_text(encoding="utf-8"))]
    return [(cell.get("id", ""), cell.source) for cell in notebooks.read(path).cells if cell.cell_type == "markdown"]


def anchors(path: Path) -> set[str]:
    """What may stand after # in a link to a page: its headings, as both link styles write them, and its labels."""
    return _anchors(path, path.stat().st_mtime_ns)


@cache
def _anchors(path: Path, changed: int) -> set[str]:
    found = set()
    for _, text in texts(path):
        found |= {name for pair in TARGET.findall(text) for name in pair if name}
        found |= {
            form for block in blocks(text) if block.kind == "heading" for form in (make_id(block.text), slug(block))
        }
    return found


def slug(heading: Block) -> str:
    """A heading as GitHub writes it in a link."""
    return re.sub(r"[^\w\- ]", "", heading.text.lower().strip()).replace(" ", "-")


def problems(path: Path) -> list[str]:
    """Links of one notebook or page that lead nowhere."""
    return [
        f"{cell}: {sentence}" if cell else sentence
        for cell, text in texts(path)
        for address in dict.fromkeys(to for block in blocks(text) for to, _ in block.links())
        for sentence in _dead(path, address)
    ]


def _dead(path: Path, address: str) -> Iterable[str]:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        yield f"the link to {address} leads to no file."
    elif parts.fragment and target.suffix in (".md", ".ipynb") and unquote(parts.fragment) not in anchors(target):
        yield f"the link to {address} leads to no heading of {target.name}."
