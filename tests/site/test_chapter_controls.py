"""Controls on the pages of the chapters: each is moved, and what it then says is what Python computes."""

import re

import numpy as np
import pytest
import torch
from controls.expected import meet
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls.reading import loaded, read

TEXT = "A dog sat on the mat."
ANIMALS = ("kitten", "cat", "mouse", "horse")


def control(page, name: str):
    """The live control of this name; the page's address has asked for it."""
    found = page.locator(f'.itt-live > .itt[data-name="{name}"]')
    expect(found).to_be_visible()
    return found


def table(one) -> list[list[str]]:
    """The rows of "Read it as a table"."""
    if not one.locator(".itt-data[open]").count():
        one.locator(".itt-data summary").click()
    expect(one.locator(".itt-table")).to_be_visible()
    return one.locator(".itt-table tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    )


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


# Of each element that is given: its words, and how many lines they take.
LINES = """all => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return [one.textContent, new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size];
})"""


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_the_name_of_each_station_has_one_line(visit, width):
    page = visit("notebooks/00_pipeline#itt=walk", viewport={"width": width, "height": 844}).page
    one = control(page, "walk")
    one.get_by_role("radio", name="Next word").check(force=True)  # the chosen one is bold
    lines = one.locator(".wk-title").evaluate_all(LINES)
    assert len(lines) == 8 and [name for name, count in lines if count != 1] == []


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_a_slider_shows_the_shares_of_a_soft_look_up(visit, scheme):
    seen = visit("notebooks/04_attention#itt=soft-dictionary", scheme)
    one = control(seen.page, "soft-dictionary")
    slider = one.get_by_role("slider")
    slider.focus()
    slider.press("Home")
    expect(one.locator(".itt-readout")).to_contain_text("With s = 0 ")
    expect(one.locator(".sw-number")).to_have_text(["0.333"] * 3)
    slider.press("ArrowRight")
    expect(one.locator(".itt-readout")).to_contain_text("With s = 1 ")
    little = load("little-gpt2")
    rows = [little.model.embeddings.token.weight[little.tokenizer.encode(f" {word}").ids[0]] for word in ANIMALS]
    powers = np.exp([float(torch.cosine_similarity(rows[0], row, dim=0)) for row in rows[1:]])
    assert [number(text) for text in one.locator(".sw-number").all_inner_texts()] == pytest.approx(
        powers / powers.sum(), abs=0.00051
    )
    assert seen.complaints == []


def test_two_sliders_show_the_cost_of_a_layer(visit):
    one = control(visit("notebooks/04_attention#itt=cost").page, "cost")
    for slider in one.get_by_role("slider").all():
        slider.focus()
        slider.press("End")
    expect(one.locator(".itt-readout")).to_contain_text("d = 1,600")
    n, d = (
        int(text.replace(",", ""))
        for text in re.match(r"n = ([\d,]+) and d = ([\d,]+)", one.locator(".itt-readout").inner_text()).groups()
    )
    assert n > 4 * d
    found = [number(text) for text in one.locator(".sw-number").all_inner_texts()]
    parts = np.array([8 * n * d**2, 4 * n**2 * d, 16 * n * d**2])  # projections, scores and mixture, feed-forward
    assert found == pytest.approx(parts / parts.sum(), abs=0.00051)


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_vectors_of_the_readers_own_text(visit, scheme):
    seen = visit("notebooks/more/04_attention#itt=vectors-4.B", scheme)
    one, reading = control(seen.page, "vectors-4.B"), read("little-gpt2", TEXT, 24)
    one.get_by_label("Your text").fill(TEXT)
    expect(one.locator(".vc-meet")).to_contain_text("dog")
    for group, i in (("Layer", 2), ("Head", 3)):
        one.get_by_role("group", name=group).locator("label").nth(i).click()
    expect(one.locator(".itt-readout")).to_contain_text("Layer 2, head 3")
    one.locator(".itt-tokens label").nth(3).click()
    expect(one.locator(".itt-tokens input").nth(3)).to_be_checked()
    q, k = (getattr(reading, name)[2, 3].astype(float) for name in "qk")
    met, rows = meet(q, k, 3, True), table(one)
    assert [number(row[1]) for row in rows] == pytest.approx(met.cosine, abs=1e-3)
    assert [number(row[3]) for row in rows] == pytest.approx(met.score, abs=1e-3)
    assert [number(row[4]) for row in rows[:4]] == pytest.approx(reading.weights[2, 3, 3, :4], abs=1e-3)
    assert {row[4] for row in rows[4:]} == {"masked"}
    assert seen.complaints == []


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_two_texts_become_one_sequence(visit, scheme):
    seen = visit("notebooks/02_tokenization#itt=segments-2.9", scheme)
    one = control(seen.page, "segments-2.9")
    one.get_by_label("First text").fill(TEXT)
    one.get_by_label("Second text").fill("It slept.")
    slider = one.get_by_role("slider")
    slider.focus()
    slider.press("End")
    expect(one.get_by_role("listitem", name="position 2: dog").first).to_be_visible()
    rows = [row for row in table(one) if row[0].split()[-1].isdigit()]
    bert = loaded("little-bert").tokenizer.encode(TEXT, "It slept.")
    mine = [row for row in rows if "BERT" in row[0] and row[4] == "1"]
    assert [int(row[2]) for row in mine] == bert.ids
    assert [int(row[3]) for row in mine] == bert.type_ids
    padding = [row for row in rows if "BERT" in row[0] and row[4] == "0"]
    assert padding and all(row[1] == "[PAD]" for row in padding)
    assert seen.complaints == []
