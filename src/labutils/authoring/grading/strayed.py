"""An answer that stands in the cell of another exercise: the student is told where."""

from contextlib import suppress

from labutils.authoring.grading.assignment import Exercise, defined
from labutils.authoring.grading.messages import Verdict


def strayed(exercises: list[Exercise], code: dict[str, list[str]], found: dict[str, Verdict]) -> None:
    """Add to the verdict on an exercise in whose cells nothing of it is defined that it is in those of another."""
    homes = {one.name: _defined(code.get(one.name, [])) for one in exercises}
    for exercise in exercises:
        wanted = _own(exercise)
        if found[exercise.name].right or not wanted or wanted & homes[exercise.name] and not _untouched(exercise, code):
            continue
        other = next((one for one in exercises if one != exercise and wanted <= homes[one.name] - _own(one)), None)
        if other:
            verdict = found[exercise.name]
            verdict.said += f"\nAn answer to it stands in the cell of {other.title}. Move it into its own cell."


def _own(exercise: Exercise) -> set[str]:
    """What the cell of the exercise defines as it is handed out."""
    return set(defined(exercise.start)) & set(exercise.names)


def _untouched(exercise: Exercise, code: dict[str, list[str]]) -> bool:
    return all(cell.split() in (exercise.start.split(), []) for cell in code.get(exercise.name, []))


def _defined(cells: list[str]) -> set[str]:
    found = set()
    for cell in cells:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            found |= set(defined(cell))
    return found
