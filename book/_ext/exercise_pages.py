"""Sphinx extension: an exercise notebook, written for an instructor, becomes its self-study page.

The page lies where the notebook does, so a chapter's link to its exercises is the same on the site and in JupyterLab.
"""

import json
from pathlib import Path

from labutils.authoring.self_study import page_source

FOLDER = "notebooks/exercises/"
NOTE, GET = "how-to-run", "Get the book"  # the id of the cell; the title of the page
SAYS = (
    "*To run this notebook you need the book’s package `labutils`, which is not on PyPI. The page {where} has it in one"
    " archive. Unpack it: `make lab` there opens all chapters, and `pip install ./inside-the-transformer` adds the"
    " package to the Python that your Jupyter uses.*"
)


def as_page(app, docname, source):
    """Hints and solutions folded, hidden tests left out."""
    if docname.startswith(FOLDER):
        source[0] = page_source(source[0])


def download(app, exception):
    """What "download" gives is the page's notebook too, not the instructor's, and says how to get what it imports."""
    folder = Path(app.outdir) / "_sources"
    for copied in (folder / FOLDER).glob("*.ipynb"):
        original = Path(app.srcdir) / FOLDER / copied.name
        copied.write_text(page_source(original.read_text(encoding="utf-8")), encoding="utf-8")
    for copied in folder.rglob("*.ipynb"):
        copied.write_text(with_note(copied.read_text(encoding="utf-8"), app.config.html_baseurl), encoding="utf-8")


def with_note(source: str, base: str) -> str:
    """A notebook that says first how to get the package it imports; one that says so already is left as it is."""
    notebook = json.loads(source)
    if notebook["cells"] and notebook["cells"][0].get("id") == NOTE:
        return source
    where = f"[{GET}]({base.rstrip('/')}/book/get.html)" if base else f"“{GET}” on the site that you have it from"
    cell = {"cell_type": "markdown", "id": NOTE, "metadata": {}, "source": SAYS.format(where=where)}
    notebook["cells"].insert(0, cell)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def setup(app):
    app.connect("source-read", as_page)
    app.connect("build-finished", download)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
