"""What an answer lists, removes or starts: who it was is named, and a program on what belongs to others costs points."""

import os
import sys

import pytest
from exercises.classroom import RIGHT, answered, assignment, hand_in
from exercises.test_handed_in import course, status

from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.course import Course
from labutils.authoring.grading.culprits import Culprits
from labutils.authoring.grading.marks import Mark, on_screen
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.processes import verdicts
from labutils.places import SITE, WORK

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has other programs")
OPENS = "Your code opens what belongs to tests, to solutions or to others. So it gets no points."

__all__ = ["course"]


@pytest.fixture
def closed(tmp_path):
    """A folder of others beside one's own."""
    for name in ("own", "course/submitted/bob"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "course/submitted/bob/a.py").write_text("word = 'tree'")
    return tmp_path / "course"


REACHES = {
    "list": "import os\nos.listdir('{course}/submitted')",
    "scan": "from pathlib import Path\nlist(Path('{course}').iterdir())",
    "remove": "import os\nos.remove('{course}/submitted/bob/a.py')",
    "rename": "import os\nos.rename('{course}/submitted/bob/a.py', 'a.py')",
    "link": "import os\nos.symlink('{course}/submitted/bob/a.py', 'a.py')",
    "tensor": "import torch\ntorch.from_file('{course}/submitted/bob/a.py', size=4, dtype=torch.uint8)",
    "operation": "import torch\ntorch.ops.aten.from_file('{course}/submitted/bob/a.py', False, 4, dtype=torch.uint8)",
    "storage": "import torch\ntorch.UntypedStorage.from_file('{course}/submitted/bob/a.py', False, 4)",
    "array": "import numpy\nnumpy.fromfile('{course}/submitted/bob/a.py', dtype='u1')",
    "memmap": "import numpy\nnumpy.memmap('{course}/submitted/bob/a.py', dtype='u1', mode='r')",
}
PROGRAMS = {
    "shell": "import subprocess\nsubprocess.run('cat {course}/submitted/bob/a.py', shell=True)",
    "list": "import subprocess\nexec(subprocess.run(['cat', '{course}/submitted/bob/a.py'], capture_output=True).stdout)",
    "system": "import os\nos.system('cat {course}/submitted/*/a.py > a.py')",
    "line": "!cat {course}/submitted/bob/a.py",
    "value": "found = !cat {course}/submitted/bob/a.py",
    "cell": "%%bash\ncat {course}/submitted/bob/a.py",
    "script": "%%script bash\ncat {course}/submitted/bob/a.py",
    "python": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'print(open(\"{course}/submitted/bob/a.py\").read())'])",
    "away": "import subprocess\nsubprocess.run('cd {course}/..; cat course/submitted/bob/a.py', shell=True)",
    "ls": "!ls {course}/submitted",
    "forked": "import os\nif not os.fork():\n    os.execvp('cat', ['cat', '{course}/submitted/bob/a.py'])\nos.wait()",
    "spawned": "import os\nos.waitpid(os.posix_spawnp('cat', ['cat', '{course}/submitted/bob/a.py'], os.environ), 0)",
    "thread": "import subprocess, threading\none = threading.Thread(target=subprocess.run, args=(['cat', '{course}/submitted/bob/a.py'],))\none.start()\none.join()",
    "solution": "!cat {course}/../notebooks/exercises/11_kv_cache.ipynb",
}  # fmt: skip


def one(tmp_path, closed, code):
    """The verdict on a right answer that stands behind some code."""
    cells = {name: [text] for name, text in RIGHT.items()} | {"09-word": [code, "word = 'tree'"]}
    return verdicts(exercises(assignment()), cells, tmp_path / "own", seconds=60, closed=closed)["09-word"]


@pytest.mark.parametrize("how", REACHES)
def test_who_lists_or_removes_what_belongs_to_others_gets_no_points(tmp_path, closed, how):
    found = one(tmp_path, (str(closed),), REACHES[how].format(course=closed))
    assert found == Verdict(said=OPENS, look=True, wrote=how in ("remove", "rename", "link"))


BELOW = {
    "open": "os.open({path!r}, os.O_RDONLY, dir_fd=root)",
    "list": "os.listdir(os.open({path!r} + '/..', os.O_RDONLY, dir_fd=root))",
    "remove": "os.remove({path!r}, dir_fd=root)",
    "history": "import readline; readline.read_history_file('/' + {path!r})",
}


@POSIX
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="this system does not tell which folders are open")
@pytest.mark.parametrize("how", BELOW)
def test_who_reaches_it_from_an_open_folder_gets_no_points(tmp_path, closed, how):
    path = str(closed / "submitted/bob/a.py").lstrip("/")
    code = "import os\nroot = os.open('/', os.O_RDONLY)\n" + BELOW[how].format(path=path)
    assert one(tmp_path, (str(closed),), code) == Verdict(said=OPENS, look=True, wrote=how == "remove")


HIDDEN = {
    "library": "import ctypes\nctypes.CDLL(None)",
    "python": "import ctypes\nctypes.pythonapi.open",
    "memory": "import ctypes\nctypes.string_at(id(1), 4)",
    "forked": "import multiprocessing.util as u, os\nos.waitpid(u.spawnv_passfds(b'/bin/sh', [b'sh', b'-c', b'sleep 0; ls'], []), 0)",
    "spawned": "from multiprocessing.context import SpawnProcess\np = SpawnProcess(target=exec, args=('1',))\np.start()\np.join()",
    "path": "import os\nopen('ls', 'w').write('#!/bin/sh')\nos.chmod('ls', 448)\nos.environ['PATH'] = '.'\nos.system('ls')",
    "preload": "import os, subprocess\nsubprocess.run(['ls'], env={**os.environ, 'LD_PRELOAD': './a.so'})",
}


@POSIX
@pytest.mark.parametrize("how", HIDDEN)
def test_what_hides_what_it_opens_waits_until_it_was_read(tmp_path, closed, how):
    found = one(tmp_path, (str(closed),), HIDDEN[how])
    assert found.right and found.waits and found.starts


@POSIX
def test_a_library_that_was_handed_in_waits_until_it_was_read(tmp_path, closed):
    (tmp_path / "own/evil.so").write_bytes(b"no library")
    code = "import contextlib\nwith contextlib.suppress(ImportError):\n    import evil"
    found = one(tmp_path, (str(closed),), code)
    assert found == Verdict(right=True, starts="C code, evil.so", waits=True)
    moved = f"import os, sys\nos.makedirs('{tmp_path}/away')\nos.rename('evil.so', '{tmp_path}/away/evil.so')\nsys.path.append('{tmp_path}/away')\n"
    assert one(tmp_path, (str(closed),), moved + code) == found


HONEST = {
    "libraries": "import matplotlib.pyplot, scipy.special, psutil, ctypes.util, numpy.ctypeslib",
    "compiler": "import torch\ntorch.compile(lambda x: x + 1, backend='eager')(torch.ones(2))",
    "surroundings": "import os\nos.environ['OMP_NUM_THREADS'] = '1'\nos.system('ls')",
    "shared": "from multiprocessing import shared_memory as s\nm = s.SharedMemory(create=True, size=9)\nm.close()\nm.unlink()",
    "queue": "import multiprocessing as m\nq = m.Queue()\np = m.Process(target=q.put, args=(1,))\np.start()\nassert q.get() == 1\np.join()",
}


@POSIX
@pytest.mark.parametrize("how", HONEST)
def test_what_libraries_do_by_themselves_costs_nothing(tmp_path, closed, how):
    assert one(tmp_path, (str(closed),), HONEST[how]) == Verdict(right=True)


@POSIX
@pytest.mark.parametrize("how", PROGRAMS)
def test_a_program_on_what_belongs_to_others_costs_the_points(tmp_path, closed, how):
    folders = (str(closed), str(tmp_path / "notebooks/exercises"))
    found = one(tmp_path, folders, PROGRAMS[how].format(course=closed))
    assert (found.right, found.said, found.look) == (False, OPENS, True)


@POSIX
@pytest.mark.parametrize(
    "code, starts",
    [
        ("!ls; sleep 0", "ls; sleep 0"),
        ("!pip install torch; ls", "pip install torch; ls"),
        ("!cat w*.txt", "cat w*.txt"),
        ("!sleep 0\n!ls; sleep 1", "ls; sleep 1"),
        ("%%bash\nsleep 0\nls", "sleep 0 ls"),
        ("%%sh\nls", "sh"),
        ("import os\nos.system('python3 -c 1')", "python3 -c 1"),
        ("import subprocess\nsubprocess.run(['find', '.'])", "find ."),
        ("import subprocess\nsubprocess.run(['ls', '-c', '1'], executable='/bin/sh')", "1"),
        ("import os\nopen('ls', 'w').write('#!/bin/sh')\nos.chmod('ls', 448)\nos.system('./ls')", "./ls"),
    ],
)
def test_another_program_waits_until_the_answer_was_read(tmp_path, closed, code, starts):
    assert one(tmp_path, (str(closed),), code) == Verdict(right=True, starts=starts, waits=True)


@POSIX
def test_processes_of_multiprocessing_are_no_other_program(tmp_path, closed):
    code = "import math, multiprocessing as m\nfor way in ('fork', 'forkserver', 'spawn'):\n    with m.get_context(way).Pool(2) as pool:\n        assert pool.map(math.sqrt, [4, 9]) == [2, 3]"
    assert one(tmp_path, (str(closed),), code) == Verdict(right=True)


@POSIX
@pytest.mark.parametrize(
    "code, starts",
    [
        ("!cat word.txt", "cat word.txt"),
        ("import subprocess\nsubprocess.run(['sleep', '0'])", "sleep 0"),
        ("import os\nif not os.fork():\n    os.execvp('sleep', ['sleep', '0'])\nos.wait()", "sleep 0"),
        ("!pip list", ""),
        ('!pip install "torch>=2"\nno = !python3 -m pip -q install torch', ""),
        ("!python -m pip --version", ""),
        ("!ls -la", ""),
        ("import subprocess, shutil\nshutil.which('nvidia-smi') and subprocess.run(['nvidia-smi'])", ""),
        ("import platform\nplatform.processor()", ""),
        ("import os\nos.listdir('.')\nos.makedirs('out', exist_ok=True)\nopen('out/a', 'w').close()", ""),
        ("import os\nos.listdir()\nos.remove('a') if os.path.exists('a') else None", ""),
    ],
)
def test_a_plain_program_is_told_to_whoever_grades_and_costs_nothing(tmp_path, closed, code, starts):
    assert one(tmp_path, (str(closed),), code) == Verdict(right=True, starts=starts)


def test_what_a_program_was_started_with_stands_on_the_screen():
    tests = exercises(assignment())
    found = {one.name: Verdict(right=True) for one in tests} | {"09-word": Verdict(right=True, starts="cat a")}
    assert on_screen(Mark("ada", verdicts=found), tests).endswith(
        "6 points, READ THIS ANSWER: it starts `cat a` (09-word)"
    )


def test_of_answers_that_ran_side_by_side_the_one_is_named_that_did_it(course, capsys):
    """Bob's answer waits until ada's was graded, and ada's ends when it sees that bob's has done it."""
    target = course / "submitted/yara/09_test/09_test.ipynb"
    honest = f"import os, time\nopen('{course.parent}/began', 'w').close()\nwhile not os.path.exists('{course.parent}/done'):\n    time.sleep(0.05)\nword = 'tree'"
    removes = (
        f"import os, time\nwhile not os.path.exists('{course.parent}/began'):\n    time.sleep(0.05)\n"
        f"os.remove({str(target)!r})\nopen('{course.parent}/done', 'w').close()\n"
        f"while not (os.path.exists('{course}/feedback/ada/09_test.md')):\n    time.sleep(0.05)\nword = 'tree'"
    )
    hand_in(course, "ada/09_test/09_test.ipynb", answered(word=honest))
    hand_in(course, "bob/09_test/09_test.ipynb", answered(word=removes))
    hand_in(course, "yara/09_test/09_test.ipynb", answered())
    grading.main(course, ["--allow-root", "--jobs", "2"])
    assert status(course) == {"ada": ("graded", "6"), "bob": ("graded", "5"), "yara": ("graded", "6")}
    lines = capsys.readouterr().out.splitlines()
    named = [i for i, line in enumerate(lines) if "REMOVED" in line]
    assert len(named) == 1 and lines[named[0]].startswith("    THIS ANSWER REMOVED yara/09_test/09_test.ipynb: ")
    assert lines[named[0] - 1].split()[0] == "bob"


def test_where_nobody_was_seen_to_do_it_all_are_named_that_may_have():
    lines = [(True, "REMOVED a."), (False, "Was it you?")]
    unseen = Culprits()
    unseen.found(lines, {"ada", "bob"})
    assert list(unseen.graded("ada", False)) == []
    assert list(unseen.graded("bob", False)) == ["ONE OF THE ANSWERS OF ada, bob REMOVED a.", "Was it you?"]
    assert list(unseen.rest()) == []
    unseen.found(lines, {"ada", "bob"})
    assert list(unseen.graded("ada", True)) == ["THIS ANSWER REMOVED a.", "Was it you?"]
    unseen.found(lines, {"cleo"})
    assert list(unseen.rest()) == ["THE ANSWER OF cleo REMOVED a.", "Was it you?"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such flags")
def test_opening_to_write_is_told_from_opening_to_read(tmp_path, closed):
    code = "open('{course}/submitted/bob/a.py', {mode!r}).close()"
    for mode in ("r", "a"):
        assert one(tmp_path, (str(closed),), code.format(course=closed, mode=mode)).wrote == (mode == "a")


def test_what_the_site_and_the_readers_own_copies_hold_belongs_to_others_too(tmp_path):
    (tmp_path / "submitted").mkdir()
    closed = Course(tmp_path).tried.keywords["closed"]
    assert {str(SITE.resolve()), str(WORK.resolve())} <= set(closed)
