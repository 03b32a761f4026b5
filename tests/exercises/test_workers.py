"""An answer may begin processes of its own, as a loader of data does; they end with it."""

import sys

import psutil
import pytest
from exercises.classroom import SLEEP
from exercises.test_beside import graded

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such a process begins with nothing of the answer")
LOADER = "from torch.utils.data import DataLoader\nfound = [int(one) for one in DataLoader(range(4), num_workers=1)]\n"
POOL = (
    "import multiprocessing as mp\nwith mp.get_context('fork').Pool(2) as pool:\n    found = pool.map(abs, range(4))\n"
)
CONTEXTS = """import concurrent.futures, multiprocessing as mp
with concurrent.futures.ProcessPoolExecutor(2, mp_context=mp.get_context("fork")) as pool:
    found = list(pool.map(abs, range(4)))
"""
LEFT = f"""import multiprocessing as mp, os
one = mp.get_context("fork").Process(target=os.execvp, args=("sleep", ["sleep", "{SLEEP}"]))
one.start()
found = list(range(4))
"""


@LINUX
@pytest.mark.parametrize("code", [LOADER, POOL, CONTEXTS, LEFT], ids=["loader", "pool", "executor", "left"])
def test_an_answer_may_begin_processes(tmp_path, code):
    found = graded(tmp_path, word=f"{code}word = 'tree' if found == [0, 1, 2, 3] else 'sea'")
    assert (found["09-word"].right, found["09-word"].said) == (True, "")
    assert all(verdict.right for verdict in found.values())


@LINUX
@pytest.mark.parametrize("code", [LOADER, POOL], ids=["loader", "pool"])
def test_they_may_begin_while_it_is_tested(tmp_path, code):
    body = "".join(f"    {line}\n" for line in code.splitlines())
    found = graded(tmp_path, double=f"def double(x):\n{body}    return 2 * x")
    assert (found["09-double"].right, found["09-double"].said) == (True, "")


@LINUX
def test_no_process_is_left(tmp_path):
    graded(tmp_path, word=f"{LEFT}word = 'tree'")
    commands = [one.info["cmdline"] for one in psutil.process_iter(["cmdline"])]
    assert ["sleep", SLEEP] not in commands
