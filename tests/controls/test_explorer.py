"""Attention explorer: its bytes against the trace, and what a reader sees against Python."""

import re

import numpy as np
import pytest
from controls.expected import readout

from labutils.controls import Explorer
from labutils.controls.reading import read

TEXT = "The cat sat on the mat. It was tired."
LONG = (
    "Tom saw a cat near the old bridge. The cat was tired and it slept on a mat. Then Anna gave the cat a fish. It was"
    " happy. " * 3
)


def words(control):
    """The row or column as text: token -> number; masked ones are left out."""
    found = [entry.rsplit("\n", 1) for entry in control.locator(".ex-word").all_inner_texts()]
    return [None if number == "masked" else float(number) for _, number in found]


@pytest.mark.parametrize("model", ["little-gpt2", "little-bert"])
def test_the_head_shown_first_is_exact(model):
    reading, finished = read(model, TEXT, 64), Explorer(model=model, layer=1, head=2).finished
    n = finished["shape"][2]
    for measure in ("weights", "contributions"):
        wanted = getattr(reading, measure)[1, 2]
        wanted = wanted[np.tril_indices(n)] if reading.causal else wanted.ravel()
        assert np.array_equal(np.frombuffer(finished[f"exact_{measure}"], "<f4"), wanted)
    assert finished["tops"]["contributions"] >= reading.contributions.max()


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"layer": -9}, "no layer -9"),
        ({"measure": "scores"}, "'weights' or 'contributions'"),
        ({"part": "cell"}, "'row' or 'column'"),
        ({"text": ""}, "at least one word"),
    ],
)
def test_what_is_not_there_is_refused_with_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Explorer(**arguments)


@pytest.mark.parametrize("model", ["little-gpt2", "little-bert"])
def test_a_row_and_a_column_of_any_head(open_page, model):
    opened = open_page(Explorer(model=model, query=4, key=2))
    control, reading = opened.control(), read(model, TEXT, 64)
    control.locator(".ex-thumb").nth(3 * 8 + 5).click()  # layer 3, head 5
    of = reading.weights[3, 5]
    seen = 5 if reading.causal else len(of)
    assert words(control)[:seen] == pytest.approx(of[4, :seen], abs=0.0051)
    control.locator("label", has_text="Column").click()
    first = 2 if reading.causal else 0
    assert words(control)[first:] == pytest.approx(of[first:, 2], abs=0.0051)
    assert words(control)[:first] == [None] * first
    assert opened.complaints == []


def test_contributions_are_norms_of_weight_times_value(open_page):
    control, reading = open_page(Explorer(layer=2, head=3, query=8, key=1)).control(), read("little-gpt2", TEXT, 64)
    control.locator("label", has_text="Contributions").click()
    assert words(control)[:9] == pytest.approx(reading.contributions[2, 3, 8, :9], abs=0.0051)
    assert f"has the length {reading.contributions[2, 3, 8, 1]:.2f}" in control.locator(".itt-readout").inner_text()


def test_the_finished_state_draws_every_head_before_the_weights_are_there(open_page):
    opened = open_page(Explorer(layer=2, head=4, query=8), without=("little-gpt2.js",))
    control, reading = opened.control(), read("little-gpt2", TEXT, 64)
    control.locator(".itt-note.is-wrong").wait_for()
    assert "finished state" in control.locator(".itt-note.is-wrong").inner_text()
    assert words(control)[:9] == pytest.approx(reading.weights[2, 4, 8, :9], abs=0.0051)
    control.locator(".ex-thumb").nth(3 * 8 + 5).click()  # layer 3, head 5, which is there in bytes
    assert words(control)[:9] == pytest.approx(reading.weights[3, 5, 8, :9], abs=0.0051 + 0.5 / 255)


def test_a_masked_cell_is_hatched_and_said_to_be_masked(open_page):
    control = open_page(Explorer(query=2, key=6)).control()
    assert "is masked: its weight is 0 by construction" in control.locator(".itt-readout").inner_text()
    fills = control.locator(".ex-map > g:nth-of-type(2) > rect").evaluate_all(
        "cells => cells.map(cell => cell.getAttribute('fill'))"
    )
    n = int(len(fills) ** 0.5)
    assert all(("url(" in fills[i * n + j]) == (j > i) for i in range(n) for j in range(n))


def test_sixty_four_tokens_and_what_was_left_out(open_page):
    opened = open_page(Explorer(LONG))
    control, reading = opened.control(), read("little-gpt2", LONG, 64)
    left = len(read("little-gpt2", LONG, 10_000).tokens) - 64
    note = control.locator(".itt-note:not(:empty)").first
    note.wait_for()
    assert f"The first 64 tokens are shown; {left} more are left out" in note.inner_text()
    assert words(control) == pytest.approx(reading.weights[0, 0, 63], abs=0.0051)
    assert control.locator(".ex-canvas").is_visible() and control.locator(".ex-map text:visible").count() < 10
    control.locator("label", has_text="A label on every token").click()
    assert control.locator(".ex-map text:visible").count() >= 128  # and the map scrolls in its own box
    assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_pointing_previews_and_clicking_keeps(open_page):
    opened = open_page(Explorer(layer=2, head=4, query=8, key=6))
    control = opened.control()
    said = lambda: control.locator(".itt-readout").inner_text()
    kept, box = said(), control.locator(".ex-map").bounding_box()
    cell = lambda i, j: opened.page.evaluate(
        "([i, j]) => { const r = document.querySelectorAll('.ex-map > g:nth-of-type(2) > rect')[i * 11 +"
        " j].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }",
        [i, j],
    )
    opened.page.mouse.move(*cell(9, 1))
    assert "tired gives" in said()
    opened.page.mouse.move(box["x"] - 30, box["y"] - 30)
    assert said() == kept
    opened.page.mouse.click(*cell(9, 1))
    opened.page.mouse.move(0, 0)
    assert "tired gives" in said()


def test_arrow_keys_walk_the_map_and_the_heads(open_page):
    opened = open_page(Explorer(layer=2, head=4, query=5, key=1))
    control = opened.control()
    control.locator(".ex-map").focus()
    for key in ("ArrowDown", "ArrowRight", "End", "Home"):
        opened.page.keyboard.press(key)
    assert re.search(r"\. gives \d+% of its weight to The", control.locator(".itt-readout").inner_text())
    thumb = control.locator(".ex-thumb[tabindex='0']")
    assert thumb.count() == 1
    thumb.focus()
    opened.page.keyboard.press("ArrowRight")
    opened.page.keyboard.press("ArrowDown")
    assert control.locator(".ex-thumb[aria-pressed=true]").get_attribute("aria-label") == "layer 3, head 5"
    assert opened.page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "layer 3, head 5"


def test_the_picture_says_what_the_control_says(open_page):
    explorer = Explorer(layer=2, head=4, query=8)
    said = open_page(explorer).control().locator(".itt-readout").inner_text()
    assert said == readout(explorer)
