"""What stands where it does not count: the student is told where, be it an answer or what an answer needs."""

import re
from contextlib import suppress

from labutils.authoring.grading.assignment import Exercise, bound, defined, statements
from labutils.authoring.grading.messages import Verdict

LACKS = re.compile(r"name '(\w+)' is not defined")
BEFORE = "Cells are run from the top to the bottom: define it above."
ELSEWHERE = (
    "You have changed a cell that was handed out; it runs as it was handed out. Your answer belongs into the cell "
    "above the check, the one that was handed out with `raise NotImplementedError`."
)
OWN = "Define it in the cell of your answer or in one of your own."


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


def missed(
    exercises: list[Exercise], code: dict[str, list[str]], rewritten: dict[str, list[str]], found: dict[str, Verdict]
) -> None:
    """Add to the verdict on an answer that lacks a name where the student has defined it, and to that on one which was
    not written what was written instead.

    Args:
        rewritten: name of an exercise -> its cells that were handed out, as the student has changed them.
    """
    replaced = set().union(*(bound(cell) for cells in rewritten.values() for cell in cells))
    for i, exercise in enumerate(exercises):
        verdict = found[exercise.name]
        names = [] if verdict.right else LACKS.findall(verdict.said)
        cells = code.get(exercise.name, [])
        unwritten = _untouched(exercise, code)
        there = rewritten.get(exercise.name) and (unwritten or not _defined(cells))
        if not verdict.right and (there or unwritten and replaced & set(exercise.asked)):
            verdict.said += f"\n{ELSEWHERE}"
        if not verdict.right:
            verdict.said += _again(exercise, exercises[i + 1 :], code)
        for name in dict.fromkeys(names):
            below = (one for one in exercises[i + 1 :] if any(name in bound(cell) for cell in code.get(one.name, [])))
            if home := next(below, None):
                verdict.said += f"\n`{name}` is defined further down, at {home.title}. {BEFORE}"
            elif name in replaced:
                verdict.said += (
                    f"\n`{name}` is defined in a cell that was handed out; graded is with that as it was. {OWN}"
                )


def _again(exercise: Exercise, below: list[Exercise], code: dict[str, list[str]]) -> str:
    """A line for an answer that is defined again where it comes too late, as in a cell at the bottom."""
    mine = set(exercise.asked) & _defined(code.get(exercise.name, []))
    for other in below:
        if twice := sorted((mine - set(other.names)) & _defined(code.get(other.name, []))):
            return (
                f"\n`{twice[0]}` is defined again further down, at {other.title}. That comes too late: it is tested "
                "before. Move it into its own cell."
            )
    return ""


def _own(exercise: Exercise) -> set[str]:
    """What the cell of the exercise defines as it is handed out."""
    return set(defined(exercise.start)) & set(exercise.names)


def _untouched(exercise: Exercise, code: dict[str, list[str]]) -> bool:
    start = statements(exercise.start)
    return all(statements(cell) in (start, []) for cell in code.get(exercise.name, []))


def _defined(cells: list[str]) -> set[str]:
    found = set()
    for cell in cells:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            found |= set(defined(cell))
    return found
