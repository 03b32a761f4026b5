"""Grade what was handed in: `make grade`, or `python -m labutils.authoring.grading 02_tokenization`."""

import argparse
import sys
from pathlib import Path

from labutils.authoring.assignments import COURSE
from labutils.authoring.grading.course import SECONDS, Course, assignments, students
from labutils.authoring.grading.limits import MEMORY, lacking
from labutils.authoring.root import refuse_root

ROOT_REFUSED = (
    "Nothing was graded, because you are root: an answer could change everything on this machine. "
    "Grade as another user, or with `make grade ALLOW_ROOT=yes` where that is no danger, as in a container."
)


def main(folder: Path = COURSE, arguments: list[str] | None = None) -> None:
    """Grade the assignments that are named, or all."""
    parser = argparse.ArgumentParser(prog="labutils.authoring.grading", description="Grade what was handed in.")
    parser.add_argument("assignments", nargs="*", help="02_tokenization, for example; all where none is named")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one exercise (default: %(default)g)")
    parser.add_argument("--memory", type=float, default=MEMORY, help="GB for one exercise (default: %(default)g)")
    parser.add_argument("--allow-root", action="store_true", help="grade even as root")
    given = parser.parse_args(arguments)
    refuse_root(ROOT_REFUSED, given.allow_root)
    known = assignments(folder)
    if not known:
        sys.exit("There is nothing to grade with yet: run `make assignments` first.")
    if unknown := set(given.assignments) - set(known):
        sys.exit(f"There is no assignment {', '.join(sorted(unknown))}. There are: {', '.join(known)}.")
    if not students(folder):
        sys.exit(f"Nobody has handed in anything: {folder / 'submitted'} is empty.")
    if lacking():
        print(lacking())
    course = Course(folder, given.seconds, given.memory)
    for assignment in given.assignments or known:
        course.grade(assignment)
    if lines := list(course.not_placed()):
        print("\n  ".join(["Here lies something that I cannot place:", *lines]))
    print(f"Grades:   {folder / 'grades.csv'}\nFeedback: {folder / 'feedback'}")


if __name__ == "__main__":
    main()
