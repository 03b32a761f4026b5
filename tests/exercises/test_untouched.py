"""What a student did not touch earns no points and no tick, in the exercises of all chapters."""

import csv
import re

import pytest
from exercises.classroom import hand_in

from labutils.authoring import assignments, notebooks
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.messages import Job
from labutils.authoring.grading.trial import is_stub
from labutils.places import EXERCISES

SHEETS = sorted(path.stem for path in EXERCISES.glob("*.ipynb"))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course whose one student hands in all sheets as they were handed out."""
    folder = tmp_path_factory.mktemp("untouched")
    assignments.prepare(EXERCISES, folder, folder / "private")
    for sheet in SHEETS:
        hand_in(folder, f"ada/{sheet}/{sheet}.ipynb", (folder / f"release/{sheet}/{sheet}.ipynb").read_bytes())
    grading.main(folder, ["--allow-root"])
    return folder


@pytest.mark.parametrize("sheet", SHEETS)
def test_an_untouched_sheet_has_no_points_and_no_tick(course, sheet):
    with open(course / "grades.csv", encoding="utf-8", newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["assignment"] == sheet)
    tests = exercises(notebooks.read(EXERCISES / f"{sheet}.ipynb"))
    assert (row["status"], row["points"]) == ("graded", "0") and {row[one.name] for one in tests} == {"0"}
    told = (course / f"feedback/ada/{sheet}.md").read_text(encoding="utf-8")
    assert told.count("It is not written yet.") == len(tests) >= 5
    assert re.findall(r"^~~~text\n(?!It is not written yet\.\n~~~$)", told, re.M) == [] and "✓" not in told


STARTS = {one.name: one for sheet in SHEETS for one in exercises(notebooks.read(EXERCISES / f"{sheet}.ipynb"))}


@pytest.mark.parametrize("name", STARTS)
def test_a_comment_alone_is_nothing_written(name):
    one = STARTS[name]
    for code in (f"# later\n{one.start}", f"{one.start}  # hm", "", "# nothing"):
        assert is_stub(Job(one, [code]))
    assert not is_stub(Job(one, [f"{one.start}\nx = 1"])) and not is_stub(Job(one, ["def f(:"]))
