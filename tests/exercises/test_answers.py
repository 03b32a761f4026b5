"""Each exercise: its solution passes its check, the untouched start does not, and each known mistake is named."""

import nbformat
import pytest
from exercises.wrong_02 import WRONG as WRONG_02
from exercises.wrong_04 import WRONG as WRONG_04

from labutils.authoring import notebooks
from labutils.authoring.assignments import EXERCISES
from labutils.authoring.self_study import solutions, student
from labutils.exercises.checking import NotYet

SOURCES = {path.stem[:2]: notebooks.read(path) for path in sorted(EXERCISES.glob("*.ipynb"))}
ALL = [cell.id for source in SOURCES.values() for cell in solutions(source)]


def run(notebook: nbformat.NotebookNode, exercise: str, answer: str | None = None) -> None:
    """Run what is given, the answer (the notebook's own if there is none) and the check, as a reader does."""
    names = {}
    for cell in notebook.cells:
        role = cell.metadata.get("nbgrader", {})
        given = role and not role["solution"] and not role["grade"]
        if given or cell.id in (exercise, f"{exercise}-check"):
            exec(answer if answer and cell.id == exercise else cell.source, names)


@pytest.mark.parametrize("exercise", ALL)
def test_the_solution_passes(exercise):
    run(SOURCES[exercise[:2]], exercise)


@pytest.mark.parametrize("exercise", ALL)
def test_the_untouched_start_is_told_that_it_is_not_written_yet(exercise):
    with pytest.raises(NotYet, match="is not written yet"):
        run(student(SOURCES[exercise[:2]]), exercise)


@pytest.mark.parametrize("exercise, mistake, words, code", WRONG_02 + WRONG_04, ids=lambda value: None if "\n" in value else value)
def test_the_mistake_is_named(exercise, mistake, words, code):
    start = next(cell.source for cell in SOURCES[exercise[:2]].cells if cell.id == exercise)
    imports = "\n".join(line for line in start.splitlines() if line.startswith(("import ", "from ")))
    with pytest.raises(NotYet, match=words):
        run(SOURCES[exercise[:2]], exercise, f"{imports}\n{code}")
