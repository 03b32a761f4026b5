"""Build the site: `python -m labutils.authoring.book`, or `make book`.

Executes every chapter that has changed, writes the generated pages and leaves `_build/html`, which works from a
server and from a folder. Prints the address. Nothing has changed: seconds.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat
from filelock import FileLock
from nbformat import NotebookNode

from labutils.authoring import archive, side_by_side, single
from labutils.authoring.arguments import given
from labutils.authoring.front import published
from labutils.places import BENCHMARKS, BOOK, BUILD, CHAPTERS, GENERATED, ROOT, SITE, STATIC

OFFLINE = Path(__file__).with_name("offline")  # on PYTHONPATH it keeps a Python from reaching another machine


def digest(paths: Iterable[Path]) -> str:
    """Hash of the names and bytes of files, and of all files under folders; what a command wrote is left out."""
    total = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and not {"__pycache__", "generated", ".ipynb_checkpoints"} & set(file.parts):
                total.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()


def keys() -> dict[str, str]:
    """What the three layers of the site are made from, each layer with all that lies below it.

    run: what generated pages depend on besides themselves, with the names of all chapters.
    frame: what every page shows.
    site: everything.
    """
    names = "\n".join(_chapters())
    run = digest([ROOT / "src/labutils", ROOT / "requirements.txt", ROOT / "constraints.txt"]) + names
    frame = run + digest([ROOT / "_config.yml", BOOK / "_toc.yml", BOOK / "_ext", STATIC])
    site = frame + digest([BOOK, CHAPTERS, BENCHMARKS, ROOT / "tests"])
    layers = {"run": run, "frame": frame, "site": site}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in layers.items()}


def fresh(name: str, key: str) -> bool:
    """Whether a layer was finished with this key."""
    kept = BUILD / f"{name}.key"
    return kept.exists() and kept.read_text() == key


def finished(name: str, key: str) -> None:
    (BUILD / f"{name}.key").write_text(key)


def begun(name: str) -> None:
    (BUILD / f"{name}.key").unlink(missing_ok=True)


def write_generated(run: str) -> None:
    """The executed chapters that are still true, the generated pages and the files that all pages share."""
    from labutils.authoring.pages import generated as pages  # here, because torch comes with it
    from labutils.controls.bundle import site as controls_script
    from labutils.controls.engine.export import export
    from labutils.controls.style import css

    shared = GENERATED / "static"
    (shared / "models").mkdir(parents=True, exist_ok=True)
    pages.write_if_new(shared / "itt.css", css("site"))
    pages.write_if_new(shared / "itt-controls.js", controls_script())
    forget_stale()
    stale = not fresh("run", run)
    if stale:
        export(shared / "models")
    pages.write(everything=stale)
    finished("run", run)


def forget_stale() -> None:
    """Drop the stored outputs of each chapter whose code or data has changed: the cache knows the chapter's own cells
    only.
    """
    from jupyter_cache import get_cache  # here: a build that has nothing to do needs neither

    from labutils.authoring import needs

    kept, now = (BUILD / "chapters.json", {name: digest(needs.files(path)) for name, path in _chapters().items()})
    before = json.loads(kept.read_text()) if kept.exists() else {}
    cache = get_cache(BUILD / ".jupyter_cache")
    for record in cache.list_cache_records():
        path = Path(record.uri)
        name = f"more/{path.name}" if path.parent.name == "more" else path.name  # exercises run with their chapter
        if name not in now or before.get(name) != now[name]:
            cache.remove_cache(record.pk)
    kept.write_text(json.dumps(now, indent=0))


def keep_run(notebook: NotebookNode, path: Path, seconds: float) -> None:
    """Put an executed notebook where the build looks before it executes one."""
    from jupyter_cache import get_cache
    from jupyter_cache.base import CacheBundleIn

    run = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
    get_cache(BUILD / ".jupyter_cache").cache_notebook_bundle(run, check_validity=False, overwrite=True)


def unrun() -> list[Path]:
    """The notebooks of the site that have no stored outputs."""
    from jupyter_cache import get_cache

    cache, found = get_cache(BUILD / ".jupyter_cache"), []
    for path in (ROOT / f"{name}.ipynb" for name in published()):
        if path.exists():
            try:
                cache.match_cache_notebook(nbformat.read(path, as_version=4))
            except KeyError:
                found.append(path)
    return found


def one_at_a_time() -> FileLock:
    """Of two builds side by side one in twenty dies at the start of a kernel."""
    BUILD.mkdir(exist_ok=True)
    return FileLock(BUILD / "book.lock")


def _chapters() -> dict[str, Path]:
    """Chapters and their second notebooks, by their paths in the folder of the chapters."""
    found = [*sorted(CHAPTERS.glob("*.ipynb")), *sorted(CHAPTERS.glob("more/*.ipynb"))]
    return {path.relative_to(CHAPTERS).as_posix(): path for path in found}


def surroundings() -> dict[str, str]:
    """The environment in which the book is built, kernels included: pages link the stylesheet, so cells need not bring
    it along, and no other machine is reached.
    """
    path = os.pathsep.join(filter(None, [str(OFFLINE), os.environ.get("PYTHONPATH")]))
    return os.environ | {"ITT_SITE": "1", "ITT_STORED": "1", "PYTHONPATH": path}


def jupyter_book(everything: bool) -> None:
    """Run Jupyter Book so that any warning fails the build; what it says is shown only then.

    Raises SystemExit with its output and its status where it fails.
    """
    tool = shutil.which("jupyter-book", path=Path(sys.executable).parent)
    command = [tool, "build", str(ROOT), "--toc", str(BOOK / "_toc.yml"), "-W", "-n", "--keep-going", "-q"]
    command += ["--all"] if everything else []
    run = subprocess.run(
        command, cwd=ROOT, env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if run.returncode:
        print(run.stdout, file=sys.stderr)
        sys.exit(run.returncode)


def drop_maps() -> None:
    """Take out what only a debugger of the theme's own scripts and styles would read: 1.7 MB."""
    for path in SITE.rglob("*.map"):
        path.unlink()


def build() -> Path:
    """Build what has changed and return the site's folder; raises SystemExit where Jupyter Book fails."""
    with one_at_a_time():
        key = keys()
        if fresh("site", key["site"]):
            return SITE
        print("Building the book: chapters that have changed are run first ...", flush=True)
        begun("site")
        write_generated(key["run"])
        everything = not fresh("frame", key["frame"])
        side_by_side.run(unrun(), keep_run, surroundings())
        begun("frame")  # a page with a warning would be taken as done in the next build, unless all are built again
        jupyter_book(everything)
        drop_maps()
        (SITE / ".nojekyll").touch()  # GitHub Pages drops folders that begin with an underscore without it
        archive.write(ROOT, SITE / archive.NAME)
        single.write(SITE)
        finished("frame", key["frame"])
        finished("site", key["site"])
    return SITE


if __name__ == "__main__":
    given(__doc__)
    print(f"The book is built: {(build() / 'index.html').as_uri()}\n`make serve` serves it.")
