"""The pattern of chapters 07 and on: how much code is shown and where, guesses that are not told, one form for one
thing. Each fault is found, and what only looks like one is not.
"""

import nbformat
import pytest

from labutils.authoring import notebooks
from labutils.authoring.check import forms, notebook_problems, rhythm, told
from labutils.authoring.check.anatomy import CONTROLS
from labutils.authoring.check.path import path
from labutils.places import CHAPTERS


def notebook(*cells):
    """Code begins with !, hidden code with !!."""
    made = []
    for i, text in enumerate(cells):
        code = text.lstrip("!")
        new = nbformat.v4.new_code_cell if code != text else nbformat.v4.new_markdown_cell
        made.append(new(code, id=f"c{i}", metadata={"tags": ["remove-input"]} if text.startswith("!!") else {}))
    return nbformat.v4.new_notebook(cells=made)


def in_rhythm(*cells):
    whole = notebook(*cells)
    return rhythm.problems(whole, path(whole, CONTROLS), CONTROLS)


TWO = "It is so. So is the rest."
FIGURE = '!!figure(draw, "A finding that stands", "<b>Figure 7.1.</b> Source.", "12 of them.")'
THIRD = "the third cell of code in a row."


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (["!a", "!b", "!c"], f"c2: {THIRD}"),
        (["!a", "One.", "!b", "## A heading", "!c", "!d"], f"c4: {THIRD}"),
        ([TWO, "!a", "!!prepare()", "!b", "!c"], f"c4: {THIRD}"),
        (["!a", "!b", ":::{margin} Note\nOne. Two.\n:::", "!c"], f"c3: {THIRD}"),
        (["!a", "!b", "## Aside: more", TWO, "!d", "## On", "!c"], f"c6: {THIRD}"),
        (["!" + "a = 1\n" * 121], "The path shows 121 lines of code in 1 cells, at most 120 in 14"),
        (["!a", TWO] * 15, "The path shows 15 lines of code in 15 cells"),
    ],
)
def test_too_much_code_is_found(cells, sentence):
    found = in_rhythm(*cells)
    assert len(found) == 1 and found[0].startswith(sentence), found


@pytest.mark.parametrize(
    "cells",
    [
        ["!a", "!b", TWO, "!c", "!d"],
        ["!a", "!b", "One.", "And two:", "!c"],
        ["!a", "!b", FIGURE, "!c"],
        ["!a", "!b", "!!Steps()", "!c"],
        ["!a", "!Steps()", "!b", "!c"],
        ["!a", "!!b", "!!c", "!d", "## Aside: more", "!e", "!f", "!g"],
        ["!" + "a = 1\n" * 120],
        ["!a", TWO] * 14 + ["!!a"] * 9,
    ],
)
def test_code_that_is_found_something_between(cells):
    assert in_rhythm(*cells) == []


GUESS = '!!predict("07-a", "What is left of {0}?", ("{1}", "No."), ("{2}", "Yes."), right=1)'
THREE = GUESS.format("it", "nearly all of it", "less than a third")


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        (["We saw that *less* than a third is left.", THREE], "less than a third"),
        (["## Less than a third is left", "Text.", THREE], "less than a third"),
        (['!!Steps(title="What stays: less than a third")', "Text.", THREE], "less than a third"),
        ([FIGURE.replace("A finding that stands", "It keeps less than a third"), THREE], "less than a third"),
        ([THREE, FIGURE.replace("A finding that stands", "It keeps less than a third")], "less than a third"),
        (
            ['!!Steps(lede="Less than a third.", guess=predict("07-a", "Left?", "all", "less than a third", right=1))'],
            "less than a third",
        ),
        (["Switched off, 0.31 is left.", GUESS.format("it", "about 0.5", "about 0.31")], "0.31"),
        (["Switched off, 31 % is left.", GUESS.format("it", "about 46%", "about 31%")], "31%"),
        (["It takes 1,024 keys.", '!!predict("07-a", "How many?", answer=1024, unit="keys")'], "1,024"),
        (["| a | b |\n|---|---|\n| 7.25 | 3 |", '!!predict("07-a", "How many?", answer=7.25)'], "7.25"),
        (['!!Sweep("t", "l", over=("n", ["one", "475 MiB"]))', GUESS.format("it", "6 MiB", "475 MiB")], "475"),
    ],
)
def test_a_guess_that_is_told_is_found(cells, answer):
    (found,) = told.problems(notebook(*cells), CONTROLS)
    assert f"the answer, “{answer}”, stands" in found


@pytest.mark.parametrize(
    "cells",
    [
        ["Less than a third.", "## A section of its own", THREE],
        ["Is it nearly all of it, or less than a third?", THREE],
        [THREE, "### Answer", "Less than a third.", FIGURE.replace("A finding", "less than a third")],
        [THREE, "Less than a third."],
        ['!!Sweep("What?", "l", over=("part", ["nearly all of it", "less than a third"]))', THREE],
        [
            '!!Sweep("What?", "l", ["after this step", "after the last step"])',
            GUESS.format("it", "after this step: why", "after the last step"),
        ],
        [GUESS.format("0.73", "0.5", "0.73"), "Text."],
        ["Of 0.73 something is left.", GUESS.format("0.73", "0.5", "still 0.73")],
        ["In attention and elsewhere.", GUESS.format("it", "here", "in attention")],
        ["It has 8 heads.", GUESS.format("it", "4", "8")],
        ["It has 8 heads.", '!!predict("07-a", "How many?", answer=8)'],
        ["Both 0.5 and 0.31.", GUESS.format("it", "0.5", "0.31")],
        ["It takes 21,024.", '!!predict("07-a", "How many?", answer=1024)'],
        ['!prepare("less than a third")', THREE],
        ['!!Steps(guess=predict("07-a", "Left?", ("all", "no"), ("less than a third", "yes"), right=1))'],
        ["Less than a third.", '!!predict("07-a", "How many?", answer=computed)'],
    ],
)
def test_a_guess_that_is_not_told_has_no_findings(cells):
    assert told.problems(notebook(*cells), CONTROLS) == []


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("It has a probability of 0.45 here.", "c0: 0.45 is a share: write 45%."),
        ("The share is .5 then.", "c0: .5 is a share: write 50%."),
        ("It got 0.125 of the weight.", "c0: 0.125 is a share: write 12.5%."),
        (
            '!!figure(draw, "Its chance is 0.3 now", "<b>Figure 7.1.</b> a", "1 of 2.")',
            "c0: 0.3 is a share: write 30%.",
        ),
        ('!!Sweep("t", "l", over=o, matrix=m, axes=("head", "layer"))', "c0: layers are the rows"),
        ('!!attention_map(w, axes=("head", "token"))', "c0: layers are the rows"),
        ('!!def draw(ax):\n    ax.imshow(x)\n    ax.set(xlabel="layer", ylabel="head")', "c0: layers are the rows"),
        ('!!ax.imshow(x)\nax.set_xlabel("after layer")', "c0: layers are the rows"),
    ],
)
def test_another_form_is_found(cell, sentence):
    (found,) = forms.problems(notebook(cell))
    assert found.startswith(sentence)


@pytest.mark.parametrize(
    "cell",
    [
        "A weight of 0.5, odds of 0.25 and 0.7 nats; a probability of 45%, half of the share.",
        "`a probability of 0.45` and “a chance of 0.3”",
        '!!Sweep("t", "l", over=o, matrix=m, axes=("layer", "head"))',
        '!!Sweep("t", "l", over=o, matrix=m, axes=("output", "input"))',
        '!!ax.imshow(x)\nax.set(xlabel="head", ylabel="layer")',
        '!!ax.plot(x)\nax.set(xlabel="layer", ylabel="largest head")',
        '!!ax.imshow(x)\nax.set(xlabel="head of layer 2", ylabel="token")',
    ],
)
def test_the_right_form_is_not(cell):
    assert forms.problems(notebook(cell)) == []


def test_no_guess_of_a_written_chapter_is_told():
    """The rule cries no wolf."""
    assert [s for p in sorted(CHAPTERS.glob("[0-9]*.ipynb")) for s in told.problems(notebooks.read(p), CONTROLS)] == []


def test_a_chapter_is_under_the_pattern(chapter):
    stored = nbformat.read(chapter, as_version=4)
    at = next(i for i, cell in enumerate(stored.cells) if cell.id == "first-step")
    text = "The chance is 0.5. This has a sentence of the answer: the right choice."
    stored.cells[at + 1 : at + 1] = [
        *[nbformat.v4.new_code_cell(f"a{i} = 1", id=f"more-{i}") for i in range(3)],
        nbformat.v4.new_markdown_cell(text.replace("0.5", "0.1"), id="said"),
        nbformat.v4.new_code_cell("assert 0.1 == 0.1", id="shown"),
    ]
    nbformat.write(stored, chapter)
    owed = [one.split(".")[0] for one in notebook_problems(chapter)]
    assert owed == [
        "more-2: the third cell of code in a row",
        "predict-second: the answer, “the right choice”, stands in the same section, before or beside its guess",
        "said: 0",
    ]
