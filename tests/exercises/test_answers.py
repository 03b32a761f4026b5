"""Each exercise: its solution passes its check, the untouched start does not, and each known mistake is named."""

import linecache

import nbformat
import pytest
from exercises.wrong_02 import WRONG as WRONG_02
from exercises.wrong_04 import WRONG as WRONG_04

from labutils.authoring import notebooks
from labutils.authoring.self_study import solutions, student
from labutils.exercises.checking import NotYet
from labutils.places import EXERCISES

SOURCES = {path.stem[:2]: notebooks.read(path) for path in sorted(EXERCISES.glob("*.ipynb"))}
ALL = [cell.id for source in SOURCES.values() for cell in solutions(source)]


def run(notebook: nbformat.NotebookNode, exercise: str, answer: str | None = None) -> None:
    """Run what is given, the answer (the notebook's own if there is none) and the check, as a reader does."""
    names = {}
    for cell in notebook.cells:
        if cell.id == "imports" or cell.id.startswith(exercise) and "nbgrader" in cell.metadata:
            code = answer if answer and cell.id == exercise else cell.source
            linecache.cache[cell.id] = len(code), None, code.splitlines(keepends=True), cell.id  # as a notebook does
            exec(compile(code, cell.id, "exec"), names)


@pytest.mark.parametrize("exercise", ALL)
def test_the_solution_passes(exercise):
    run(SOURCES[exercise[:2]], exercise)


@pytest.mark.parametrize("exercise", ALL)
def test_the_untouched_start_is_told_that_it_is_not_written_yet(exercise):
    with pytest.raises((NotYet, NotImplementedError), match="is not written yet|Your turn"):
        run(student(SOURCES[exercise[:2]]), exercise)


MISTAKES = [
    pytest.param(exercise, words, code, id=f"{exercise}: {name}") for exercise, name, words, code in WRONG_02 + WRONG_04
]


@pytest.mark.filterwarnings("ignore:The use of .x.T.")  # one of the mistakes
@pytest.mark.parametrize("exercise, words, code", MISTAKES)
def test_the_mistake_is_named(exercise, words, code):
    start = next(cell.source for cell in SOURCES[exercise[:2]].cells if cell.id == exercise)
    imports = "\n".join(line for line in start.splitlines() if line.startswith(("import ", "from ")))
    with pytest.raises(NotYet, match=words):
        run(SOURCES[exercise[:2]], exercise, f"{imports}\n{code}")
