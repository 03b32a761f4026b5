"""Whatever one student hands in, the others are graded; and a run that was stopped goes on."""

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from exercises.classroom import DAEMON, SLEEP, answered, assignment, hand_in

from labutils.authoring import assignments, notebooks
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading import processes
from labutils.authoring.grading.assignment import exercises, owners
from labutils.authoring.grading.course import Course, students
from labutils.authoring.grading.handed_in import NotGradable, code_of, read
from labutils.authoring.grading.marks import Mark, on_screen, rows_of, write_grades
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.placing import handed_in
from labutils.authoring.grading.processes import PLACE, sweep
from labutils.authoring.grading.snapshot import copied

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone has")
BELONGS = owners(assignment())


@pytest.fixture
def course(tmp_path):
    """A course with one assignment and nobody in it."""
    (tmp_path / "exercises").mkdir()
    notebooks.write(tmp_path / "exercises/09_test.ipynb", assignment())
    folder = tmp_path / "course"
    assignments.prepare(tmp_path / "exercises", folder, tmp_path / "private")
    (folder / "submitted").mkdir()
    return folder


@pytest.fixture
def quick(monkeypatch):
    """All answers are right, and none of them runs."""
    graded = []

    def verdicts(tests, code, folder, **limits):
        graded.append(folder.parent.name)
        return {one.name: Verdict(right=True) for one in tests}

    monkeypatch.setattr("labutils.authoring.grading.course.verdicts", verdicts)
    return graded


def status(course):
    with open(course / "grades.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: (row["status"], row["points"]) for row in csv.DictReader(file)}


WRONG_TYPES = (None, True, 3, 1.5, "text", "\ud800", [], [[]], {}, {"a": None}, [None], ["x", 3])


def spoiled(notebook, draw):
    """The notebook with parts of wrong types, or without them, anywhere in it."""
    notebook = json.loads(json.dumps(notebook))
    for _ in range(draw.randint(1, 6)):
        place, path = notebook, draw.choice(["cells", "top", "cell", "cell", "metadata", "nbgrader"])
        if path != "top" and isinstance(notebook.get("cells"), list) and notebook["cells"]:
            cell = draw.choice(notebook["cells"])
            place = {"cells": notebook["cells"], "cell": cell}.get(path, cell)
            if path in ("metadata", "nbgrader") and isinstance(cell, dict):
                place = cell.get("metadata") or cell
                place = place.get("nbgrader", place) if path == "nbgrader" and isinstance(place, dict) else place
        if isinstance(place, list) and place:
            place[draw.randrange(len(place))] = draw.choice(WRONG_TYPES)
        elif isinstance(place, dict) and place:
            key = draw.choice(sorted(place))
            if draw.random() < 0.3:
                del place[key]
            else:
                place[key] = draw.choice(WRONG_TYPES)
    return notebook


@pytest.mark.parametrize("seed", range(60))
def test_a_notebook_with_anything_in_it_is_read_or_refused_with_a_sentence(tmp_path, seed):
    path = tmp_path / "09_test.ipynb"
    path.write_text(json.dumps(spoiled(answered(), random.Random(seed))))
    try:
        code = code_of(read(path), BELONGS)
    except NotGradable as error:
        assert str(error).startswith("09_test.ipynb ")
    else:
        assert all(isinstance(cell, str) and cell.encode() is not None for cells in code.values() for cell in cells)


@pytest.mark.parametrize(
    "content, said",
    [
        (b"\x00" * 100, "is not a notebook. Hand in the notebook itself."),
        (b"def double(x):", "is not a notebook. Hand in the notebook itself."),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"cells": 3}', "is not a notebook."),
        (b"[]", "is not a notebook."),
        (b"null", "is not a notebook."),
        (b"%PDF-1.7", "is a PDF, not a notebook. Hand in the notebook itself."),
        (b"PK\x03\x04\xff", "is a ZIP archive, not a notebook."),
        (b"\n <html>", "is a web page, not a notebook."),
        (
            b'<<<<<<< HEAD\n{"cells": []}\n=======\n{"cells": [1]}\n>>>>>>> theirs\n',
            "is two versions that git could not join",
        ),
        (
            b'{\n<<<<<<< HEAD\n"cells": []\n=======\n"cells": [1]\n>>>>>>> theirs\n}',
            "is two versions that git could not join",
        ),
    ],
)
def test_what_is_no_notebook_is_told_in_one_sentence(tmp_path, content, said):
    (tmp_path / "a.ipynb").write_bytes(content)
    with pytest.raises(NotGradable, match=f"a.ipynb .*{said}"):
        read(tmp_path / "a.ipynb")


def test_a_notebook_of_version_3_is_read(tmp_path):
    cells = [{"cell_type": "code", "input": ["a = 1\n", "b"], "metadata": {"nbgrader": {"grade_id": "09-word"}}}]
    (tmp_path / "a.ipynb").write_text(json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}))
    assert code_of(read(tmp_path / "a.ipynb"), BELONGS)["09-word"] == ["a = 1\nb"]


def test_whatever_breaks_on_one_student_the_others_are_graded(course, quick, monkeypatch, capsys):
    for name in ("ada", "bob", "cleo"):
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered())
    whole = Course.mark
    monkeypatch.setattr(Course, "mark", lambda self, name, of: 1 / 0 if name == "bob" else whole(self, name, of))
    grading.main(course, ["--allow-root"])
    assert status(course) == {"ada": ("graded", "6"), "bob": ("not gradable", ""), "cleo": ("graded", "6")}
    told = (course / "feedback/bob/09_test.md").read_text()
    assert "Grading ended with an error, which may not be yours: ZeroDivisionError: division by zero" in told


@LINUX
def test_a_name_in_no_encoding_is_graded(course, quick, capsys):
    hand_in(course, os.fsdecode(b"Zo\xeb/09_test/09_test.ipynb"), answered())
    hand_in(course, "ada/09_test/09_test.ipynb", answered())
    grading.main(course, ["--allow-root"])
    assert status(course) == {"Zo\\udceb": ("graded", "6"), "ada": ("graded", "6")}
    assert "Zo\\udceb" in capsys.readouterr().out


@pytest.mark.skipif(os.name != "posix", reason="Windows lets few make links")
def test_links_are_not_followed(course, quick, capsys, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the first line of a file of the machine")
    (tmp_path / "far").mkdir()
    (tmp_path / "far/09_test.ipynb").write_text(json.dumps(answered()))
    for name, target in (("file", secret), ("notebook", tmp_path / "far/09_test.ipynb")):
        (course / f"submitted/{name}/09_test").mkdir(parents=True)
        (course / f"submitted/{name}/09_test/09_test.ipynb").symlink_to(target)
    (course / "submitted/folder").mkdir()
    (course / "submitted/folder/09_test").symlink_to(tmp_path / "far")
    (course / "submitted/student").symlink_to(tmp_path / "far")
    hand_in(course, "beside/09_test/09_test.ipynb", answered())
    (course / "submitted/beside/09_test/data.txt").symlink_to(secret)
    grading.main(course, ["--allow-root"])
    assert status(course) == {
        "beside": ("graded", "6"),
        "file": ("not gradable", ""),
        "folder": ("not gradable", ""),
        "notebook": ("not gradable", ""),
        "student": ("not gradable", ""),
    }
    assert "is a link, and links are not followed" in (course / "feedback/file/09_test.md").read_text()
    (tmp_path / "copy").mkdir()
    copy = Path(copied(course / "submitted/beside/09_test", tmp_path / "copy"))
    assert [path.name for path in copy.iterdir()] == ["09_test.ipynb"]


def test_what_systems_leave_in_folders_is_nobody(course, quick, capsys):
    for place in ("source", "submitted"):
        for name in (".DS_Store", "desktop.ini", "Thumbs.db"):
            (course / place / name).write_bytes(b"\0")
        for name in ("__MACOSX", ".ipynb_checkpoints", ".git"):
            (course / place / name).mkdir()
            (course / place / name / "09_test.ipynb").write_bytes(b"\0")
    hand_in(course, "ada/09_test/09_test.ipynb", answered())
    hand_in(course, "ada/09_test/Desktop.ini", b"\0")
    grading.main(course, ["--allow-root"])
    assert status(course) == {"ada": ("graded", "6")}
    assert "cannot place" not in capsys.readouterr().out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_list_of_the_class_is_read_as_notepad_and_excel_write_it(tmp_path, encoding):
    (tmp_path / "students.txt").write_bytes("Zoë;\r\nada\r\n\r\n".encode(encoding))
    assert list(students(tmp_path)) == ["Zoë", "ada"]


@pytest.mark.parametrize("between", [";", ",", "\t"])
def test_the_names_of_a_class_are_the_column_that_says_so(tmp_path, between):
    rows = [["Name", "Student", "Mail"], ["Lovelace", "ada", "ada@x.org"], ["Hopper", "grace", ""]]
    (tmp_path / "students.txt").write_text("\n".join(between.join(row) for row in rows))
    assert list(students(tmp_path)) == ["ada", "grace"]


def test_a_table_whose_columns_do_not_say_what_they_are_is_refused(course, quick):
    (course / "students.txt").write_text("Lovelace;Ada;ada@x.org\nHopper;Grace;grace@x.org\n")
    hand_in(course, "ada/09_test/09_test.ipynb", answered())
    with pytest.raises(SystemExit, match="students.txt has several columns: head the one with the names"):
        grading.main(course, ["--allow-root"])
    assert quick == []


def test_a_name_may_have_a_comma_and_a_list_a_head(tmp_path):
    (tmp_path / "submitted/Lovelace, Ada").mkdir(parents=True)
    (tmp_path / "students.txt").write_text("Lovelace, Ada\nHopper, Grace\n")
    assert list(students(tmp_path)) == ["Hopper, Grace", "Lovelace, Ada"]
    (tmp_path / "students.txt").write_text("Student\nada\n")
    assert list(students(tmp_path)) == ["Lovelace, Ada", "ada"]


def test_a_name_in_two_forms_is_one_student(course, quick, capsys):
    hand_in(course, "Zoe\u0308/09_test/09_test.ipynb", answered())
    (course / "students.txt").write_text("Zo\u00eb\n", encoding="utf-8")
    grading.main(course, ["--allow-root"])
    assert status(course) == {"Zo\u00eb": ("graded", "6")}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_grades_that_a_spreadsheet_has_written_are_read(tmp_path, encoding, between):
    table, tests = tmp_path / "grades.csv", exercises(assignment())
    write_grades(table, "08_test", [Mark("Zoë", "not submitted")], [])
    text = table.read_text(encoding="utf-8").replace(",", between)
    table.write_bytes(text.encode(encoding))
    write_grades(table, "09_test", [Mark("ada", "not submitted")], tests)
    assert [(row["assignment"], row["student"]) for row in rows_of(table)] == [("08_test", "Zoë"), ("09_test", "ada")]


def test_a_table_of_something_else_is_kept_aside(tmp_path):
    table = tmp_path / "grades.csv"
    table.write_text("a,b\n1,2\n")
    write_grades(table, "09_test", [Mark("ada", "not submitted")], [])
    assert (tmp_path / "grades-before.csv").read_text() == "a,b\n1,2\n" and len(rows_of(table)) == 1


def test_a_run_that_is_stopped_keeps_its_marks_and_the_next_goes_on(course, quick, monkeypatch, capsys):
    for name in ("ada", "bob", "cleo"):
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered())
    whole = Course.mark

    def stopped(self, name, of):
        if name == "cleo":
            raise KeyboardInterrupt
        return whole(self, name, of)

    monkeypatch.setattr(Course, "mark", stopped)
    with pytest.raises(SystemExit, match="^\nStopped. What was graded is in grades.csv; the same command goes on"):
        grading.main(course, ["--allow-root", "--jobs", "1"])
    assert status(course) == {"ada": ("graded", "6"), "bob": ("graded", "6")}
    monkeypatch.setattr(Course, "mark", whole)
    quick.clear()
    hand_in(course, "bob/09_test/09_test.ipynb", answered(word="word = 'fish'"))  # handed in anew: graded anew
    grading.main(course, ["--allow-root", "--jobs", "1"])
    assert quick == ["bob", "cleo"] and list(status(course)) == ["ada", "bob", "cleo"]
    assert "09_test, 6 points, 1 graded before" in capsys.readouterr().out
    quick.clear()
    grading.main(course, ["--allow-root", "--jobs", "1"])  # a run that came to its end: the next grades all
    assert quick == ["ada", "bob", "cleo"] and not list(course.glob(".*"))


def test_the_rows_of_a_complete_run_stay_until_new_ones_take_their_place(course, quick, monkeypatch):
    for name in ("ada", "bob", "cleo"):
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered())
    grading.main(course, ["--allow-root", "--jobs", "1"])
    whole = Course.mark

    def stopped(self, name, of):
        if name == "bob":
            raise KeyboardInterrupt
        return Mark(name, "not submitted")

    shutil.rmtree(course / "submitted/cleo")
    hand_in(course, "dan/09_test/09_test.ipynb", answered())
    monkeypatch.setattr(Course, "mark", stopped)
    with pytest.raises(SystemExit):
        grading.main(course, ["--allow-root", "--jobs", "1"])
    assert status(course) == {"ada": ("not submitted", ""), "bob": ("graded", "6")}  # cleo is gone, dan has none yet
    monkeypatch.setattr(Course, "mark", whole)
    grading.main(course, ["--allow-root", "--jobs", "1"])
    assert {name: points for name, (_, points) in status(course).items()} == {"ada": "", "bob": "6", "dan": "6"}


# tests that run in the background of a shell ignore Ctrl+C, and so would what they start
GRADE = "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
GRADE += "from pathlib import Path\nfrom labutils.authoring.grading.__main__ import main\n"
GRADE += "main(Path(sys.argv[1]), ['--allow-root', '--jobs', '1', '--seconds', '100'])"
STARTED = "from pathlib import Path\nPath({!r}).touch()\n"


def begun(course, path, code):
    """A grader that is at work on an answer which says by a file that it runs, and does not end."""
    started = path / "started"
    word = f"{STARTED.format(str(started))}{code}\nwhile True:\n    pass"
    hand_in(course, "ada/09_test/09_test.ipynb", answered(word=word))
    grader = grading_apart(course, TMPDIR=str(path))
    until(started.exists)
    return grader


def grading_apart(course, **settings):
    """A grader in a process and a group of its own, as `make grade` begins one in a terminal."""
    return subprocess.Popen(
        [sys.executable, "-c", GRADE, str(course)],
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | settings,
    )


def until(holds):
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.1)
    pytest.fail("it did not happen")


def sleepers():
    return [one for one in psutil.process_iter(["cmdline", "status"]) if one.info["cmdline"] == ["sleep", SLEEP]]


@LINUX
def test_a_grader_that_is_killed_leaves_nothing_running_and_the_next_one_sweeps(course, tmp_path, monkeypatch):
    grader = begun(course, tmp_path, DAEMON)
    until(sleepers)
    below = psutil.Process(grader.pid).children(recursive=True)
    grader.kill()
    grader.wait()
    until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in below))
    until(lambda: not sleepers())
    assert list(tmp_path.glob(f"{PLACE}*"))
    monkeypatch.setattr(processes, "gettempdir", lambda: str(tmp_path))
    sweep()
    assert not list(tmp_path.glob(f"{PLACE}*"))


@LINUX
def test_ctrl_c_ends_grading_with_one_sentence(course, tmp_path):
    grader = begun(course, tmp_path, "")
    grader.send_signal(signal.SIGINT)
    said = grader.communicate(timeout=600)[0]
    assert said.splitlines()[-1].startswith("Stopped. What was graded is in grades.csv;")
    assert "Traceback" not in said and grader.returncode == 1
    assert not list(tmp_path.glob(f"{PLACE}*"))


def never_loads(package, path):
    """Settings with which a package says that it loads, and goes on for ever."""
    (path / package).mkdir()
    code = "from threading import Event; print('loading', flush=True); Event().wait()"
    (path / package / "__init__.py").write_text(code, encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(path), os.environ.get("PYTHONPATH", "")])}


@LINUX
def test_ctrl_c_while_the_server_of_answers_loads_ends_grading_with_one_sentence(course, tmp_path):
    hand_in(course, "ada/09_test/09_test.ipynb", answered())
    grader = grading_apart(course, **never_loads("torch", tmp_path))
    assert "loading\n" in iter(grader.stdout.readline, "")
    os.killpg(grader.pid, signal.SIGINT)  # a terminal sends it to all that was begun
    said = grader.communicate(timeout=600)[0]  # which the server has open as well, until it has ended
    assert said == f"{grading.STOPPED}\n" and grader.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C reaches processes there in another way")
def test_ctrl_c_while_it_loads_ends_grading_without_a_traceback(tmp_path):
    grader = subprocess.Popen(
        [sys.executable, "-m", "labutils.authoring.grading"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | never_loads("nbformat", tmp_path),
    )
    assert grader.stdout.readline() == "loading\n"
    grader.send_signal(signal.SIGINT)
    assert grader.communicate() == ("", "")
    assert grader.returncode == -signal.SIGINT


def test_the_notebook_of_another_assignment_is_named(tmp_path):
    cells = {"09_test": list(BELONGS), "10_test": ["10-cell"]}
    hand_in(tmp_path, "ada/10_test/10_test.ipynb", answered())
    found = handed_in(tmp_path / "submitted" / "ada", cells)
    with pytest.raises(NotGradable, match="^10_test.ipynb holds the answers of 09_test. Hand in the notebook of this"):
        found.chosen("10_test", {"10-cell": "10"})
    assert found.chosen("09_test", BELONGS)[0].name == "10_test.ipynb"  # and for that one it counts


def test_what_was_not_graded_stands_in_the_column_that_is_read():
    mark = Mark("ada", others="b.ipynb: not the same, and not graded")
    assert mark.read([]) == "b.ipynb: not the same, and not graded"


def test_behind_a_sentence_more_is_said_without_its_full_stop():
    mark = Mark("ada", "not gradable", "It is empty.", name="not in students.txt")
    assert on_screen(mark, []).endswith(" not gradable: It is empty; not in students.txt")
    assert mark.read([]) == "It is empty; not in students.txt"
    assert Mark("ada", why="It is empty.").read([]) == "It is empty."


def test_a_folder_of_a_grader_that_is_at_work_stays(tmp_path, monkeypatch):
    (tmp_path / f"{PLACE}{os.getpid()}-x").mkdir()
    monkeypatch.setattr(processes, "gettempdir", lambda: str(tmp_path))
    sweep()
    assert len(list(tmp_path.iterdir())) == 1


def test_a_crowded_folder_is_graded_alone_and_said(course, quick, capsys):
    hand_in(course, "ada/09_test/09_test.ipynb", answered())
    for i in range(1100):
        (course / f"submitted/ada/09_test/{i}.txt").touch()
    grading.main(course, ["--allow-root"])
    assert status(course) == {"ada": ("graded", "6")}
    assert "more than 1000 files" in (course / "feedback/ada/09_test.md").read_text()
    (course / "copy").mkdir()
    assert not list(Path(copied(course / "submitted/ada/09_test", course / "copy")).iterdir())


@pytest.mark.parametrize("path", ["09_test/solution.py", "09_test.py", "09_test/09_test.py"])
def test_a_program_is_no_notebook_and_its_feedback_says_so(course, quick, capsys, path):
    hand_in(course, f"ada/{path}", "def double(x):\n    return 2 * x")
    hand_in(course, "bob/09_test/09_test.ipynb", answered())
    hand_in(course, "bob/09_test/09_test.py", "word = 'tree'")
    hand_in(course, "cleo/other.py", "word = 'tree'")
    grading.main(course, ["--allow-root"])
    assert status(course) == {"ada": ("not gradable", ""), "bob": ("graded", "6"), "cleo": ("not submitted", "")}
    said = f"{Path(path).name} is a Python program, not a notebook. Hand in the notebook itself."
    assert said in (course / "feedback/ada/09_test.md").read_text()
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("Here lies something that I cannot place:")
    assert [line.strip() for line in lines[at + 1 : -3]] == ["cleo/other.py"]


def test_of_a_notebook_without_its_end_it_is_said_what_to_do(tmp_path):
    whole = json.dumps(answered())
    (tmp_path / "a.ipynb").write_text(whole[: len(whole) // 2])
    with pytest.raises(
        NotGradable,
        match="^a.ipynb cannot be read as a notebook. Perhaps its end is missing: open it in JupyterLab, save it, and",
    ):
        read(tmp_path / "a.ipynb")


def test_an_assignment_that_nobody_handed_in_is_one_line(course, quick, capsys):
    (course / "source/10_test").mkdir()
    (course / "source/10_test/10_test.ipynb").write_text(json.dumps(assignment()).replace("09-", "10-"))
    hand_in(course, "ada/09_test/09_test.ipynb", answered())
    (course / "students.txt").write_text("ada\nbob\n")
    (course / "feedback/bob").mkdir(parents=True)
    (course / "feedback/bob/10_test.md").write_text("of the last time")
    grading.main(course, ["--allow-root"])
    said = capsys.readouterr().out
    assert said.count("not submitted") == 2 and "\n10_test, 6 points: not submitted by any of 2\n" in said
    rows = [(row["assignment"], row["student"], row["status"]) for row in rows_of(course / "grades.csv")]
    assert rows[2:] == [("10_test", "ada", "not submitted"), ("10_test", "bob", "not submitted")]
    assert not (course / "feedback/bob/10_test.md").exists()
