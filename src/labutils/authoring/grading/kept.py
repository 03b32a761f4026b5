"""What answers must not change: the table, the feedback and the tests are as this program left them, after each answer.

What was written is held here, too, so that nothing is read back that an answer could have written. What an instructor
writes by hand may be changed by the instructor meanwhile, so nothing of it is lost.
"""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from labutils.authoring.grading.texts import write_whole

CHANGED = ".changed"  # after the name of a file of the instructor, for what had become of it


class Kept:
    """Files as they are; what has become another is noticed and put back.

    Args:
        paths: files that nobody changes while grading goes on, but through `write` and `remove`.
        by_hand: folders of the instructor's own, and which of their files count. What has become of one of these is
            kept beside it, and one that is new stays.
        own: files of the instructor's own that may be there; one that is new is put aside, too.
    """

    def __init__(
        self, paths: Iterable[Path] = (), by_hand: Mapping[Path, str] = MappingProxyType({}), own: Iterable[Path] = ()
    ):
        self.by_hand = by_hand
        self.own = {*self._by_hand(), *own}
        self.files = {path: path.read_bytes() if path.is_file() else None for path in [*paths, *sorted(self.own)]}

    def write(self, path: Path, text: str) -> None:
        """Write a text, in place of what was there."""
        self.files[path] = text.encode("utf-8", errors="backslashreplace")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)

    def remove(self, path: Path) -> None:
        """Remove a file if it is there."""
        self.files[path] = None
        path.unlink(missing_ok=True)

    def put_back(self) -> list[Path]:
        """Put back what has been changed; returns it."""
        changed = [path for path, content in self.files.items() if not _is(path, content)]
        for path in changed:
            with suppress(OSError):  # it is named all the same, and so it is after the next answer
                if path in self.own and path.is_file() and not path.is_symlink():
                    os.replace(path, beside(path))
                _restore(path, self.files[path])
        return changed

    def added(self) -> list[Path]:
        """What is new in the folders of the instructor; it is told once."""
        new = sorted(set(self._by_hand()) - self.own)
        self.own |= set(new)
        return new

    def _by_hand(self) -> Iterator[Path]:
        for folder, pattern in self.by_hand.items():
            yield from folder.glob(pattern)


def beside(path: Path) -> Path:
    """Where what has become of a file of the instructor is kept."""
    return path.with_name(path.name + CHANGED)


def _is(path: Path, content: bytes | None) -> bool:
    """Whether a file has this content; what is no plain file, which could be waited for, is not looked into."""
    try:
        now = os.lstat(path)
        return stat.S_ISREG(now.st_mode) and now.st_size == len(content or b"") and path.read_bytes() == content
    except (FileNotFoundError, NotADirectoryError):
        return content is None
    except OSError:
        return False


def _restore(path: Path, content: bytes | None) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
