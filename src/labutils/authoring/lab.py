"""JupyterLab on the reader's own copy of the chapters: `python -m labutils.authoring.lab`, or `make lab`.

The copies lie in work/, which git ignores (labutils.authoring.copies). Lab opens at once; a chapter is run when it is
opened for the first time, so that its pictures and controls stand there before the reader runs a cell.
The exercises lie in work/exercises/ with their hints and solutions folded; `make reset CHAPTER=exercises/04`. Second
notebooks lie in work/more/. Options of JupyterLab are passed on: `python -m labutils.authoring.lab --no-browser`.
The pages that chapters link to lie in work/book/, because JupyterLab opens nothing above its own folder.
"""

import signal

if __name__ == "__main__":  # before all that takes time: Ctrl+C while it loads ends it without a traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from labutils.authoring.copies import CHAPTER_COPIES, EXERCISE_COPIES, SECOND_COPIES, Damaged, reset
from labutils.authoring.pages.start import start_page
from labutils.authoring.root import refuse_root
from labutils.controls.style import css
from labutils.places import BOOK, WORK

SETTINGS = Path(__file__).with_name("lab_settings")  # no news, no update check: nothing is asked of another host
EXTENSION = Path(__file__).with_name("lab_extension")  # what a page says and does beside its notebook
RUNS = "--ServerApp.contents_manager_class=labutils.authoring.lab_files.RunWhenOpened"
PAGES = (
    "bibliography",
    "glossary",
    "models",
    "notation",
    "parity",
    "pencil",
    "performance",
    "tests",
    "ways",
)  # chapters link to them
INCLUDE = re.compile(r"^```\{include\} (\S+)\n```$", re.M)  # what the site computes and puts into a page
FRONT = re.compile(r"\A---\n.*?\n---\s+", re.S)  # what the site alone reads at the top of a page
TO_PAGE = re.compile(r"\[([^\]]+)\]\((\w+)\.md[^)\s]*\)")
START = "start.md"  # what JupyterLab opens with
TABS = ".workspaces"  # which tabs are open: in each folder its own, or one book would open what is another's
LOOK = "look.css"  # what the extension gives to notebooks and pages that bring no look along
# JupyterLab takes Ctrl+C into its own hands once it is there; until then it ends without a traceback. Once its server
# has stopped it ends, although a thread that read a file for a request in flight may still wait for the next.
LOADED = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); from jupyterlab.labapp import main; main(); "
    "sys.stdout.flush(); os._exit(0)"
)
ROOT_REFUSED = (
    "JupyterLab was not started, because you are root: whoever reaches it could change everything on this machine. "
    "Start it as another user, or with `make lab ALLOW_ROOT=yes` where that is no danger, as in a container."
)


def place_pages(work: Path = WORK, book: Path = BOOK) -> None:
    """Copy the pages that chapters link to; they are the book's, so a newer one replaces an older one."""
    (work / "book").mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        text = INCLUDE.sub(lambda found: _computed(book / found[1]), (book / f"{name}.md").read_text(encoding="utf-8"))
        text = TO_PAGE.sub(lambda link: link[0] if link[2] in PAGES else link[1], text)
        text = FRONT.sub("", text).replace("](../notebooks/", "](../")
        (work / "book" / f"{name}.md").write_text(text, encoding="utf-8")
    (work / "book" / LOOK).write_text(css("lab"), encoding="utf-8")


def _computed(path: Path) -> str:
    """What the site has computed for a page, if it was built here."""
    if path.exists():
        return path.read_text(encoding="utf-8")
    return "*This part is computed when the site is built: `make book`.*"


def jupyterlab(work: Path, *options: str, **popen) -> subprocess.Popen:
    """Start JupyterLab in a folder of working copies, with the book's settings; `popen` goes to the process."""
    extension = f"--LabApp.extra_labextensions_path={EXTENSION}"
    command = [sys.executable, "-c", LOADED, f"--ServerApp.root_dir={work}", extension, *options]
    folders = [str(SETTINGS), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    quiet = {"PYDEVD_DISABLE_FILE_VALIDATION": "1"}  # else each kernel warns that the debugger may miss breakpoints
    own = {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, folders)), "JUPYTERLAB_WORKSPACES_DIR": str(work / TABS)}
    settings = os.environ | quiet | own
    return subprocess.Popen(command, cwd=work, env=settings, **popen)


def waited(process: subprocess.Popen) -> int:
    """The exit status of JupyterLab, which handles Ctrl+C by itself: it asks whether it should end. Where this command
    is told to end, as by a service or a terminal that closes, JupyterLab ends with it.
    """
    ends = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}  # Windows has no SIGHUP
    before = {told: signal.signal(told, lambda *_: process.terminate()) for told in ends}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                pass
    finally:
        for told, handler in before.items():
            signal.signal(told, handler)


def main() -> None:
    """Open JupyterLab on the working copies, or reset one of them."""
    parser = argparse.ArgumentParser(
        description="JupyterLab on your own copy of the chapters.",
        usage="%(prog)s [-h] [--reset CHAPTER] [--allow-root] [options of JupyterLab]",
        epilog="All other options are JupyterLab’s and passed on to it, such as --no-browser, --port 9000 or --ip.",
        allow_abbrev=False,  # else the beginning of ours would take what is meant for JupyterLab
    )
    parser.add_argument("--reset", metavar="CHAPTER", help="put one chapter back, for example 04")
    parser.add_argument("--allow-root", action="store_true", help="start even as root")
    given, passed = parser.parse_known_args()
    if given.reset is not None:
        if passed:
            parser.error(f"--reset starts no JupyterLab, so it takes no {' '.join(passed)}")
        try:
            print(reset(given.reset))
        except ValueError as error:
            sys.exit(str(error))
        return
    refuse_root(ROOT_REFUSED, given.allow_root)
    place_pages(WORK)
    for copies in (CHAPTER_COPIES, EXERCISE_COPIES, SECOND_COPIES):
        try:
            print("".join(f"{sentence}\n" for sentence in copies.update()), end="")
        except Damaged as error:
            print(error)
    (WORK / START).write_text(start_page(WORK), encoding="utf-8")
    sys.exit(waited(jupyterlab(WORK, RUNS, *(["--allow-root"] if given.allow_root else []), *passed)))


if __name__ == "__main__":
    main()
