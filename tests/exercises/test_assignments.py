"""From the instructor's notebooks to grades: what `make assignments` writes, and nbgrader's whole circle where it is
installed.
"""

import csv
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from labutils.authoring import assignments, notebooks

NO_NBGRADER = "nbgrader is not here, so nothing was graded (`make assignments` fetches it)"
SOLUTION = "def double(x):\n    ### BEGIN SOLUTION\n    # Why: twice.\n    return 2 * x\n    ### END SOLUTION"
CHECK = "assert double(3) == 6\n### BEGIN HIDDEN TESTS\nassert double(-1) == -2\n### END HIDDEN TESTS"


def role(name, **more):
    return {
        "nbgrader": (
            {"grade": False, "grade_id": name, "locked": False, "schema_version": 3, "solution": False, "task": False}
            | more
        )
    }


@pytest.fixture
def folders(tmp_path):
    exercises, private = tmp_path / "exercises", tmp_path / "private"
    exercises.mkdir()
    private.mkdir()
    notebook = new_notebook(cells=[
        new_markdown_cell(":::{exercise}\n**9.1 Double**\n:::", id="09-double-card"),
        new_code_cell(SOLUTION, id="09-double", metadata=role("09-double", solution=True)),
        new_code_cell(CHECK, id="09-double-check", metadata=role("09-double-check", grade=True, locked=True, points=2)),
    ])  # fmt: skip
    notebooks.write(exercises / "09_test.ipynb", notebook)
    (private / "09-double.py").write_text('assert double("ab") == "abab"\n')
    return exercises, tmp_path / "course", private


def test_source_and_self_study_are_written(folders):
    exercises, course, private = folders
    assert assignments.prepare(exercises, course, private) == ["09_test"]
    source = notebooks.read(course / "source/09_test/09_test.ipynb").cells
    study = notebooks.read(course / "self-study/09_test.ipynb").cells
    assert "return 2 * x" in source[1].source and "abab" in source[2].source
    assert (
        "return 2 * x" in study[0].source and "NotImplementedError" in study[1].source and "abab" not in study[2].source
    )


def test_no_private_folder_is_fine_and_a_file_for_no_exercise_is_named(folders):
    exercises, course, private = folders
    (private / "09-dubble.py").write_text("assert True\n")
    with pytest.raises(ValueError, match="private/09-dubble.py is for no exercise. There are: 09-double."):
        assignments.prepare(exercises, course, private)
    shutil.rmtree(private)
    assert assignments.prepare(exercises, course, private) == ["09_test"]


@pytest.mark.skipif(not (assignments.PACKAGES / ".ready").exists(), reason=NO_NBGRADER)
def test_right_half_right_and_blank_answers_are_graded_and_exported(folders):
    exercises, course, private = folders
    assignments.prepare(exercises, course, private)
    assert assignments.nbgrader("generate_assignment", "09_test", "--log-level=ERROR", course=course) == 0
    release = course / "release/09_test/09_test.ipynb"
    start = notebooks.read(release)
    assert [cell.source for cell in start.cells[1:]] == [
        f"def double(x):\n    {assignments.STUB}",
        "assert double(3) == 6",
    ]
    for student, answer in (
        ("ada", "def double(x):\n    return x + x"),
        ("bob", "def double(x):\n    return 2 * int(x)"),
        ("eve", None),
    ):
        handed_in = course / "submitted" / student / "09_test" / "09_test.ipynb"
        handed_in.parent.mkdir(parents=True)
        start.cells[1].source = answer or f"def double(x):\n    {assignments.STUB}"
        nbformat.write(start, handed_in)
    assert assignments.nbgrader("autograde", "09_test", "--log-level=ERROR", course=course) == 0
    assert assignments.nbgrader("export", "--log-level=ERROR", course=course) == 0
    with open(course / "grades.csv", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores == {"ada": 2.0, "bob": 0.0, "eve": 0.0}  # bob fails the private test alone: he cannot double a text
