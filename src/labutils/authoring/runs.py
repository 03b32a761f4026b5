"""A notebook of the book as a reader gets it: as it is, or run once, so that its pictures and controls stand there."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.sign import NotebookNotary

from labutils.authoring.self_study import self_study

KERNEL = "python3"


def as_it_is(original: Path, copy: Path) -> None:
    """Write a chapter whose links to pages of the book lead to the folder book/ beside it."""
    copy.write_text(_here(original), encoding="utf-8")


def run_chapter(original: Path, copy: Path) -> None:
    """The same with its outputs and the state of its controls, signed, so that JupyterLab shows them; it stays as it is
    where the run fails.
    """
    notebook = nbformat.reads(_here(original), as_version=4)
    if _run(notebook, original):
        _write_signed(notebook, copy)


def unanswered(original: Path, copy: Path) -> None:
    """Write the self-study version of an exercise notebook."""
    nbformat.write(self_study(nbformat.read(original, as_version=4)), copy)


def run_exercises(original: Path, copy: Path) -> None:
    """The same with what it draws. Only that is run: the answers are the reader's."""
    notebook = self_study(nbformat.read(original, as_version=4))
    drawn = deepcopy([cell for cell in notebook.cells if "remove-input" in cell.metadata.get("tags", [])])
    ran = nbformat.v4.new_notebook(cells=drawn)
    if not _run(ran, original):
        return
    outputs = {cell.id: cell.outputs for cell in drawn}
    for cell in notebook.cells:
        if cell.id in outputs:
            cell.outputs = outputs[cell.id]
    notebook.metadata.update(ran.metadata)
    _write_signed(notebook, copy)


def apart(run: Callable[[Path, Path], None]) -> Callable[[Path, Path], bool]:
    """`run_chapter` or `run_exercises` in a process of its own, which Ctrl+C ends without a word.

    What is returned says whether the process came to its end.
    """

    def started(original: Path, copy: Path) -> bool:
        command = [sys.executable, "-m", "labutils.authoring.runs", run.__name__, str(original), str(copy)]
        return subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0

    return started


def main(name: str, original: str, copy: str) -> None:
    """Run one notebook. nbclient keeps Ctrl+C for itself where it runs in the first thread, so it runs in another."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with ThreadPoolExecutor() as beside:
        run = {one.__name__: one for one in (run_chapter, run_exercises)}[name]
        beside.submit(run, Path(original), Path(copy)).result()


def _here(original: Path) -> str:
    """A notebook whose links to pages lead to the reader's folder: `work/` stands where `notebooks/` stood."""
    text = original.read_text(encoding="utf-8")
    return text.replace("](../book/", "](book/").replace("](../../book/", "](../book/")


def _run(notebook: NotebookNode, original: Path) -> bool:
    """Run a notebook in place; False, after one sentence, where that fails."""
    from jupyter_client.kernelspec import KernelSpecManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    import labutils.authoring.patient_nbclient  # noqa: F401

    print(f"Running {original.name} once, so that its pictures stand there ...", flush=True)
    folder = {"metadata": {"path": str(original.parent)}}
    client = NotebookClient(notebook, timeout=600, kernel_name=KERNEL, resources=folder, store_widget_state=True)
    try:
        client.execute(env=os.environ | {"ITT_STORED": "1"})
    except (CellExecutionError, RuntimeError) as error:
        why = str(error).strip().splitlines() or [type(error).__name__]
        print(f"{original.name} stays without its outputs: {why[-1]}", flush=True)
        return False
    # as JupyterLab writes it: where it finds another, a notebook that was only opened counts as changed
    spec = KernelSpecManager().get_kernel_spec(KERNEL)
    notebook.metadata.kernelspec = {"name": KERNEL, "display_name": spec.display_name, "language": spec.language}
    return True


def _write_signed(notebook: NotebookNode, copy: Path) -> None:
    nbformat.write(notebook, copy)
    NotebookNotary().sign(notebook)


if __name__ == "__main__":
    main(*sys.argv[1:])
