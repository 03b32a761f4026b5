"""JupyterLab on the reader's own copy of the chapters: `python -m labutils.authoring.lab`, or `make lab`.

The copies lie in work/, which git ignores. One that the reader has not touched follows the book; one that was
changed stays as it is until `make reset CHAPTER=04`, and even then the changed file is kept beside the new one.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from labutils.authoring.places import CHAPTERS, WORK

SETTINGS = Path(__file__).with_name("lab_settings")  # no news, no update check: nothing is asked of another host
PLACED = ".placed.json"  # name -> hash of the copy as it was placed


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _placed(work: Path) -> dict[str, str]:
    record = work / PLACED
    return json.loads(record.read_text()) if record.exists() else {}


def _place(original: Path, work: Path) -> None:
    shutil.copyfile(original, work / original.name)
    (work / PLACED).write_text(json.dumps(_placed(work) | {original.name: _hash(original)}, indent=1))


def update(chapters: Path = CHAPTERS, work: Path = WORK) -> list[str]:
    """Bring the working copies up to date and lose nothing.

    Returns one sentence for each copy that stays behind because the reader has changed it.
    """
    work.mkdir(exist_ok=True)
    stay = []
    for original in sorted(chapters.glob("*.ipynb")):
        copy, placed = work / original.name, _placed(work).get(original.name)
        if not copy.exists() or (_hash(copy) == placed != _hash(original)):
            _place(original, work)
        elif placed != _hash(original):
            number = original.stem.split("_")[0]
            stay.append(
                f"{original.name} has a newer version. Yours is changed, so it stays; "
                f"`make reset CHAPTER={number}` takes the new one and keeps yours beside it."
            )
    return stay


def reset(chapter: str, chapters: Path = CHAPTERS, work: Path = WORK) -> str:
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
    if work_copy.exists() and _hash(work_copy) not in (_placed(work).get(original.name), _hash(original)):
        free = next(p for n in range(1, 10_000) if not (p := work / f"{original.stem}.yours-{n}.ipynb").exists())
        work_copy.rename(free)
        kept = f" Yours is kept as {free.name}."
    _place(original, work)
    return f"{original.name} is as the book has it.{kept}"


def jupyterlab(work: Path, *options: str, **popen) -> subprocess.Popen:
    """Start JupyterLab in a folder of working copies, with the book's settings; `popen` goes to the process."""
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={work}", *options]
    folders = [str(SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    settings = os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, folders))}
    return subprocess.Popen(command, cwd=work, env=settings, **popen)


def main() -> None:
    """Open JupyterLab on the working copies, or reset one of them."""
    parser = argparse.ArgumentParser(description="JupyterLab on your own copy of the chapters.")
    parser.add_argument("--reset", metavar="CHAPTER", help="put one chapter back, for example 04")
    chapter = parser.parse_args().reset
    if chapter is not None:
        try:
            print(reset(chapter))
        except ValueError as error:
            sys.exit(str(error))
        return
    for sentence in update():
        print(sentence)
    try:
        sys.exit(jupyterlab(WORK).wait())
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
