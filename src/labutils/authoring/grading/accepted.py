"""Answers that start programs and have been read: the instructor writes them into accepted.txt, and they get points."""

from collections.abc import Collection, Iterator
from pathlib import Path

from labutils.authoring.grading.texts import composed, decoded

FILE = "accepted.txt"  # in the course: a student and an exercise on each line, as in `ada 04-merge`
Accepted = frozenset[tuple[str, str]]


def accepted(course: Path, name: str = FILE) -> Accepted:
    """Whose answer to which exercise has been read; a name may have spaces, an exercise has none."""
    path = course / name
    lines = decoded(path.read_bytes()).splitlines() if path.is_file() else []
    pairs = (line.strip().rpartition(" ") for line in lines if line.strip() and not line.startswith("#"))
    return frozenset((composed(name.strip()), exercise) for name, _, exercise in pairs)


def nobodys(found: Accepted, class_: Collection[str], exercises: Collection[str]) -> Iterator[str]:
    """A sentence for each line that is about nobody, or about no exercise."""
    for name, exercise in sorted(found):
        if name not in class_:
            yield f"{FILE}: nobody is called `{name}`. A line is a student and an exercise, as in `ada 04-merge`."
        elif exercise not in exercises:
            yield f"{FILE}: there is no exercise `{exercise}` for {name} to be accepted."
