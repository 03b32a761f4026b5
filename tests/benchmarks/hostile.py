"""What a grader has to get over: answers that loop, flood, copy themselves or cheat, and files that are something else.

Each is handed in with the sheet of chapter 2, all of whose other exercises are answered rightly. So it has to cost its
own exercise and nothing else: neither one of the same student nor one of those who are graded beside.
"""

import json
import os
from copy import deepcopy

import psutil

from labutils.authoring import notebooks
from labutils.authoring.self_study import student
from labutils.places import EXERCISES
from tests.exercises import classroom
from tests.exercises.test_answers import ALL, SOURCES

CHAPTER, TRIED = "02", "02-fewest"
NAME = next(path.stem for path in EXERCISES.glob(f"{CHAPTER}_*.ipynb"))
NAMES = [name for name in ALL if name.startswith(CHAPTER)]
SOLUTIONS = {cell.id: cell.source for cell in SOURCES[CHAPTER].cells if cell.id in NAMES}
RIGHT = SOLUTIONS[TRIED]
KILLS = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"
WRONG = "def fewest_pieces(word, vocab):\n    return [word]\n"
STUBBORN = "def fewest_pieces(word, vocab):\n    while True:\n        {}\n"
FORGED = classroom.FORGED.replace("09-attend", TRIED).replace("09-double", "02-padding").replace("09-word", "02-own")
FORGED += "\n" + WRONG
CLASS_OF_OWN = """class Same(list):
    def __eq__(self, other):
        return True

def fewest_pieces(word, vocab):
    return Same()
"""
FAILS = {  # the exercise gets no points
    "loops": STUBBORN.format("pass"),
    "loops-outside": "while True:\n    pass",
    "sleeps": "import time\ntime.sleep(600)",
    "floods-for-ever": STUBBORN.format("print('x' * 1000)"),
    "memory": "kept = []\nwhile True:\n    kept.append(bytes(10**8))",
    "memory-inside": f"kept = []\n{STUBBORN.format('kept.append(bytes(10**8))')}",
    "recursion": "def fewest_pieces(word, vocab):\n    return fewest_pieces(word, vocab)",
    "syntax": "def fewest_pieces(word, vocab)\n    return word",
    "exits": "import os\nos._exit(0)",
    "quits": "quit()",
    "kills-its-group": "import os\nos.kill(0, 9)",
    "kills-the-server": f"{KILLS}{RIGHT}",
    "closes": "import os\nos.closerange(0, 256)",
    "forks-and-leaves": "import os\nif os.fork():\n    os._exit(0)",
    "daemon-and-exit": f"{classroom.DAEMON}os._exit(0)",
    "large-file": f"open('large', 'wb').truncate(10**10)\n{WRONG}",
    "forges": FORGED,
    "forges-unended": classroom.UNENDING.replace("double(x)", "fewest_pieces(word, vocab)"),
    "replaces-the-check": f"{WRONG}\nimport labutils.exercises.checking as c\nc.check = c.call = lambda *a, **k: a[-1]",
    "borrows": "from labutils.exercises.ch02.fewest import fewest_pieces",
    "equal-to-all": CLASS_OF_OWN,
    "other-name": RIGHT.replace("def fewest_pieces", "def fewest"),
}
PASSES = {  # in bad faith or in bad style, and right: what is asked for is there
    "floods": f"print('✓ ' * 10**6)\nprint('x\\n' * 10**6)\n{RIGHT}",
    "forks": f"import os\nfor _ in range(3):\n    os.fork()\n{RIGHT}",  # eight of it
    "leaves": classroom.LEFT.partition("def double")[0] + RIGHT,
    "daemon": classroom.DAEMON + RIGHT,
    "removes-files": f"{classroom.REMOVED}\n{RIGHT}",
    "sets-defaults": f"import torch\ntorch.set_default_dtype(torch.float64)\n{RIGHT}",
}


def answered(answer=RIGHT):
    """The sheet with all exercises answered, one of them as given."""
    notebook = student(SOURCES[CHAPTER])
    for cell in notebook.cells:
        if cell.id in SOLUTIONS:
            cell.source = SOLUTIONS[cell.id] if cell.id != TRIED else answer
    return notebook


PLACE, WHOLE = f"{NAME}/{NAME}.ipynb", answered()
BROKEN = json.dumps(WHOLE)[:5000]
FILES = {  # what was handed in, and whether it is graded, not gradable or not submitted
    "renamed": ({f"{NAME}/{NAME} (1).ipynb": WHOLE}, "graded"),
    "own-folder": ({"x/2/Untitled.ipynb": WHOLE}, "graded"),
    "two-alike": ({PLACE: WHOLE, f"{NAME}/copy.ipynb": deepcopy(WHOLE)}, "graded"),
    "crowded": ({PLACE: WHOLE} | {f"{NAME}/{i}.txt": b"" for i in range(2000)}, "graded"),
    "half": ({PLACE: BROKEN}, "not gradable"),
    "zip": ({f"{NAME}.zip": b"PK\3\4"}, "not gradable"),
    "page": ({f"{NAME}/{NAME}.html": "<html>"}, "not gradable"),
    "two-that-differ": ({"a.ipynb": WHOLE, "b.ipynb": answered(WRONG)}, "not gradable"),
    "other-notebook": ({PLACE: notebooks.read(EXERCISES / "04_attention.ipynb")}, "not gradable"),
    "photo": ({"a.jpg": b"x"}, "not submitted"),
}
KINDS = [*FAILS, *PASSES, *FILES]


def hand_in(course, who, kind):
    """Hand in one of KINDS; returns the status that it has to get and, of each exercise, whether it has to get points."""
    if kind in FILES:
        files, status = FILES[kind]
        right = dict.fromkeys(NAMES, status == "graded")
    else:
        files, status = {PLACE: answered((FAILS | PASSES)[kind])}, "graded"
        right = dict.fromkeys(NAMES, True) | {TRIED: kind in PASSES}
    for path, content in files.items():
        classroom.hand_in(course, f"{who}/{path}", content)
    return status, right


def left_running():
    """What answers have left behind, by the command that only they start."""
    return [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == ["sleep", classroom.SLEEP]]


if os.name != "posix":
    raise SystemExit("These answers do what Windows does not have: fork, groups and signals.")
