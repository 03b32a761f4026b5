"""Sphinx extension: an exercise notebook, written for an instructor, becomes its self-study page.

The page lies where the notebook does, so a chapter's link to its exercises is the same on the site and in JupyterLab.
"""

from pathlib import Path

from labutils.authoring.self_study import page_source

FOLDER = "notebooks/exercises/"


def as_page(app, docname, source):
    """Hints and solutions folded, hidden tests left out."""
    if docname.startswith(FOLDER):
        source[0] = page_source(source[0])


def download(app, exception):
    """What "download" gives is the page's notebook too, not the instructor's."""
    for copied in (Path(app.outdir) / "_sources" / FOLDER).glob("*.ipynb"):
        original = Path(app.srcdir) / FOLDER / copied.name
        copied.write_text(page_source(original.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    app.connect("source-read", as_page)
    app.connect("build-finished", download)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
