"""A small assignment, and a class that hands it in: well, badly, not at all, and in bad faith."""

import json
import os
import sys
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from labutils.authoring import notebooks
from labutils.authoring.self_study import student
from labutils.places import EXERCISES

ATTEND = '''import torch
from labutils.layers import softmax

def attend(q, k, v):
    """Self-attention for one head."""
    ### BEGIN SOLUTION
    # Why: the scores are scaled.
    return softmax(q @ k.mT / k.shape[-1] ** 0.5) @ v
    ### END SOLUTION'''
ATTEND_CHECK = '''from labutils.exercises.checking import NotYet, call, check

def one_row_keeps_its_value(attend, draw):
    """One row keeps its value."""
    q, k, v = draw.normal(3, 1, 4)
    if not torch.allclose(call(attend, q, k, v), v):
        raise NotYet("With one row the value should come out.")

check(attend, one_row_keeps_its_value, repeat="seed={seed}")
### BEGIN HIDDEN TESTS
q, k, v = torch.randn(3, 5, 4)
assert torch.allclose(attend(q, k, v), (q @ k.mT / 2).softmax(-1) @ v, atol=1e-5)
### END HIDDEN TESTS'''
DOUBLE = "def double(x):\n    ### BEGIN SOLUTION\n    # Why: twice.\n    return 2 * x\n    ### END SOLUTION"
DOUBLE_CHECK = "assert double(3) == 6\n### BEGIN HIDDEN TESTS\nassert double(-1) == -2\n### END HIDDEN TESTS"
NAME = "# word = a word of four letters\n### BEGIN SOLUTION\n# Why: it has four.\nword = 'tree'\n### END SOLUTION"
NAME_CHECK = "assert len(word) == base + 1"

RIGHT = {
    "09-attend": "import torch\nfrom labutils.layers import softmax\n\ndef attend(q, k, v):\n"
    "    return softmax(q @ k.mT / 2) @ v",
    "09-double": "def double(x):\n    return x + x",
    "09-word": "word = 'lake'",
}
WRONG = "import torch\n\ndef attend(q, k, v):\n    return torch.zeros_like(v)"


def marks(name: str, **more) -> dict:
    plain = {"grade": False, "grade_id": name, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return {"nbgrader": plain | more}


def assignment() -> NotebookNode:
    """Three exercises of 3, 2 and 1 points, as an instructor has them."""

    def exercise(name: str, title: str, answer: str, test: str, points: int) -> list[NotebookNode]:
        return [
            new_markdown_cell(f":::{{exercise}}\n**{title}**\n:::", id=f"{name}-card"),
            new_code_cell(answer, id=name, metadata=marks(name, solution=True)),
            new_code_cell(
                test, id=f"{name}-check", metadata=marks(f"{name}-check", grade=True, locked=True, points=points)
            ),
        ]

    return new_notebook(cells=[
        new_code_cell("base = 3", id="given", metadata=marks("given", locked=True)),
        *exercise("09-attend", "9.1 Attend", ATTEND, ATTEND_CHECK, 3),
        *exercise("09-double", "9.2 Double", DOUBLE, DOUBLE_CHECK, 2),
        *exercise("09-word", "9.3 Find a word", NAME, NAME_CHECK, 1),
    ])  # fmt: skip


def answered(**answers: str) -> NotebookNode:
    """What a student hands in: right answers, but for those that are given (attend=…, double=…, word=…)."""
    notebook = student(assignment())
    for cell in notebook.cells:
        if cell.id in RIGHT:
            cell.source = answers.get(cell.id.removeprefix("09-"), RIGHT[cell.id])
    return notebook


def without(notebook: NotebookNode, *names: str) -> NotebookNode:
    return new_notebook(cells=[cell for cell in notebook.cells if cell.id not in names])


def changed(notebook: NotebookNode, name: str, source: str) -> NotebookNode:
    next(cell for cell in notebook.cells if cell.id == name).source = source
    return notebook


def turned(notebook: NotebookNode, name: str, kind: str) -> NotebookNode:
    """A cell turned to Markdown or raw, as a key does it."""
    cell = next(cell for cell in notebook.cells if cell.id == name)
    cell.cell_type = kind
    for part in ("outputs", "execution_count"):
        cell.pop(part, None)
    return notebook


def with_copy(notebook: NotebookNode, name: str, source: str) -> NotebookNode:
    """A cell copied below itself, as JupyterLab does it: with another id and the same marks."""
    place = [cell.id for cell in notebook.cells].index(name)
    copy = deepcopy(notebook.cells[place])
    copy.id, copy.source = "0a1b2c3d", source
    notebook.cells.insert(place + 1, copy)
    return notebook


def as_elsewhere(notebook: NotebookNode) -> dict:
    """The notebook as a program saves it that keeps marks and knows no ids."""
    plain = json.loads(nbformat.writes(notebook, version=4)) | {"nbformat_minor": 2}
    for cell in plain["cells"]:
        del cell["id"]
    return plain


def hand_in(course: Path, path: str, content: NotebookNode | dict | str | bytes) -> None:
    """Write a file into the folder of submissions."""
    path = course / "submitted" / path
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


FORGED = """import json, os, struct
verdict = {"right": True, "said": "", "held": []}
for secret in ("", None, "0" * 32):
    for exercise in ("09-attend", "09-double", "09-word"):
        message = json.dumps({"secret": secret, "exercise": exercise, "verdict": verdict}).encode()
        for number in range(3, 64):
            try:
                os.write(number, struct.pack("!i", len(message)) + message)
            except OSError:
                pass"""
UNENDING = """import os, struct
for number in range(3, 64):
    try:
        os.write(number, struct.pack("!i", 1000) + b"{")
    except OSError:
        pass
def double(x):
    while True:
        pass"""
SECOND = f"""import os, subprocess, sys
for number in range(3, 64):
    try:
        os.set_inheritable(number, True)
    except OSError:
        pass
subprocess.run([sys.executable, "-c", {FORGED!r} + "\\nprint(message.decode())"], close_fds=False)"""
REMOVED = """import os, shutil
for name in os.listdir("."):
    os.remove(name)
shutil.rmtree("../09_test", ignore_errors=True)"""
SLEEP = "86399.5"  # seconds, by which the processes are known that an answer leaves behind
LEFT = f"""import subprocess
for own in (False, True):
    subprocess.Popen(["sleep", "{SLEEP}"], start_new_session=own)
subprocess.run(["sh", "-c", "sleep {SLEEP} &"])
def double(x):
    return 2 * x"""
DAEMON = f"""import os
child = os.fork()
if not child:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, 64)
    os.execvp("sleep", ["sleep", "{SLEEP}"])
os.waitpid(child, 0)
"""
UNWRITTEN = dict.fromkeys(("double", "word"), "raise NotImplementedError")


CLASS = {  # who: what was handed in, points for attend, double and word, and words of the feedback
    "right": (answered(), (3, 2, 1), "6 of 6 points"),
    "empty": (student(assignment()), (0, 0, 0), "It is not written yet."),
    "partly": (answered(double="def double(x):\n    return 2 * int(x)"), (3, 0, 1), "does not show ended: ValueError"),
    "numbers-only": (answered(double="def double(x):\n    return x * 2 if isinstance(x, int) else x"), (3, 0, 1), "be doubled"),
    "no-check": (without(answered(), "09-double-check", "given"), (3, 2, 1), "6 of 6 points"),
    "own-check": (
        changed(answered(double="def double(x):\n    return 7"), "09-double-check", "assert True"),
        (3, 0, 1),
        "The check below it fails.",
    ),
    "deleted": (without(answered(), "09-double"), (3, 0, 1), "There is no cell for it in the notebook that was handed in."),
    "twice": (with_copy(answered(double="double = None"), "09-double", RIGHT["09-double"]), (3, 2, 1), "6 of 6"),
    "elsewhere": (as_elsewhere(answered()), (3, 2, 1), "6 of 6 points"),
    "checker": (
        answered(attend=f"{WRONG}\nimport labutils.exercises.checking as c\nc.check = c.call = lambda *a: a[-1]"),
        (0, 2, 1),
        "Your code had replaced labutils.exercises.checking.check, labutils.exercises.checking.call.",
    ),
    "inside": (
        answered(attend=f"{WRONG}\nimport labutils.exercises.checking as c\nc.call.__code__ = (lambda *a: a[-1]).__code__"),
        (0, 2, 1),
        "Your code had replaced labutils.exercises.checking.call.",
    ),
    "allclose": (
        answered(attend=f"{WRONG}\ntorch.allclose = lambda *a, **k: True"),
        (0, 2, 1),
        "Your code had replaced torch.allclose",
    ),
    "allclose-late": (
        answered(attend=WRONG.replace("    return", "    torch.allclose = lambda *a, **k: True\n    return")),
        (0, 2, 1),
        "While it was tested, your code replaced torch.allclose",
    ),
    "package": (
        answered(attend="from labutils.layers import attention\n\ndef attend(q, k, v):\n    return attention(q, k, v)[0]"),
        (0, 2, 1),
        "`labutils.layers.scaled_dot_product.attention` ran in your function",
    ),
    "loop": (answered(double="def double(x):\n    while True:\n        pass"), (3, 0, 1), "not finished after 2 seconds"),
    "sleeps": (answered(double="import time\ntime.sleep(600)"), (3, 0, 1), "after 10 seconds, most of them idle"),
    "waits": (answered(double=f"import time\ntime.sleep(3)\n{RIGHT['09-double']}"), (3, 2, 1), "6 of 6 points"),
    "syntax": (answered(double="def double(x)\n    return 2 * x"), (3, 0, 1), "SyntaxError: expected ':'"),
    "flood": (
        answered(double="def double(x):\n    print('✓ ' * 10**6)\n    print('x\\n' * 10**6)\n    return 2 * x"),
        (3, 2, 1),
        "6 of 6 points",
    ),
    "exit": (answered(double="import os\nos._exit(0)"), (3, 0, 1), "It ended the program that tests it."),
}  # fmt: skip
POSIX = {  # the same, with what Windows does not have
    "fork": (answered(attend="import os\nos.fork()\nos.fork()", **UNWRITTEN), (0, 0, 0), "It is not written yet."),
    "fork-below": (answered(attend=f"{RIGHT['09-attend']}\nimport os\nos.fork()", **UNWRITTEN), (3, 0, 0), "not written"),
    "fork-inside": (answered(double="import os\ndef double(x):\n    os.fork()\n    return 2 * x"), (3, 2, 1), "6 of 6"),
    "fork-and-leave": (answered(double="import os\nif os.fork():\n    os._exit(0)"), (3, 0, 1), "It ended the program"),
    "forged": (answered(attend=FORGED, **UNWRITTEN), (0, 0, 0), "It is not written yet."),
    "second": (answered(attend=SECOND, **UNWRITTEN), (0, 0, 0), "It is not written yet."),
    "unending": (answered(double=UNENDING), (3, 0, 1), "not finished after 2 seconds"),
    "group": (answered(double="import os\nos.kill(0, 9)"), (3, 0, 1), "It ended the program that tests it."),
    "leaves": (answered(double=LEFT), (3, 0, 0), "So there are no points until whoever grades has read it."),
    "daemon": (answered(double=DAEMON + "def double(x):\n    return 2 * x"), (3, 2, 1), "6 of 6 points"),
    "daemon-and-exit": (answered(double=DAEMON + "os._exit(0)"), (3, 0, 1), "It ended the program that tests it."),
    "file": (answered(double="open('large', 'wb').truncate(10**10)"), (3, 0, 1), "File too large"),
}  # fmt: skip
LINUX = {  # the same, with what macOS does not limit
    "memory": (answered(double="def double(x):\n    return [bytes(10**9) for _ in range(9)]"), (3, 0, 1), "more memory"),
    "memory-inside": (
        answered(attend="def attend(q, k, v):\n    return [bytes(10**9) for _ in range(9)]"), (0, 2, 1), "more memory"
    ),
    "tensor": (
        answered(double="import torch\ndef double(x):\n    torch.zeros(2 * 10**9)\n    return 2 * x"),
        (3, 0, 1),
        "more memory",
    ),
}  # fmt: skip
CLASS |= {"removes": (answered(attend=f"{RIGHT['09-attend']}\n{REMOVED}"), (3, 2, 1), "6 of 6 points")}
DECIDES = f"""{WRONG.replace("return torch.zeros_like(v)", "return torch.zeros_like(v).as_subclass(Agreeable)")}

class Agreeable(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, given=(), named=None):
        return function is torch.allclose or super().__torch_function__(function, types, given, named or {{}})"""
MODE = f"""{WRONG}
from torch.overrides import TorchFunctionMode

class Agreeable(TorchFunctionMode):
    def __torch_function__(self, function, types, given=(), named=None):
        return function is torch.allclose or function(*given, **(named or {{}}))

Agreeable().__enter__()"""
CLASS |= {
    "agreeable": (answered(attend=DECIDES), (0, 2, 1), "With one row the value should come out."),
    "mode": (answered(attend=MODE), (0, 2, 1), "Your code had replaced what PyTorch's operations do."),
    "own-tolist": (
        answered(attend=f"{WRONG.replace('return', 'found =')}\n    found.shape_of = 1\n    found.double = lambda: v\n    return found"),
        (0, 2, 1),
        "With one row the value should come out.",
    ),
    "equal": (
        answered(double="class Same:\n    def __eq__(self, other):\n        return True\n\ndef double(x):\n    return Same()"),
        (3, 0, 1),
        "a Same, which would say itself what it is equal to",
    ),
    "equal-number": (
        answered(double="class Same(int):\n    def __eq__(self, other):\n        return True\n\ndef double(x):\n    return Same(1)"),
        (3, 0, 1),
        "The check below it fails.",
    ),
    "equal-text": (
        answered(word="class Long(str):\n    def __len__(self):\n        return 4\n\nword = Long('sea')"),
        (3, 2, 0),
        "The check below it fails.",
    ),
    "checkers-own": (
        answered(double="import torch\nfrom labutils.exercises.ch04.merge import kept\nkept(torch.ones(2), torch.ones(2, 1))\n"
                 "def double(x):\n    return 2 * x"),
        (3, 0, 1),
        "`labutils.exercises.ch04.merge.kept` ran in a cell of yours",
    ),
    "default": (
        answered(attend=RIGHT["09-attend"].replace("\n\n", "\ntorch.set_default_dtype(torch.float64)\n\n", 1)),
        (3, 2, 1),
        "Your code sets PyTorch's default dtype to torch.float64. It was tested with what is usual.",
    ),
    "default-inside": (
        answered(double="import torch\n\ndef double(x):\n    torch.set_default_dtype(torch.float64)\n    return 2 * x"),
        (3, 2, 1),
        "Your code sets PyTorch's default dtype to torch.float64.",
    ),
    "magics": (
        answered(
            attend=f"%matplotlib inline\n{RIGHT['09-attend']}",
            double=f"%matplotlib agg\n%autosave 0\n{RIGHT['09-double']}",
            word=f"%connect_info\n%load_ext autoreload\n%autoreload 2\n%pip install torch\n{RIGHT['09-word']}",
        ),
        (3, 2, 1),
        "6 of 6 points",
    ),
    "markdown": (turned(turned(answered(), "09-attend", "markdown"), "09-word", "raw"), (3, 2, 1), "6 of 6 points"),
    "other-name": (
        answered(double="def doubled(x):\n    return 2 * x"),
        (3, 0, 1),
        "Nothing here is called `double`, and that is what is tested.",
    ),
    "other-cell": (
        answered(double="", word=f"{RIGHT['09-word']}\n\n{RIGHT['09-double']}"),
        (3, 0, 1),
        "An answer to it stands in the cell of 9.3 Find a word. Move it into its own cell.",
    ),
    "imports-above": (
        changed(answered(double="def double(x):\n    return op.mul(2, x)"), "given", "import operator as op\nbase = 'lost'"),
        (3, 2, 1),
        "6 of 6 points",
    ),
    "imports-alone": (changed(student(assignment()), "09-word-check", "import math"), (0, 0, 0), "It is not written yet."),
    "helper-below": (
        answered(double="def double(x):\n    return twice(x)", word=f"{RIGHT['09-word']}\n\ntwice = lambda x: 2 * x"),
        (3, 0, 1),
        "`twice` is defined further down, at 9.3 Find a word. Cells are run from the top to the bottom: define it above.",
    ),
    "helper-in-given": (
        changed(answered(double="def double(x):\n    return twice(x)"), "given", "base = 3\ndef twice(x):\n    return 2 * x"),
        (3, 0, 1),
        "`twice` is defined in a cell that was handed out; graded is with that as it was.",
    ),
    "asks": (answered(word="word = input()"), (3, 2, 0), "it waits for somebody to type, as `input()` does"),
    "surrogate": (answered(word="word = 'sea\ud800'"), (3, 2, 1), "6 of 6 points"),
}  # fmt: skip
CLASS |= POSIX if os.name == "posix" else {}
CLASS |= LINUX if sys.platform == "linux" else {}

SIX = "6 points"
ELSEWHERE = {  # who: file -> what is in it, and what is said on the screen
    "download": ({"09_test/09_test (1).ipynb": answered()}, f"{SIX}, found as 09_test/09_test (1).ipynb"),
    "own-folder": ({"x/09/Untitled.ipynb": answered()}, f"{SIX}, found as x/09/Untitled.ipynb"),
    "Ada Lovelace": ({"09_test.ipynb": answered()}, f"{SIX}, found as 09_test.ipynb"),
    "text": ({"09_test/09_test.ipynb.txt": answered()}, f"{SIX}, found as 09_test/09_test.ipynb.txt"),
    "mark": ({"09_test/09_test.ipynb": "\ufeff" + json.dumps(answered())}, SIX),
    "two": (
        {"09_test/09_test.ipynb": answered(), "09_test/09_test (1).ipynb": student(assignment())},
        f"{SIX} (09_test/09_test (1).ipynb: not the same, and not graded)",
    ),
    "two-alike": ({"09_test/09_test.ipynb": answered(), "09_test/09_test (1).ipynb": answered()}, SIX),
    "two-elsewhere": (
        {"a.ipynb": answered(), "b/a.ipynb": answered(word="word = 'sea'")},
        "not gradable: a.ipynb and b/a.ipynb are this assignment, and they differ. Keep the one that counts.",
    ),
    "broken-and-whole": ({"09_test/09_test.ipynb": "{", "again.ipynb": answered()}, f"{SIX}, found as again.ipynb"),
    "no-json": ({"09_test/09_test.ipynb": "{'cells': []}"}, "not gradable: 09_test.ipynb cannot be read as a notebook"),
    "other-notebook": (
        {"09_test/09_test.ipynb": notebooks.read(EXERCISES / "04_attention.ipynb")},
        "not gradable: None of its cells is an answer of this assignment. Is it another notebook? "
        "If a program has removed the names of its cells, copy the answers into a new copy of the assignment.",
    ),
    "zip": (
        {"09_test.zip": b"PK\3\4", ".DS_Store": b"", "__MACOSX/09_test.ipynb": b"x", ".git/09_test.ipynb": b"x"},
        "not gradable: 09_test.zip is a ZIP archive, not a notebook. Hand in the notebook itself.",
    ),
    "page": (
        {"09_test/09_test.ipynb": "\ufeff <!DOCTYPE html><title>09_test</title>"},
        "not gradable: 09_test.ipynb is a web page, not a notebook. Hand in the notebook itself.",
    ),
    "page-named-so": (
        {"09_test/09_test.html": "<html>"},
        "not gradable: 09_test.html is a web page, not a notebook. Hand in the notebook itself.",
    ),
    "nothing": ({"09_test/09_test.ipynb": ""}, "not gradable: 09_test.ipynb is empty, not a notebook. Hand in the notebook itself."),
    "wide": ({"09_test/09_test.ipynb": json.dumps(answered()).encode("utf-16")}, SIX),
    "crowded": ({"09_test/09_test.ipynb": answered()} | {f"09_test/{i}.txt": b"" for i in range(1010)}, SIX),
    "photo": ({"a.jpg": b"x"}, "not submitted"),
}  # fmt: skip
CANNOT_PLACE = [
    "lost.ipynb: it lies in no student's folder",
    "broken-and-whole/09_test/09_test.ipynb: it cannot be read",
    "photo/a.jpg",
    "two/09_test/09_test (1).ipynb: 09_test/09_test.ipynb counts",
    "two-alike/09_test/09_test (1).ipynb: 09_test/09_test.ipynb counts",
]
