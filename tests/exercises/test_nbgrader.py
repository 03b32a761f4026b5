"""What is handed out bears nbgrader's marks: a course can be taken over into nbgrader, folder by folder.

The rules are those of nbgrader 0.9, `nbgrader/nbgraderformat/v3.json` and `v3.py`, said anew: https://github.com/jupyter/nbgrader
"""

from copy import deepcopy

import jsonschema
import pytest

from labutils.authoring import assignments, notebooks
from labutils.places import EXERCISES

SHEETS = sorted(path.stem for path in EXERCISES.glob("*.ipynb"))
FLAG = {"type": "boolean"}
MARKS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["schema_version", "grade", "locked", "solution"],
    "properties": {
        "schema_version": {"const": 3},
        "grade": FLAG,
        "locked": FLAG,
        "solution": FLAG,
        "task": FLAG,
        "grade_id": {"type": "string", "pattern": r"^[a-zA-Z0-9_\-]+$"},
        "points": {"type": "number", "minimum": 0},
        "checksum": {"type": "string", "minLength": 32, "maxLength": 32},
        "cell_type": {"enum": ["raw", "code", "markdown"]},
    },
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    assignments.prepare(EXERCISES, folder, folder / "private")
    return folder


def validate(notebook):
    """Raises ValidationError where nbgrader would refuse the notebook."""
    names = []
    for cell in notebook.cells:
        if (marks := cell.metadata.get("nbgrader")) is None:
            continue
        jsonschema.validate(marks, MARKS)
        if marks["grade"] or marks["solution"] or marks["locked"]:
            names.append(marks.get("grade_id"))
        if marks["grade"] and "points" not in marks:
            raise jsonschema.ValidationError(f"{names[-1]} has no points")
        if marks.get("task") or cell.cell_type == "markdown" and marks["grade"] != marks["solution"]:
            raise jsonschema.ValidationError(f"{names[-1]} is of another kind than its marks say")
    if None in names or len(set(names)) < len(names):
        raise jsonschema.ValidationError("A graded cell has no name, or two have one")


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("kind", ["release", "source"])
def test_a_notebook_lies_where_nbgrader_looks_for_it_and_has_its_marks(course, kind, sheet):
    notebook = notebooks.read(course / kind / sheet / f"{sheet}.ipynb")
    validate(notebook)
    marks = [cell.metadata["nbgrader"] for cell in notebook.cells if "nbgrader" in cell.metadata]
    graded = [one for one in marks if one["grade"]]
    assert len(graded) == sum(one["solution"] for one in marks) >= 5 and all(one["locked"] for one in graded)


def spoil(notebook, how):
    cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    marks = cells[0].metadata["nbgrader"]
    if how == "two of a name":
        marks["grade_id"] = cells[1].metadata["nbgrader"]["grade_id"]
    elif how == "another kind":
        cells[0].cell_type = "markdown"
    elif how.startswith("without "):
        del marks[how.removeprefix("without ")]
    else:
        marks.update({"an older version": {"schema_version": 2}, "a mark of our own": {"minutes": 10}}[how])


@pytest.mark.parametrize(
    "how",
    ["two of a name", "another kind", "an older version", "a mark of our own", *map("without {}".format, ("points", "grade_id", "locked"))],
)  # fmt: skip
def test_what_nbgrader_refuses_is_refused(course, how):
    notebook = deepcopy(notebooks.read(course / f"release/{SHEETS[0]}/{SHEETS[0]}.ipynb"))
    spoil(notebook, how)
    with pytest.raises(jsonschema.ValidationError):
        validate(notebook)
