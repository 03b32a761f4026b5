"""Run chapters and store the outputs worth reviewing: `python -m labutils.authoring.refresh`, or `make refresh`.

Stored is plain text that is the same in every run: what is printed, and the plain form of a value. nbval compares it.
A cell that shows anything else (an image, a control, a warning) is marked as not run, so nbval runs it without
comparing. Two runs leave the same bytes.
"""

import os
import re
import sys
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

import labutils.authoring.patient_nbclient  # noqa: F401
from labutils.authoring import notebooks
from labutils.authoring.arguments import given
from labutils.authoring.folds import fold
from labutils.authoring.sync import sync

DRAWN = {"text/html", "text/markdown", "text/latex", "image/svg+xml"}  # forms of a value beside its plain one
MOVES = re.compile(r"\bat 0x[0-9a-f]+|^<")  # an address, or a value without a plain form of its own


def execute(notebook: NotebookNode, folder: Path, timeout: int = 600) -> None:
    """Run all cells in place, in the folder of the notebook. Raises nbclient's CellExecutionError where one fails."""
    NotebookClient(
        notebook, timeout=timeout, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute(env=os.environ | {"ITT_STORED": "1"})  # no bar that only a slow machine draws


class Failed(Exception):
    """A cell of a notebook has raised an error; the sentence names both."""


def store(notebook: NotebookNode) -> None:
    """Keep the outputs worth reviewing, drop all others, number the cells that keep one."""
    count = 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        cell.outputs = reviewable(cell)
        count += bool(cell.outputs)
        cell.execution_count = count if cell.outputs else None
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count


def reviewable(cell: NotebookNode) -> list[NotebookNode]:
    """The outputs of an executed cell as plain text, or none if anything in them is not plain or moves."""
    if "nbval-ignore-output" in cell.metadata.get("tags", []):
        return []
    kept = []
    for output in cell.outputs:
        plain = _plain(output)
        if plain is None:
            return []
        if kept and output.output_type == kept[-1].output_type == "stream":
            kept[-1].text += plain.text
        else:
            kept.append(plain)
    return kept


def _plain(output: NotebookNode) -> NotebookNode | None:
    if output.output_type == "stream":
        return NotebookNode(output) if output.name == "stdout" else None
    if output.output_type != "execute_result":
        return None
    text = output.data.get("text/plain", "<")
    if set(output.data) - DRAWN != {"text/plain"} or MOVES.search(text):
        return None
    return NotebookNode(output_type="execute_result", data={"text/plain": text}, metadata={}, execution_count=None)


def refresh(path: Path) -> bool:
    """Sync, run and store one chapter; returns whether the file has changed.

    Raises:
        Failed: a cell has raised an error. The file is as it was.
    """
    notebook = notebooks.read(path)
    sync(notebook)
    fold(notebook.cells)
    try:
        execute(notebook, path.parent)
    except CellExecutionError as error:
        cell = next(cell for cell in notebook.cells if any(o.output_type == "error" for o in cell.get("outputs", ())))
        said = f"{error.ename}: {error.evalue}".strip().splitlines()[0]
        raise Failed(f"{notebooks.name(path)}.ipynb: {cell.id}: {said}. Nothing is stored.") from error
    store(notebook)
    return notebooks.write(path, notebook)


def main(paths: list[Path]) -> None:
    """Refresh the given notebooks, all chapters and second notebooks if none is given; one that fails keeps no other
    from being refreshed.
    """
    failed = []
    for path in paths or [*notebooks.chapters(), *notebooks.second()]:
        try:
            print(f"{notebooks.name(path)}.ipynb: {'stored' if refresh(path) else 'nothing new'}", flush=True)
        except Failed as error:
            failed.append(str(error))
            print(error, flush=True)
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main(given(__doc__, paths=True))
