"""Grade what was handed in: `make grade`, or `python -m labutils.authoring.grading 02_tokenization`."""

import signal

if __name__ == "__main__":  # before all that takes time: Ctrl+C while it loads ends it without a traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path
from time import monotonic

from labutils.authoring.assignments import COURSE, PRIVATE
from labutils.authoring.grading.course import SECONDS, Course, assignments, cores, students
from labutils.authoring.grading.limits import MEMORY, lacking
from labutils.authoring.grading.marks import join
from labutils.authoring.grading.one_run import AtWork, one_run
from labutils.authoring.grading.pace import of_all
from labutils.authoring.grading.processes import STOP, sweep
from labutils.authoring.root import refuse_root
from labutils.places import EXERCISES

ROOT_REFUSED = (
    "Nothing was graded, because you are root: an answer could change everything on this machine. "
    "Grade as another user, or with `make grade ALLOW_ROOT=yes` where that is no danger, as in a container."
)

BY_HAND = {PRIVATE: "*.py", EXERCISES: "*.ipynb"}  # what `make assignments` reads
STOPPED = "\nStopped. What was graded is in grades.csv; the same command goes on from there."


def main(folder: Path = COURSE, arguments: list[str] | None = None) -> None:
    """Grade the assignments that are named, or all."""
    given = _given(arguments)
    if given.join:
        try:
            print(f"Grades:   {join(folder, students(folder))}")
        except ValueError as error:
            sys.exit(str(error))
        return
    refuse_root(ROOT_REFUSED, given.allow_root)
    try:
        _run(folder, given)
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def _given(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="labutils.authoring.grading", description="Grade what was handed in.")
    parser.add_argument("assignments", nargs="*", help="02_tokenization, for example; all where none is named")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for one exercise (default: %(default)g)")
    parser.add_argument("--memory", type=float, default=MEMORY, help="GB for one exercise (default: %(default)g)")
    parser.add_argument("--jobs", type=int, default=cores(), help="students graded at once (default: the cores here)")
    parser.add_argument(
        "--part", type=_part, default=(0, 1), metavar="I/N", help="only part I of N of the class, counted from 0"
    )
    parser.add_argument("--join", action="store_true", help="grade nothing, put the tables of the parts together")
    parser.add_argument("--allow-root", action="store_true", help="grade even as root")
    return parser.parse_args(arguments)


def _run(folder: Path, given: argparse.Namespace) -> None:
    known = assignments(folder)
    if not known:
        sys.exit(
            f"Nothing was graded, because {folder / 'source'} has no assignment yet. `make assignments` writes the "
            "exercises there, with their tests: run it, then grade again."
        )
    if unknown := set(given.assignments) - set(known):
        sys.exit(f"There is no assignment {', '.join(sorted(unknown))}. There are: {', '.join(known)}.")
    try:
        if not students(folder):
            sys.exit(f"Nobody has handed in anything: {folder / 'submitted'} is empty.")
    except ValueError as error:
        sys.exit(str(error))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # of a name that a screen or a file on Windows cannot write
    if lacking():
        print(lacking())
    begun = monotonic()
    try:
        with nullcontext() if given.part[1] > 1 else one_run(folder):  # a part has a table of its own
            course = _graded(folder, given, given.assignments or known)
    except AtWork as error:
        sys.exit(str(error))
    if lines := list(course.not_placed()):
        print("\n  ".join(["Here lies something that I cannot place:", *lines]))
    print(f"Time:     {of_all(len(course.handed), course.submissions, monotonic() - begun)}")
    read = course.to_read()
    rows = f", {read} row{'s' * (read > 1)} to read: the column `read` says why" if read else ""
    print(f"Grades:   {course.table}{rows}\nFeedback: {folder / 'feedback'}")


def _graded(folder: Path, given: argparse.Namespace, names: list[str]) -> Course:
    sweep()
    STOP.clear()
    course = Course(folder, given.seconds, given.memory, max(1, given.jobs), given.part, BY_HAND)
    for line in course.unknown:
        print(line)
    for assignment in names:
        course.grade(assignment)
    course.end(names)
    return course


def _part(text: str) -> tuple[int, int]:
    """
    >>> _part("0/2")
    (0, 2)
    """
    i, _, n = text.partition("/")
    if not (i.isdigit() and n.isdigit() and int(i) < int(n)):
        raise argparse.ArgumentTypeError(f"{text!r} is no part: write 0/2 for the first of two, 1/2 for the second.")
    return int(i), int(n)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
