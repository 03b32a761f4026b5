"""The book to take home: the site carries its own source, and `make book` builds the same site from it."""

import os
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

NAME = "inside-the-transformer.zip"
FOLDER = NAME.removesuffix(".zip")
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # of every file in it, so that the same source gives the same bytes
# by commands
MADE = {"_build", "build", "dist", "work", "course", "private", "generated", "node_modules", "__pycache__"}


def write(root: Path, target: Path) -> Path:
    """Pack the source in `root` into `target`; the same files always give the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files(root)):
            about = zipfile.ZipInfo(f"{FOLDER}/{path.relative_to(root).as_posix()}", LONG_AGO)
            runs = path.read_bytes()[:2] == b"#!"
            about.external_attr, about.compress_type = (0o755 if runs else 0o644) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(about, path.read_bytes())
    return target


def files(root: Path) -> Iterator[Path]:
    """What belongs to the source: what git keeps, or, in a copy without git, all that no command has made."""
    kept = (
        subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True) if _in_git(root) else None
    )
    if kept and kept.returncode == 0 and kept.stdout:
        yield from (path for name in kept.stdout.split("\0") if name and (path := root / name).is_file())
        return
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not _made(name)]
        yield from (Path(folder) / name for name in names if not name.endswith((".pyc", ".zip")))


def _in_git(root: Path) -> bool:
    return (root / ".git").exists()


def _made(name: str) -> bool:
    return name in MADE or name.endswith(".egg-info") or (name.startswith(".") and name not in (".ci", ".github"))
