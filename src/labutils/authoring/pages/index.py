"""The page "Index": each row of book/index.csv by its name, from A to Z, with links to what shows it."""

import re
from functools import lru_cache
from html import escape
from pathlib import Path

from docutils.nodes import make_id
from nbformat import NotebookNode

from labutils.authoring import folds, index, notebooks
from labutils.authoring.addresses import Address
from labutils.authoring.check.anatomy import CONTROLS
from labutils.authoring.check.claims import LAST_WORDS
from labutils.authoring.check.figures import NUMBER
from labutils.authoring.check.links import slug
from labutils.authoring.check.prose import blocks, calls
from labutils.authoring.front import number
from labutils.authoring.pages import tests as tests_page
from labutils.places import MORE, ROOT

EXERCISE = re.compile(r"^\*\*(\d+\.\d+) ", re.M)


def page() -> str:
    """Markdown: a heading for each letter, below it the rows as HTML."""
    rows = sorted(index.rows(), key=lambda row: key(row.name))
    letters = dict.fromkeys(key(row.name)[0].upper() for row in rows)
    return "\n".join(
        _section(letter, [row for row in rows if key(row.name)[0].upper() == letter]) for letter in letters
    )


def key(name: str) -> str:
    """What a name is sorted by: its letters.

    >>> key("√d_k, why scores are divided by it")
    'd_k why scores are divided by it'
    """
    return re.sub(r"[^\w ]|^[\W\d_]+", "", name.casefold()).strip()


def _section(letter: str, rows: list[index.Row]) -> str:
    items = "\n".join(item(row) for row in rows)
    return f'## {letter}\n\n```{{raw}} html\n<div class="itt-map itt-index"><ol>\n{items}\n</ol></div>\n```\n'


def item(row: index.Row) -> str:
    """One row: the number of its chapter, its name, what shows it, and the tests behind it, folded."""
    links, name = row.addresses(), escape(row.name)
    named: dict[str, Address] = {}
    for one in links:
        if one.kind in ("cell", "page"):
            named.setdefault(words(one, row.chapter), one)  # of two places in one section the first
    shown = [f'<a href="{target(one)}">{escape(said)}</a>' for said, one in named.items()]
    code = [f"<code>{escape(_module(one))}</code>" for one in links if one.kind == "code"]
    places = " · ".join([*shown, *code])
    told = "; until then ".join(filter(None, [_to_come(row), places]))
    ready = links and (row.chapter in index.finished() or not row.owed)
    return (
        f'<li id="{row.id.lower()}" class="{"is-ready" if ready else "is-ahead"}"><span class="itt-map-number">'
        f'{"" if row.chapter == index.WHOLE else number(row.chapter)}</span><span class="itt-map-title">'
        f'{f"<b>{name}</b>" if ready else name}</span><div class="itt-map-question">{told}{_tests(links)}</div></li>'
    )


def _to_come(row: index.Row) -> str:
    """Which chapter a reader has to wait for, if any."""
    if row.chapter == index.WHOLE:
        return "" if row.where else "planned"
    if row.chapter in index.finished() or not row.owed:
        return ""
    return f"comes in chapter {number(row.chapter)}, {escape(index.chapters()[row.chapter]['title'])}"


def _tests(links: list[Address]) -> str:
    tests = [one for one in links if one.kind == "test"]
    if not tests:
        return ""
    count = "1 test" if len(tests) == 1 else f"{len(tests)} tests"
    return f"<details><summary>{count}</summary>{' · '.join(map(tests_page.link, tests))}</details>"


def _module(link: Address) -> str:
    """
    >>> _module(Address("src/labutils/layers/masks.py", "causal_mask"))
    'labutils.layers.masks.causal_mask'
    """
    path = Path(link.path).relative_to("src").with_suffix("")
    parts = [*path.parts, *link.part.split("::")]
    return ".".join(part for part in parts if part and part != "__init__")


def target(link: Address) -> str:
    """Where a cell or a page is, seen from a page in book/."""
    if link.kind == "page":
        return f"{Path(link.path).stem}.html{'#' if link.part else ''}{link.part}"
    return f"../{Path(link.path).with_suffix('.html').as_posix()}#cell-{link.part}"


def words(link: Address, chapter: str) -> str:
    """What a link to a cell or a page is called in a row of a chapter: a figure, an exercise, a box by its number, and
    what has none by the heading above it. In a second notebook that follows its title.
    """
    if link.kind == "page":
        headings = [one.text for one in _headings(link.path) if link.part in (slug(one), make_id(one.text), "")]
        return headings[0]
    cells, number_of = _cells(link.path), Path(link.path).stem[:2]
    at = next(i for i, cell in enumerate(cells) if cell.id == link.part)
    said = _numbered(cells[at])
    if not number_of.isdigit() or not said and Path(link.path).parent.name == MORE.name:
        return f"{_plain(_headings(link.path)[0].source)}: {said or _above(cells, at)}"
    return said or f"{'' if number_of == chapter else f'chapter {int(number_of)}: '}{_above(cells, at)}"


def _numbered(cell: NotebookNode) -> str:
    """The number of what a cell is: "figure 4.1", "exercise 4.2", "box C135"; or ""."""
    if cell.cell_type == "code":
        found = NUMBER.search(cell.source)
        return f"figure {found[1] or found[2]}{', to play with' * bool(calls(cell, *CONTROLS))}" if found else ""
    claim, exercise = LAST_WORDS.search(cell.source.removesuffix(":::").rstrip()), EXERCISE.search(cell.source)
    return f"box {claim[1]}" if claim else f"exercise {exercise[1]}" if exercise else ""


def _above(cells: list[NotebookNode], at: int) -> str:
    """The heading of the section that a cell stands in; an answer to a guess has none of its own."""
    found = [folds.heading(cells[at])[1]] if folds.heading(cells[at]) else []
    found += [
        block.source
        for cell in reversed(cells[:at])
        if cell.cell_type == "markdown"
        for block in reversed(blocks(cell.source))
        if block.kind == "heading"
    ]
    said = next((one for one in found if folds.kind_of(one) != "answer"), "the beginning")
    said = _plain(said.removeprefix(folds.ASIDE))
    return said[0].upper() + said[1:]


def _plain(heading: str) -> str:
    r"""
    >>> _plain(r"Why $\sqrt{d_k}$?"), _plain("*4* Attention")
    ('Why √d_k?', 'Attention')
    """
    text = re.sub(r"\\sqrt\{(\w+)\}", r"√\1", heading)
    return re.sub(r"^\*?\d+\*? |[$*]", "", text)


@lru_cache
def _cells(path: str) -> list[NotebookNode]:
    return notebooks.read(ROOT / path).cells


@lru_cache
def _headings(path: str) -> list:
    """Of a page or of a notebook."""
    text = (
        (ROOT / path).read_text(encoding="utf-8")
        if path.endswith(".md")
        else "\n\n".join(cell.source for cell in _cells(path) if cell.cell_type == "markdown")
    )
    return [block for block in blocks(text) if block.kind == "heading"]
