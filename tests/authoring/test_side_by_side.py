"""Notebooks without stored outputs run side by side before Jupyter Book looks for them."""

import os
import socket
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_client.connect import LocalPortCache
from nbformat.v4 import new_code_cell, new_notebook

from labutils.authoring import book, side_by_side

# It says that it runs, and goes on when the other one has said so too.
MEETS = """
import pathlib, time
pathlib.Path("{mine}").touch()
until = time.monotonic() + 240  # less than side_by_side.MOST, so that it says so itself
while not pathlib.Path("{other}").exists() and time.monotonic() < until: time.sleep(0.05)
print(pathlib.Path("{other}").exists())
"""


def write(path, *sources):
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    return path


@pytest.fixture
def kept():
    found = SimpleNamespace(notebooks={})
    found.keep = lambda notebook, path, seconds: found.notebooks.update({path.name: notebook})
    return found


def test_two_run_at_the_same_time(tmp_path, kept, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    paths = [write(tmp_path / f"{mine}.ipynb", MEETS.format(mine=mine, other=other)) for mine, other in ("ab", "ba")]
    side_by_side.run(paths, kept.keep, {})
    assert [kept.notebooks[path.name].cells[0].outputs[0].text for path in paths] == ["True\n", "True\n"]


def test_one_that_fails_is_left_to_jupyter_book_and_the_others_are_kept(tmp_path, kept):
    paths = [write(tmp_path / "a.ipynb", "1 / 0", "print(2)"), write(tmp_path / "b.ipynb", "print(2)")]
    side_by_side.run(paths, kept.keep, {})
    assert list(kept.notebooks) == ["b.ipynb"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no Unix sockets here")
def test_a_port_that_another_program_has_taken_meanwhile_is_no_failure(tmp_path, kept, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(LocalPortCache, "find_available_port", lambda cache, ip: other.getsockname()[1])
        side_by_side.run([write(tmp_path / "a.ipynb", "print(2)")], kept.keep, {})
    assert kept.notebooks["a.ipynb"].cells[0].outputs[0].text == "2\n"


def test_kernels_have_the_surroundings_of_a_build_and_nobody_else(tmp_path, kept):
    path = write(tmp_path / "a.ipynb", "import os; print(os.environ['ITT_TRIED'])")
    side_by_side.run([path], kept.keep, {"ITT_TRIED": "yes"})
    assert kept.notebooks["a.ipynb"].cells[0].outputs[0].text == "yes\n"
    assert "ITT_TRIED" not in os.environ


def test_what_has_stored_outputs_is_not_run_again(tmp_path, monkeypatch):
    for name, value in (("ROOT", tmp_path), ("BUILD", tmp_path / "_build")):
        monkeypatch.setattr(book, name, value)
    monkeypatch.setattr(book, "published", lambda: ["a", "b", "page"])
    a, b = write(tmp_path / "a.ipynb", "1"), write(tmp_path / "b.ipynb", "2")
    assert book.unrun() == [a, b]
    side_by_side.run([a], book.keep_run, {})
    assert book.unrun() == [b]
    write(a, "changed")
    assert book.unrun() == [a, b]
