"""What an answer does to the program that tests it, to the tests themselves or to the marks of others gains nothing."""

import csv
import io
from contextlib import redirect_stdout

import pytest
from exercises.classroom import RIGHT, WRONG, answered, assignment, hand_in

from labutils.authoring import assignments, notebooks
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading import processes
from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.messages import Verdict

ZERO = WRONG + "\n"
SEVEN = "def double(x):\n    return 7\n"
SEA = "word = 'sea'\n"
AGAIN = "The check below it fails."
EQUAL = """import torch
torch.Tensor.__eq__ = lambda one, other: torch.ones(1, dtype=torch.bool)
torch.Tensor.__lt__ = lambda one, other: torch.ones(1, dtype=torch.bool)
torch.Tensor.__sub__ = lambda one, other: torch.zeros(1)
"""
VERDICT = """from labutils.authoring.grading import messages
made = messages.Verdict.__init__
messages.Verdict.__init__ = lambda self, right=False, said="", held=None, look=False: made(self, True, "", held or [])
"""
OF_OBJECT = """for found in object.__subclasses__():
    if found.__name__ == "Verdict":
        def made(self, right=False, said="", held=None, look=False, before=found.__init__):
            before(self, True, "", held or [])
        found.__init__ = made
"""
TRIAL = """from labutils.authoring.grading import trial
trial.put_back = lambda memory: []
trial.tested = lambda *given: trial.Verdict(right=True)
"""
SECRET = """def attend(q, k, v):
    import sys
    from multiprocessing.process import current_process
    channel, secret, *more = current_process()._args or (None, None)
    frame = sys._getframe()
    while frame:
        secret, frame = frame.f_locals.get("secret", secret), frame.f_back
    if not secret:
        raise ValueError("there is no secret")
    from labutils.authoring.grading.messages import Verdict, packed
    for name in ("09-attend", "09-double", "09-word"):
        channel.send_bytes(packed(secret, name, Verdict(True)))
"""
SWALLOWS = "import contextlib\ncontextlib._GeneratorContextManager.__exit__ = lambda *given: True\n"
FLOAT = """import gc
def double(x):
    gc.get_referents(vars(float))[0]["__eq__"] = lambda one, other: True
    return 2 * x
"""
HIDES = "import labutils.exercises.checking as checking\nchecking.all = lambda found: True\n"
KNOWN = "from labutils.exercises import returned\nreturned.KNOWN.add('__main__')\n"
MODULE = """import sys, types
sys.modules["labutils.exercises.checking"] = types.ModuleType("checking")
for name in ("NotYet", "call", "check"):
    setattr(sys.modules["labutils.exercises.checking"], name, lambda *given, **named: None)
"""
LOUD = """def attend(q, k, v):
    import sys
    from labutils.exercises.checking import NotYet
    frame = sys._getframe()
    while frame and "job" not in frame.f_locals:
        frame = frame.f_back
    raise NotYet("LEAK " + " ".join(frame.f_locals["job"].exercise.hidden.split()))
"""
PRINTED = """def double(x):
    import sys
    frame = sys._getframe()
    while frame and "job" not in frame.f_locals:
        frame = frame.f_back
    hidden = frame.f_locals["job"].exercise.hidden
    print("✓ " + next(line for line in hidden.splitlines() if "'ab'" in line))
    return 7
"""
NAMED = "def double(x):\n    if x == -1:\n        raise type('assert_double_of_minus_one', (ValueError,), {})(x)\n    return 2 * x"
ENDLESS = """import os, sys
def ends(event, given, leave=os._exit):
    if event == "exec" and getattr(given[0], "co_names", None) == ("double",):
        leave(0)
sys.addaudithook(ends)
"""
READS = """import json, pathlib
source = json.loads(pathlib.Path("{course}/source/09_test/09_test.ipynb").read_text())
exec("".join(next(cell for cell in source["cells"] if cell["id"] == "09-word")["source"]))
"""
READS_LATE = """import os
def double(x):
    os.close(os.open("{course}/../private/09-double.py", os.O_RDONLY))
    return 2 * x
"""
SOURCE = """import inspect, pathlib
import labutils.exercises.ch04.merge as checker
exec(pathlib.Path(checker.__file__).read_text(), {})
inspect.getsource(checker)
def double(x):
    return 2 * x
"""
BORROWS = """import torch
from labutils.exercises.ch04.merge import kept
def double(x):
    kept(torch.ones(2), torch.ones(2, 1))
    return 2 * x
"""
REACHES = """import pathlib
course = pathlib.Path({course!r})
rows = (course / "grades.csv").read_text()
(course / "grades.csv").write_text(rows.replace("ada,graded,6", "ada,graded,99"))
for path in [*course.glob("feedback/ada/*.md"), *course.glob("source/*/*.ipynb")]:
    path.write_text("changed")
for path in (course.parent / "private").glob("*.py"):
    path.write_text("")
(course.parent / "private/09-word.py").write_text("assert True")
(course.parent / "exercises/09_test.ipynb").unlink()
(course / ".grades-going-on.json").write_text("changed")
(course / "submitted/ada/09_test/09_test.ipynb").write_text("changed")
"""

CLASS = {  # who: what was handed in, points for attend, double and word, words of the feedback, and whether it is named
    "ada": (answered(), (3, 2, 1), "6 of 6 points", False),
    "equal": (answered(attend=ZERO + EQUAL, double=SEVEN + SWALLOWS), (0, 0, 1), "torch.Tensor.__eq__", True),
    "verdict": (answered(attend=ZERO + VERDICT, double=SEVEN + TRIAL, word=SEA), (0, 0, 0), "0 of 6 points", True),
    "of-object": (answered(attend=ZERO + OF_OBJECT, double=SEVEN, word=SEA), (0, 0, 0), "messages.Verdict.__init__", True),
    "secret": (answered(attend=SECRET, double=SEVEN, word=SEA), (0, 0, 0), "there is no secret", False),
    "names": (answered(attend=ZERO + MODULE, double=SEVEN + HIDES, word=SEA + KNOWN), (0, 0, 0), "checking.all", True),
    "float": (answered(double=FLOAT), (3, 0, 0), "While it was tested, your code replaced builtins.float.__eq__", True),
    "loud": (answered(attend=LOUD, double=PRINTED), (0, 0, 0), "What your code says is held back", False),
    "endless": (answered(attend=f"{RIGHT['09-attend']}\n{ENDLESS}"), (3, 0, 1), "It ended the program that tests it.", False),
    "reads": (answered(word=READS), (3, 2, 0), "opens what belongs to tests, to solutions or to others.", True),
    "reads-late": (answered(double=READS_LATE), (3, 0, 1), "Your code opens what belongs to tests", True),
    "source": (answered(double=SOURCE), (3, 0, 1), "Your code opens what belongs to tests, to solutions", True),
    "borrows": (answered(double=BORROWS), (3, 0, 1), "`labutils.exercises.ch04.merge.kept` ran in your function", True),
    "named": (answered(double=NAMED), (3, 0, 1), "A test that the notebook does not show ended: ValueError.", False),
}  # fmt: skip


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course whose class cheats, graded once, one after the other."""
    folder = tmp_path_factory.mktemp("cheats")
    for name in ("exercises", "private"):
        (folder / name).mkdir()
    notebooks.write(folder / "exercises/09_test.ipynb", assignment())
    (folder / "private/09-double.py").write_text("assert double('ab') == 'abab', 'A text should be doubled too.'\n")
    course = folder / "course"
    assignments.prepare(folder / "exercises", course, folder / "private")
    for name, (notebook, _, _, _) in CLASS.items():
        hand_in(course, f"{name}/09_test/09_test.ipynb", placed(notebook, course))
    reaches = RIGHT["09-word"] + "\n" + REACHES.format(course=str(course))
    hand_in(course, "bob/09_test/09_test.ipynb", answered(word=reaches))
    source = (course / "source/09_test/09_test.ipynb").read_bytes()
    by_hand = {folder / "private": "*.py", folder / "exercises": "*.ipynb"}
    before = {path: path.read_bytes() for name in by_hand for path in name.iterdir()}
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(io.StringIO()) as said:
        patched.setattr(grading, "BY_HAND", by_hand)
        grading.main(course, ["09_test", "--seconds", "30", "--jobs", "1", "--allow-root"])
    assert {path: path.read_bytes() for path in before} == before
    (course / "said.txt").write_text(said.getvalue(), encoding="utf-8")
    assert (course / "source/09_test/09_test.ipynb").read_bytes() == source
    return course


def placed(notebook, course):
    """The notebook with the place of the course in its answers."""
    for cell in notebook.cells:
        cell.source = cell.source.replace("{course}", str(course))
    return notebook


@pytest.fixture(scope="module")
def rows(course):
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def told(course, name):
    return (course / f"feedback/{name}/09_test.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CLASS)
def test_it_gains_nothing(course, rows, name):
    _, points, words, _ = CLASS[name]
    assert tuple(int(rows[name][exercise]) for exercise in ("09-attend", "09-double", "09-word")) == points
    assert words in told(course, name)


def test_who_has_changed_what_tests_is_named_to_whoever_grades(course):
    lines = (course / "said.txt").read_text(encoding="utf-8").splitlines()
    named = {line.split()[0] for line in lines if "READ THIS ANSWER: it reaches for what tests it (09-" in line}
    assert named == {name for name, (*_, look) in CLASS.items() if look} | {"bob"}


def test_what_others_got_is_put_back_and_named(course, rows):
    lines = (course / "said.txt").read_text(encoding="utf-8").splitlines()
    after = lines[next(i for i, line in enumerate(lines) if line.split()[0] == "bob") + 1 :][:4]
    assert after[0] == "    THIS ANSWER CHANGED ada/09_test/09_test.ipynb: that was put back. Read its code."
    files = "source/09_test/09_test.ipynb, exercises/09_test.ipynb, private/09-double.py, feedback/ada/09_test.md, "
    assert after[1].startswith(f"    THIS ANSWER CHANGED grades.csv, {files}")
    assert after[1].endswith(": that was put back. Read its code.")
    assert after[2] == "    Was it you who changed private/09-double.py? It lies there with .changed after its name."
    assert after[3] == "    THIS ANSWER OR YOU ADDED private/09-word.py: look at it before `make assignments`."
    assert (course.parent / "private/09-double.py.changed").read_text() == ""
    assert rows["ada"]["points"] == "6" and rows["bob"]["points"] == "5" and "6 of 6 points" in told(course, "ada")
    assert not list(course.glob(".*")) and sum("CHANGED" in line for line in lines) == 2


def test_no_feedback_has_a_line_of_a_test_that_is_hidden(course):
    hidden = "\n".join(one.hidden for one in exercises(notebooks.read(course / "source/09_test/09_test.ipynb")))
    assert "double('ab')" in hidden
    for name in CLASS:
        for piece in ("double('ab')", "'abab'", "double(-1)", "assert", "allclose(attend"):
            assert piece not in told(course, name), (name, piece)


def test_a_process_that_always_ends_at_the_same_place_is_not_started_for_ever(monkeypatch, tmp_path):
    """Even without any of the student's code: what is left says that it was not reached."""
    tried = []

    def ends(jobs, *given):
        tried.append({name: len(job.cells) for name, job in jobs.items()})
        return {"09-attend": Verdict(said=processes.ENDED)}, "09-attend"

    monkeypatch.setattr(processes, "_tried", ends)
    tests = exercises(assignment())
    found = processes.verdicts(tests, {name: [code] for name, code in RIGHT.items()}, tmp_path, seconds=1)
    assert len(tried) == 1 + processes.TIMES and tried[1] == {"09-attend": 0, "09-double": 1, "09-word": 1}
    assert [verdict.said for verdict in found.values()] == [processes.ENDED, *[processes.NOT_REACHED] * 2]
    assert [verdict.look for verdict in found.values()] == [False, True, True]
