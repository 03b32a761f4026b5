"""Whose answer has changed what is not its own: one is named where that is known, and several where it is not."""

from collections.abc import Callable, Collection, Iterator

Line = tuple[bool, str]  # whether who did it stands in front, and what is said


class Culprits:
    """Changes that were found while answers ran side by side.

    Args:
        note: is told the name of each student who may have done it, and the line that says so.
    """

    def __init__(self, note: Callable[[str, str], object] = lambda student, line: None):
        self.note = note
        self.waiting: list[tuple[frozenset[str], list[Line]]] = []
        self.ended: dict[str, bool] = {}  # who: whether the answer was seen to do such a thing

    def found(self, lines: list[Line], at_work: Collection[str]) -> None:
        """Changes, and those whose answers ran since there were none."""
        if lines:
            self.waiting.append((frozenset(at_work), lines))

    def graded(self, student: str, wrote: bool) -> Iterator[str]:
        """The answer of a student has ended; the lines that can be said now, below the one of this student."""
        self.ended[student] = self.ended.get(student, False) or wrote
        for one in [*self.waiting]:
            at_work, lines = one
            if seen := {name for name in at_work if self.ended.get(name)}:
                at_work = seen
            elif not at_work <= self.ended.keys():
                continue
            self.waiting.remove(one)
            yield from self._said(lines, at_work, "THIS ANSWER" if at_work == {student} else whose(at_work))

    def rest(self) -> Iterator[str]:
        """What was not said, because grading was stopped."""
        for at_work, lines in self.waiting:
            yield from self._said(lines, at_work, whose(at_work))
        self.waiting, self.ended = [], {}

    def _said(self, lines: list[Line], at_work: Collection[str], who: str) -> Iterator[str]:
        """The lines with who did it, which is noted."""
        for named, line in lines:
            whole = f"{who} {line}" if named else line
            for student in at_work if named else ():
                self.note(student, whole)
            yield whole


def whose(students: Collection[str]) -> str:
    """
    >>> whose({"bob"}), whose({"bob", "ada"})
    ('THE ANSWER OF bob', 'ONE OF THE ANSWERS OF ada, bob')
    """
    names = ", ".join(sorted(students))
    return f"ONE OF THE ANSWERS OF {names}" if len(students) > 1 else f"THE ANSWER OF {names}" if names else "AN ANSWER"
