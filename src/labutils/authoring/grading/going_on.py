"""Whom a run has graded: where it was stopped, by Ctrl+C or with the machine, the next one goes on from there."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from labutils.authoring.grading.kept import Kept

FILE = ".{}-going-on.json"  # beside the table, while a run goes on


class Done:
    """Those that the runs so far have graded of one assignment, since the last one that came to its end.

    Args:
        table: where the rows are.
        digest: an assignment and a student -> what the mark depends on; what has changed is graded again.
        kept: the files that answers must not change.
    """

    def __init__(self, table: Path, assignment: str, digest: Callable[[str, str], str], kept: Kept | None = None):
        self.file, self.assignment, self.digest = table.with_name(FILE.format(table.stem)), assignment, digest
        self.kept = Kept() if kept is None else kept

    def students(self) -> list[str]:
        """Those whose mark stands."""
        kept = self._read().get(self.assignment, {})
        return [name for name, was in kept.items() if was == self._now(name)]

    def add(self, student: str) -> None:
        """One more is graded, and the row and the feedback are written."""
        found = self._read()
        found.setdefault(self.assignment, {})[student] = self._now(student)
        self._write(found)

    def all(self) -> None:
        """The run came to its end, with all of its assignments: the next one grades all again."""
        found = self._read()
        found.pop(self.assignment, None)
        self._write(found)

    def _now(self, student: str) -> str:
        return hashlib.sha256(self.digest(self.assignment, student).encode(errors="backslashreplace")).hexdigest()

    def _read(self) -> dict[str, dict[str, str]]:
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) and all(isinstance(one, dict) for one in found.values()) else {}

    def _write(self, found: dict) -> None:
        if found:
            self.kept.write(self.file, json.dumps(found))
        else:
            self.kept.remove(self.file)
