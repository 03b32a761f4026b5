"""What the instructor has to read stands in grades.csv, and an answer that starts a program waits until it was read."""

import csv
import json
import os
import shutil

import pytest
from exercises.classroom import RIGHT, answered, assignment, changed, hand_in, with_copy
from exercises.test_handed_in import course, quick
from nbformat.v4 import new_code_cell

from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading.course import Course

PLACE = "09_test/09_test.ipynb"
ASKS = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'print(2)'])\n{RIGHT['09-double']}"
__all__ = ["course", "quick"]


def rows(course, table="grades.csv"):
    with open(course / table, encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def grade(course, *arguments):
    grading.main(course, ["--allow-root", "--jobs", "1", *arguments])


def points(row):
    return [row[name] for name in ("points", "09-attend", "09-double", "09-word")]


@pytest.fixture
def asking(course):
    """A course of two: ada's right answer starts another Python, bob's does not."""
    hand_in(course, f"ada/{PLACE}", answered(double=ASKS))
    hand_in(course, f"bob/{PLACE}", answered())
    return course


def test_an_answer_that_starts_python_has_no_points_until_it_is_accepted(asking, capsys):
    grade(asking)
    found, said = rows(asking), capsys.readouterr().out
    assert points(found["ada"]) == ["3", "3", "0", "0"] and points(found["bob"]) == ["6", "3", "2", "1"]
    why = "no points from 09-double on until accepted.txt has the line `ada 09-double`"
    assert found["ada"]["read"].startswith("READ THIS ANSWER: it starts `") and why in found["ada"]["read"]
    assert found["bob"]["read"] == "" and why in said and "1 row to read: the column `read` says why" in said
    told = (asking / "feedback/ada/09_test.md").read_text(encoding="utf-8")
    assert told.count("no points until whoever grades has read it") == 2 and "## 9.2 Double: 0 of 2" in told
    (asking / "accepted.txt").write_text("# read on Monday\nada 09-double\nnobody 09-word\nada 09-wrod\n")
    grade(asking)
    found, said = rows(asking), capsys.readouterr().out
    assert points(found["ada"]) == ["6", "3", "2", "1"] and found["ada"]["read"] == ""
    assert "accepted.txt: nobody is called `nobody`." in said and "there is no exercise `09-wrod`" in said


def test_parts_have_the_column_and_so_has_their_joined_table(asking, capsys):
    for part in ("0/2", "1/2"):
        grade(asking, "--part", part)
    assert rows(asking, "grades-0-of-2.csv")["ada"]["read"].startswith("READ THIS ANSWER: it starts")
    grading.main(asking, ["--join"])
    found = rows(asking)
    assert "`ada 09-double`" in found["ada"]["read"] and found["bob"]["read"] == ""
    assert "1 row to read" in capsys.readouterr().out
    (asking / "accepted.txt").write_text("ada 09-double\n")
    for part in ("0/2", "1/2"):
        grade(asking, "--part", part)
    grading.main(asking, ["--join"])
    assert {name: row["points"] for name, row in rows(asking).items()} == {"ada": "6", "bob": "6"}


def test_an_answer_cannot_accept_itself(course, capsys):
    accepts = f"open({str(course / 'accepted.txt')!r}, 'w').write('ada 09-double\\n')\n{ASKS}"
    hand_in(course, f"ada/{PLACE}", answered(double=accepts))
    grade(course)
    assert not (course / "accepted.txt").exists() and (course / "accepted.txt.changed").exists()
    assert "THIS ANSWER CHANGED accepted.txt: that was put back. Read its code." in rows(course)["ada"]["read"]
    assert "THIS ANSWER CHANGED accepted.txt" in capsys.readouterr().out
    assert points(rows(course)["ada"]) == ["3", "3", "0", "0"]


def test_what_was_put_aside_of_accepted_txt_goes_once_it_is_in_there(course, quick):
    hand_in(course, f"ada/{PLACE}", answered())
    aside = course / "accepted.txt.changed"
    aside.write_text("ada 09-double\nada 09-word\n")
    (course / "accepted.txt").write_text("ada 09-double\n")
    grade(course)
    assert aside.exists()
    (course / "accepted.txt").write_text("ada 09-double\nada 09-word\n")
    grade(course)
    assert not aside.exists()


def test_feedback_of_who_has_left_the_class_is_not_taken_for_current(course, quick, capsys):
    (course / "students.txt").write_text("bob\n")
    for name in ("ada", "bob"):
        hand_in(course, f"{name}/{PLACE}", answered())
    grade(course)
    shutil.rmtree(course / "submitted/ada")
    grade(course)
    assert [path.name for path in (course / "feedback").iterdir()] == ["bob"]
    assert (course / "feedback-former/ada/09_test.md").is_file()
    assert "No longer in the class: ada. Their feedback lies in feedback-former." in capsys.readouterr().out


def test_what_is_to_be_read_is_kept_by_a_run_that_goes_on(course, quick, monkeypatch):
    for name in ("ada", "bob", "cleo"):
        hand_in(course, f"{name}/{PLACE}", answered() if name != "bob" else "<html>")
    whole, target = Course.mark, course / "submitted/cleo" / PLACE

    def stopped(self, name, of):
        if name == "cleo":
            raise KeyboardInterrupt
        if name == "ada":
            target.write_text("{}")
        found = whole(self, name, of)
        for verdict in found.verdicts.values():
            verdict.look = name == "ada"
        return found

    monkeypatch.setattr(Course, "mark", stopped)
    with pytest.raises(SystemExit):
        grade(course)
    monkeypatch.setattr(Course, "mark", whole)
    grade(course)
    found = rows(course)
    assert "READ THIS ANSWER: it reaches for what tests it (09-attend" in found["ada"]["read"]
    assert "THIS ANSWER CHANGED cleo/09_test/09_test.ipynb: that was put back" in found["ada"]["read"]
    assert "09_test.ipynb is a web page" in found["bob"]["read"] and found["cleo"]["read"] == ""
    assert list(found["ada"])[-1] == "read"


def test_who_is_not_in_the_list_is_named(course, quick, capsys):
    (course / "students.txt").write_text("Ada\nbob\n")
    for name in ("ada", "bob", "cleo"):
        hand_in(course, f"{name}/{PLACE}", answered())
    grade(course)
    said = {name: row["read"] for name, row in rows(course).items()}
    assert said == {
        "Ada": "is it the folder `ada`?",
        "ada": "not in students.txt: is it `Ada`?",
        "bob": "",
        "cleo": "not in students.txt",
    }
    lines = capsys.readouterr().out.splitlines()
    assert all(any(line.startswith(f"  {name} ") and said[name] in line for line in lines) for name in said)


@pytest.mark.parametrize("written", ["# see above, I fixed base", "pass", "base"])
def test_who_mends_what_was_handed_out_is_told_where_to_write(course, written):
    notebook = assignment()
    notebook.cells.insert(5, new_code_cell("def half(x):\n    return x", id="half-given"))
    (course / "source" / PLACE).write_text(json.dumps(notebook))
    mended = changed(changed(answered(), "09-double", written), "given", "base = 3")
    mended.cells.insert(5, new_code_cell("def half(x):\n    return x / 2", id="half-given"))
    hand_in(course, f"ada/{PLACE}", mended)
    hand_in(course, f"bob/{PLACE}", changed(answered(), "09-word", "def word(): raise NotImplementedError"))
    grade(course, "--seconds", "60")
    told = (course / "feedback/ada/09_test.md").read_text(encoding="utf-8")
    assert "You have changed a cell that was handed out; it runs as it was handed out." in told
    assert not rows(course)["ada"]["read"]  # what it is told names a line that others have left as it was


def test_an_answer_that_is_defined_again_too_late_is_told_so(course):
    notebook = answered(double="def double(x):\n    return 3 * x")
    notebook.cells.append(new_code_cell(RIGHT["09-double"]))
    hand_in(course, f"ada/{PLACE}", notebook)
    hand_in(course, f"bob/{PLACE}", with_copy(answered(double="double = None"), "09-double", RIGHT["09-double"]))
    grade(course)
    told = (course / "feedback/ada/09_test.md").read_text(encoding="utf-8")
    assert "`double` is defined again further down, at 9.3 Find a word. That comes too late" in told
    assert "further down" not in (course / "feedback/bob/09_test.md").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="Windows lets few make links")
def test_a_folder_that_is_a_link_is_not_gradable_and_says_so(course, quick):
    hand_in(course, f"ada/{PLACE}", answered())
    (course / "submitted/vic").mkdir()
    (course / "submitted/vic/09_test").symlink_to("../ada/09_test")
    (course / "submitted/ada/09_test/data").symlink_to("../../vic")
    grade(course)
    assert rows(course)["vic"]["status"] == "not gradable" and rows(course)["ada"]["points"] == "6"
    told = (course / "feedback/vic/09_test.md").read_text(encoding="utf-8")
    assert "09_test is a link, and links are not followed: hand in the notebook itself." in told
