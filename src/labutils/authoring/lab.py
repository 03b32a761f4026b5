"""JupyterLab on the reader's own copy of the chapters: `python -m labutils.authoring.lab`, or `make lab`.

The copies lie in work/, which git ignores. One that the reader has not touched follows the book; one that was
changed stays as it is until `make reset CHAPTER=04`, and even then the changed file is kept beside the new one.
A chapter is run once before it is placed, so that its pictures and controls stand there before the reader runs a cell.
The exercises lie in work/exercises/ with their hints and solutions folded; `make reset CHAPTER=exercises/04`.
The pages that chapters link to lie in work/book/, because JupyterLab opens nothing above its own folder.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.sign import NotebookNotary

import labutils.authoring.patient_nbclient  # noqa: F401
from labutils.authoring.root import refuse_root
from labutils.authoring.self_study import self_study
from labutils.authoring.start_page import start_page
from labutils.places import BOOK, CHAPTERS, EXERCISES, WORK

SETTINGS = Path(__file__).with_name("lab_settings")  # no news, no update check: nothing is asked of another host
VIEW = "application/vnd.jupyter.widget-view+json"
PLACED = ".placed.json"  # name -> hash of the chapter it was made of, and of the copy as it was placed
PAGES = ("bibliography", "glossary", "models", "notation", "parity", "ways")  # of book/: what the chapters link to
INCLUDE = re.compile(r"^```\{include\} (\S+)\n```$", re.M)  # what the site computes and puts into a page
TO_PAGE = re.compile(r"\[([^\]]+)\]\((\w+)\.md[^)\s]*\)")
EXERCISE = "exercises/"  # in front of the number: the exercises of a chapter
START = "start.md"  # what JupyterLab opens with
ROOT_REFUSED = (
    "JupyterLab was not started, because you are root: whoever reaches it could change everything on this machine. "
    "Start it as another user, or with `make lab ALLOW_ROOT=yes` where that is no danger, as in a container."
)
Make = Callable[[Path, Path], None]  # how a copy is made: (the chapter, the copy)


def _hash(path: Path) -> str:
    """Of a notebook only what its reader can change: JupyterLab rewrites the rest when it saves by itself."""
    content = path.read_bytes()
    try:
        cells = [
            (cell["cell_type"], cell["source"], [_shown(o) for o in cell.get("outputs", [])])
            for cell in json.loads(content)["cells"]
        ]
    except (ValueError, KeyError, TypeError):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


def _shown(output: dict) -> list:
    """An output without the numbers that every run gives anew."""
    data = {kind: content for kind, content in output.get("data", {}).items() if kind != VIEW}
    return [output["output_type"], output.get("text"), data]


def _placed(work: Path) -> dict[str, dict[str, str]]:
    record = work / PLACED
    return json.loads(record.read_text()) if record.exists() else {}


def _place(original: Path, work: Path, make: Make) -> None:
    copy = work / original.name
    make(original, copy)
    entry = {original.name: {"made of": _hash(original), "copy": _hash(copy)}}
    (work / PLACED).write_text(json.dumps(_placed(work) | entry, indent=1))


def run_once(original: Path, copy: Path) -> None:
    """Write a run copy of a chapter: its outputs and the state of its controls, signed, so that JupyterLab shows them.

    Where the run fails or is interrupted, the copy is the chapter as it is. Links to pages of the book lead to
    work/book/.
    """
    text = original.read_text(encoding="utf-8").replace("](../book/", "](book/")
    notebook = nbformat.reads(text, as_version=4)
    if _run(notebook, original):
        _write_signed(notebook, copy)
    else:
        copy.write_text(text, encoding="utf-8")


def exercises_once(original: Path, copy: Path) -> None:
    """Write the self-study version of an exercise notebook. Only what it draws is run: the answers are the reader's."""
    notebook = self_study(nbformat.read(original, as_version=4))
    drawn = deepcopy([cell for cell in notebook.cells if "remove-input" in cell.metadata.get("tags", [])])
    ran = nbformat.v4.new_notebook(cells=drawn)
    if _run(ran, original):
        outputs = {cell.id: cell.outputs for cell in drawn}
        for cell in notebook.cells:
            if cell.id in outputs:
                cell.outputs = outputs[cell.id]
        notebook.metadata.update(widgets=ran.metadata.get("widgets", {}))
    _write_signed(notebook, copy)


def _run(notebook: NotebookNode, original: Path) -> bool:
    """Run a notebook in place; False, after one sentence, where that fails or is interrupted."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    print(f"Running {original.name} once, so that its pictures stand there (Ctrl+C: not now) ...", flush=True)
    folder = {"metadata": {"path": str(original.parent)}}
    try:
        NotebookClient(
            notebook, timeout=600, kernel_name="python3", resources=folder, store_widget_state=True
        ).execute()
    except (CellExecutionError, RuntimeError, KeyboardInterrupt) as error:
        why = str(error).strip().splitlines() or ["it was interrupted"]
        print(f"{original.name} is placed without its outputs: {why[-1]}")
        return False
    return True


def _write_signed(notebook: NotebookNode, copy: Path) -> None:
    nbformat.write(notebook, copy)
    NotebookNotary().sign(notebook)


def place_pages(work: Path = WORK, book: Path = BOOK) -> None:
    """Copy the pages that chapters link to; they are the book's, so a newer one replaces an older one."""
    (work / "book").mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        text = INCLUDE.sub(lambda found: _computed(book / found[1]), (book / f"{name}.md").read_text(encoding="utf-8"))
        text = TO_PAGE.sub(lambda link: link[0] if link[2] in PAGES else link[1], text)
        text = text.replace("](../notebooks/", "](../")
        (work / "book" / f"{name}.md").write_text(text, encoding="utf-8")


def _computed(path: Path) -> str:
    """What the site has computed for a page, if it was built here."""
    if path.exists():
        return path.read_text(encoding="utf-8")
    return "*This part is computed when the site is built: `make book`.*"


def update(chapters: Path = CHAPTERS, work: Path = WORK, make: Make = run_once, under: str = "") -> list[str]:
    """Bring the working copies up to date and lose nothing; `under` is how `make reset` names their folder.

    Returns one sentence for each copy that stays behind because the reader has changed it.
    """
    work.mkdir(exist_ok=True)
    stay = []
    for original in sorted(chapters.glob("*.ipynb")):
        copy, placed = work / original.name, _placed(work).get(original.name, {})
        current = placed.get("made of") == _hash(original)
        if not copy.exists() or (not current and _hash(copy) == placed.get("copy")):
            _place(original, work, make)
        elif not current:
            number = under + original.stem.split("_")[0]
            stay.append(
                f"{original.name} has a newer version. Yours is changed, so it stays; "
                f"`make reset CHAPTER={number}` takes the new one and keeps yours beside it."
            )
    return stay


def reset(chapter: str, chapters: Path = CHAPTERS, work: Path = WORK, make: Make = run_once) -> str:
    """Put one chapter back as the book has it; a changed copy is kept under another name.

    Args:
        chapter: its number or the beginning of its name: ``"04"``, ``"04_attention"``.

    Raises:
        ValueError: no chapter, or more than one, begins like that.
    """
    found = [path for path in sorted(chapters.glob("*.ipynb")) if chapter and path.name.startswith(chapter)]
    if len(found) != 1:
        names = ", ".join(path.stem for path in sorted(chapters.glob("*.ipynb")))
        raise ValueError(f"Name one chapter, for example `make reset CHAPTER=04`. There are: {names}.")
    original, work_copy = found[0], work / found[0].name
    work.mkdir(exist_ok=True)
    kept = ""
    if work_copy.exists() and _hash(work_copy) not in (
        _placed(work).get(original.name, {}).get("copy"),
        _hash(original),
    ):
        free = next(p for n in range(1, 10_000) if not (p := work / f"{original.stem}.yours-{n}.ipynb").exists())
        work_copy.rename(free)
        kept = f" Yours is kept as {free.name}."
    _place(original, work, make)
    return f"{original.name} is as the book has it.{kept}"


def reset_named(name: str) -> str:
    """`reset` for a chapter (``"04"``) or for its exercises (``"exercises/04"``)."""
    if name.startswith(EXERCISE):
        return reset(name.removeprefix(EXERCISE), EXERCISES, WORK / "exercises", exercises_once)
    return reset(name)


def jupyterlab(work: Path, *options: str, **popen) -> subprocess.Popen:
    """Start JupyterLab in a folder of working copies, with the book's settings; `popen` goes to the process."""
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={work}", *options]
    folders = [str(SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    quiet = {"PYDEVD_DISABLE_FILE_VALIDATION": "1"}  # else each kernel warns that the debugger may miss breakpoints
    settings = os.environ | quiet | {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, folders))}
    return subprocess.Popen(command, cwd=work, env=settings, **popen)


def main() -> None:
    """Open JupyterLab on the working copies, or reset one of them."""
    parser = argparse.ArgumentParser(description="JupyterLab on your own copy of the chapters.")
    parser.add_argument("--reset", metavar="CHAPTER", help="put one chapter back, for example 04")
    parser.add_argument("--allow-root", action="store_true", help="start even as root")
    given = parser.parse_args()
    chapter = given.reset
    if chapter is not None:
        try:
            print(reset_named(chapter))
        except ValueError as error:
            sys.exit(str(error))
        return
    refuse_root(ROOT_REFUSED, given.allow_root)
    place_pages()
    for sentence in update() + update(EXERCISES, WORK / "exercises", exercises_once, EXERCISE):
        print(sentence)
    (WORK / START).write_text(start_page(WORK), encoding="utf-8")
    try:
        sys.exit(jupyterlab(WORK, *(["--allow-root"] if given.allow_root else [])).wait())
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
