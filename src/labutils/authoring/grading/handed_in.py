"""What a student wrote: the code of each exercise, out of whatever was handed in."""

import warnings
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.warnings import MissingIDFieldWarning


class NotGradable(ValueError):
    """What was handed in is no notebook, another one, or there are several. The message says which."""


def read(path: Path) -> NotebookNode:
    """A student's notebook in any version of the format. Raises NotGradable where there is none in the file."""
    try:
        with warnings.catch_warnings(action="ignore", category=MissingIDFieldWarning):
            notebook = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
        if isinstance(notebook.cells, list) and all(isinstance(cell.source, str) for cell in notebook.cells):
            return notebook
    except Exception as error:  # nbformat raises many kinds
        said = str(error).splitlines() or [type(error).__name__]
        raise NotGradable(f"{path.name} cannot be read as a notebook: {said[0][:120]}") from None
    raise NotGradable(f"{path.name} is not a notebook.")


def code_of(notebook: NotebookNode, owners: dict[str, str]) -> dict[str, list[str]]:
    """Name of an exercise -> the student's code for it, cell by cell, in the student's own order.

    A cell that the student added belongs to the exercise above it. Of an answer that stands there twice both are
    there, so that the lower one counts, as in the notebook. Cells that were handed out with the task are left out.

    Args:
        owners: name of each cell that was handed out -> its exercise.
    """
    found, current = {name: [] for name in owners.values()}, ""
    for cell in notebook.cells:
        name = name_of(cell)
        current = owners.get(name, current)
        if cell.cell_type == "code" and (name not in owners or name == current):
            found[current].append(cell.source)
    return found


def name_of(cell: NotebookNode) -> str:
    """The name of a cell: the mark in its metadata, which survives copying and other programs, or its id."""
    return cell.get("metadata", {}).get("nbgrader", {}).get("grade_id") or cell.get("id", "")
