"""What answers must not change: the table, the feedback and the tests are as this program left them, after each answer.

What was written is held here, too, so that nothing is read back that an answer could have written.
"""

import os
import shutil
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from labutils.authoring.grading.texts import write_whole


class Kept:
    """Files as they are; what has become another is noticed and put back.

    Args:
        paths: files that nobody changes while grading goes on, but through `write` and `remove`.
    """

    def __init__(self, paths: Iterable[Path] = ()):
        self.files = {path: path.read_bytes() if path.is_file() else None for path in paths}

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
                _restore(path, self.files[path])
        return changed


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
