"""A second notebook keeps the rules of a chapter, but for its parts; its chapter leads to it."""

import nbformat
import pytest
from authoring.conftest import PLANNED, filled

from labutils.authoring import ledger, notebooks, pattern
from labutils.authoring.addresses import Address
from labutils.authoring.check import book_problems, every_notebook, figures, kind, notebook_problems, numbers
from labutils.authoring.new_chapter import words_for
from labutils.authoring.pages import index as index_page
from labutils.authoring.pages import status as status_page

TEXT, CODE = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
LEADS = "[More](more/05_multi_head.ipynb)"


@pytest.fixture
def second(chapter):
    """The path of a sound second notebook, whose chapter leads to it."""
    path = chapter.parent / "more" / chapter.name
    path.parent.mkdir()
    notebooks.write(path, filled(pattern.notebook("more", words_for(PLANNED))))
    change(chapter, "check", lambda text: f"{text} {LEADS} says more.")
    change(chapter, "recap", lambda text: text.replace("**Read on.**", f"**Read on.** {LEADS}."))
    return path


def change(path, name, new):
    notebook = notebooks.read(path)
    cell = next(cell for cell in notebook.cells if cell.id == name)
    cell.source = new(cell.source)
    notebooks.write(path, notebook)


def test_it_is_a_notebook_of_its_own_kind_and_sound(chapter, second):
    assert kind(second) == "more" and every_notebook(chapter.parent)[-1] == second
    assert notebooks.name(second) == "more/05_multi_head"
    assert notebook_problems(second) == notebook_problems(chapter) == []
    assert book_problems(chapter.parent) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("title", "# More on multi-head", "# Multi-head", "begins with a title like `# More on BERT`"),
        (
            "title",
            "](../05_multi_head.ipynb)",
            "](../../book/bibliography.md)",
            "with a link to ../05_multi_head.ipynb",
        ),
        ("title", "in one sentence.", "in one sentence. And more. And more.", "one or two sentences"),
        ("title", "- [A first finding](#a-first-finding)\n", "", "a list with a link to each heading, in their order"),
        ("second", "## A second", "## Another", "#a-first-finding, #another-finding."),
        ("first-says", "what follows", "simply what follows", "“simply” never appears"),
        ("first-says", "what follows", "4.25 follows", "4.25 is neither printed nor asserted here"),
        ("first-says", "what follows", "[this](../06.ipynb) follows", "the link to ../06.ipynb leads to no file"),
        ("first-says", "what follows", "1, 2 and 3 follow", "3 numbers in a paragraph"),
        ("second-figure", "5.A", "5.1", "figure 5.1 is numbered like 5.A in this notebook"),
        ("second-figure", "5.A", "4.A", "figure 4.A stands after 5.0"),
        ("second-figure", '"the finding with its numbers: 2 and 1."', '""', "has no alternative text"),
        ("second-figure", "figure(l", "predict('06-a', 'How?', answer=1)\nfigure(l", "a guess is named like `05-"),
    ],
)
def test_each_fault_is_found_alone(second, name, old, new, said):
    change(second, name, lambda text: text.replace(old, new, 1))
    found = notebook_problems(second)
    assert found and all(said in one for one in found if "leads to no heading" not in one), found


def test_it_has_no_parts_no_limits_and_no_guesses_to_make(second):
    notebook = notebooks.read(second)
    notebook.cells += [TEXT("It goes on and on. " * 15, id=f"w{i}") for i in range(200)] + [
        CODE("x = 1\n" * 30, id="long")
    ]
    notebooks.write(second, notebook)
    assert notebook_problems(second) == []


def test_a_number_of_it_is_cited_under_its_own_name(second, monkeypatch):
    monkeypatch.setattr(numbers, "cited", lambda name: {"4.25": "A book"} if name == "more/05_multi_head" else {})
    change(second, "first-says", lambda text: f"{text} It has 4.25.")
    assert notebook_problems(second) == []


@pytest.mark.parametrize(("cell", "said"), [("check", "No section before the recap"), ("recap", "recap: **Read on.**")])
def test_its_chapter_leads_to_it_twice(chapter, second, cell, said):
    change(chapter, cell, lambda text: text.replace(LEADS, "It"))
    (found,) = notebook_problems(chapter)
    assert found.startswith(said)


def test_its_figures_count_with_letters_and_those_of_a_chapter_do_not():
    numbered = lambda *names: nbformat.v4.new_notebook(
        cells=[CODE(f'Steps(number="{n}")', id=n.replace(".", "-")) for n in names]
    )
    assert figures.out_of_order(numbered("5.A", "5.B", "5.D"), "05", letters=True) == []
    assert [one[:4] for one in figures.out_of_order(numbered("5.B", "5.A"), "05", letters=True)] == ["5-A:"]
    assert figures.out_of_order(numbered("5.1", "5.2", "5.10"), "05") == []
    assert figures.out_of_order(numbered("5.1", "5.B"), "05") == [
        "5-B: figure 5.B is numbered like 5.1 in this notebook."
    ]


def test_a_claim_may_be_corrected_in_it_but_once_in_the_book(chapter, second):
    box = ":::{admonition} What you may have read\n:class: claim\n\n“It is so.”\n\nIt is not. (C149)\n:::"
    notebook = notebooks.read(second)
    notebook.cells += [CODE("print(1)", id="proof"), TEXT(box, id="claim")]
    notebooks.write(second, notebook)
    assert book_problems(chapter.parent) == [
        "more/05_multi_head: claim: C149 is corrected a second time; the first is in 05_multi_head: claim-box."
    ]


def test_the_pages_of_the_book_name_it(second, monkeypatch):
    monkeypatch.setattr(index_page, "ROOT", second.parents[2])
    index_page._cells.cache_clear()
    index_page._headings.cache_clear()
    words = lambda cell: index_page.words(Address("notebooks/more/05_multi_head.ipynb", cell), "05")
    assert words("second-figure") == "figure 5.A"
    assert words("first-says") == "More on multi-head attention: A first finding"
    assert index_page.target(Address("notebooks/more/05_multi_head.ipynb", "first")) == (
        "../notebooks/more/05_multi_head.html#cell-first"
    )
    index_page._cells.cache_clear()
    index_page._headings.cache_clear()
    monkeypatch.setattr(status_page, "MORE", second.parent)
    assert "[more](../notebooks/more/05_multi_head.ipynb)" in status_page.page()


def test_a_box_of_it_is_found_by_the_page_of_claims(second, monkeypatch):
    monkeypatch.setattr(notebooks, "MORE", second.parent)
    box = ":::{admonition} What you may have read\n:class: claim\n\n“It is so.”\n\nIt is not. (C999)\n:::"
    notebook = notebooks.read(second)
    notebook.cells += [CODE("print(1)", id="proof"), TEXT(box, id="claim")]
    notebooks.write(second, notebook)
    assert ledger.proved()["C999"] == "more/05_multi_head"
