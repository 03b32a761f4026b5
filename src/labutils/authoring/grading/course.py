"""A course: what its class has handed in, and what each student gets for it."""

from collections.abc import Iterator
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
        seconds: what one exercise may take.
        memory: GB that it may take.
    """

    def __init__(self, folder: Path, seconds: float = SECONDS, memory: float = MEMORY):
        self.folder, self.submitted = folder, folder / "submitted"
        self.tried = partial(verdicts, seconds=seconds, memory=memory)
        sources = {name: notebooks.read(folder / "source" / name / f"{name}.ipynb") for name in assignments(folder)}
        self.tests = {name: exercises(source) for name, source in sources.items()}
        self.owners = {name: owners(source) for name, source in sources.items()}
        answers = {name: [one.name for one in tests] for name, tests in self.tests.items()}
        self.handed = {name: handed_in(self.submitted / name, answers) for name in students(folder)}

    def grade(self, assignment: str) -> list[Mark]:
        """Grade one assignment of the class; writes grades.csv and feedback/, prints a line for each student."""
        tests, found = self.tests[assignment], []
        print(f"{assignment}, {worth(tests):g} points", flush=True)
        for student in self.handed:
            files = self._files()
            mark = self.mark(student, assignment)
            found.append(mark)
            print(f"  {on_screen(mark, tests)}", flush=True)
            if gone := [path.relative_to(self.submitted).as_posix() for path in files if not path.exists()]:
                print(f"    THIS ANSWER REMOVED {', '.join(gone)}: put back your own copy.", flush=True)
            write_feedback(self.folder / "feedback" / student / f"{assignment}.md", mark, tests)
        write_grades(self.folder / "grades.csv", assignment, found, tests)
        return found

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
