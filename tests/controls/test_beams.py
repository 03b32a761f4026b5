"""Beams: the tree is the package's search, a path multiplies to its odds, and keys follow it."""

import math
import re

import pytest
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Beams
from labutils.generation import beam_search, beam_steps

MAT = {"text": "mat cat mat", "model": "paper-gpt2", "most": 2}


def said(root):
    return root.locator(".itt-readout").inner_text()


@pytest.mark.parametrize("given", [MAT, {"text": "The cat sat on the mat. It was", "model": "little-gpt2", "most": 4}])
def test_the_tree_is_the_packages_search(given):
    checkpoint, found = load(given["model"]), Beams(**given).finished
    ids, end = checkpoint.tokenizer.encode(given["text"]).ids, checkpoint.tokenizer.token_to_id("<|endoftext|>")
    for width in (1, 2, 4):
        steps = list(beam_steps(checkpoint.model, ids, width, given["most"], end))
        shown = found["widths"][str(width)]
        assert len(shown["steps"]) == len(steps)
        for nodes, step in zip(shown["steps"], steps):
            for fate in ("running", "ended", "dropped"):
                mine = [(n["path"], pytest.approx(n["p"])) for n in nodes if n["fate"] == fate]
                beams = getattr(step, fate)
                assert mine == [(".".join(map(str, beam.ids)), math.exp(beam.log_prob)) for beam in beams]
        best = beam_search(checkpoint.model, ids, width, given["most"], end)[0]
        assert shown["best"] == ".".join(map(str, best.ids))


def test_the_still_picture_shows_two_beams_to_the_end():
    picture = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", Beams(**MAT).picture()))
    assert "41.42% times 73.72% is 30.53%" in picture and "25.87%" in picture


def test_two_beams_find_what_one_misses(open_page):
    opened = open_page(Beams(**MAT, number="12.6"))
    root = opened.control()
    assert "“mat the” has" in said(root) and "25.87%" in said(root) and "30.53%" not in root.inner_text()
    root.locator(".itt-seg-item", has_text="2").click()
    expect(root.locator(".itt-readout")).to_contain_text("“on the” has 41.42% times 73.72% is 30.53%")
    expect(root.locator(".bm-node")).to_have_count(8)
    root.locator('.bm-node[data-path="4.4"]').click()
    expect(root.locator(".itt-readout")).to_contain_text("2 other beginnings had more, so it is dropped here")
    assert opened.complaints == [] and opened.axe() == []


def test_keys_follow_the_tree_and_buttons_the_steps(open_page):
    opened = open_page(Beams(**MAT, width=2))
    root = opened.control()
    root.locator(".bm-tree").focus()
    for key, words in (("ArrowLeft", "“on” has 41.42%"), ("ArrowUp", "“mat” has 41.92%"), ("ArrowRight", "“mat the”")):
        opened.page.keyboard.press(key)
        expect(root.locator(".itt-readout")).to_contain_text(words)
    root.get_by_role("button", name="From the first word").click()
    expect(root.locator(".bm-node")).to_have_count(4)
    expect(root.locator(".itt-readout")).to_contain_text("the best beginning so far")
    root.get_by_role("button", name="One word more").click()
    expect(root.locator(".bm-node")).to_have_count(8)
    assert root.get_by_role("button", name="One word more").is_disabled()


def tree(root):
    """The paths of the boxes, and what stands in them."""
    return root.locator(".bm-node").evaluate_all("all => all.map((one) => [one.dataset.path, one.textContent])")


@pytest.mark.parametrize(
    ("model", "text", "most"),
    [("paper-gpt2", "the cat sat", 3), ("little-gpt2", "The nurse waits in the", 4), ("little-gpt2", "She is", 5)],
)
def test_on_a_text_that_is_typed_it_searches_as_the_package(open_page, model, text, most):
    opened = open_page(
        Beams("mat cat mat" if model == "paper-gpt2" else "The fox", model, most), Beams(text, model, most)
    )
    typed, given = opened.control(0), opened.control(1)
    typed.get_by_role("textbox", name="Your text").fill(text)
    expect(typed.locator(".bm-tree")).to_have_attribute("aria-label", re.compile(re.escape(f"After “{text}”")))
    for width in "1234":
        for root in (typed, given):
            root.locator(".itt-seg-item", has_text=width).click()
        expect(typed.locator(".itt-readout")).to_have_text(given.locator(".itt-readout").inner_text())
        assert tree(typed) == tree(given)
    assert opened.complaints == [] and opened.axe() == []


def test_a_text_without_a_token_leaves_the_picture_as_it_is(open_page):
    root = open_page(Beams(**MAT)).control()
    before = tree(root)
    root.get_by_role("textbox", name="Your text").fill("")
    expect(root.locator(".itt-note", has_text="write at least one word")).to_be_visible()
    assert tree(root) == before


def test_pieces_are_named_by_their_words_and_a_text_is_never_markup(open_page):
    control = Beams("<b>The cat</b> sat", model="little-gpt2", most=2, width=2)
    opened = open_page(control, Beams("The cat sat on the mat. It was", model="little-gpt2", most=2))
    assert opened.control(0).locator(".bm-tree b").count() == 0
    assert "<b>The cat</b>" in opened.control(0).locator(".bm-tree").get_attribute("aria-label")
    expect(opened.control(1).locator(".bm-node").first).to_contain_text("·s → sleepy")
    assert opened.complaints == []


@pytest.mark.parametrize(
    "given, words",
    [
        ({"model": "little-bert", "text": "The cat"}, "choose a GPT-2"),
        ({"text": ""}, "empty"),
        ({"most": 7}, "1 to 6 steps"),
        ({"width": 9}, "width"),
    ],
)
def test_what_cannot_be_searched_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Beams(**given)
