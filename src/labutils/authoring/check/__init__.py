"""What must hold for every notebook and page before it is published: `python -m labutils.authoring.check`.

Each rule is a module with a function `problems` that returns one sentence for each finding, with the id of the cell.
What a notebook has to be depends on its kind, which its place tells: a chapter (`notebooks/04_attention.ipynb`), an
exercise notebook (`notebooks/exercises/`), a second notebook (`notebooks/more/`), or a page without a number
(`notebooks/play.ipynb`).
"""

import csv
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from labutils.authoring import notebooks
from labutils.authoring.check import (
    anatomy,
    claims,
    ease,
    exercises,
    figures,
    forms,
    identity,
    lengths,
    links,
    more,
    numbers,
    rhythm,
    told,
    words,
)
from labutils.authoring.check import path as paths
from labutils.authoring.check.prose import blocks
from labutils.authoring.check.stored import problems
from labutils.places import BOOK, CHAPTERS, ROOT

__all__ = ["book_problems", "kind", "notebook_problems", "page_problems", "problems"]


def kind(path: Path) -> str:
    """`"chapter"`, `"exercise"`, `"more"` or `"page"`."""
    if path.parent.name in ("exercises", "more"):
        return path.parent.name.removesuffix("s")
    return "chapter" if path.name[:2].isdigit() else "page"


def every_notebook(folder: Path = CHAPTERS) -> list[Path]:
    """Chapters, pages, exercises and second notebooks, each in reading order."""
    return [path for where in ("", "exercises", "more") for path in sorted((folder / where).glob("*.ipynb"))]


def notebook_problems(path: Path) -> list[str]:
    """What is wrong with one notebook, taken by itself."""
    notebook = notebooks.read(path)
    found = problems(notebook) + identity.problems(notebook) + words.problems(notebook) + figures.problems(notebook)
    found += (
        links.problems(path) + claims.problems(notebook) + lengths.problems(notebook, cells=kind(path) == "chapter")
    )
    found += claims.unlisted(notebook, listed_claims())
    if kind(path) in ("chapter", "more"):
        found += identity.misnamed(notebook, path.name[:2])
        found += figures.out_of_order(notebook, path.name[:2], letters=kind(path) == "more")
        found += ease.problems(notebook) + numbers.problems(notebook, numbers.cited(notebooks.name(path)))
    if kind(path) == "more":
        found += paths.folds_of(notebook, anatomy.CONTROLS) + more.problems(notebook, path.stem) + _form(notebook)
    if kind(path) == "chapter":
        place = anatomy.place_of(path)
        found += paths.problems(notebook, anatomy.CONTROLS, place.walk) + anatomy.problems(notebook, place)
        here = paths.path(notebook, anatomy.CONTROLS)
        found += rhythm.problems(notebook, here, anatomy.CONTROLS) + _form(notebook)
        if (path.parent / "more" / path.name).exists():
            found += more.unlinked(notebook, path.stem)
        beside = path.parent / "exercises" / path.name
        if beside.exists():
            found += exercises.listed(notebook, exercises.exercises(notebooks.read(beside)))
    if kind(path) == "exercise":
        found += exercises.problems(notebook, str(int(path.name[:2])))
    return found


def _form(notebook: NotebookNode) -> list[str]:
    return told.problems(notebook, anatomy.CONTROLS) + forms.problems(notebook)


def page_problems(path: Path) -> list[str]:
    """What is wrong with one page of markdown."""
    text = path.read_text(encoding="utf-8")
    said = [sentence for block in blocks(text) for sentence in words.of_block(block)]
    return list(dict.fromkeys(said + words.traces(text))) + links.problems(path)


def book_problems(folder: Path = CHAPTERS) -> list[str]:
    """What only shows when all notebooks are held together."""
    all_ = [(notebooks.name(path), notebooks.read(path)) for path in every_notebook(folder)]
    return claims.repeated(all_) + identity.repeated(all_)


@cache
def listed_claims() -> set[str]:
    with (BOOK / "claims.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"] for row in csv.DictReader(file)}


def pages() -> list[Path]:
    """The pages of markdown that people wrote."""
    return [
        *sorted(BOOK.glob("*.md")),
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md") if (ROOT / name).exists()),
    ]
