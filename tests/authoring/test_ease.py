"""What makes a path heavy is found, and what only looks like it is not."""

import nbformat
import pytest

from labutils.authoring.check import ease

FACTS = "Time\n: 5 minutes, 10 of them code, 3 of them cells, 4 guesses"


def found(*cells):
    """Cells after the first three: code begins with !, hidden code with !!."""
    made = []
    for i, text in enumerate(["# 1", "strip", FACTS, *cells]):
        code, name = text.lstrip("!"), f"c{i}"
        made.append(
            nbformat.v4.new_code_cell(code, id=name) if code != text else nbformat.v4.new_markdown_cell(text, id=name)
        )
        made[-1].metadata["tags"] = ["remove-input"] if text.startswith("!!") else []
    return ease.problems(nbformat.v4.new_notebook(cells=made))


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (["It gives 0.3, then 4, then 5 %."], "c3: 3 numbers in a paragraph (0.3, 4, 5 %), at most 2"),
        (["- One.\n- 1 and 2 and 3"], "c3: 3 numbers in a paragraph (1, 2, 3)"),
        (["!!a = 1", "!print(a)"], "c4: a comes from a cell that the page hides"),
        (["!halves(stories)"], "c3: halves is a black box"),
        (["!model.__class__ = Mine"], "c3: __class__ is set on the path"),
        (["!" + "\n".join(["x = 1"] * 41)], "c3: a listing of 41 lines, at most 40"),
        (["!# labutils.layers.blocks: PreNormBlock\n" + "\n" * 40 + "x = 1"], "c3: a listing of 42 lines"),
        (["!print(n := 3)"], "c3: a name is bound inside a call"),
        (["!f(x=(n := 3))"], "c3: a name is bound inside a call"),
        (["!assert a == 1 and b == 2"], "c3: this assertion guards the page"),
        (["!assert round(a, 2) == 0.18"], "c3: this assertion guards the page"),
    ],
)
def test_each_fault_is_found_alone(cells, sentence):
    said = found(*cells)
    assert len(said) == 1 and said[0].startswith(sentence), said


@pytest.mark.parametrize(
    "cell",
    [
        "Heads 0.3 and 0.6, layer 2, chapters 4 and 5, figure 5.2 of 2017: 46 of 48 stories, 3 %.",
        "Values (2, 0), (0, 2) and (0, 0); the rest is (1, −1).",
        "The odds are 1/8, 1/16, 1/16, 1/2, 1/4, and there are 170 numbers.",
        "From 2 to 3, or 128 × 16.",
        "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |",
        "`1, 2, 3` and $4 + 5 + 6$ and *7 8 9* and “10 11 12”.",
        "## Aside: numbers\n",
        ":::{margin} Sizes\n1, 2, 3 and 4\n:::",
        "!!assert a == 1 and round(b) == 2",
        "!assert rows.sum() == 1",
        "!if (n := len(rows)) > 3:\n    print(n)",
        "!# labutils.layers.scaled_dot_product: softmax\nhalves(x)",
        "!" + "\n".join(["x = 1"] * 40) + "\n",
        "!!" + "\n".join(["x = 1"] * 90),
    ],
)
def test_what_may_stand_on_a_path(cell):
    assert found(cell) == []


def test_a_name_that_is_defined_again_where_it_is_seen_may_be_used():
    assert found("!!import torch", "!import torch", "!print(torch.ones(1))") == []


def test_an_aside_may_count():
    assert found("## Aside: all of it", "1, 2, 3 and 4.", "!halves(stories)") == []


def test_a_chapter_that_has_only_begun_is_read():
    first = nbformat.v4.new_markdown_cell("# 1")
    assert ease.problems(nbformat.v4.new_notebook(cells=[first])) == []
