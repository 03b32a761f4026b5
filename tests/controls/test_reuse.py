"""Reuse: what it counts is what a model computes, each input moves what is said, and the picture stays without
JavaScript.
"""

import re

import pytest
import torch
from controls.hands import TOUCHING, assert_a_picture, taken
from controls.hostile import HOSTILE, unharmed
from playwright.sync_api import expect
from torch.utils.flop_counter import FlopCounterMode

from labutils.checkpoints import load
from labutils.controls import Reuse, script
from labutils.layers import Cache
from labutils.trace import trace

SIZES = {"layers": 4, "heads": 8, "keyHeads": 8, "headDim": 16, "width": 128, "ffn": 512}


def counted(model, ids, cache=None) -> int:
    """Operations of the blocks of one pass, as torch counts them."""
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        model(ids, cache=cache)
    head = 2 * ids.shape[1] * model.config.vocab_size * model.config.d_model
    return counter.get_total_flops() - head


@pytest.mark.parametrize("start, steps", [(3, 3), (1, 6)])
def test_it_counts_what_the_model_computes(start, steps):
    gpt2, ids, kept = load("little-gpt2").model, torch.arange(20, 29)[None], Cache(capacity=9)
    totals, sums, past = script.call("reuse/numbers.js", "totals", SIZES, start, steps), [0, 0], 0
    for step, found in enumerate(totals):
        n = start + step
        sums[0] += counted(gpt2, ids[:, :n])
        sums[1] += counted(gpt2, ids[:, past:n], kept)
        past = n
        assert found["operations"] == sums
        assert found["kept"] == sum(x.nbytes for i in range(4) for x in kept.layer(i).pair)
    assert totals[-1]["rows"] == [sum(range(start, start + steps)), start + steps - 1]


def test_three_words_after_three_waste_seven_rows_of_twelve():
    assert script.call("reuse/numbers.js", "totals", SIZES, 3, 3)[-1]["rows"] == [12, 5]


def test_it_writes_what_the_model_says_and_shows_its_weights():
    control, little = Reuse(), load("little-gpt2")
    seen = script.call(
        "reuse/numbers.js", "view", control.finished, {"step": 4, "share": 5, "placed": True, "layer": 2, "head": 3}
    )
    ids = list(little.tokenizer.encode("The cat sat").ids)
    for token in seen["tokens"][3:]:
        assert little.tokenizer.pieces(ids[-1]) in seen["tokens"]
        with torch.no_grad():
            ids.append(int(little.model(torch.tensor([ids])).logits[0, -1].argmax()))
        assert token == little.tokenizer.pieces(ids[-1])

    weights = trace(little.model, ids[:6]).layers[2].weights[3, -1]
    assert seen["newest"] == pytest.approx(weights.tolist(), abs=1e-5)


def test_the_still_picture_is_written_to_its_end():
    still = Reuse().picture()
    assert "33 rows" in still and "76%" in still and ">52.3 million<" in still and ">32 KiB<" in still


def test_a_guess_then_word_by_word(open_page):
    opened = open_page(Reuse(), width=760)
    control = opened.control()
    said = control.locator(".itt-readout")
    expect(said).to_contain_text("How much of what follows")
    control.get_by_role("slider", name="Your guess").press("End")
    control.get_by_role("button", name="Keep my guess").click()
    expect(said).to_contain_text("Without a cache 4 rows are computed, of which 3 were known")
    expect(control.get_by_role("slider", name="Your guess")).to_be_hidden()
    step = control.get_by_role("slider", name="Step")
    step.press("ArrowRight")
    expect(said).to_contain_text("Without a cache 5 rows")
    for _ in range(3):
        control.get_by_role("button", name="Write the next token").click()
    expect(said).to_contain_text(
        "33 rows without a cache and 8 with it. So 76% were computed in vain; you guessed 100%"
    )
    expect(said).to_contain_text("Step 6 says was.")
    expect(control.get_by_role("button", name="All is written")).to_be_disabled()
    assert "\n3,mat,12,5," in taken(opened, control, "Data (CSV)")
    assert_a_picture(opened, taken(opened, control, "Picture (SVG)"))
    control.get_by_text("Other words, another head").click()
    control.get_by_label("Head below").select_option("layer 0, head 2")
    expect(control.locator(".ru-canvas")).to_contain_text("layer 0, head 2")
    link = control.get_by_role("link", name="Link to this state")
    link.focus()
    expect(link).to_have_attribute("href", re.compile("step=6&share=100&placed=true&layer=0&head=2"))
    control.get_by_role("button", name="Start again").click()
    expect(said).to_contain_text("How much of what follows")
    assert opened.complaints == []


def test_own_words_and_hostile_ones(open_page):
    opened = open_page(Reuse(placed=True, step=6))
    control = opened.control()

    def fill(words: str) -> None:
        control.get_by_label("Words that are given").evaluate(
            "(el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })) }", words
        )

    for words in (*HOSTILE.values(), ""):
        fill(words)
        unharmed(opened, control)
    expect(control.locator(".itt-note").first).to_contain_text("write at least one word")
    fill("A dog")
    expect(control.locator(".itt-readout")).to_contain_text("compute the same 2 rows")
    control.get_by_role("slider", name="Step").press("End")
    expect(control.locator(".itt-readout")).to_contain_text("27 rows without a cache and 7 with it")


def test_slider_grids_and_sentence_stand_on_one_screen_of_a_phone(open_page):
    opened = open_page(Reuse(placed=True, step=6), width=350)
    control = opened.control()
    top = control.locator(".ru-canvas").bounding_box()
    assert top["y"] < control.get_by_role("slider", name="Step").bounding_box()["y"]  # the picture first
    said = control.locator(".itt-readout").bounding_box()
    assert said["y"] + said["height"] - top["y"] < 844
    left, right = (
        control.locator(".ru-canvas text", has_text=f"{which} a cache").first for which in ("Without", "With")
    )
    assert left.bounding_box()["y"] == right.bounding_box()["y"]


def test_on_the_smallest_phone_no_words_touch(open_page):
    control = open_page(Reuse(placed=True, step=6), width=320).control()
    assert control.locator(".ru-canvas svg").evaluate(TOUCHING) == []


def test_on_the_smallest_phone_the_name_of_the_asking_row_is_whole(open_page):
    control = open_page(Reuse(placed=True, step=1), width=296).control()
    asks = control.locator(".ru-canvas text[fill='var(--itt-q)']").last
    assert "…" not in asks.text_content()
    assert asks.bounding_box()["x"] >= control.locator(".ru-canvas").bounding_box()["x"]


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Reuse(placed=True, step=4), width=1280)
    opened.control()
    opened.fits(1280, 350)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"text": ""}, "write at least one word"),
        ({"model": "little-bert"}, "choose a GPT-2"),
        ({"step": 9}, "outside 1 to 8"),
        ({"steps": 0}, "outside 1 to 8"),
        ({"layer": 4}, "There is no layer 4"),
        ({"head": 8}, "There is no head 8"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Reuse(**arguments)


def test_at_rest_what_the_cells_mean_stands_within_the_drawing(open_page):
    svg = open_page(Reuse(), width=800, java_script_enabled=False).page.locator(".itt-still svg.is-wide")
    ends = svg.locator("text").evaluate_all("all => all.map((e) => e.getBBox().x + e.getBBox().width)")
    assert len(ends) > 20 and max(ends) <= svg.evaluate("e => e.viewBox.baseVal.width") + 1


def test_on_paper_the_model_has_written_to_the_end(open_page):
    opened = open_page(Reuse())
    said = opened.control().locator(".itt-readout")
    expect(said).to_contain_text("Step 1 reads what is given.")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(said).to_contain_text("Step 6 says was. 6 steps took 33 rows without a cache and 8 with it.")
    assert "you guessed" not in said.inner_text()  # nobody has
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(said).to_contain_text("Step 1 reads what is given.")
    assert opened.complaints == []
