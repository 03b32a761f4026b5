"""A small book: one sound chapter, made from the pattern with every instruction filled in."""

import shutil

import nbformat
import pytest

from labutils.authoring import notebooks, pattern
from labutils.authoring.new_chapter import words_for
from labutils.places import BOOK

PLANNED = {
    "name": "05_multi_head",
    "title": "Multi-head attention",
    "question": "How can one layer ask several questions at once?",
}


def filled(notebook):
    """A notebook of the pattern as if its author had done what it says."""
    for cell in notebook.cells:
        cell.source = cell.source.replace("WRITE: ", "").replace("(C000)", "(C149)")
    return notebook


def with_output(cell, text):
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
    cell.execution_count = 1


@pytest.fixture(scope="session")
def _sound(tmp_path_factory):
    """Folder with book/ and notebooks/, as in the repository, and a sound chapter with its exercises."""
    folder, words = tmp_path_factory.mktemp("sound"), words_for(PLANNED)
    (folder / "notebooks/exercises").mkdir(parents=True)
    (folder / "book").mkdir()
    shutil.copy(BOOK / "chapters.yml", folder / "book")
    (folder / "book/bibliography.md").write_text("# Bibliography\n\n## What to read\n")
    notebook = filled(pattern.notebook("chapter", words))
    for cell in notebook.cells:
        if cell.id in ("paper-check", "break-it"):
            with_output(cell, "equal\n")
    notebooks.write(folder / "notebooks/05_multi_head.ipynb", notebook)
    notebooks.write(folder / "notebooks/exercises/05_multi_head.ipynb", filled(pattern.notebook("exercise", words)))
    return folder


@pytest.fixture
def chapter(_sound, tmp_path):
    """The path of a sound chapter; its exercises lie beside it."""
    shutil.copytree(_sound, tmp_path, dirs_exist_ok=True)
    return tmp_path / "notebooks/05_multi_head.ipynb"


@pytest.fixture
def small_book(_sound, tmp_path):
    """The same without its chapter."""
    shutil.copytree(_sound, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ipynb"))
    return tmp_path
