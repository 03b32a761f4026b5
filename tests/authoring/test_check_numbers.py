"""A number in the prose is found, and only an output, an assertion or a source takes it off the list."""

import nbformat
import pytest

from labutils.authoring import notebooks
from labutils.authoring.check import numbers
from labutils.authoring.check.__main__ import report


def notebook(prose, code="", printed="", hidden=False):
    cells = [nbformat.v4.new_markdown_cell(prose, id="says"), nbformat.v4.new_code_cell(code, id="shows")]
    if printed:
        cells[1].outputs = [nbformat.v4.new_output("stream", name="stdout", text=printed)]
    if hidden:
        cells[1].metadata["tags"] = ["remove-input"]
    return nbformat.v4.new_notebook(cells=cells)


def texts(found):
    return [number.text for number in found]


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("A weight of 0.25 and one of .5, and −0.75.", ["0.25", ".5", "0.75"]),
        ("It is right in 99.8 % of cases, or 99.8%, or 7 per cent.", ["99.8 %", "99.8%", "7 per cent"]),
        ("It has 50,257 entries, or 50257.", ["50,257", "50257"]),
        ("One in `0.4` and one in $x = 0.6$.", ["0.4", "0.6"]),
        ("| a |\n|---|\n| 0.3 |", ["0.3"]),
        (":::{admonition} What you may have read\n:class: claim\n\n“It is 0.2.”\n\nNo. (C135)\n:::", ["0.2"]),
        ("Sums to 0.83.", ["0.83"]),
        ("3.9x as fast, 0.4s, 1.5 GB, 2.5×.", ["3.9", "0.4", "1.5", "2.5"]),
        ("2048px and wikitext103, 1234/5.", []),
        ("12 rows, 3/4 of them, 128 numbers, written in 2017 (Figure 4.1, figure 4.12, Exercise 2.1).", []),
        ("e^1000 and 10^0.5 and v2.0.1 and tokenizers 0.23.3 and arXiv:1706.03762.", []),
        ("[a link](https://example.org/1706.03762).", []),
        ("```\n0.25\n```", []),
    ],
)
def test_what_counts_as_a_number(prose, found):
    assert texts(numbers.stated(notebook(prose))) == found
    assert texts(numbers.unshown(notebook(prose))) == found


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("0.874", "0.874"),
        ("0.87", "0.8742"),
        ("0.88", "tensor([0.8769])"),
        (".87", "0.8742"),
        ("0.75", "-7.5e-01"),
        ("0.25", "1/4"),
        ("99.8 %", "0.998"),
        ("99.8 %", "99.83%"),
        ("5 %", "0.0512"),
        ("50,257", "50257"),
        ("50,257", "50,257"),
        ("50257", "50_257"),
        ("2.0 bits", "2."),
        ("1.5", "(1.5,2.25)"),
    ],
)
def test_a_printed_number_that_rounds_to_it_shows_it(prose, printed):
    assert numbers.unshown(notebook(prose, printed=printed)) == []


@pytest.mark.parametrize(
    ("prose", "printed"),
    [
        ("0.874", "0.87"),
        ("0.874", "0.8746"),
        ("0.87", "87"),
        ("87 %", "8.7"),
        ("50,257", "50256"),
        ("0.5", "seed 5"),
        ("1.5", "1.25"),
        ("0.25", "3/4"),
    ],
)
def test_another_number_does_not(prose, printed):
    assert texts(numbers.unshown(notebook(prose, printed=printed))) == [prose]


@pytest.mark.parametrize(
    "code",
    [
        "assert round(x, 3) == .874",
        "assert abs(x - 0.874) < 1e-3",
        "torch.testing.assert_close(x, torch.tensor([0.874]))",
        "assert x == 874 / 1000",
    ],
)
def test_an_assertion_shows_it(code):
    assert numbers.unshown(notebook("0.874", code)) == []


@pytest.mark.parametrize(
    "code",
    [
        "if real:\n    assert x == 0.874",
        "try:\n    assert x == 0.874\nexcept OSError:\n    pass",
        "x = 0.874",
        "# 0.874",
        "print('0.874')",
        "assert x, '0.874'",
        "assert x == 0.87",
    ],
)
def test_other_code_does_not(code):
    assert texts(numbers.unshown(notebook("0.874", code))) == ["0.874"]


def test_a_whole_number_may_be_a_setting_and_a_share_may_not():
    assert numbers.unshown(notebook("2,000 draws", "draw(2000)")) == []
    assert texts(numbers.unshown(notebook("2,000 draws", "# 2000"))) == ["2,000"]
    assert texts(numbers.unshown(notebook("its id 3797", "if real:\n    assert real.id == 3797"))) == ["3797"]
    assert texts(numbers.unshown(notebook("75 % of it", "draw(75)"))) == ["75 %"]


def test_hidden_cells_speak_too_but_not_the_wrong_choices():
    asks = (
        "predict('n', 'Is it 0.1 of it?', ('0.2 of it', 'No, 0.3 of it.'), ('0.4 of it', 'Yes.'), right=1)\nfigure(d,"
        " f'{x} and 0.5 of it')"
    )
    assert sorted(texts(numbers.stated(notebook("", asks, hidden=True)))) == ["0.1", "0.3", "0.4", "0.5"]
    assert numbers.stated(notebook("", asks)) == []


def test_the_list_of_sources_must_be_complete_and_no_longer_than_that():
    book = notebook("It has 50,257 entries and a loss of 3.1, here 0.5.", printed="0.5")
    assert numbers.problems(book, {"50,257": "Radford et al. 2019", "3.1": "the same"}) == []
    assert numbers.problems(book, {"50,257": "Radford et al. 2019"}) == [
        "says: 3.1 is neither printed nor asserted here, nor in book/cited_numbers.yml."
    ]
    assert numbers.problems(book, {"50,257": "Radford", "3.1": "same", "0.5": "x"}) == [
        "book/cited_numbers.yml: 0.5 is shown by the chapter itself or gone from it; take it out."
    ]
    assert numbers.problems(book, {"50,257": "Radford", "3.1": ""}) == ["book/cited_numbers.yml: 3.1 has no source."]


def test_the_list_is_read_chapter_by_chapter(tmp_path, monkeypatch):
    monkeypatch.setattr(numbers, "CITED", tmp_path / "cited.yml")
    numbers.CITED.write_text("# nothing yet\n")
    assert numbers.cited("02_tokenization") == {}
    numbers.CITED.write_text('02_tokenization:\n  "50,257": Radford et al. 2019\n  3.10: kept as text only in quotes\n')
    assert numbers.cited("02_tokenization") == {"50,257": "Radford et al. 2019", "3.1": "kept as text only in quotes"}
    assert numbers.cited("04_attention") == {}


def test_the_report_names_each_number_with_its_source(chapter, monkeypatch):
    book = notebooks.read(chapter)
    book.cells[0].source += "\n\nIt has 50,257 entries and 3.25 of them."
    notebooks.write(chapter, book)
    monkeypatch.setattr(numbers, "cited", lambda name: {"50,257": "Radford et al. 2019"})
    assert report([chapter]) == [
        "05_multi_head: title: 50,257: Radford et al. 2019",
        "05_multi_head: title: 3.25: NOT SHOWN",
    ]
