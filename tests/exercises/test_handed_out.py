"""What a sheet hands out runs as it was handed out, in front of the answer that stands below it."""

import pytest
from exercises.classroom import assignment, changed, marks
from nbformat.v4 import new_code_cell

from labutils.authoring import notebooks
from labutils.authoring.grading.assignment import bound, exercises
from labutils.authoring.grading.processes import verdicts
from labutils.places import EXERCISES

SHEETS = sorted(EXERCISES.glob("*.ipynb"))


def handed_out(source):
    """Name of each exercise -> the names that the cells between the last check and its answer define or import."""
    found, current = {}, set()
    for cell in source.cells:
        given = cell.get("metadata", {}).get("nbgrader", {})
        if given.get("solution"):
            found[cell.id], current = current, set()
        elif cell.cell_type == "code" and not given.get("grade"):
            current |= bound(cell.source)
    return found


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_an_answer_may_use_what_the_cells_above_it_define(path, tmp_path):
    """Right answers that first name all of it."""
    source = notebooks.read(path)
    tests, cells, above = exercises(source), {cell.id: cell.source for cell in source.cells}, handed_out(source)
    code = {one.name: [f"{'; '.join(sorted(above[one.name]))}\n{cells[one.name]}"] for one in tests}
    assert any(above.values())
    found = verdicts(tests, code, tmp_path, seconds=60)
    assert {name: verdict.said for name, verdict in found.items() if verdict.said} == {}


def test_an_answer_may_call_the_careless_one_where_it_is_right(tmp_path):
    source = notebooks.read(EXERCISES / "11_kv_cache.ipynb")
    tests, cells = exercises(source), {cell.id: cell.source for cell in source.cells}
    written = cells["11-attend"].replace(
        "(q, k, v, kept):", "(q, k, v, kept):\n    if kept is None:\n        return careless(q, k, v, None)", 1
    )
    assert "careless" in written
    code = {one.name: [written if one.name == "11-attend" else cells[one.name]] for one in tests}
    assert verdicts(tests, code, tmp_path, seconds=60)["11-attend"].said == ""


@pytest.mark.parametrize("place", [0, 4, 5])
def test_a_cell_without_marks_runs_wherever_it_stands(tmp_path, place):
    """At the top, below a check, and between a card and an answer."""
    source = assignment()
    source.cells.insert(place, new_code_cell("word_of_mine = 'tree'", id="unmarked"))
    tests = exercises(changed(source, "09-word", "word = word_of_mine"))
    code = {one.name: ["def double(x):\n    return word_of_mine and 2 * x"] for one in tests}
    found = verdicts(tests, code, tmp_path, seconds=60)
    assert found["09-double"].right, found["09-double"].said


def test_a_cell_that_needs_an_answer_costs_none(tmp_path):
    """As one that draws what the answer above has computed."""
    source = assignment()
    for i, mark in ((4, {}), (0, marks("marked", locked=True))):
        source.cells.insert(i, new_code_cell("drawn = double(3)\nassert drawn == 6", id=f"cell-{i}", metadata=mark))
    tests = exercises(source)
    code = {one.name: ["def double(x):\n    return 2 * x"] for one in tests}
    assert verdicts(tests, code, tmp_path, seconds=60)["09-double"].right
