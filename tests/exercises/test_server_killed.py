"""An answer that ends the process from which those that try answers are forked: the others are graded all the same."""

import csv
import sys

import pytest
from exercises.classroom import RIGHT, answered, assignment, hand_in

from labutils.authoring import assignments, notebooks
from labutils.authoring.grading import __main__ as grading

KILLS = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"
INSIDE = "import os, signal\n\ndef double(x):\n    os.kill(os.getppid(), signal.SIGKILL)\n    return 2 * x"
WARDED = """import psutil, signal
for one in psutil.Process().parents()[:-1]:
    if "forkserver" in " ".join(one.cmdline()):
        one.kill()
"""
ALL = {
    "ada": answered(),
    "bob": answered(double=KILLS + RIGHT["09-double"]),
    "dan": answered(double=INSIDE),
    "eve": answered(double=WARDED),
    "fay": answered(),
    "gus": answered(attend=KILLS),
}


@pytest.mark.skipif(sys.platform != "linux", reason="there alone a server forks")
def test_an_answer_that_kills_the_server_of_processes_costs_its_own_exercise_alone(tmp_path, capsys):
    (tmp_path / "exercises").mkdir()
    notebooks.write(tmp_path / "exercises/09_test.ipynb", assignment())
    course = tmp_path / "course"
    assignments.prepare(tmp_path / "exercises", course, tmp_path / "private")
    for name, notebook in ALL.items():
        hand_in(course, f"{name}/09_test/09_test.ipynb", notebook)
    grading.main(course, ["--allow-root", "--jobs", "3", "--seconds", "30"])
    with open(course / "grades.csv", encoding="utf-8", newline="") as file:
        points = {row["student"]: row["points"] for row in csv.DictReader(file)}
    assert points == {name: {"bob": "4", "dan": "4", "eve": "4", "gus": "3"}.get(name, "6") for name in ALL}
    for name in ("bob", "dan", "eve", "gus"):
        told = (course / f"feedback/{name}/09_test.md").read_text(encoding="utf-8")
        assert told.count("It ended the program that tests it.") == 1
