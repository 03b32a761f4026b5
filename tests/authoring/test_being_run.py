"""Whoever asks for a copy without its content is told whether it is being run, and for how long."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import nbformat
import pytest

from labutils.authoring.lab_files import RunWhenOpened


@pytest.mark.parametrize("other", [False, True])
def test_a_copy_that_is_being_run_says_so_and_no_other(tmp_path, monkeypatch, other):
    for name in ("a.ipynb", "b.ipynb"):
        nbformat.write(nbformat.v4.new_notebook(), tmp_path / name)
    began, may_end = Event(), Event()

    def run_first(self, path):
        began.set()
        may_end.wait(600)

    monkeypatch.setattr(RunWhenOpened, "_run_first", run_first)
    files = RunWhenOpened(root_dir=str(tmp_path))

    async def asked() -> tuple[dict, dict]:
        opened = asyncio.create_task(files.get("a.ipynb"))
        await asyncio.to_thread(began.wait, 600)
        meanwhile = await files.get("b.ipynb" if other else "a.ipynb", content=False)
        may_end.set()
        await opened
        return meanwhile, await files.get("a.ipynb", content=False)

    with ThreadPoolExecutor(1) as pool:  # a browser of another test may keep a loop in this thread
        meanwhile, after = pool.submit(asyncio.run, asked()).result()
    assert ("being_run" in meanwhile) != other and "being_run" not in after
    assert other or meanwhile["being_run"] >= 0
