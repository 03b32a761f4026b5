"""The chapter check finds what must not be published."""

import json

import nbformat
import pytest

from labutils.authoring import notebooks
from labutils.authoring.check import problems

CODE = {"cell_type": "code", "id": "a", "metadata": {}, "source": "1", "outputs": [], "execution_count": None}


def chapter(tmp_path, *cells, **metadata):
    path = tmp_path / "chapter.ipynb"
    path.write_text(json.dumps({"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))
    return notebooks.read(path)


def output(kind, **rest):
    return {"output_type": kind, "metadata": {}, **rest}


def test_a_plain_chapter_has_no_problems(tmp_path):
    said = output("execute_result", data={"text/plain": "1"}, execution_count=1)
    hidden = {"id": "c", "source": "x" * 100, "metadata": {"tags": ["remove-input"]}}
    assert (
        problems(
            chapter(
                tmp_path,
                CODE | {"source": "x" * 86, "outputs": [said]},
                CODE | hidden,
                {"cell_type": "markdown", "id": "b", "metadata": {}, "source": ""},
            )
        )
        == []
    )


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ({"id": None}, "has no id"),
        ({"metadata": {"tags": ["nbval-skip"]}}, "skipped"),
        ({"metadata": {"tags": ["skip-execution"]}}, "skipped"),
        ({"source": "# NBVAL_SKIP\n1"}, "skipped"),
        ({"source": "1\n" + "x" * 87}, "87 characters"),
        ({"outputs": [output("display_data", data={"image/png": "x"})]}, "image/png"),
        (
            {"outputs": [output("execute_result", data={"text/plain": "x", "text/html": "x"}, execution_count=1)]},
            "text/html",
        ),
        ({"outputs": [output("display_data", data={"text/plain": "x"})]}, "a display"),
        ({"outputs": [output("error", ename="KeyError", evalue="", traceback=[])]}, "KeyError"),
    ],
)
def test_each_problem_is_named(tmp_path, cell, said):
    (sentence,) = problems(chapter(tmp_path, CODE | cell))
    assert said in sentence


def test_ids_and_widget_state(tmp_path):
    assert problems(chapter(tmp_path, CODE, CODE, widgets={"state": {}})) == [
        "Two cells have the id a.",
        "Widget state is stored in the notebook. Run `make refresh`.",
    ]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3, "nbformat": 4}', '{"worksheets": [], "nbformat": 3}'])
def test_a_file_that_is_no_notebook(tmp_path, text):
    path = tmp_path / "broken.ipynb"
    path.write_text(text)
    with pytest.raises(ValueError, match="broken.ipynb is not a notebook"):
        notebooks.read(path)


def test_writing_gives_ids_and_plain_metadata(tmp_path):
    path = tmp_path / "new.ipynb"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")], metadata={"widgets": {}, "author": "x"})
    del book.cells[0]["id"]
    assert notebooks.write(path, book) and not notebooks.write(path, notebooks.read(path))
    stored = notebooks.read(path)
    assert stored.cells[0].id and set(stored.metadata) == {"kernelspec", "language_info"}
