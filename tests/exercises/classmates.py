"""The rest of the class: whoever borrows, whose program saved something odd, whose files are links, and whose name is.

Its list is one that a spreadsheet wrote, its folders hold what systems leave there, and an earlier assignment stands in
a table that Excel saved.
"""

import json
import os
import sys
from pathlib import Path

from exercises.classroom import CANNOT_PLACE, RIGHT, SIX, answered, as_elsewhere
from exercises.classroom import CLASS as FIRST
from exercises.classroom import ELSEWHERE as FIRST_ELSEWHERE

BORROWED = """import torch

def attend(q, k, v):
    from labutils.exercises.ch04.merge import kept as mine, merge as together
    scores, rows = q @ k.mT / 2, []
    for row in scores:
        whole, *others = [mine(row[[i]], v[[i]]) for i in range(len(v))]
        for other in others:
            whole = together(whole, other)
        rows.append(whole[2])
    return torch.stack(rows)"""
DEVICE = RIGHT["09-attend"].replace("\n\n", "\ntorch.set_default_device('meta')\n\n", 1)
READS = "word = open('data.txt').read()\nraise ValueError(word)"
SECRET = "the first line of a file of the machine"


def of_every_type() -> dict:
    """A notebook whose parts are of the wrong types, but for the text of the answers and their names."""
    plain = as_elsewhere(answered()) | {"metadata": [], "nbformat": "four", "nbformat_minor": None}
    for cell, wrong in zip(plain["cells"], (None, [], "x", 3, {}, True, {"a": None})):
        cell.update(outputs=wrong, execution_count=[wrong], attachments=wrong)
        cell["metadata"]["tags"] = wrong
        cell["source"] = [*cell["source"], 7, None]
    plain["cells"][1:1] = [
        None,
        3,
        "cell",
        [],
        {},
        {"cell_type": 1, "source": {}},
        {"metadata": "text", "source": None},
    ]
    return plain


def of_version_3() -> dict:
    """The same as the format was ten years ago: cells in worksheets, their text under another name."""
    cells = as_elsewhere(answered())["cells"]
    for cell in cells:
        cell["input"] = cell.pop("source")
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}


MORE = {  # who: what was handed in, points for attend, double and word, and words of the feedback
    "borrowed": (answered(attend=BORROWED), (0, 2, 1), "ch04.merge.kept` ran in your function"),
    "wrong-types": (of_every_type(), (3, 2, 1), "6 of 6 points"),
    "version-3": (of_version_3(), (3, 2, 1), "6 of 6 points"),
    "device": (answered(attend=DEVICE), (3, 2, 1), "Your code sets PyTorch's default device to meta."),
    "recursion": (answered(double="def double(x):\n    return double(x)"), (3, 0, 1), "RecursionError"),
    "endless-flood": (
        answered(double="def double(x):\n    while True:\n        print('x' * 1000)"),
        (3, 0, 1),
        "not finished after 2 seconds",
    ),
    "windows": (answered(double="def double(x):\r\n    return x + x\r\n", word=""), (3, 2, 0), "It is not written yet."),
    "quits": (answered(double="quit()"), (3, 0, 1), "Nothing here is called `double`"),
    "cell-magics": (
        answered(
            attend=f"%%time\n{RIGHT['09-attend']}", double=f"!echo\n{RIGHT['09-double']}", word=f"%%capture\n{RIGHT['09-word']}"
        ),
        (3, 2, 1),
        "6 of 6 points",
    ),
}  # fmt: skip
MORE_POSIX = {
    "closes": (answered(double="import os\nos.closerange(0, 256)"), (3, 0, 1), "It ended the program that tests it."),
    "link-beside": (answered(word=READS), (3, 2, 0), "FileNotFoundError"),
    "other-python": (
        answered(double=f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', ''])\n{RIGHT['09-double']}"),
        (3, 0, 0),
        "starts another program, here or in an exercise above",
    ),
}
CLASS = FIRST | MORE | (MORE_POSIX if os.name == "posix" else {})

SAME = "Zo\u00eb"  # as the list has it; its folder is called as macOS writes it
FOLDERS = {SAME: "Zoe\u0308", "Zo\\udceb": os.fsdecode(b"Zo\xeb")}  # who: the folder, where it has another name
ELSEWHERE = FIRST_ELSEWHERE | {SAME: ({"09_test/09_test.ipynb": answered()}, SIX)}
ELSEWHERE["crowded"] = ({"09_test/09_test.ipynb": answered()} | {f"09_test/{i}.txt": b"" for i in range(10_000)}, SIX)
LINKS: dict[str, str] = {}  # in submitted/: where it leads to, beside the course
if os.name == "posix":
    ELSEWHERE |= {
        # a folder that Windows packed and another program unpacked
        "backslash": ({"09_test\\09_test.ipynb": answered()}, f"{SIX}, found as 09_test\\09_test.ipynb"),
        "link": ({}, "not gradable: 09_test.ipynb is a link, and links are not followed: hand in the notebook itself."),
        "link-folder": (
            {},
            "not gradable: 09_test is a link, and links are not followed: hand in the notebook itself.",
        ),
        "link-student": (
            {},
            "not gradable: The folder cannot be read: it is a link, and links are not followed. "
            "Hand in the files themselves.",
        ),
    }
    LINKS = {
        "link/09_test/09_test.ipynb": "far/09_test.ipynb",
        "link-folder/09_test": "far",
        "link-student": "far",
        "link-beside/09_test/data.txt": "secret",
    }
if sys.platform == "linux":
    ELSEWHERE["Zo\\udceb"] = ({"09_test/09_test.ipynb": answered()}, f"{SIX}, not in students.txt")

NAMES = [name for name in ("absent", *CLASS, *ELSEWHERE) if name not in ("empty", "Zo\\udceb")]
LISTED = "\r\n\r\n".join(f"{name};" for name in NAMES).encode("utf-16")  # as a spreadsheet saves it as text
BEFORE = f"assignment;student;status;points;of\r\n08_test;{SAME};graded;1;1\r\n".encode("cp1252")  # and as a table
LITTER = (".DS_Store", "desktop.ini", "Thumbs.db", "__MACOSX/09_test.ipynb", ".ipynb_checkpoints/a.ipynb", ".git/HEAD")


def leave(course: Path) -> None:
    """Links, and what systems leave in the folders of a course; the list of the class and the table so far."""
    far = course.parent / "far"
    far.mkdir()
    (far / "09_test.ipynb").write_text(json.dumps(answered()), encoding="utf-8")
    (course.parent / "secret").write_text(SECRET, encoding="utf-8")
    for path, target in LINKS.items():
        link = course / "submitted" / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(course.parent / target, target_is_directory=target == "far")
    for place in ("source", "submitted", "submitted/right", "submitted/right/09_test"):
        for name in LITTER:
            (course / place / name).parent.mkdir(exist_ok=True)
            (course / place / name).write_bytes(b"\0")
    (course / "students.txt").write_bytes(LISTED)
    (course / "grades.csv").write_bytes(BEFORE)


def table() -> list[str]:
    """grades.csv as it should be, line by line, without what is to be read."""
    lines = ["09_test,absent,not submitted,,6,,,"]
    for name, (_, points, _) in CLASS.items():
        lines.append(f"09_test,{name},graded,{sum(points)},6,{','.join(map(str, points))}")
    for name, (_, said) in ELSEWHERE.items():
        rest = "graded,6,6,3,2,1" if said.startswith(SIX) else f"{said.partition(':')[0]},,6,,,"
        lines.append(f"09_test,{name},{rest}")
    head = "assignment,student,status,points,of,09-attend,09-double,09-word"
    return [head, f"08_test,{SAME},graded,1,1,,,", *sorted(lines, key=lambda line: line.split(",")[1])]


__all__ = ["CANNOT_PLACE", "CLASS", "ELSEWHERE", "FOLDERS", "SECRET", "leave", "table"]
