"""Exercises for a course: `python -m labutils.authoring.assignments`, or `make assignments`.

Writes into course/, which git ignores:

    release/     what students get, without solutions and hidden tests
    self-study/  the same with folded hints and solutions, as the site has it
    source/      what is graded with: solutions, hidden tests, and your own from private/

Your own hidden tests are files private/<exercise>.py, for example private/02-pairs.py: lines of Python that use
what the student has written and raise an error (an `assert`) where it is wrong. private/ is ignored by git too. Each is
tried on the book's own solution, which a right test accepts.

Put what students hand in under course/submitted/<student>/04_attention/04_attention.ipynb; `make grade` grades it
(labutils.authoring.grading). The folders and the marks of cells are compatible with nbgrader; nothing here uses it.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from labutils.authoring import notebooks
from labutils.authoring.arguments import given
from labutils.authoring.self_study import exercise_checked, self_study, student, with_private
from labutils.places import EXERCISES, ROOT

SECONDS = 60.0  # of a processor, for one solution
COURSE = ROOT / "course"
PRIVATE = ROOT / "private"
NO_BOOK = (
    "Nothing was written: the exercises are notebooks of the book, and this labutils was installed without it. "
    "Get the whole book and run `make assignments` there."
)


def private_tests(folder: Path) -> dict[str, str]:
    """Name of an exercise -> an instructor's own tests for it; none where there is no such folder."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}


def prepare(exercises: Path = EXERCISES, course: Path = COURSE, private: Path = PRIVATE) -> list[str]:
    """Write release/, self-study/ and source/; returns the names of the assignments.

    Raises ValueError where a test in `private` is for no exercise, or is not Python.
    """
    tests = private_tests(private)
    sources = {path.stem: notebooks.read(path) for path in sorted(exercises.glob("*.ipynb"))}
    known = {exercise_checked(cell) for source in sources.values() for cell in source.cells} - {""}
    for unknown in set(tests) - known:
        raise ValueError(f"private/{unknown}.py is for no exercise. There are: {', '.join(sorted(known))}.")
    for name, source in sources.items():
        _put(course / "release" / name / f"{name}.ipynb", student(source))
        _put(course / "self-study" / f"{name}.ipynb", self_study(source))
        _put(course / "source" / name / f"{name}.ipynb", with_private(source, tests))
    return list(sources)


def refused(course: Path = COURSE, private: Path = PRIVATE) -> list[str]:
    """A sentence for each of the instructor's own tests that refuses the book's own solution."""
    from labutils.authoring.grading.assignment import exercises  # grading reads what is written here
    from labutils.authoring.grading.processes import verdicts

    found, own = [], set(private_tests(private))
    for path in sorted((course / "source").glob("*/*.ipynb")):
        source = notebooks.read(path)
        tests = exercises(source)
        if not own & {one.name for one in tests}:
            continue
        cells = {cell.id: cell.source for cell in source.cells}
        with TemporaryDirectory() as place:
            said = verdicts(
                tests, {one.name: [cells[one.name]] for one in tests} | {"": []}, Path(place), seconds=SECONDS
            )
        found += [
            f"private/{name}.py refuses the book’s own solution: {said[name].said}"
            for name in said
            if name in own and not said[name].right
        ]
    return found


def _put(path: Path, notebook) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    notebooks.write(path, notebook)


def main() -> None:
    """Write the assignments and say where they are."""
    if not any(EXERCISES.glob("*.ipynb")):
        sys.exit(NO_BOOK)
    try:
        prepare()
    except ValueError as error:
        sys.exit(str(error))
    if wrong := refused():
        sys.exit("\n".join(["Nobody can pass: mend this, and run `make assignments` again.", *wrong]))
    print(f"For students:   {COURSE / 'release'}\nFor self-study: {COURSE / 'self-study'}")


if __name__ == "__main__":
    given(__doc__)
    main()
