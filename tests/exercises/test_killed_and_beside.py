"""Grading that is killed in the middle of a class goes on; and two workers grade one class at the same time."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from exercises.classroom import answered, assignment, hand_in
from exercises.test_handed_in import course, quick, status, until

from labutils.authoring import notebooks
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading import texts
from labutils.authoring.grading.course import Course
from labutils.authoring.grading.going_on import Done
from labutils.authoring.grading.marks import Mark, join, rows_of, write_grades
from labutils.authoring.grading.one_run import FILE as LOCK

GRADE = "import sys\nfrom pathlib import Path\nfrom labutils.authoring.grading.__main__ import main\n"
GRADE += "main(Path(sys.argv[1]), ['--allow-root', '--jobs', '1', '--seconds', '100', *sys.argv[2:]])"
NOTE = ".grades-going-on.json"
SEES = """from pathlib import Path
from time import sleep
place = Path({place!r})
with (place / "ran-{name}").open("a") as file:
    file.write("once ")
while not (place / {waits!r}).exists():
    sleep(0.05)
"""

__all__ = ["course", "quick"]


def grader(course, path, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", GRADE, str(course), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"TMPDIR": str(path)},
    )


def hand_in_watched(course, path, name, waits=".", word="tree"):
    """An answer that notes that it runs, and waits for a file; one that is there already by itself."""
    code = f"{SEES.format(place=str(path), name=name, waits=waits)}word = {word!r}"
    hand_in(course, f"{name}/09_test/09_test.ipynb", answered(word=code))


def ran(path):
    return {one.name.removeprefix("ran-"): one.read_text().split() for one in path.glob("ran-*")}


def told(course):
    return {one.relative_to(course): one.read_text(encoding="utf-8") for one in (course / "feedback").rglob("*.md")}


def test_a_run_that_is_killed_grades_nobody_twice(course, tmp_path):
    """SIGKILL while the third of five answers runs; the second run finds the marks of the first two."""
    for name in ("ada", "bob", "cleo", "dan", "eve"):
        word = "sea" if name == "bob" else "tree"
        hand_in_watched(course, tmp_path, name, waits="go" if name == "cleo" else ".", word=word)
    killed, note = grader(course, tmp_path), course / NOTE
    until((tmp_path / "ran-cleo").exists)
    until(lambda: note.exists() and len(json.loads(note.read_text())["09_test"]) == 2)
    killed.kill()
    killed.communicate()
    assert status(course) == {"ada": ("graded", "6"), "bob": ("graded", "5")}  # whole, with those that were graded
    (tmp_path / "go").touch()
    said = grader(course, tmp_path).communicate()[0].splitlines()
    assert said[0] == "09_test, 6 points, 2 graded before"
    assert [line.split()[0] for line in said if line.startswith("  ")] == ["cleo", "dan", "eve"]
    assert ran(tmp_path) == {name: ["once"] * (1 + (name == "cleo")) for name in ("ada", "bob", "cleo", "dan", "eve")}
    marks = dict.fromkeys(("ada", "bob", "cleo", "dan", "eve"), ("graded", "6")) | {"bob": ("graded", "5")}
    assert status(course) == marks and len(told(course)) == 5
    assert not list(course.glob(".*")) and not list(course.glob("*.new"))


@pytest.mark.parametrize("cut", [lambda note: note[: len(note) // 2], lambda note: b"", lambda note: b"\xff" + note])
def test_a_cut_note_costs_no_more_than_grading_again(course, quick, monkeypatch, capsys, cut):
    for name in ("ada", "bob", "cleo"):
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered())
    with monkeypatch.context() as before:
        before.setattr(Course, "end", lambda self, graded: None)  # as where the machine went before it
        grading.main(course, ["--allow-root", "--jobs", "1"])
    whole, note = (course / "grades.csv").read_bytes(), course / NOTE
    assert list(json.loads(note.read_text())["09_test"]) == quick == ["ada", "bob", "cleo"]
    note.write_bytes(cut(note.read_bytes()))
    quick.clear()
    capsys.readouterr()
    grading.main(course, ["--allow-root", "--jobs", "1"])
    assert quick == ["ada", "bob", "cleo"] and (course / "grades.csv").read_bytes() == whole
    assert "graded before" not in capsys.readouterr().out and not note.exists()


def as_tenth(notebook):
    return nbformat.reads(nbformat.writes(notebook).replace("09-", "10-"), as_version=4)


def test_a_run_that_is_stopped_in_its_second_assignment_keeps_the_first(course, quick, monkeypatch, capsys):
    (course / "source/10_test").mkdir()
    notebooks.write(course / "source/10_test/10_test.ipynb", as_tenth(assignment()))
    for name in ("ada", "bob"):
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered())
        hand_in(course, f"{name}/10_test/10_test.ipynb", as_tenth(answered()))
    whole = Course.mark

    def stopped(self, name, of):
        if (name, of) == ("bob", "10_test"):
            raise KeyboardInterrupt
        return whole(self, name, of)

    with monkeypatch.context() as first, pytest.raises(SystemExit):
        first.setattr(Course, "mark", stopped)
        grading.main(course, ["--allow-root", "--jobs", "1"])
    assert quick == ["ada", "bob", "ada"]
    quick.clear()
    grading.main(course, ["--allow-root", "--jobs", "1"])
    assert quick == ["bob"] and len(rows_of(course / "grades.csv")) == 4 and not list(course.glob(".*"))
    assert "09_test, 6 points, 2 graded before" in capsys.readouterr().out


def test_a_note_is_whole_or_the_one_before(tmp_path, monkeypatch):
    """The machine goes between the writing of a note and its taking the place of the last one."""
    done = Done(tmp_path / "grades.csv", "09_test", lambda *of: repr(of))
    done.add("ada")

    def goes(new, old):
        raise KeyboardInterrupt

    monkeypatch.setattr(texts.os, "replace", goes)
    with pytest.raises(KeyboardInterrupt):
        done.add("bob")
    assert done.students() == ["ada"]


def test_two_workers_at_once_on_one_class_are_one_run(course, tmp_path):
    """Ada is in one part and bob in the other, and neither answer ends before the other runs."""
    class_ = ("ada", "bob", "cleo", "dan", "eve")
    for name in class_:
        waits = {"ada": "ran-bob", "bob": "ran-ada"}.get(name, ".")
        hand_in_watched(course, tmp_path, name, waits, word=name)
    workers = [grader(course, tmp_path, "--part", f"{i}/2") for i in range(2)]
    said = [worker.communicate()[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], said
    assert ran(tmp_path) == dict.fromkeys(class_, ["once"])
    names = [[line.split()[0] for line in text.splitlines() if line.startswith("  ")] for text in said]
    assert names == [["ada", "cleo", "eve"], ["bob", "dan"]]
    joined = grader(course, tmp_path, "--join")
    assert joined.communicate()[0] == f"Grades:   {course / 'grades.csv'}\n"
    table, feedback = (course / "grades.csv").read_bytes(), told(course)
    assert not list(course.glob(".*")) and not list(course.glob("grades-*"))
    (course / "grades.csv").unlink()
    grader(course, tmp_path).communicate()  # one process
    assert (course / "grades.csv").read_bytes() == table and told(course) == feedback and len(feedback) == 5
    assert status(course) == {name: ("graded", "6" if len(name) == 4 else "5") for name in class_}


def test_a_second_run_on_a_class_says_who_is_at_work_and_grades_nothing(course, tmp_path):
    """And once the first is killed, what it left behind holds nobody up."""
    hand_in_watched(course, tmp_path, "ada", waits="go")
    hand_in_watched(course, tmp_path, "bob")
    first = grader(course, tmp_path)
    until((tmp_path / "ran-ada").exists)
    second = grader(course, tmp_path)
    until(lambda: second.poll() is not None or len(ran(tmp_path)["ada"]) > 1)
    first.kill()
    first.communicate()
    left = (course / LOCK).exists()
    (tmp_path / "go").touch()
    said = second.communicate()[0]
    assert second.returncode == 1 and said.startswith(f"Process {first.pid} is grading this course: wait until it has")
    assert left and str(course / LOCK) in said and said.count("\n") == 1 and not (tmp_path / "ran-bob").exists()
    third = grader(course, tmp_path)
    said = third.communicate()[0]
    assert third.returncode == 0, said
    assert status(course) == dict.fromkeys(("ada", "bob"), ("graded", "6")) and not list(course.glob(".*"))


def test_what_another_machine_holds_is_not_taken_over(course, quick):
    hand_in(course, "ada/09_test/09_test.ipynb", answered())
    (course / LOCK).write_text("1\na-machine-that-is-not-this-one\n")
    with pytest.raises(SystemExit, match="Process 1 is grading this course"):
        grading.main(course, ["--allow-root"])
    assert quick == [] and not (course / "grades.csv").exists()
    grading.main(course, ["--allow-root", "--part", "0/2"])
    assert quick == ["ada"]


def test_parts_are_joined_when_the_last_of_them_has_ended(course, quick, monkeypatch, capsys):
    for name in ("ada", "bob", "cleo", "dan"):
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered())
    grading.main(course, ["--allow-root", "--part", "0/2"])
    whole = Course.mark

    def joined(self, name, of):
        if name == "dan":  # bob's row is written
            with pytest.raises(SystemExit, match="09_test: dan is in no part. Is one at work, or was it stopped?"):
                until((course / "grades-1-of-2.csv").exists)
                grading.main(course, ["--join"])
        return whole(self, name, of)

    with monkeypatch.context() as at_work:
        at_work.setattr(Course, "mark", joined)
        grading.main(course, ["--allow-root", "--part", "1/2", "--jobs", "1"])
    assert not (course / "grades.csv").exists()
    grading.main(course, ["--join"])
    assert status(course) == dict.fromkeys(("ada", "bob", "cleo", "dan"), ("graded", "6"))


def test_a_class_that_has_grown_between_its_parts_is_not_joined(course, quick, capsys):
    for name in ("ada", "bob", "cleo"):
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered())
    grading.main(course, ["--allow-root", "--part", "0/2"])
    hand_in(course, "abe/09_test/09_test.ipynb", answered())  # in front of ada
    grading.main(course, ["--allow-root", "--part", "1/2"])
    with pytest.raises(SystemExit, match="09_test: abe, with 1 more, is in no part."):
        grading.main(course, ["--join"])
    grading.main(course, ["--allow-root", "--part", "0/3"])
    with pytest.raises(SystemExit, match="There are 3 parts, and grades-0-of-2.csv, grades-1-of-2.csv is of another"):
        grading.main(course, ["--join"])
    assert not (course / "grades.csv").exists()


def test_nobody_is_joined_twice(tmp_path):
    for i, names in enumerate((["ada", "bob"], ["bob"])):
        write_grades(tmp_path / f"grades-{i}-of-2.csv", "09_test", [Mark(name, "not submitted") for name in names], [])
    with pytest.raises(ValueError, match="09_test: bob is in two parts: the class has changed."):
        join(tmp_path)
    assert len(list(tmp_path.glob("grades-*"))) == 2
