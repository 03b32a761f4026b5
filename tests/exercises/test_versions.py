"""What a student, a reader of the site and an instructor get of one exercise notebook."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from labutils.authoring import notebooks
from labutils.authoring.check.stored import problems
from labutils.authoring.self_study import STUB, on_site, page_source, said, self_study, solutions, student, with_private
from labutils.places import EXERCISES

CARD = """:::{exercise}
:label: ex-04-double

**4.1 Double**

```{dropdown} Hint 1
Twice.
```
:::"""
ANSWER = '''import math

def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    # Why: A sum of two equal numbers
    # is their double.
    return x + x  # not x ** 2
    ### END SOLUTION'''
CHECK = """check_double(double)
### BEGIN HIDDEN TESTS
assert double(4) == 8
### END HIDDEN TESTS"""
ROLE = {"nbgrader": {"grade": True, "solution": False}}


@pytest.fixture
def notebook():
    told = new_output("stream", name="stdout", text="✓ Three becomes six\n")
    return new_notebook(cells=[
        new_markdown_cell("How to work.", id="how"),
        new_markdown_cell(CARD, id="04-double-card"),
        new_code_cell(ANSWER, id="04-double"),
        new_code_cell(CHECK, id="04-double-check", outputs=[told], metadata=ROLE),
    ])  # fmt: skip


def by_id(notebook):
    return {cell.id: cell for cell in notebook.cells}


def test_a_student_gets_neither_solution_nor_hidden_test_nor_output(notebook):
    cells = by_id(student(notebook))
    assert cells["04-double"].source == f'import math\n\ndef double(x):\n    """Twice x."""\n    {STUB}'
    assert cells["04-double-check"].source == "check_double(double)" and not cells["04-double-check"].outputs
    assert cells["04-double-card"].source == CARD
    assert notebook.cells[3].outputs  # the instructor's own stays as it is


@pytest.mark.parametrize(
    "source", ["### BEGIN SOLUTION\nx = 1", "x = 1\n### END SOLUTION", "### BEGIN HIDDEN TESTS\nx"]
)
def test_a_mark_without_its_other_half_is_an_error(notebook, source):
    notebook.cells[2].source = source
    with pytest.raises(ValueError, match="cell 04-double"):
        student(notebook)


def test_a_self_learner_finds_solution_reason_and_answer_of_the_check_folded_in_the_card(notebook):
    card = by_id(self_study(notebook))["04-double-card"].source
    folded = card.split("```{dropdown} Solution\n")[1]
    assert card.startswith(CARD.removesuffix("\n:::")) and folded.endswith("\n```\n:::")
    assert (
        '~~~python\nimport math\n\ndef double(x):\n    """Twice x."""\n    return x + x  # not x ** 2\n~~~\n' in folded
    )
    assert "A sum of two equal numbers is their double." in folded and "Why:" not in folded
    assert "~~~text\n✓ Three becomes six\n~~~" in folded
    assert "assert" not in card


def test_a_solution_without_a_card_is_an_error(notebook):
    notebook.cells[1].id = "elsewhere"
    with pytest.raises(ValueError, match="04-double has no card"):
        self_study(notebook)


def test_the_page_may_fail_where_nobody_has_answered_and_says_how_to_answer(notebook):
    cells = by_id(on_site(notebook))
    for name in ("04-double", "04-double-check"):
        assert {"raises-exception", "remove-output"} <= set(cells[name].metadata.tags)
    assert "make lab" in cells["how"].source
    assert "tags" not in by_id(self_study(notebook))["04-double-check"].metadata
    assert nbformat.reads(page_source(nbformat.writes(notebook)), 4) == on_site(notebook)


def test_private_tests_are_added_to_the_hidden_ones(notebook):
    own = with_private(notebook, {"04-double": "assert double(5) == 10\n", "02-other": "x"})
    check = by_id(own)["04-double-check"].source
    assert check == f"{CHECK}\n### BEGIN HIDDEN TESTS\nassert double(5) == 10\n### END HIDDEN TESTS"
    assert by_id(student(own))["04-double-check"].source == "check_double(double)"


def test_a_private_test_that_is_not_python_is_one_sentence(notebook):
    with pytest.raises(ValueError, match="private/04-double.py is not Python: .* in line 2"):
        with_private(notebook, {"04-double": "x\nif"})


SHEETS = pytest.mark.parametrize("path", sorted(EXERCISES.glob("*.ipynb")), ids=lambda path: path.stem)


@SHEETS
def test_below_each_check_stands_what_a_right_answer_is_told_to_the_last_line(path):
    notebook = notebooks.read(path)
    cells = by_id(notebook)
    for cell in solutions(notebook):
        told = said(cells[f"{cell.id}-check"])
        assert told.count("✓ ") and told.endswith(f"\nAll {told.count('✓ ')} properties hold: the check passes.")


@SHEETS
def test_the_books_own_exercises_are_plain_and_have_every_version(path):
    notebook = notebooks.read(path)
    assert problems(notebook) == []
    for version in (student(notebook), on_site(notebook)):
        code = "".join(cell.source for cell in version.cells if cell.cell_type == "code")
        assert "SOLUTION" not in code and "HIDDEN" not in code
        assert code.count(STUB) >= len(solutions(notebook))
    for cell in solutions(notebook):
        assert "# Why: " in cell.source, f"{cell.id} does not say why"
        assert "NotImplementedError" not in cell.source
