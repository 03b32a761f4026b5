"""Attention explorer: its bytes against the trace, and what a reader sees against Python."""

import re

import numpy as np
import pytest
import torch
from controls.expected import readout
from playwright.sync_api import expect

from labutils.controls import Explorer, predict
from labutils.controls.reading import loaded, read
from labutils.trace import trace

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
    assert re.search(r"“\.”6 gives \d+% of its weight to The", control.locator(".itt-readout").inner_text())
    thumb = control.locator(".ex-thumb[tabindex='0']")
    assert thumb.count() == 1
    thumb.focus()
    opened.page.keyboard.press("ArrowRight")
    chosen = control.locator(".ex-thumb[aria-pressed=true]")
    assert chosen.get_attribute("aria-label") == "layer 2, head 5"  # as it is drawn: heads side by side
    opened.page.keyboard.press("ArrowDown")
    assert chosen.get_attribute("aria-label") == "layer 3, head 5"
    assert opened.page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "layer 3, head 5"


def test_the_picture_says_what_the_control_says(open_page):
    explorer = Explorer(layer=2, head=4, query=8)
    said = open_page(explorer).control().locator(".itt-readout").inner_text()
    assert said == readout(explorer)


def without(model: str, heads: list[tuple[int, int]], i: int) -> torch.Tensor:
    """What a model expects at token i with these heads switched off: Python's, float64 shares."""
    checkpoint = loaded(model)

    def silence(off):
        def change(context):
            width = context.shape[-1] // checkpoint.model.config.n_heads
            context = context.clone()
            for head in off:
                context[..., head * width : (head + 1) * width] = 0
            return context

        return change

    layers = {layer for layer, _ in heads}
    change = {f"layer {one} context": silence([head for layer, head in heads if layer == one]) for one in layers}
    return trace(checkpoint.model, TEXT, checkpoint.tokenizer, change=change).logits[i].double().softmax(-1)


@pytest.mark.parametrize("model", ["little-gpt2", "little-bert"])
def test_a_head_is_switched_off_and_the_next_word_stands_beside_it(open_page, model):
    control = open_page(Explorer(model=model, layer=3, head=5, query=8)).control()
    rows, effect = control.locator(".ex-next"), control.locator(".ex-effect")
    whole = without(model, [], 8)
    expect(effect).to_be_empty()
    assert [float(text) for text in control.locator(".ex-p").all_inner_texts()] == pytest.approx(
        whole.topk(5).values.tolist(), abs=0.00051
    )
    control.get_by_role("button", name="Switch head 3.5 off").click()
    expect(effect).to_contain_text("first choice")
    one = without(model, [(3, 5)], 8)
    assert float(rows.locator(".ex-p").first.inner_text()) == pytest.approx(float(one.max()), abs=0.00051)
    assert f"had {whole.max():.3f} and has {one[whole.argmax()]:.3f}" in effect.inner_text()
    control.get_by_role("button", name="layer 3, head 3", exact=True).click()
    control.get_by_role("button", name="Switch head 3.3 off").click()
    expect(control.locator(".itt-source")).to_contain_text("Heads 3.3 and 3.5 switched off.")
    two = without(model, [(3, 5), (3, 3)], 8)
    expect(rows.locator(".ex-p").first).to_have_text(f"{two.max():.3f}")
    expect(control.get_by_role("button", name="layer 3, head 5, switched off")).to_be_visible()
    control.get_by_role("button", name="All heads on").click()
    expect(effect).to_be_empty()
    assert control.locator(".ex-thumb.is-off").count() == 0


def test_heads_that_are_off_stand_in_the_address_and_what_is_none_is_left_out(open_page):
    control = open_page(Explorer(query=8), state={"itt": "explorer", "off": "3.5 nine 7.1 3.5"}).control()
    expect(control.locator(".ex-thumb.is-off")).to_have_count(1)
    expect(control.locator(".ex-p").first).to_have_text(f"{without('little-gpt2', [(3, 5)], 8).max():.3f}")


def test_tokens_that_are_written_alike_are_told_apart(open_page):
    made = Explorer(layer=1, head=1, query=10, key=6)
    assert readout(made).startswith("Layer 1, head 1: “.”10 gives ") and " of its weight to “.”6" in readout(made)
    control = open_page(made).control()
    expect(control.locator(".ex-texthead").first).to_contain_text("Row: whom “.”10 gives to")
    expect(control.locator(".ex-ahead .itt-label")).to_have_text("What the model expects after “.”10")


@pytest.mark.parametrize("text, tokens, turned", [(TEXT, 11, -40), (TEXT.replace("cat", "old cat"), 12, -90)])
def test_of_many_columns_the_names_stand_upright_and_none_touches_another(open_page, text, tokens, turned):
    made = Explorer(text)
    control = open_page(made, width=390).control()
    names = control.locator(f".ex-map text[transform*='rotate({turned})']")
    assert names.count() == tokens and f"rotate({turned})" in made.picture()
    boxes = [one.bounding_box() for one in names.all()]
    assert turned == -40 or all(a["x"] + a["width"] <= b["x"] + 1 for a, b in zip(boxes, boxes[1:])), boxes
    axis = control.locator(".ex-axis").last.bounding_box()
    assert min(box["y"] for box in boxes) >= axis["y"] + axis["height"] - 1


def test_on_a_phone_a_piece_and_its_word_are_not_cut(open_page):
    control = open_page(
        Explorer("The cat sat on the mat. It was", layer=3, head=5, query=8, off="3.5"), width=350
    ).control()
    names = control.locator(".ex-next .itt-share-token")
    expect(names.filter(has_text="playing")).to_be_visible(timeout=20_000)
    assert all(names.evaluate_all("all => all.map((e) => e.scrollWidth <= e.clientWidth + 1)"))


def test_a_typed_text_asks_with_its_last_token(open_page):
    control = open_page(Explorer(query=2)).control()
    control.get_by_label("Your text").fill("A dog ran to")
    expect(control.locator(".ex-texthead").first).to_contain_text("whom to gives to")


# --- a word is watched: what heads leave of it is said of those alone that were tried

WATCHED = "The cat sat on the mat. It was"
HEADS = (("3.5", "It finds the *cat*."), ("0.3", "It looks back by one."), ("2.4", "It does little."))


def watching(**more):
    return Explorer(WATCHED, layer=0, head=3, watch="tired", **more)


def left_of(word: str, layer: int, head: int) -> float:
    token = loaded("little-gpt2").tokenizer.encode(f" {word}").ids[0]
    return float(without("little-gpt2", [(layer, head)], 8)[token])


def test_a_watched_word_is_one_token_of_a_causal_model():
    for words, model in (("sleepy", "little-gpt2"), ("tired", "little-bert")):
        with pytest.raises(ValueError, match="is not one token of a causal model"):
            Explorer(WATCHED, model=model, watch=words)


def test_what_a_head_leaves_of_a_word_is_shown_for_heads_that_were_tried(open_page):
    opened = open_page(watching())
    control, said = opened.control(), lambda: control.locator(".itt-readout").inner_text()
    flip, marks = control.locator("button.is-main"), control.locator(".ex-left-over")
    expect(flip).to_be_disabled()
    assert "Choose a map first" in flip.inner_text() and marks.count() == 0 and "gives “tired” 18%" in said()
    control.get_by_role("button", name="layer 0, head 3", exact=True).click()
    assert marks.count() == 0
    flip.click()
    share = left_of("tired", 0, 3)
    expect(marks).to_have_text([f"{100 * share:.0f}"])
    assert f"Without head 0.3 the model gives “tired” {100 * share:.0f}%" in said()
    expect(control.locator(".is-watched .ex-p")).to_have_text(f"{100 * share:.0f}%")
    control.get_by_role("button", name="layer 3, head 5", exact=True).click()  # the other is on again
    expect(flip).to_have_text("Switch 3.5 off")
    expect(control.locator(".ex-thumb.is-off")).to_have_count(0)
    flip.click()
    expect(marks).to_have_text([f"{100 * left_of('tired', *head):.0f}" for head in ((0, 3), (3, 5))])
    assert opened.complaints == []


def test_a_guess_among_heads_is_made_on_the_maps(open_page):
    opened = open_page(watching(guess=predict("heads", "Which?", *HEADS, right=0)))
    control = opened.control()
    box, marks = control.locator(".guess"), control.locator(".ex-left-over")
    box.get_by_role("button", name="See the answer").click()
    expect(box.get_by_role("status")).to_have_text("Choose a map and switch its head off.")
    control.get_by_role("button", name="layer 2, head 1", exact=True).click()
    box.get_by_role("button", name="Switch 2.1 off").click()
    expect(marks).to_have_count(1)
    box.get_by_role("button", name="See the answer").click()
    expect(marks).to_have_count(32)
    assert [int(text) for text in marks.all_inner_texts()] == [
        pytest.approx(100 * left_of("tired", *divmod(k, 8)), abs=0.51) for k in range(32)
    ]
    expect(box.locator(".guess-row")).to_have_count(2)
    assert "It finds the cat." in box.inner_text() and "It is head 3.5." in box.inner_text()
    opened.page.reload()
    opened.control()
    expect(box.locator(".guess-text")).to_have_text(["Head 3.5", "Head 2.1"])
    expect(marks).to_have_count(32)
    box.get_by_role("button", name="Guess again").click()
    expect(marks).to_have_count(0)
    assert opened.complaints == []


@pytest.mark.parametrize(("width", "order"), [(1280, "map guess"), (390, "guess map")])
def test_the_maps_come_before_the_guess_that_is_made_on_them(open_page, width, order):
    opened = open_page(watching(guess=predict("below", "Which?", *HEADS, right=0)), width=width)
    control = opened.control()
    parts = {"all": ".ex-heads", "map": ".ex-left", "guess": ".guess", "next": ".ex-ahead"}
    top = {name: control.locator(where).bounding_box()["y"] for name, where in parts.items()}
    assert top["all"] == min(top.values())
    assert " ".join(sorted(("map", "guess"), key=top.get)) == order
    if width == 390:  # the button and what it changes stand on one screen
        press, rows = control.locator("button.is-main").bounding_box(), control.locator(".ex-rows").bounding_box()
        assert 0 < rows["y"] - press["y"] and rows["y"] + rows["height"] - press["y"] < 600
    assert opened.complaints == []


def test_heads_that_are_off_together_are_switched_on_one_at_a_time(open_page):
    asked = predict(
        "both", "Which?", ("the left", "It does little."), ("the right", "It does."), ("both", "No."), right=1
    )
    opened = open_page(watching(off="0.0 0.6", guess=asked))
    control, said = opened.control(), opened.page.locator(".itt-readout")
    flip = control.locator("button.is-main")
    word = loaded("little-gpt2").tokenizer.encode(" tired").ids[0]
    assert without("little-gpt2", [(0, 0), (0, 6)], 8)[word] < 0.005
    expect(said).to_contain_text("Without heads 0.0 and 0.6 the model gives “tired” under 1%")
    control.get_by_role("button", name="layer 0, head 6, switched off", exact=True).click()
    expect(control.locator(".ex-thumb.is-off")).to_have_count(2)
    flip.click()
    expect(control.locator(".ex-thumb.is-off")).to_have_count(1)
    expect(said).to_contain_text(f"Without head 0.0 the model gives “tired” {100 * left_of('tired', 0, 0):.0f}%")
    flip.click()
    control.locator(".ex-thumb").first.click()
    flip.click()
    expect(said).to_contain_text(f"Without head 0.6 the model gives “tired” {100 * left_of('tired', 0, 6):.0f}%")
    assert opened.complaints == []


def test_a_watched_word_fits(open_page):
    opened = open_page(watching(guess=predict("fits", "Which?", *HEADS, right=0)), width=1280)
    opened.control()
    opened.fits(1280, 760, 390, 320)


def test_what_may_come_next_stands_as_words_and_nothing_follows_the_end(open_page):
    control = open_page(Explorer("The cat was tired.<|endoftext|>", query=2)).control()
    names = control.locator(".ex-next .itt-share-token")
    expect(names.first).to_have_text("·s → sleepy")
    control.locator(".ex-map").focus()
    for _ in range(3):
        control.page.keyboard.press("ArrowDown")
    expect(names).to_have_count(0)
    expect(control.locator(".ex-effect")).to_have_text("The story has ended: nothing comes after the end sign.")


def test_the_still_picture_of_heads_that_are_off_says_that_it_shows_all_of_them():
    assert "In this picture all heads are on." in Explorer(off="0.0 0.6").picture()
    assert "all heads are on" not in Explorer().picture()


def test_settings_that_wait_stand_below_the_picture(open_page):
    root = open_page(Explorer(TEXT, folded=True), width=1280).control()
    field = root.get_by_label("Your text")
    expect(field).to_be_hidden()
    stage, bar = root.locator(".itt-stage").bounding_box(), root.locator(".itt-bar").bounding_box()
    assert bar["y"] >= stage["y"] + stage["height"]
    root.locator("summary", has_text="Another text").click()
    expect(field).to_be_visible()
    expect(root.get_by_text("Numbers in the cells")).to_be_visible()


def test_beside_the_map_stands_what_it_says(open_page):
    root = open_page(Explorer(TEXT), width=1280).control()
    plot = root.locator(".ex-scroll").bounding_box()
    for part in (".ex-grid", ".ex-text", ".ex-ahead"):
        box = root.locator(part).bounding_box()
        assert box["x"] > plot["x"] + plot["width"] - 1 and box["y"] >= plot["y"] - 40


def test_a_finger_is_told_to_tap(open_page):
    opened = open_page(Explorer(), width=390, has_touch=True, is_mobile=True)
    expect(opened.control().locator(".itt-lede")).to_have_text(
        "Rows ask, columns answer. Tap a cell; choose a head in the grid."
    )
