"""A course: what its class has handed in, and what each student gets for it."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from labutils.authoring import notebooks
from labutils.authoring.grading.assignment import exercises, owners
from labutils.authoring.grading.handed_in import NotGradable, code_of
from labutils.authoring.grading.limits import MEMORY
from labutils.authoring.grading.marks import (
    NOT_GRADABLE,
    NOT_SUBMITTED,
    Mark,
    on_screen,
    worth,
    write_feedback,
    write_grades,
)
from labutils.authoring.grading.placing import handed_in
from labutils.authoring.grading.processes import verdicts

SECONDS = 60.0


def cores() -> int:
    """How many answers may run at once: the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def assignments(course: Path) -> list[str]:
    """The assignments that can be graded."""
    return sorted(path.name for path in (course / "source").glob("*"))


def students(course: Path) -> list[str]:
    """The class: the lines of students.txt, and whoever has handed in anything."""
    listed = course / "students.txt"
    names = listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []
    handed_in = [path.name for path in (course / "submitted").glob("*") if path.is_dir()]
    return sorted({name.strip() for name in [*names, *handed_in]} - {""})


class Course:
    """A course with all that was handed in; it is read before any answer runs, so that an answer can remove nothing.

    Args:
        folder: has source/, submitted/ and, if the instructor likes, students.txt.
        seconds: of a processor, what one exercise may take.
        memory: GB that it may take.
        jobs: how many students' answers run at once.
        part: (i, n) for the i-th of n parts of the class, counted from 0; its rows go to a table of their own, which
            `join` puts together with the others.
    """

    def __init__(
        self,
        folder: Path,
        seconds: float = SECONDS,
        memory: float = MEMORY,
        jobs: int = 1,
        part: tuple[int, int] = (0, 1),
    ):
        self.folder, self.submitted, self.jobs = folder, folder / "submitted", jobs
        self.table = folder / ("grades.csv" if part[1] == 1 else f"grades-{part[0]}-of-{part[1]}.csv")
        self.tried = partial(verdicts, seconds=seconds, memory=memory)
        sources = {name: notebooks.read(folder / "source" / name / f"{name}.ipynb") for name in assignments(folder)}
        self.tests = {name: exercises(source) for name, source in sources.items()}
        self.owners = {name: owners(source) for name, source in sources.items()}
        answers = {name: [one.name for one in tests] for name, tests in self.tests.items()}
        self.handed = {name: handed_in(self.submitted / name, answers) for name in students(folder)[part[0] :: part[1]]}

    def grade(self, assignment: str) -> list[Mark]:
        """Grade one assignment of the class; writes grades.csv and feedback/, prints a line for each student."""
        tests, found = self.tests[assignment], []
        print(f"{assignment}, {worth(tests):g} points", flush=True)
        with ThreadPoolExecutor(self.jobs) as pool:
            for mark, gone in pool.map(partial(self._watched, assignment), self.handed):
                found.append(mark)
                print(f"  {on_screen(mark, tests)}", flush=True)
                if gone:
                    whose = "THIS ANSWER" if self.jobs == 1 else "THIS ANSWER, OR ONE THAT RAN BESIDE IT,"
                    print(f"    {whose} REMOVED {', '.join(gone)}: put back your own copy.", flush=True)
                write_feedback(self.folder / "feedback" / mark.student / f"{assignment}.md", mark, tests)
        write_grades(self.table, assignment, found, tests)
        return found

    def _watched(self, assignment: str, student: str) -> tuple[Mark, list[str]]:
        """The mark of one student, and what is no longer there after it."""
        files = self._files()
        mark = self.mark(student, assignment)
        return mark, [path.relative_to(self.submitted).as_posix() for path in files if not path.exists()]

    def mark(self, student: str, assignment: str) -> Mark:
        """The mark for what one student has handed in."""
        handed, belongs = self.handed[student], self.owners[assignment]
        try:
            chosen = handed.chosen(assignment, belongs)
        except NotGradable as error:
            return Mark(student, NOT_GRADABLE, str(error))
        if chosen is None:
            return Mark(student, NOT_SUBMITTED)
        path, notebook = chosen
        where = "" if path == handed.own_place(assignment) else handed.name(path)
        found = self.tried(self.tests[assignment], code_of(notebook, belongs), path.parent)
        return Mark(student, where=where, verdicts=found)

    def not_placed(self) -> Iterator[str]:
        """A line for each file that is graded as nothing."""
        for path in sorted(self.submitted.glob("*")):
            if path.is_file() and not path.name.startswith("."):
                yield f"{path.name}: it lies in no student's folder"
        for student, handed in self.handed.items():
            yield from (f"{student}/{line}" for line in handed.not_placed(self.tests))

    def _files(self) -> list[Path]:
        return [path for path in self.submitted.rglob("*") if path.is_file()]
