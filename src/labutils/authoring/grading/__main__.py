"""Grade what was handed in: `make grade`, or `python -m labutils.authoring.grading 02_tokenization`."""

import argparse
import sys
from pathlib import Path

from labutils.authoring import notebooks
from labutils.authoring.assignments import COURSE
from labutils.authoring.grading.assignment import Exercise, exercises, owners
from labutils.authoring.grading.handed_in import NotGradable, code_of, read
from labutils.authoring.grading.marks import (
    NOT_GRADABLE,
    NOT_SUBMITTED,
    Mark,
    on_screen,
    worth,
    write_feedback,
    write_grades,
)
from labutils.authoring.grading.processes import verdicts

SECONDS = 60.0


def students(course: Path) -> list[str]:
    """The class: the lines of students.txt, and whoever has handed in anything."""
    listed = course / "students.txt"
    names = listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []
    handed_in = [path.name for path in (course / "submitted").glob("*") if path.is_dir()]
    return sorted({name.strip() for name in [*names, *handed_in]} - {""})


def grade(course: Path, assignment: str, seconds: float = SECONDS) -> list[Mark]:
    """Grade one assignment of a class; writes grades.csv and feedback/, prints a line for each student."""
    source = notebooks.read(course / "source" / assignment / f"{assignment}.ipynb")
    tests, belongs = exercises(source), owners(source)
    print(f"{assignment}, {worth(tests):g} points", flush=True)
    found = []
    for student in students(course):
        path = course / "submitted" / student / assignment / f"{assignment}.ipynb"
        mark = mark_of(student, path, tests, belongs, seconds)
        found.append(mark)
        print(f"  {on_screen(mark, tests)}", flush=True)
        write_feedback(course / "feedback" / student / f"{assignment}.md", mark, tests)
    write_grades(course / "grades.csv", assignment, found, tests)
    return found


def mark_of(student: str, path: Path, tests: list[Exercise], belongs: dict[str, str], seconds: float) -> Mark:
    """The mark for what one student has handed in.

    Args:
        belongs: name of each cell that was handed out -> its exercise.
    """
    if not path.exists():
        return Mark(student, NOT_SUBMITTED)
    try:
        code = code_of(read(path), belongs)
    except NotGradable as error:
        return Mark(student, NOT_GRADABLE, str(error))
    return Mark(student, verdicts=verdicts(tests, code, path.parent, seconds))


def main(course: Path = COURSE, arguments: list[str] | None = None) -> None:
    """Grade the assignments that are named, or all."""
    parser = argparse.ArgumentParser(prog="labutils.authoring.grading", description="Grade what was handed in.")
    parser.add_argument("assignments", nargs="*", help="02_tokenization, for example; all where none is named")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one exercise (default: %(default)g)")
    chosen = parser.parse_args(arguments)
    known = sorted(path.name for path in (course / "source").glob("*"))
    if not known:
        sys.exit("There is nothing to grade with yet: run `make assignments` first.")
    if unknown := set(chosen.assignments) - set(known):
        sys.exit(f"There is no assignment {', '.join(sorted(unknown))}. There are: {', '.join(known)}.")
    if not students(course):
        sys.exit(f"Nobody has handed in anything: {course / 'submitted'} is empty.")
    for assignment in chosen.assignments or known:
        grade(course, assignment, chosen.seconds)
    print(f"Grades:   {course / 'grades.csv'}\nFeedback: {course / 'feedback'}")


if __name__ == "__main__":
    main()
