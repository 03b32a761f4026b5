"""A class is graded: who did well, who did not, who cannot be graded, who never handed in, and who cheated."""

import csv
import io
import os
from contextlib import redirect_stdout

import pytest
from exercises.classroom import BESIDE, CLASS, RIGHT, assignment, hand_in

from labutils.authoring import assignments, notebooks
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading import processes
from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.marks import Mark, write_grades
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.processes import verdicts
from labutils.places import EXERCISES


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course that was graded once, with three seconds for an exercise."""
    folder = tmp_path_factory.mktemp("class")
    for name in ("exercises", "private"):
        (folder / name).mkdir()
    notebooks.write(folder / "exercises/09_test.ipynb", assignment())
    (folder / "private/09-double.py").write_text("assert double('ab') == 'abab', 'A text should be doubled too.'\n")
    course = folder / "course"
    assignments.prepare(folder / "exercises", course, folder / "private")
    for name, (notebook, _, _) in CLASS.items():
        hand_in(course, name, notebook)
    hand_in(course, "no-json", "{'cells': []}")
    hand_in(course, "other-notebook", notebooks.read(EXERCISES / "04_attention.ipynb"))
    (course / "students.txt").write_text("absent\n\nright\n", encoding="utf-8")
    with redirect_stdout(io.StringIO()) as said:
        grading.main(course, ["09_test", "--seconds", "3"])
    (course / "said.txt").write_text(said.getvalue(), encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def rows(course):
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", CLASS)
def test_an_answer_gets_the_points_that_it_is_worth(rows, name):
    _, points, _ = CLASS[name]
    row = rows[name]
    assert (row["assignment"], row["status"], row["of"]) == ("09_test", "graded", "6")
    assert tuple(int(row[exercise]) for exercise in ("09-attend", "09-double", "09-word")) == points
    assert int(row["points"]) == sum(points)


@pytest.mark.parametrize("name", CLASS)
def test_the_feedback_says_why(course, name):
    _, _, words = CLASS[name]
    told = (course / f"feedback/{name}/09_test.md").read_text(encoding="utf-8")
    assert words in told and told.count("\n## 9.") == 3
    assert "return 2 * x" not in told and "assert" not in told  # neither a solution nor a hidden test
    assert len(told) < 3000


def test_what_a_private_test_says_is_handed_on(course):
    told = (course / "feedback/numbers-only/09_test.md").read_text(encoding="utf-8")
    assert "A test that the notebook does not show fails: A text should be doubled too." in told


def test_never_submitted_not_gradable_and_no_points_are_three_things(course, rows):
    assert {row["student"]: row["status"] for row in rows.values() if row["status"] != "graded"} == BESIDE
    assert {rows[name]["points"] for name in BESIDE} == {""} and rows["empty"]["points"] == "0"
    lines = (course / "said.txt").read_text(encoding="utf-8").splitlines()
    screen = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines}
    assert screen["empty"] == "0 points" and screen["right"] == "6 points" and screen["absent"] == "not submitted"
    assert screen["no-json"].startswith("not gradable: 09_test.ipynb cannot be read as a notebook")
    assert "Is it another notebook?" in screen["other-notebook"]
    assert len(screen) == 1 + len(CLASS) + len(BESIDE) + 2  # a heading, where the files are, and no warnings


def test_the_reason_is_told_to_those_whose_notebook_cannot_be_graded(course):
    assert "cannot be read" in (course / "feedback/no-json/09_test.md").read_text(encoding="utf-8")
    assert not (course / "feedback/absent").exists()


def test_grading_again_replaces_the_rows_of_one_assignment_and_no_others(tmp_path):
    tests, table = exercises(assignment()), tmp_path / "grades.csv"
    right = Mark("ada", verdicts={one.name: Verdict(right=True) for one in tests})
    write_grades(table, "09_test", [right], tests)
    write_grades(table, "10_test", [Mark("ada", "not submitted")], [])
    write_grades(table, "09_test", [right, Mark("bob", "not submitted")], tests)
    assert table.read_text(encoding="utf-8").splitlines() == [
        "assignment,student,status,points,of,09-attend,09-double,09-word",
        "09_test,ada,graded,6,6,3,2,1",
        "09_test,bob,not submitted,,6,,,",
        "10_test,ada,not submitted,,0,,,",
    ]


def test_what_pytorch_wraps_by_itself_is_nobodys_doing(tmp_path):
    tests = exercises(assignment())
    late = RIGHT | {"09-double": "def double(x):\n    import torch._dynamo\n    return x * 2"}
    found = verdicts(tests, {name: [code] for name, code in late.items()}, tmp_path, seconds=60)
    assert [verdict.said for verdict in found.values()] == ["", "", ""]


def test_it_works_where_a_process_starts_with_nothing(monkeypatch, tmp_path):
    """As on Windows and macOS; the middle one of three exercises ends its process, so there are two."""
    monkeypatch.setattr(processes, "WAY", "spawn")
    answers = RIGHT | {"09-double": "import os\nos._exit(0)"}
    found = verdicts(exercises(assignment()), {name: [code] for name, code in answers.items()}, tmp_path, seconds=60)
    assert [(verdict.right, verdict.said) for verdict in found.values()] == [
        (True, ""),
        (False, "It ended the program that tests it."),
        (True, ""),
    ]


def test_a_process_that_does_not_start_is_nobodys_answer(monkeypatch, tmp_path):
    monkeypatch.setattr(processes, "_try_all", os._exit)
    with pytest.raises(RuntimeError, match="did not start"):
        verdicts(exercises(assignment()), {name: [code] for name, code in RIGHT.items()}, tmp_path, seconds=60)


@pytest.mark.parametrize("path", sorted(EXERCISES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_books_own_solutions_get_all_points(path, tmp_path):
    source = notebooks.read(path)
    tests, cells = exercises(source), {cell.id: cell.source for cell in source.cells}
    found = verdicts(tests, {one.name: [cells[one.name]] for one in tests}, tmp_path, seconds=60)
    assert {name: verdict.said for name, verdict in found.items() if not verdict.right} == {}


@pytest.mark.parametrize(
    "arguments, said",
    [([], "Nobody has handed in anything"), (["09_tset"], "There is no assignment 09_tset. There are: 09_test.")],
)
def test_what_cannot_be_graded_at_all_is_one_sentence(tmp_path, arguments, said):
    with pytest.raises(SystemExit, match="run `make assignments` first"):
        grading.main(tmp_path, arguments)
    (tmp_path / "source/09_test").mkdir(parents=True)
    with pytest.raises(SystemExit, match=said):
        grading.main(tmp_path, arguments)
