"""The pattern of a chapter, its exercises and its second notebook, as text that becomes a notebook, with the files of
their checks; and the pattern of a control.

`chapter.txt`, `exercise.txt` and `more.txt` hold one cell after the other. A cell begins with a line `%% id` and what
it is: nothing (markdown), `code`, `hidden` (code that the page does not show), `solution` and `check` (code of an
exercise, with marks in its metadata, compatible with nbgrader), `source=module:names` (a copy of the package).
`checker.txt` and `answers.txt` are Python: what checks an exercise, with its table of mistakes, and unusual answers.
`control/` holds the files of a small control that works.
Words in braces are filled in; what is left to the author begins with `WRITE:`, which the chapter check finds.
"""

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from labutils.authoring.folds import fold
from labutils.authoring.sync import cell_text

CELL = re.compile(r"^%% (\S+)(?: (\S+))?\n", re.M)
HIDDEN = {"jupyter": {"source_hidden": True}, "tags": ["remove-input"]}


def notebook(name: str, words: dict[str, str]) -> NotebookNode:
    """The notebook of a pattern, `"chapter"`, `"exercise"` or `"more"`, with `{word}` replaced by `words["word"]`."""
    _, *parts = CELL.split(filled(name, words))
    cells = [_cell(*part) for part in zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    fold(cells)
    return nbformat.v4.new_notebook(cells=cells)


def filled(name: str, words: dict[str, str]) -> str:
    """A pattern with `{word}` replaced by `words["word"]`."""
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    for word, said in words.items():
        text = text.replace(f"{{{word}}}", said)
    return text


def _cell(name: str, kind: str | None, text: str) -> NotebookNode:
    text = text.strip("\n")
    if kind is None:
        return nbformat.v4.new_markdown_cell(text, id=name)
    if kind.startswith("source="):
        source = kind.removeprefix("source=")
        return nbformat.v4.new_code_cell(cell_text(source), id=name, metadata={"labutils": {"source": source}})
    return nbformat.v4.new_code_cell(text, id=name, metadata=_metadata(name, kind))


def _metadata(name: str, kind: str) -> dict:
    if kind == "hidden":
        return HIDDEN
    if kind == "code":
        return {}
    graded = kind == "check"
    marks = {
        "grade": graded,
        "grade_id": name,
        "locked": graded,
        "schema_version": 3,
        "solution": not graded,
        "task": False,
    }
    return {"nbgrader": marks | ({"points": 1} if graded else {})}
