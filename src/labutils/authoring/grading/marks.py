"""What a class gets: grades.csv, a line for each student on the screen, and feedback for each student."""

import csv
import io
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from labutils.authoring.grading.assignment import Exercise
from labutils.authoring.grading.kept import Kept
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.texts import composed, plain, table, write_whole
from labutils.authoring.grading.to_read import reasons

GRADED, NOT_GRADABLE, NOT_SUBMITTED = "graded", "not gradable", "not submitted"
COLUMNS = ("assignment", "student", "status", "points", "of")
READ = "read"  # the last column: what the instructor has to read, and why
WAITS = (
    "Your code starts another program, here or in an exercise above. So there are no points until whoever grades has "
    "read it."
)
Writing = Callable[[Path, str], None]
PART = re.compile(r"grades-(\d+)-of-(\d+)\.csv")


@dataclass(frozen=True)
class Mark:
    """One student's assignment.

    Attributes:
        student: the name of the folder.
        status: graded, not gradable or not submitted; only what is graded has points, be it 0.
        why: of what is not gradable.
        where: the file that was graded, if it is not the one that was asked for.
        others: notebooks of the assignment that were not graded, in words, where the answers in them are others.
        beside: what else the student should know, in a sentence.
        verdicts: name of an exercise -> the verdict on it.
        name: what is odd about the student's name, in words.
        accepted: exercises whose answers start a program and have been read.
        notes: what may have been done by this answer and was put back, in sentences; it is found later.
    """

    student: str
    status: str = GRADED
    why: str = ""
    where: str = ""
    others: str = ""
    beside: str = ""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    name: str = ""
    accepted: frozenset[str] = frozenset()
    notes: list[str] = field(default_factory=list)

    def points(self, exercises: list[Exercise]) -> dict[str, float]:
        """Name of an exercise -> points; empty where nothing was graded."""
        if self.status != GRADED:
            return {}
        waits = self.waits(exercises)
        return {one.name: one.points * (self.verdicts[one.name].right and one.name not in waits) for one in exercises}

    def waits(self, exercises: list[Exercise]) -> set[str]:
        """Exercises that get no points until an answer was read: one that starts a program which can do anything, and
        all below it, which can use what that has found.
        """
        begins = [one.name in self.verdicts and self.verdicts[one.name].waits for one in exercises]
        begins = [found and one.name not in self.accepted for found, one in zip(begins, exercises)]
        return {one.name for i, one in enumerate(exercises) if any(begins[: i + 1])}

    def reasons(self, exercises: list[Exercise]) -> list[str]:
        """Why it has to be read, and what is odd about the student's name."""
        said = reasons(self.student, self.verdicts, self.accepted, exercises)
        return [*said, *filter(None, [self.name])]

    def read(self, exercises: list[Exercise]) -> str:
        """What is to be read, and why: nothing for most."""
        return _joined(self.why, self.others, *self.reasons(exercises), *dict.fromkeys(self.notes))

    def wrote(self) -> bool:
        """Whether an answer was seen to change or remove what is not its own."""
        return any(verdict.wrote for verdict in self.verdicts.values())


def worth(exercises: list[Exercise]) -> float:
    """What an assignment is worth."""
    return sum(one.points for one in exercises)


def in_points(number: float) -> str:
    """
    >>> in_points(1), in_points(2.5)
    ('1 point', '2.5 points')
    """
    return f"{number:g} point{'s' * (number != 1)}"


def on_screen(mark: Mark, exercises: list[Exercise]) -> str:
    """The line for one student."""
    points = mark.points(exercises)
    said = in_points(sum(points.values())) if points else ": ".join(filter(None, (mark.status, mark.why)))
    if mark.where:
        said += f", found as {mark.where}"
    if mark.others:
        said += f" ({mark.others})"
    reasons = mark.reasons(exercises)
    said = _joined(said, *reasons) if mark.why else ", ".join([said, *reasons])
    return f"{plain(mark.student):<24} {said}"


def _joined(*said: str) -> str:
    """Sentences and parts of such, of which the last alone ends as it does.

    >>> _joined("It is empty.", "", "not in students.txt")
    'It is empty; not in students.txt'
    """
    *first, last = list(filter(None, said)) or [""]
    return "; ".join([*(one.removesuffix(".") for one in first), last])


def write_grades(
    path: Path,
    assignment: str,
    marks: Iterable[Mark],
    exercises: list[Exercise],
    kept: Iterable[dict] = (),
    before: list[dict] | None = None,
    write: Writing = write_whole,
) -> list[dict]:
    """Write the rows of one assignment into a table, in place of those that it had; other assignments' rows stay.

    Points are empty where there are none: for what was not submitted, and for what could not be graded.

    Args:
        kept: rows of the assignment that stay as they are.
        before: all rows that the table had; without them it is read.
        write: takes the file and its text.

    Returns:
        All rows that the table has now.
    """
    before = rows_of(path) if before is None else before
    rows = [row for row in before if row["assignment"] != assignment] + list(kept)
    for mark in marks:
        points = mark.points(exercises)
        total = f"{sum(points.values()):g}" if points else ""
        values = (assignment, plain(mark.student), mark.status, total, f"{worth(exercises):g}")
        each = {name: f"{value:g}" for name, value in points.items()}
        rows.append(dict(zip(COLUMNS, values)) | each | {READ: plain(mark.read(exercises))})
    _write(path, rows, [one.name for one in exercises], write)
    return rows


def join(folder: Path, class_: Iterable[str] = ()) -> Path:
    """Put the tables of all parts of a class into its grades.csv, in place of the rows that were there of the same
    assignments; the parts go.

    Args:
        class_: those who have to be in the parts, all of them where there is one.

    Raises:
        ValueError: names the part that is missing, or the student who is in none or in two.
    """
    found = {path: PART.fullmatch(path.name) for path in sorted(folder.glob("grades-*-of-*.csv"))}
    parts = {path: (int(named[1]), int(named[2])) for path, named in found.items() if named}
    if not parts:
        raise ValueError(f"{folder} has no tables of parts, such as grades-0-of-2.csv: grade with --part first.")
    size = max(of for _, of in parts.values())
    if other := [path.name for path, (_, of) in parts.items() if of != size]:
        raise ValueError(f"There are {size} parts, and {', '.join(other)} is of another number: remove what is older.")
    if missing := sorted(set(range(size)) - {i for i, _ in parts.values()}):
        raise ValueError(f"Of {size} parts these are not graded yet: {', '.join(map(str, missing))}.")
    rows = [row for path in parts for row in rows_of(path)]
    graded = dict.fromkeys(row["assignment"] for row in rows)
    for assignment in graded:
        _all_once(assignment, [row["student"] for row in rows if row["assignment"] == assignment], class_)
    _write(
        folder / "grades.csv", rows + [row for row in rows_of(folder / "grades.csv") if row["assignment"] not in graded]
    )
    for path in parts:
        path.unlink()
    return folder / "grades.csv"


def _all_once(assignment: str, graded: list[str], class_: Iterable[str]) -> None:
    """Raises ValueError where a student is in no part, as while one is graded, or in two: the class has changed."""
    if missing := [name for name in map(plain, class_) if name not in graded]:
        raise ValueError(
            f"{assignment}: {_few(missing)} is in no part. Is one at work, or was it stopped? Then let it end. "
            "Has the class grown since? Then grade all parts again."
        )
    if twice := sorted({name for name in graded if graded.count(name) > 1}):
        raise ValueError(f"{assignment}: {_few(twice)} is in two parts: the class has changed. Grade all parts again.")


def _few(names: list[str]) -> str:
    return names[0] + (f", with {len(names) - 1} more," if names[1:] else "")


def _write(path: Path, rows: list[dict], exercises: Iterable[str] = (), write: Writing = write_whole) -> None:
    rows.sort(key=lambda row: (row["assignment"], row["student"]))
    columns = dict.fromkeys([*COLUMNS, *(name for row in rows for name in row), *exercises])
    columns.pop(READ, None)
    text = io.StringIO(newline="")
    written = csv.DictWriter(text, [*columns, READ], restval="")
    written.writeheader()
    written.writerows(rows)
    write(path, text.getvalue())


def rows_of(path: Path) -> list[dict]:
    """The rows of a table of grades, as this program or a spreadsheet wrote it; what is no such table is kept aside."""
    rows = table(path)
    if rows and not {"assignment", "student"} <= rows[0].keys():
        os.replace(path, path.with_name(f"{path.stem}-before.csv"))
        return []
    return [row | {"student": composed(row["student"])} for row in rows]


def write_feedback(path: Path, mark: Mark, exercises: list[Exercise], kept: Kept) -> None:
    """Write what a student is told, in place of what was there; nothing where nothing was submitted."""
    if mark.status == NOT_SUBMITTED:
        kept.remove(path)
    else:
        kept.write(path, feedback(path.stem, mark, exercises))


def feedback(assignment: str, mark: Mark, exercises: list[Exercise]) -> str:
    """What a student is told, in Markdown."""
    total = f"{sum(mark.points(exercises).values()):g} of {worth(exercises):g} points."
    lines = [f"# {assignment}: {plain(mark.student)}", "", mark.why or total]
    if mark.where:
        lines += ["", f"Graded was `{mark.where}`; it belongs to `{assignment}/{assignment}.ipynb`."]
    if mark.others:
        lines += ["", f"Beside it lies {mark.others}."]
    if mark.beside:
        lines += ["", mark.beside]
    for exercise in exercises if mark.status == GRADED else ():
        verdict = mark.verdicts[exercise.name]
        waits = verdict.right and exercise.name in mark.waits(exercises)
        got = f"{exercise.points * (verdict.right and not waits):g} of {exercise.points:g}"
        said = "\n".join([*verdict.held, *filter(None, [verdict.said or "All tests pass.", WAITS * waits])])
        lines += ["", f"## {exercise.title}: {got}", "", f"~~~text\n{said}\n~~~"]
    return "\n".join(lines) + "\n"
