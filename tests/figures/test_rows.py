"""Rows of numbers as strips: what is drawn, and what is refused."""

import re

import pytest
import torch

from labutils.figures import Column, rows

VALUES = torch.tensor([[1.0, -1.0, 0.0, 2.0], [0.0, 0.0, 0.0, -4.0]])


def drawn(columns=None, names=("the", "cat"), **more):
    columns = columns or [Column("token", VALUES), Column("sum", VALUES, under="added")]
    return rows(columns, list(names), "Two rows", "<b>Figure.</b>", "two rows of four numbers", **more)._repr_html_()


def test_each_number_is_a_cell_in_both_drawings():
    html = drawn()
    assert html.count('role="img"') == 2
    assert len(re.findall(r"M[\d.]+ [\d.]+h", html)) == 2 * 2 * VALUES.numel()


def test_a_column_says_its_scale_or_what_it_is_told_to_say():
    html = drawn()
    assert html.count("4 numbers to ±4") == 2 and html.count(">added<") == 2


def test_numbers_stand_in_the_cells_where_they_are_wanted():
    html = drawn([Column("", VALUES)], written=True, notes=["on", "mat"], chosen=1)
    assert re.findall(r'itt-map-number is-\w+">([^<]*)<', html)[:8] == ["1", "−1", "0", "2", "0", "0", "0", "−4"]
    assert html.count(">mat</text>") == 2 and html.count("itt-map-frame") == 2
    assert "itt-map-number" not in drawn() and "itt-map-frame" not in drawn()


def test_words_are_text_never_markup():
    assert "<img" not in drawn(names=("<img src=x>", "cat")) and "&lt;img" in drawn(names=("<img src=x>", "cat"))


def test_a_row_of_zeros_is_drawn():
    assert "--itt-div-4" in drawn([Column("zeros", torch.zeros(2, 3))])


def test_rows_notes_and_words_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="3 names need 3 rows"):
        drawn(names=("a", "b", "c"))
    with pytest.raises(ValueError, match="as many notes"):
        drawn(notes=["one"])
    with pytest.raises(ValueError, match="alternative text"):
        rows([Column("x", VALUES)], ["a", "b"], "Title", "", " ")


def test_no_name_is_clipped_at_its_first_letter(browser):
    drawn = rows([Column("a", torch.ones(3, 4))], ["mommom", "wwwmm", "illi"], "Title", "Caption", "Alternative")
    page = browser.new_page()
    page.set_content(f"<style>text {{ font: 13px sans-serif }}</style>{drawn._repr_html_()}")
    left = page.evaluate("Math.min(...[...document.querySelectorAll('svg text')].map((one) => one.getBBox().x))")
    page.close()
    assert left >= 0
