"""Whether an answer opens what belongs to whoever grades: tests, solutions, what others have handed in.

Python tells of each file that it opens, whichever of its functions does it, and cannot be told to stop. What another
program opens that an answer starts is not seen.
"""

import os
import sys
from collections.abc import Iterable
from types import FrameType

from labutils.exercises.forbidden import BEGINS


class Opened:
    """An audit hook: writes down what a student's code opens of some folders.

    Args:
        folders: with all that is in them, none of them through a link.
    """

    def __init__(self, folders: Iterable[str]):
        self.folders = tuple(os.path.join(folder, "") for folder in folders)
        self.found: list[str] = []

    def __call__(self, event: str, given: tuple) -> None:
        if event != "open" or not isinstance(given[0], str | bytes | os.PathLike):
            return
        path = os.path.realpath(os.fsdecode(given[0]))
        home = next((folder for folder in self.folders if path.startswith(folder)), None)
        if home and _is_students(sys._getframe(1)):
            self.found.append(os.path.relpath(path, os.path.dirname(os.path.dirname(home))))

    def taken(self) -> list[str]:
        """What was opened since this was asked the last time, each with the name of its folder."""
        found, self.found = self.found, []
        return list(dict.fromkeys(found))


def _is_students(frame: FrameType | None) -> bool:
    """Whether what opens is a cell of the student's, or a function of the student's that a test calls."""
    while frame:
        if frame.f_globals.get("__name__") == "__main__" or frame.f_code in BEGINS:
            return True
        frame = frame.f_back
    return False
