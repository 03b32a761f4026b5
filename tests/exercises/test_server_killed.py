"""An answer that ends the process from which those that try answers are forked: the others are graded all the same."""

import csv
import sys
import time

import psutil
import pytest
from exercises.classroom import RIGHT, answered, assignment, hand_in

from labutils.authoring import assignments, notebooks
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading import processes

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


ONLY_HERE = pytest.mark.skipif(sys.platform != "linux", reason="there alone a server forks")


@pytest.fixture(autouse=True)
def _without_a_compiler(monkeypatch):
    """Each server that is ended is followed by another, and no answer here needs the slowest of what it loads."""
    monkeypatch.setattr(processes, "LOADED", tuple(name for name in processes.LOADED if not name.startswith("torch.")))


def graded(folder, handed_in, jobs: int) -> tuple[dict[str, str], dict[str, str]]:
    """The points of each student, and what each is told."""
    (folder / "exercises").mkdir()
    notebooks.write(folder / "exercises/09_test.ipynb", assignment())
    course = folder / "course"
    assignments.prepare(folder / "exercises", course, folder / "private")
    for name, notebook in handed_in.items():
        hand_in(course, f"{name}/09_test/09_test.ipynb", notebook)
    grading.main(course, ["--allow-root", "--jobs", str(jobs), "--seconds", "30"])
    with open(course / "grades.csv", encoding="utf-8", newline="") as file:
        points = {row["student"]: row["points"] for row in csv.DictReader(file)}
    return points, {name: (course / f"feedback/{name}/09_test.md").read_text(encoding="utf-8") for name in points}


@ONLY_HERE
def test_an_answer_that_kills_the_server_of_processes_costs_its_own_exercise_alone(tmp_path):
    points, told = graded(tmp_path, ALL, jobs=3)
    assert points == {name: {"bob": "4", "dan": "4", "eve": "4", "gus": "3"}.get(name, "6") for name in ALL}
    for name in ("bob", "dan", "eve", "gus"):
        assert told[name].count("It ended the program that tests it.") == 1


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@ONLY_HERE
@pytest.mark.parametrize("exercise, left", [("attend", "3"), ("double", "4")])
def test_it_costs_its_own_exercise_however_late_the_grader_listens(tmp_path, monkeypatch, exercise, left):
    """On a busy machine an answer has long gone on, and killed the server, when the verdict before it is read."""
    about = processes._Said.about

    def late(said, *given):
        while not gone(said.pid):
            time.sleep(0.01)
        return about(said, *given)

    monkeypatch.setattr(processes._Said, "about", late)
    bad = {"ada": answered(), "bob": answered(**{exercise: KILLS + RIGHT[f"09-{exercise}"]})}
    points, told = graded(tmp_path, bad, jobs=1)
    assert points == {"ada": "6", "bob": left}
    assert told["bob"].count("It ended the program that tests it.") == 1
