"""What was handed in as it was before the first answer of a class ran: answers get copies of it, and what one of them
removes or changes is put back.

All of it lies in one file without a name, which no answer finds by looking for it.
"""

import hashlib
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock

MOST, MB = 1000, 1 << 20  # files of a folder, and bytes of them, that are kept
LARGEST = 512 * MB


@dataclass(frozen=True)
class Stored:
    """Where the content of a file lies in the one of all, and the rights that the file has."""

    begin: int
    size: int
    rights: int


@dataclass
class Inside:
    """What is in a folder, each by its path from there."""

    folders: list[Path] = field(default_factory=list)
    files: dict[Path, Stored] = field(default_factory=dict)


class Snapshot:
    """Folders and files as they are now. Links, what is no plain file and what cannot be read is left out, and all of a
    folder that holds more than anybody needs.
    """

    def __init__(self):
        self.content, self.end, self.lock = TemporaryFile(), 0, Lock()
        self.known: dict[bytes, int] = {}  # what has the same content lies there once
        self.inside: dict[Path, Inside] = {}
        self.files: dict[Path, Stored] = {}
        self.homes: dict[Path, str] = {}  # where each of these lies, so that nothing is put back through a link

    def add(self, folder: Path) -> None:
        """Keep a folder with all that is in it."""
        self.inside[folder] = found = Inside()
        listed = _listed(folder)
        if listed is None:
            return
        found.folders, files = listed
        for path in files:
            if stored := self.keep(folder / path):
                found.files[path] = stored

    def keep_all(self, paths: Iterable[Path]) -> None:
        """Keep files of one student, as many as anybody needs."""
        left = LARGEST
        for path in list(paths)[:MOST]:
            with suppress(OSError):
                left -= path.lstat().st_size
                if left >= 0:
                    self.keep(path)

    def keep(self, path: Path) -> Stored | None:
        """Keep a plain file; None where it is none, or cannot be read."""
        if path in self.files:
            return self.files[path]
        with suppress(OSError):
            about = path.lstat()
            if stat.S_ISREG(about.st_mode):
                content = path.read_bytes()
                self.files[path] = Stored(self._begin(content), len(content), stat.S_IMODE(about.st_mode))
                self.homes[path] = os.path.realpath(path.parent)
        return self.files.get(path)

    def copy(self, folder: Path, place: Path) -> str:
        """Write a folder as it was into a place; returns where it is."""
        copy = place / folder.name
        copy.mkdir()
        found = self.inside.get(folder, Inside())
        with suppress(OSError):  # the disk is full, or a name is too long there
            for path in found.folders:
                (copy / path).mkdir(parents=True, exist_ok=True)
            for path, stored in found.files.items():
                self._write(copy / path, stored)
        return str(copy)

    def put_back(self, path: Path) -> bool:
        """Write a file as it was to where it was; whether that could be done."""
        stored = self.files.get(path)
        if stored is None or os.path.realpath(path.parent) != self.homes[path]:
            return False
        with suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            path.unlink(missing_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write(path, stored)
            return True
        return False

    def _begin(self, content: bytes) -> int:
        digest = hashlib.sha256(content).digest()
        if digest not in self.known:
            self.content.seek(self.end)
            self.content.write(content)
            self.known[digest] = self.end
            self.end += len(content)
        return self.known[digest]

    def _write(self, path: Path, stored: Stored) -> None:
        with self.lock:
            self.content.seek(stored.begin)
            content = self.content.read(stored.size)
        path.write_bytes(content)
        path.chmod(stored.rights | stat.S_IWUSR)


def copied(folder: Path, place: Path) -> str:
    """A copy of a folder as it is now."""
    now = Snapshot()
    now.add(folder)
    return now.copy(folder, place)


def _listed(folder: Path) -> tuple[list[Path], list[Path]] | None:
    """The folders and the plain files below a folder; None where these are too many or too large."""
    folders, files, left = [], [], LARGEST
    for home, below, names in os.walk(folder):
        folders += [(Path(home) / name).relative_to(folder) for name in _no_links(home, below)]
        for name in _no_links(home, names):
            path = Path(home) / name
            files.append(path.relative_to(folder))
            with suppress(OSError):
                left -= path.lstat().st_size
            if len(files) > MOST or left < 0:
                return None
    return folders, files


def _no_links(home: str, names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if not os.path.islink(os.path.join(home, name)))
