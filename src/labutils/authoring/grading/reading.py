"""Whether an answer opens what belongs to whoever grades: tests, solutions, what others have handed in.

Python tells of each file that it opens, whichever of its functions does it, and cannot be told to stop. What another
program opens that an answer starts is not seen.
"""

import os
import sys
from collections.abc import Iterable
from types import FrameType

from labutils.exercises.forbidden import BEGINS, OF_CHECKERS

CHECKERS = os.path.join(OF_CHECKERS, "")  # which open files while an answer runs


class Opened:
    """An audit hook: whether a student's code opens anything of some folders.

    Args:
        folders: with all that is in them, none of them through a link.
    """

    def __init__(self, folders: Iterable[str]):
        self.folders = tuple(os.path.join(folder, "") for folder in folders)
        self.found = False

    def __call__(self, event: str, given: tuple) -> None:
        if event != "open" or not isinstance(given[0], str | bytes | os.PathLike):
            return
        path = os.path.realpath(os.fsdecode(given[0]))
        if path.startswith(self.folders) and _is_students(sys._getframe(1)):
            self.found = True

    def taken(self) -> bool:
        """Whether any of it was opened since this was asked the last time."""
        found, self.found = self.found, False
        return found


def _is_students(frame: FrameType | None) -> bool:
    """Whether what opens is a cell of the student's, or a function of the student's that a test calls."""
    while frame:
        if frame.f_code not in BEGINS and frame.f_code.co_filename.startswith(CHECKERS):
            return False  # to show where an error happened, or to know a copy of their own code
        if frame.f_globals.get("__name__") == "__main__" or frame.f_code in BEGINS:
            return True
        frame = frame.f_back
    return False
