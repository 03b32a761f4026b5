"""Whoever asks for a copy without its content is told whether it is being run, and for how long, or that there is a
newer one; whoever opens one that was cut off, how it is put back.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import nbformat
import pytest
from tornado.web import HTTPError

from labutils.authoring.copies import Copies
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


def written(path, source):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id="one")]), path)


def answer_of(files, *asked):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(files.get(*asked))).result()


@pytest.mark.parametrize("under", ["", "exercises/"])
@pytest.mark.parametrize("changed", ["neither", "book", "both"])
def test_a_copy_that_the_reader_changed_is_told_of_a_newer_one(tmp_path, monkeypatch, under, changed):
    book, work = tmp_path / "book", tmp_path / "work"
    monkeypatch.setattr(RunWhenOpened, "_run_first", lambda *_: None)
    written(book / under / "04_a.ipynb", "1")
    Copies(book / under, work / under).update()
    if changed != "neither":
        written(book / under / "04_a.ipynb", "2")
    if changed == "both":
        written(work / under / "04_a.ipynb", "mine")
    said = answer_of(RunWhenOpened(root_dir=str(work), chapters=str(book)), f"{under}04_a.ipynb", False).get("newer")
    assert ("has a newer version" in said and f"CHAPTER={under}04`" in said) if changed == "both" else said is None


@pytest.mark.parametrize("name, told", [("04_a.ipynb", "`make reset CHAPTER=04`"), ("mine.ipynb", "")])
def test_a_copy_that_was_cut_off_says_how_it_is_put_back(tmp_path, monkeypatch, name, told):
    book, work = tmp_path / "book", tmp_path / "work"
    written(book / "04_a.ipynb", "1")
    Copies(book, work).update()
    (work / name).write_text('{"cells": [{"cell_ty', encoding="utf-8")
    with pytest.raises(HTTPError) as refused:
        answer_of(RunWhenOpened(root_dir=str(work), chapters=str(book)), name)
    assert ("make reset" in refused.value.log_message) == bool(told) and told in refused.value.log_message
