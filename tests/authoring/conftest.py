"""A small book: one sound chapter, made from the pattern with every instruction filled in."""

import shutil

import nbformat
import pytest

from labutils.authoring import notebooks, pattern
from labutils.authoring.new_chapter import words_for
from labutils.authoring.places import BOOK

PLANNED = {"name": "05_multi_head", "title": "Multi-head attention", "question": "How can one layer ask several questions at once?"}


def filled(notebook):
    """A notebook of the pattern as if its author had done what it says."""
    for cell in notebook.cells:
        cell.source = cell.source.replace("WRITE: ", "").replace("(C000)", "(C149)")
    return notebook


def with_output(cell, text):
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
    cell.execution_count = 1


@pytest.fixture
def small_book(tmp_path):
    """Folder with book/ and notebooks/, as in the repository."""
    (tmp_path / "notebooks/exercises").mkdir(parents=True)
    (tmp_path / "book").mkdir()
    shutil.copy(BOOK / "chapters.yml", tmp_path / "book")
    (tmp_path / "book/bibliography.md").write_text("# Bibliography\n\n## What to read\n")
    return tmp_path


@pytest.fixture
def chapter(small_book):
    """The path of a sound chapter; its exercises lie beside it."""
    words = words_for(PLANNED)
    path = small_book / "notebooks/05_multi_head.ipynb"
    notebook = filled(pattern.notebook("chapter", words))
    for cell in notebook.cells:
        if cell.id in ("paper-check", "break-it"):
            with_output(cell, "equal\n")
    notebooks.write(path, notebook)
    notebooks.write(small_book / "notebooks/exercises/05_multi_head.ipynb", filled(pattern.notebook("exercise", words)))
    return path
