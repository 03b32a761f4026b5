"""A row of numbers and what heads make of it: every number is a cell, in the colour that its size has."""

import re

import pytest
import torch

from labutils.figures import Made, strips

HEADS = [
    Made(torch.tensor([1.0, -2.0]), "cat", "99% in 3.5", torch.tensor([0.0, 1.0]), strong=True),
    Made(torch.tensor([0.0, 2.0]), "<b>", "51% in 3.6", torch.tensor([0.5, 0.5])),
]


ROW = torch.tensor([0.0, 3.0, -3.0, 1.5])


def drawn(row=ROW, heads=HEADS):
    html = strips(row, heads, "each head multiplies the row", "A row, two queries", "<b>Figure 9.1.</b> Ours.", "Two.")
    return html._repr_html_()


def cells(html: str) -> int:
    return sum(len(re.findall("z", path)) for path in re.findall(r'<path d="(M[^"]*z)"', html))


def test_every_number_is_a_cell_in_both_drawings():
    html = drawn()
    assert html.count("<svg") == 2 and cells(html) == 2 * (4 + 2 + 2)
    assert html.count("<rect") == 2 * (2 + 2)  # the weights


def test_the_largest_number_has_the_end_of_the_scale_and_zero_its_middle():
    wide = drawn().split("itt-narrow")[0]
    row = wide.split("<text")[0]
    for step in (0, 4, 6, 8):
        assert f"var(--itt-div-{step})" in row
    assert "var(--itt-seq-8)" in wide and "var(--itt-seq-4)" in wide


def test_words_are_words_and_no_markup():
    assert "&lt;b&gt;" in drawn() and "<b>F" in drawn()


def test_zeros_alone_have_the_middle_of_the_scale():
    with pytest.raises(ValueError, match="no heads"):
        drawn(heads=[])
    still = [Made(torch.zeros(2), "the", "none", torch.tensor([1.0]))]
    assert "var(--itt-div-4)" in drawn(torch.zeros(4), still)


def test_a_figure_without_a_finding_is_refused():
    with pytest.raises(ValueError, match="title"):
        strips(torch.ones(4), HEADS, "", " ", "", "")
