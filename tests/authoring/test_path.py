"""The path and the asides of a chapter: what is too long, what the path takes from an aside, what is not folded."""

import nbformat
import pytest

from labutils.authoring import folds
from labutils.authoring.check import path
from labutils.authoring.check.anatomy import CONTROLS


def notebook(*cells):
    """Cells of a chapter: code begins with a line that is code, all else is text."""
    made = [
        (
            nbformat.v4.new_code_cell(text[1:], id=f"c{i}")
            if text.startswith("!")
            else nbformat.v4.new_markdown_cell(text, id=f"c{i}")
        )
        for i, text in enumerate(cells)
    ]
    whole = nbformat.v4.new_notebook(cells=made)
    folds.fold(whole.cells)
    return whole


def found(*cells):
    return path.problems(notebook("# 1", "strip", "Time\n: 5 minutes", *cells), CONTROLS)


def test_a_short_path_with_an_aside_has_no_findings():
    assert found("## One", "!a = 1", "## Aside: two", "!b = a", "## Three", "!print(a)") == []


@pytest.mark.parametrize(
    "cells, sentence",
    [
        (["word " * 2601], "c2: Time says 5 minutes; by the formula of the writer’s guide the path takes 20."),
        (["word " * 8999], "The path takes 65 minutes, at most 45: it has 9,004 words, 0 lines of code"),
        (["!" + "a = 1\n" * 600], "The path takes 85 minutes, at most 45: it has 5 words, 600 lines of code"),
        (["## Aside: a"] * 7, "There are 7 asides, at most 6"),
        (["## Aside: a", "word " * 1200], "The asides have 1,202 words, at most 1,200"),
        ([":::{margin} Note\n" + "word " * 61 + "\n:::"], "c3: a note in the margin has 61 words, at most 60"),
        (["### Answer", "!figure(draw, 'a', 'b', 'c')"], "c4: a figure or a control is folded under “Answer”."),
        (["### Answer", "!Explorer()"], "c4: a figure or a control is folded under “Answer”."),
        (["## Aside: two", "!b = 1", "## Three", "!print(b)"], "c6: b comes from an aside"),
        (["## Aside: two", "!import math", "## Aside: three", "!math.pi"], "c6: math comes from an aside"),
        (["## Aside: two", "!b = 1", "## Three", "!f = lambda: b", "!b = 2"], "c6: b comes from an aside"),
        (["## Aside: two\n\nText."], "c3: the heading of a fold stands in a cell of its own"),
        (["### Answer\n\nText."], "c3: the heading of a fold stands in a cell of its own"),
    ],
)
def test_each_fault_is_found(cells, sentence):
    assert any(one.startswith(sentence) for one in found(*cells)), found(*cells)


def test_asides_are_not_counted_and_answers_are():
    long = "word " * 900
    assert path.path(notebook("## Aside: a", long, "## B", "text"), CONTROLS).words == 2
    assert path.path(notebook("## A", "### Answer", long), CONTROLS).words == 902


def test_notes_in_the_margin_are_not_counted():
    assert path.path(notebook("one", ":::{margin} Note\ntwo three\n:::"), CONTROLS).words == 1


def test_the_way_on_is_not_counted():
    """Else a chapter would take longer when the next one is written."""
    cells = ("## A", "one two [three](four.ipynb)")
    assert path.path(notebook(*cells), CONTROLS) == path.path(notebook(*cells, "[*5* Many heads](b.ipynb)"), CONTROLS)
    assert path.path(notebook(*cells), CONTROLS).words == 4


def test_chapter_0_has_20_minutes():
    whole = notebook("# 0", "strip", "Time\n: 25 minutes", "word " * 3100)
    assert path.problems(whole, CONTROLS) == []
    assert [one[:39] for one in path.problems(whole, CONTROLS, walk=True)] == [
        "The path takes 25 minutes, at most 20: "
    ]


def test_a_line_of_code_takes_eight_seconds():
    assert path.path(notebook("!" + "a = 1\n" * 119), CONTROLS).minutes == 20


@pytest.mark.parametrize("tag", ["remove-input", "fold-input"])
def test_lines_are_counted_and_what_is_hidden_or_folded_is_not(tag):
    whole = notebook("!a = 1\n# why\n\nb = 2", "!c = 3")
    assert path.path(whole, CONTROLS).lines == 3 and path.path(whole, CONTROLS).cells == 2
    whole.cells[1].metadata["tags"] = [tag]
    assert path.path(whole, CONTROLS).lines == 2 and path.path(whole, CONTROLS).cells == 1


def test_jupyterlab_folds_what_is_a_fold_and_nothing_else():
    whole = notebook("## Aside: a", "## B", "### Answer", "### Answers")
    assert [cell.metadata.get(folds.COLLAPSED) for cell in whole.cells] == [True, None, True, None]
    whole.cells[0].source, whole.cells[1].source = "## A", "## Aside: b"
    assert "c1: JupyterLab does not fold this section: run `make refresh`." in path.problems(whole, CONTROLS)
    folds.fold(whole.cells)
    assert [cell.metadata.get(folds.COLLAPSED) for cell in whole.cells] == [None, True, True, None]


def test_a_fold_ends_at_the_next_heading_of_its_level():
    cells = notebook("## Aside: a", "### Answer", "text", "### c", "## d", "### Answer", "text", "### e").cells
    assert folds.folded(cells) == ["aside"] * 4 + [None, "answer", "answer", None]
