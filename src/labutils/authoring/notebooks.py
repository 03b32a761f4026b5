"""Reading and writing chapters so that the same content is always the same bytes."""

import warnings
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.validator import normalize
from nbformat.warnings import MissingIDFieldWarning

from labutils.places import CHAPTERS, EXERCISES, MORE


def chapters() -> list[Path]:
    """The chapters in reading order."""
    return sorted(CHAPTERS.glob("*.ipynb"))


def second() -> list[Path]:
    """The second notebooks of chapters, "More on BERT", in reading order."""
    return sorted(MORE.glob("*.ipynb"))


def name(path: Path) -> str:
    """A notebook by its name in the book: a chapter, its exercises and its second notebook have files of one name.

    >>> name(Path("notebooks/07_bert.ipynb")), name(Path("notebooks/more/07_bert.ipynb"))
    ('07_bert', 'more/07_bert')
    """
    return f"{path.parent.name}/{path.stem}" if path.parent.name in (EXERCISES.name, MORE.name) else path.stem


def read(path: Path) -> NotebookNode:
    """One notebook exactly as it is stored: nbformat's own reader would repair missing ids without a word.

    Raises ValueError where the file is no notebook of format 4.
    """
    try:
        notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))
        if notebook.nbformat == 4 and isinstance(notebook.cells, list):
            return notebook
    except (ValueError, AttributeError, TypeError):
        pass
    raise ValueError(f"{path.name} is not a notebook of format 4. Save it again in JupyterLab, or restore it.")


def write(path: Path, notebook: NotebookNode) -> bool:
    """Write a notebook in its plainest form; returns whether the file has changed."""
    notebook.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    notebook.nbformat_minor = 5
    with warnings.catch_warnings(action="ignore", category=MissingIDFieldWarning):
        _, notebook = normalize(notebook)  # cells without an id get one
    text = nbformat.writes(notebook, version=4) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8")
    return True
