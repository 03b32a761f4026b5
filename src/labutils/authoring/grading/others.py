"""What a student is told has nothing of what others have handed in, and no names of the class, however an answer came
by them.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.placing import Handed

PIECE = 24  # characters in a row, without spaces, that are no accident
HELD_BACK = "What your code says is held back: it has something of what others have handed in, or names of the class."
COMMENT = re.compile(r"#.*")  # where one may keep what a check has said
SHORTEST = 3  # letters of a name that is looked for
# How lines begin that say nothing of what the answer says; what it says has the kind of an error in front.
OURS = ("Your code ", "While it was tested, your code ", "It ", "But `", "You have changed a cell ", "`")


class Others:
    """A class, with all that it has handed in.

    Args:
        handed: who: what was handed in.
        names: all of the class, also those who have handed in nothing.
    """

    def __init__(self, handed: Mapping[str, Handed], names: Iterable[str]):
        self.handed = handed
        long = [name for name in names if len(name) >= SHORTEST]
        self.names = [(name, re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")) for name in long]
        self.pieces = cache(self._pieces)

    def hold_back(self, student: str, assignment: str, known: Iterable[str], found: dict[str, Verdict]) -> None:
        """Take out of verdicts what is of others, and mark these answers as to be read.

        Args:
            known: what the student has written, and what everybody was given.
        """
        said = [verdict for verdict in found.values() if verdict.said]
        if not said:
            return
        own = "\n".join(known)
        theirs = self.pieces(assignment) - set(_windows(own, 1))
        names = [(name, one) for name, one in self.names if name == student or not one.search(own)]
        for verdict in said:
            lines = "\n".join(line for line in verdict.said.splitlines() if not line.startswith(OURS))
            named = {name for name, one in names if one.search(lines)}
            if _is_telling(named, student) or not theirs.isdisjoint(_windows(lines, 1)):
                verdict.said, verdict.look = HELD_BACK, True

    def _pieces(self, assignment: str) -> frozenset[str]:
        """The code of all, cut into pieces; of a text twice as long as a piece, one of these is a whole one."""
        notebooks = [one for handed in self.handed.values() for one in handed.found.get(assignment, {}).values()]
        cells = (COMMENT.sub("", cell.source) for notebook in notebooks for cell in notebook if cell.is_code)
        return frozenset(piece for cell in cells for piece in _windows(cell, PIECE))


def _is_telling(named: Collection[str], student: str) -> bool:
    """Whether these names of the class are no accident: several, or one that is no mere word.

    >>> _is_telling({"max"}, "ada"), _is_telling({"ada", "max"}, "ada"), _is_telling({"ada.lovelace"}, "max")
    (False, True, True)
    """
    others = set(named) - {student}
    return bool(others) and (len(named) > 1 or not all(map(str.isalpha, others)))


def _windows(text: str, step: int) -> Iterable[str]:
    text = "".join(text.split())
    return (text[i : i + PIECE] for i in range(0, len(text) - PIECE + 1, step))
