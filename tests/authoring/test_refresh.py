"""Stored outputs are plain, the same in every run, and nothing else is stored."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from labutils.authoring import notebooks
from labutils.authoring import refresh as command
from labutils.authoring.check import problems
from labutils.authoring.refresh import refresh, reviewable

CELLS = {
    "prints": "print('one')\nimport sys; sys.stdout.flush()\nprint('two')",
    "value": "{'a': 1}",
    "drawn": (
        "class Drawn:\n    def _repr_html_(self): return '<b>7</b>'\n    def __repr__(self): return 'seven'\nDrawn()"
    ),
    "nothing": "x = 1",
    "address": "object()",
    "printed and drawn": "print('three')\nfrom IPython.display import display, Image\ndisplay(Drawn())",
    "warns": "print('four')\nprint('beware', file=sys.stderr)",
    "last": "x + 1",
}


@pytest.fixture(scope="module")
def refreshed(tmp_path_factory):
    path = tmp_path_factory.mktemp("chapter") / "chapter.ipynb"
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    cells[0].outputs = [nbformat.v4.new_output("display_data", {"image/png": "aGk="})]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"widgets": {"state": 1}}), path)
    assert len(problems(notebooks.read(path))) == 2
    assert refresh(path)
    return path


def test_plain_text_is_stored_and_numbered(refreshed):
    cells = dict(zip(CELLS, notebooks.read(refreshed).cells, strict=True))
    text = {name: [o.get("text") or o.data["text/plain"] for o in cell.outputs] for name, cell in cells.items()}
    assert text == {
        "prints": ["one\ntwo\n"],
        "value": ["{'a': 1}"],
        "drawn": ["seven"],
        "nothing": [],
        "address": [],
        "printed and drawn": [],
        "warns": [],
        "last": ["2"],
    }
    assert [cell.execution_count for cell in cells.values()] == [1, 2, 3, None, None, None, None, 4]


def test_a_second_run_leaves_the_same_bytes(refreshed):
    before = refreshed.read_bytes()
    assert not refresh(refreshed)
    assert refreshed.read_bytes() == before


def test_what_is_stored_passes_the_check(refreshed):
    assert problems(notebooks.read(refreshed)) == []


def test_a_widget_or_an_ignored_cell_stores_nothing():
    cell = nbformat.v4.new_code_cell("w")
    cell.outputs = [
        nbformat.v4.new_output(
            "execute_result", {"text/plain": "Steps", "application/vnd.jupyter.widget-view+json": {}}
        )
    ]
    assert reviewable(cell) == []
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="0.1 s")]
    assert len(reviewable(cell)) == 1
    cell.metadata["tags"] = ["nbval-ignore-output"]
    assert reviewable(cell) == []


def test_a_cell_that_fails_is_one_sentence_and_stores_nothing(tmp_path, capsys):
    path = tmp_path / "05_multi_head.ipynb"
    cells = [new_code_cell("1", id="one"), new_code_cell("x = 3\nraise ValueError('too\\nlong')", id="break-it")]
    notebooks.write(path, new_notebook(cells=cells))
    before = path.read_bytes()
    with pytest.raises(SystemExit, match="1"):
        command.main([path])
    assert capsys.readouterr().out == "05_multi_head.ipynb: break-it: ValueError: too. Nothing is stored.\n"
    assert path.read_bytes() == before
