"""A class is graded: who did well, who did not, who cannot be graded, who never handed in, and who cheated."""

import ast
import csv
import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from time import monotonic
from types import SimpleNamespace

import psutil
import pytest
from exercises.classmates import CANNOT_PLACE, CLASS, ELSEWHERE, FOLDERS, SECRET, leave, table
from exercises.classroom import RIGHT, SLEEP, answered, assignment, hand_in

import labutils
from labutils.authoring import assignments, notebooks, root
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading import limits, processes
from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.limits import lacking, spent, waited
from labutils.authoring.grading.marks import Mark, write_grades
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.processes import verdicts
from labutils.places import EXERCISES

SOURCES = Path(labutils.__file__).parent
COUNT = re.compile(r" *  (\d+) of (\d+), \d+ s(, about [\d.]+ (second|minute|hour)s? left if none hangs)?$")
NOT_GRADABLE = {name for name, (_, said) in ELSEWHERE.items() if said.startswith("not gradable")}
NOT_SUBMITTED = {"absent", *(name for name, (_, said) in ELSEWHERE.items() if said == "not submitted")}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course that was graded once, with two seconds of a processor and three GB for an exercise. More answers run at
    once than there are cores, so that none waits for those that sleep.
    """
    folder = tmp_path_factory.mktemp("class")
    for name in ("exercises", "private"):
        (folder / name).mkdir()
    notebooks.write(folder / "exercises/09_test.ipynb", assignment())
    (folder / "private/09-double.py").write_text("assert double('ab') == 'abab', 'A text should be doubled too.'\n")
    course = folder / "course"
    assignments.prepare(folder / "exercises", course, folder / "private")
    for name, (notebook, _, _) in CLASS.items():
        hand_in(course, f"{name}/09_test/09_test.ipynb", notebook)
        hand_in(course, f"{name}/09_test/data.csv", "1,2")
    for name, (files, _) in ELSEWHERE.items():
        for path, content in files.items():
            hand_in(course, f"{FOLDERS.get(name, name)}/{path}", content)
    hand_in(course, "lost.ipynb", answered())
    leave(course)
    before = all_files(course / "submitted")
    with redirect_stdout(io.StringIO()) as said:
        grading.main(course, ["09_test", "--seconds", "2", "--memory", "3", "--jobs", "4", "--allow-root"])
    (course / "said.txt").write_text(said.getvalue(), encoding="utf-8")
    assert all_files(course / "submitted") == before
    return course


def all_files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def rows(course):
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file) if row["assignment"] == "09_test"}


def test_the_table_of_a_class_of_ninety_one_is_the_one_that_it_should_be(course):
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        assert [",".join(row[:-1]) for row in csv.reader(file)] == table()


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


def screen(course):
    """What stands on the screen behind the name of each student, as much of it as is said of a class."""
    lines = (course / "said.txt").read_text(encoding="utf-8").splitlines()
    found = {line[2:26].strip(): line[27:] for line in lines if line.startswith("  ")}
    return {name: COUNT.sub("", said) for name, said in found.items()}


def test_a_class_is_graded_with_a_line_for_each_and_nothing_else_is_said(course, rows):
    lines = (course / "said.txt").read_text(encoding="utf-8").splitlines()
    assert rows.keys() == CLASS.keys() | ELSEWHERE.keys() | {"absent"}
    if sys.platform == "linux":
        assert len(CLASS) + len(ELSEWHERE) == 91
    counted = [found.groups() for found in map(COUNT.search, lines) if found]
    assert [found[:2] for found in counted] == [(str(i + 1), str(len(rows))) for i in range(len(rows))]
    known = [bool(found[2]) for found in counted]  # four at once: not before the fourth, and none is left at the end
    assert known == [False] * 3 + [True] * (len(rows) - 4) + [False]
    lines = [line for line in lines if line != lacking()]
    assert lines[0] == "09_test, 6 points"
    assert len(lines) == 1 + len(rows) + 1 + len(CANNOT_PLACE) + 3
    graded = len(rows) - len(NOT_SUBMITTED)
    said = rf"Time:     {len(rows)} students, {graded} submissions in \d+ \w+, [\d.]+ seconds a submission"
    assert re.fullmatch(said, lines[-3])


def test_never_submitted_not_gradable_and_no_points_are_three_things(course, rows):
    status = {name: row["status"] for name, row in rows.items() if row["status"] != "graded"}
    assert {name for name in status if status[name] == "not submitted"} == NOT_SUBMITTED
    assert {name for name in status if status[name] == "not gradable"} == NOT_GRADABLE
    assert {rows[name]["points"] for name in status} == {""} and rows["empty"]["points"] == "0"
    assert screen(course)["empty"] == "0 points, not in students.txt" and screen(course)["absent"] == "not submitted"


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_notebook_is_found_by_what_is_in_it(course, name):
    _, said = ELSEWHERE[name]
    found = screen(course)[name]
    assert found.startswith(said) if "cannot be read" in said else found == said


def test_what_cannot_be_placed_is_named(course):
    lines = (course / "said.txt").read_text(encoding="utf-8").splitlines()
    at = lines.index("Here lies something that I cannot place:")
    assert [line.strip() for line in lines[at + 1 : -3]] == CANNOT_PLACE


def test_a_link_hands_nothing_of_the_machine_to_a_student(course):
    told = [path.read_text(encoding="utf-8") for path in (course / "feedback").rglob("*.md")]
    assert len(told) > 60 and not any(SECRET in text for text in told)


def test_no_process_of_an_answer_is_left(course):
    commands = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            commands.append(process.cmdline())
    assert ["sleep", SLEEP] not in commands


def test_the_reason_is_told_to_those_whose_notebook_cannot_be_graded(course):
    assert "cannot be read" in (course / "feedback/no-json/09_test.md").read_text(encoding="utf-8")
    assert "they differ" in (course / "feedback/two-elsewhere/09_test.md").read_text(encoding="utf-8")
    told = (course / "feedback/two/09_test.md").read_text(encoding="utf-8")
    assert "Beside it lies 09_test/09_test (1).ipynb: not the same, and not graded." in told
    told = (course / "feedback/own-folder/09_test.md").read_text(encoding="utf-8")
    assert "Graded was `x/09/Untitled.ipynb`; it belongs to `09_test/09_test.ipynb`." in told
    assert not (course / "feedback/absent").exists()


def test_grading_again_replaces_the_rows_of_one_assignment_and_no_others(tmp_path):
    tests, table = exercises(assignment()), tmp_path / "grades.csv"
    right = Mark("ada", verdicts={one.name: Verdict(right=True) for one in tests})
    write_grades(table, "09_test", [right], tests)
    write_grades(table, "10_test", [Mark("ada", "not submitted")], [])
    write_grades(table, "09_test", [right, Mark("bob", "not submitted")], tests)
    assert table.read_text(encoding="utf-8").splitlines() == [
        "assignment,student,status,points,of,09-attend,09-double,09-word,read",
        "09_test,ada,graded,6,6,3,2,1,",
        "09_test,bob,not submitted,,6,,,,",
        "10_test,ada,not submitted,,0,,,,",
    ]


def test_what_pytorch_wraps_by_itself_is_nobodys_doing(tmp_path):
    tests = exercises(assignment())
    late = RIGHT | {"09-double": "def double(x):\n    import torch._dynamo\n    return x * 2"}
    found = verdicts(tests, {name: [code] for name, code in late.items()}, tmp_path, seconds=60)
    assert [verdict.said for verdict in found.values()] == ["", "", ""]


def test_pylab_puts_numpy_and_matplotlib_among_the_names(tmp_path):
    """By itself, because loading Matplotlib takes most of the two seconds that each answer of the class has."""
    answers = RIGHT | {"09-word": "%pylab\nword = 'tree' if array([1])[0] and plt.figure else ''"}
    found = verdicts(exercises(assignment()), {name: [code] for name, code in answers.items()}, tmp_path, seconds=60)
    assert [verdict.said for verdict in found.values()] == ["", "", ""]


@pytest.mark.parametrize("waits, right", [(monotonic, True), (lambda: 0.0, False)], ids=["busy", "idle"])
def test_other_work_on_the_machine_costs_nobody_a_point(monkeypatch, tmp_path, waits, right):
    """An answer that takes three seconds by the clock, where one may be idle: it waited for a processor, or slept."""
    monkeypatch.setattr(processes, "waited", lambda pid: waits())
    monkeypatch.setattr(processes, "BEHIND", 0.1)
    answers = RIGHT | {"09-word": "import time\ntime.sleep(3)\nword = 'tree'"}
    found = verdicts(exercises(assignment()), {name: [code] for name, code in answers.items()}, tmp_path, seconds=10)
    assert found["09-word"].right == right and ("most of them idle" in found["09-word"].said) != right


@pytest.mark.skipif(sys.platform != "linux", reason="the other systems do not tell")
def test_how_long_a_process_waited_for_a_processor_is_known():
    core = f"import os\nos.sched_setaffinity(0, {{{min(os.sched_getaffinity(0))}}})\nwhile True: pass"
    both = [subprocess.Popen([sys.executable, "-c", core]) for _ in range(2)]
    try:
        while waited(both[0].pid) < 0.2:
            assert both[0].poll() is both[1].poll() is None
            assert spent(both[0].pid) < 60
    finally:
        for one in both:
            one.kill()
            one.wait()


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


def test_nothing_is_asked_of_windows_that_it_has_not(monkeypatch, tmp_path, capsys):
    """What only other systems have is taken away, of whoever grades and of what is done before an answer runs."""
    for name in ("setsid", "killpg", "sched_getaffinity", "geteuid", "getuid", "fork"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(limits, "resource", None)
    monkeypatch.setattr(limits, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(processes, "WAY", "spawn")
    limits.alone()
    limits.limit()
    (tmp_path / "exercises").mkdir()
    notebooks.write(tmp_path / "exercises/09_test.ipynb", assignment())
    assignments.prepare(tmp_path / "exercises", tmp_path, tmp_path / "private")
    hand_in(tmp_path, "ada/09_test/09_test.ipynb", answered(double="import os\nos._exit(0)"))
    grading.main(tmp_path, [])
    assert re.search(r"ada +4 points +1 of 1, ", capsys.readouterr().out)


POSIX = {"setsid", "killpg", "sched_getaffinity", "geteuid", "getuid", "fork", "uname", "mkfifo", "SIGKILL", "SIGHUP"}
MODULES = {"resource", "fcntl", "pwd", "grp", "termios", "pty", "tty"}


def unguarded(tree: ast.AST) -> list[str]:
    """What a module uses of systems other than Windows without having asked whether it is there."""
    found = []
    for node in ast.iter_child_nodes(tree):
        asked = isinstance(node, ast.If | ast.IfExp | ast.BoolOp) and "hasattr" in ast.unparse(node)
        asked = asked or isinstance(node, ast.Try) and any("ImportError" in ast.unparse(one) for one in node.handlers)
        if asked:
            continue
        if isinstance(node, ast.Attribute) and node.attr in POSIX:
            found.append(node.attr)
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += MODULES & {getattr(node, "module", None), *(one.name for one in node.names)}
        found += unguarded(node)
    return found


def test_what_only_other_systems_have_is_asked_for_before_it_is_used():
    found = {path.name: unguarded(ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES.rglob("*.py")}
    used = {name: names for name, names in found.items() if names}
    assert used == {"limits.py": ["getuid"]}  # only where there is the module `resource`


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
    assert not any(verdict.starts for verdict in found.values())  # none needs another program


@pytest.mark.parametrize(
    "arguments, said",
    [([], "Nobody has handed in anything"), (["09_tset"], "There is no assignment 09_tset. There are: 09_test.")],
)
def test_what_cannot_be_graded_at_all_is_one_sentence(tmp_path, arguments, said):
    arguments = ["--allow-root", *arguments]
    with pytest.raises(SystemExit, match="`make assignments` writes the exercises there.*then grade again"):
        grading.main(tmp_path, arguments)
    (tmp_path / "source/09_test").mkdir(parents=True)
    (tmp_path / "source/09_test/09_test.ipynb").touch()
    (tmp_path / "source/.DS_Store").touch()
    with pytest.raises(SystemExit, match=said):
        grading.main(tmp_path, arguments)


def test_root_is_refused_before_anything_runs(monkeypatch, tmp_path):
    monkeypatch.setattr(root, "is_root", lambda: True)
    monkeypatch.setattr(grading, "Course", lambda *_: pytest.fail("something was done"))
    (tmp_path / "source/09_test").mkdir(parents=True)
    (tmp_path / "submitted/ada").mkdir(parents=True)
    with pytest.raises(SystemExit, match="you are root.*ALLOW_ROOT=yes"):
        grading.main(tmp_path, [])


def test_an_answer_that_finds_the_submissions_and_removes_them_is_named(tmp_path, capsys):
    """As one can that searches the whole machine; what it removes is graded all the same."""
    (tmp_path / "exercises").mkdir()
    notebooks.write(tmp_path / "exercises/09_test.ipynb", assignment())
    assignments.prepare(tmp_path / "exercises", tmp_path, tmp_path / "private")
    found = f"import shutil\nshutil.rmtree({str(tmp_path / 'submitted/bob')!r})"
    hand_in(tmp_path, "ada/09_test/09_test.ipynb", answered(word=f"word = 'tree'\n{found}"))
    hand_in(tmp_path, "bob/09_test/09_test.ipynb", answered())
    grading.main(tmp_path, ["--allow-root", "--jobs", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "    THIS ANSWER REMOVED bob/09_test/09_test.ipynb: that was put back. Read its code."
    assert lines[3].split()[:3] == ["bob", "6", "points"]
    assert json.loads((tmp_path / "submitted/bob/09_test/09_test.ipynb").read_text()) == answered()


def test_parts_of_a_class_joined_are_the_class_graded_at_once(tmp_path, capsys):
    (tmp_path / "exercises").mkdir()
    notebooks.write(tmp_path / "exercises/09_test.ipynb", assignment())
    assignments.prepare(tmp_path / "exercises", tmp_path, tmp_path / "private")
    for name in ("ada", "bob", "cleo"):
        hand_in(tmp_path, f"{name}/09_test/09_test.ipynb", answered(word=f"word = {name!r}"))
    grading.main(tmp_path, ["--allow-root"])
    whole = (tmp_path / "grades.csv").read_text()
    assert [row.split(",")[3] for row in whole.splitlines()[1:]] == ["5", "5", "6"]
    (tmp_path / "grades.csv").unlink()
    grading.main(tmp_path, ["--allow-root", "--part", "0/2"])
    with pytest.raises(SystemExit, match="Of 2 parts these are not graded yet: 1."):
        grading.main(tmp_path, ["--join"])
    grading.main(tmp_path, ["--allow-root", "--part", "1/2"])
    assert not (tmp_path / "grades.csv").exists()
    capsys.readouterr()
    grading.main(tmp_path, ["--join"])
    assert (tmp_path / "grades.csv").read_text() == whole and not list(tmp_path.glob("grades-*"))
    with pytest.raises(SystemExit, match="has no tables of parts"):
        grading.main(tmp_path, ["--join"])


@pytest.mark.parametrize("part", ["2/2", "1", "a/b", "-1/2"])
def test_what_is_no_part_is_refused(tmp_path, capsys, part):
    with pytest.raises(SystemExit):
        grading.main(tmp_path, [f"--part={part}"])
    assert "is no part: write 0/2 for the first of two" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_a_process_is_limited_before_an_answer_runs(tmp_path):
    """Root has as many processes as it likes, so the number itself is looked at."""
    import resource

    answers = RIGHT | {"09-word": "import resource\nword = str(resource.getrlimit(resource.RLIMIT_NPROC)[0])"}
    answers["09-word"] += "\nassert len(word) < 9, word\nword = 'tree'"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY  # and not for whoever grades
    found = verdicts(exercises(assignment()), {name: [code] for name, code in answers.items()}, tmp_path, seconds=60)
    assert found["09-word"] == Verdict(right=True)


def test_what_a_system_does_not_limit_is_said():
    assert "container" in lacking("win32") and "memory" in lacking("darwin") and not lacking("linux")
