"""What `make assignments` writes of an instructor's notebooks."""

import shutil

import pytest
from exercises.classroom import assignment

from labutils.authoring import assignments, notebooks
from labutils.authoring.self_study import STUB


@pytest.fixture
def folders(tmp_path):
    exercises, private = tmp_path / "exercises", tmp_path / "private"
    exercises.mkdir()
    private.mkdir()
    notebooks.write(exercises / "09_test.ipynb", assignment())
    (private / "09-double.py").write_text('assert double("ab") == "abab"\n')
    return exercises, tmp_path / "course", private


def by_id(path):
    return {cell.id: cell.source for cell in notebooks.read(path).cells}


def test_students_get_no_solution_and_no_hidden_test_and_graders_get_all(folders):
    exercises, course, private = folders
    assert assignments.prepare(exercises, course, private) == ["09_test"]
    release = by_id(course / "release/09_test/09_test.ipynb")
    assert release["09-double"] == f"def double(x):\n    {STUB}"
    assert release["09-double-check"] == "assert double(3) == 6"
    source = by_id(course / "source/09_test/09_test.ipynb")
    assert "return 2 * x" in source["09-double"]
    assert "double(-1)" in source["09-double-check"] and "abab" in source["09-double-check"]
    study = by_id(course / "self-study/09_test.ipynb")
    assert "return 2 * x" in study["09-double-card"] and "NotImplementedError" in study["09-double"]
    assert "abab" not in str(study)


def test_a_private_test_that_refuses_the_books_own_solution_is_named(folders):
    exercises, course, private = folders
    assignments.prepare(exercises, course, private)
    assert assignments.refused(course, private) == []
    (private / "09-double.py").write_text('assert double("ab") == "ab", "It should stay as it is."\n')
    assignments.prepare(exercises, course, private)
    assert assignments.refused(course, private) == [
        "private/09-double.py refuses the book’s own solution: "
        "A test that the notebook does not show fails: It should stay as it is."
    ]
    shutil.rmtree(private)
    assert assignments.refused(course, private) == []


def test_no_private_folder_is_fine_and_a_file_for_no_exercise_is_named(folders):
    exercises, course, private = folders
    (private / "09-dubble.py").write_text("assert True\n")
    with pytest.raises(ValueError, match="private/09-dubble.py is for no exercise. There are: 09-attend, 09-double"):
        assignments.prepare(exercises, course, private)
    shutil.rmtree(private)
    assert assignments.prepare(exercises, course, private) == ["09_test"]


def test_without_the_book_one_sentence_says_why_nothing_is_written(monkeypatch, tmp_path):
    """As from an installed wheel, which has no notebooks."""
    monkeypatch.setattr(assignments, "EXERCISES", tmp_path / "notebooks/exercises")
    monkeypatch.setattr(assignments, "prepare", lambda: pytest.fail("something was written"))
    with pytest.raises(SystemExit, match="installed without it. Get the whole book"):
        assignments.main()
