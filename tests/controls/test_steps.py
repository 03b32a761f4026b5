"""Attention, step by step: its traits against the trace, and what a reader sees against Python."""

import math
import re

import numpy as np
import pytest
import torch
from controls.expected import readout
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Steps, Vectors
from labutils.trace import trace

MODELS = {
    "paper-gpt2": "the cat sat",
    "little-gpt2": "The cat sat on the mat. It was tired.",
    "little-bert": "The cat sat on the mat. It was tired.",
}


def numbers(control, column):
    """A column of the table as numbers; −∞ and "masked" as they stand for."""
    found = []
    for text in control.locator(f".st-table [role=gridcell][data-s='{column}']").all_inner_texts():
        text = text.strip().replace("−", "-")
        found.append(-math.inf if text == "-∞" else 0.0 if text == "masked" else float(text))
    return np.array(found)


def layer_of(name, text, layer):
    c = load(name, dtype=torch.float64 if name == "paper-gpt2" else torch.float32)
    return trace(c.model, text, c.tokenizer).layers[layer]


@pytest.mark.parametrize("name", MODELS)
def test_the_finished_state_is_the_trace(name):
    of = layer_of(name, MODELS[name], 0)
    finished = Steps(model=name, layer=0, head=1).finished
    for part in "qkv":
        wanted = getattr(of, part)[1].numpy().astype("f4")
        assert np.array_equal(np.frombuffer(finished[part], "<f4").reshape(wanted.shape), wanted)
    assert finished["shape"][2] == len(finished["tokens"]) == of.weights.shape[-1]


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"layer": 9}, "no layer 9: they go from 0 to 3"),
        ({"head": 8}, "no head 8"),
        ({"query": 40}, "no token 40"),
        ({"text": ""}, "at least one word"),
        ({"model": "large-gpt2"}, "large-gpt2"),
    ],
)
def test_what_is_not_there_is_refused_with_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Steps(**arguments)


def test_it_names_itself_and_its_key_is_the_strongest():
    steps = Steps(layer=2, head=4, query=8, number="4.1")
    assert (
        repr(steps)
        == "Steps(model='little-gpt2', text='The cat sat on the mat. It was tired.', layer=2, head=4, query=8)"
    )
    assert steps.key == int(layer_of("little-gpt2", steps.text, 2).weights[4, 8].argmax()) and steps.name == "steps-4.1"


def test_the_picture_says_what_the_control_says(open_page):
    steps = Steps(layer=2, head=4, query=8)
    said = open_page(steps).control().locator(".itt-readout").inner_text()
    assert said == readout(steps)


def test_a_token_that_asks_shows_its_largest_weight_until_the_reader_chooses_a_key(open_page):
    control = open_page(Steps("The cat sat on the mat. It was", layer=3, head=5, query=5, step=4)).control()
    said, asks = control.locator(".itt-readout"), control.locator(".itt-tokens label")
    asks.nth(8).click()
    expect(said).to_contain_text(re.compile("“was” gives “cat” the weight 0.99.*this is the largest"))
    control.locator(".st-table .st-row", has_text="sat").first.locator("[data-s='3']").click()
    asks.nth(7).click()
    expect(said).to_contain_text("“It” gives “sat” the weight")


def test_where_a_chapter_begins_the_table_comes_first_and_the_rest_waits(open_page):
    opened = open_page(Steps("The cat sat on the mat. It was", query=5, step=1, lede="", folded=True), width=920)
    control, text = opened.control(), "Your text"
    expect(control.get_by_label(text)).to_be_hidden()
    expect(control.locator(".st-worked")).to_be_hidden()
    assert control.bounding_box()["height"] < 800
    control.locator(".itt-tokens label").last.click()
    expect(control.locator(".st-query .st-name")).to_have_text("was")
    control.locator(".st-table .st-row:nth-child(3) [data-s='0']").click()  # a number explains itself
    expect(control.locator(".st-worked")).to_contain_text("12 more")
    control.get_by_text("another text or head").click()
    control.get_by_label(text).fill("A dog ran to the old bridge.")
    control.locator(".st-table", has_text="dog").wait_for()
    assert opened.complaints == []
    table, asks = control.locator(".st-table"), control.locator(".st-asks")
    top = lambda part: part.bounding_box()["y"]
    assert top(asks) < top(table)
    opened.page.set_viewport_size({"width": 390, "height": 844})
    assert top(asks) > top(table)  # on a phone the data begin at once


def test_the_temperature_is_moved_within_sight_of_the_table(open_page):
    opened = open_page(Steps("The cat sat on the mat. It was", query=8, lede="", folded=True), width=1280)
    control = opened.control()
    control.get_by_text("another text or head").click()
    slider, table = control.get_by_role("slider", name="Temperature"), control.locator(".st-table")
    assert slider.bounding_box()["y"] - table.bounding_box()["y"] < 700 - 48  # below the bar of a page of 800 px


@pytest.mark.parametrize("name", MODELS)
def test_every_column_is_the_models_own(open_page, name):
    steps = Steps(model=name, head=1, query=2)
    control = open_page(steps).control()
    of = layer_of(name, MODELS[name], 0)
    raw, scaled, weights = of.q[1, 2] @ of.k[1].T, of.scores[1, 2], of.weights[1, 2]
    assert numbers(control, 0) == pytest.approx(raw.numpy(), abs=0.0051)
    assert numbers(control, 2) == pytest.approx(scaled.numpy(), abs=0.0051)
    assert numbers(control, 3) == pytest.approx(weights.numpy(), abs=0.00051)
    assert (
        control.locator(".itt-source")
        .inner_text()
        .startswith({"paper-gpt2": "Paper model, 170 parameters"}.get(name, "Little"))
    )


def test_another_head_text_and_model_come_from_the_engine(open_page):
    opened = open_page(Steps())
    control = opened.control()
    control.get_by_label("Your text").fill("A dog ran to the old bridge.")
    control.locator(".itt-tokens label", has_text="dog").wait_for()
    control.locator(".itt-tokens label").nth(3).click()
    control.get_by_role("group", name="Layer").locator("label", has_text="3").click()
    control.get_by_role("group", name="Head").locator("label", has_text="5").click()
    control.locator(".st-table", has_text="dog").wait_for()
    assert numbers(control, 3) == pytest.approx(
        layer_of("little-gpt2", "A dog ran to the old bridge.", 3).weights[5, 3].numpy(), abs=0.00051
    )
    control.get_by_role("group", name="Model").locator("label", has_text="Little BERT").click()
    control.locator(".st-table", has_text="[SEP]").wait_for()
    assert numbers(control, 3) == pytest.approx(
        layer_of("little-bert", "A dog ran to the old bridge.", 3).weights[5, 3].numpy(), abs=0.00051
    )
    control.get_by_role("group", name="Model").locator("label", has_text="Paper model").click()
    control.locator(".itt-source", has_text="Paper model").wait_for()
    assert (
        control.get_by_label("Your text").input_value() == "the cat sat"
    )  # it knows five words, so it brings its own text
    assert opened.complaints == []


def test_temperature_scale_and_mask_leave_the_model_and_come_back(open_page):
    control = open_page(Steps(layer=1, head=2, query=5)).control()
    of = layer_of("little-gpt2", MODELS["little-gpt2"], 1)
    raw = (of.q[2, 5] @ of.k[2].T).double()
    control.get_by_label("Temperature").fill("0.5")
    control.locator("label", has_text="divide by √16").click()
    control.locator("label", has_text="hide later tokens").click()
    assert numbers(control, 1) == pytest.approx((raw / 0.5).numpy(), abs=0.0051)
    assert numbers(control, 3) == pytest.approx((raw / 0.5).softmax(-1).numpy(), abs=0.00051)
    assert "no longer the model’s own weights" in control.locator(".itt-source").inner_text()
    control.get_by_role("button", name="Back to the model").click()
    assert numbers(control, 3) == pytest.approx(of.weights[2, 5].numpy(), abs=0.00051)


@pytest.mark.parametrize("column", range(5))
def test_each_number_explains_itself(open_page, column):
    control = open_page(Steps(layer=2, head=4, query=8)).control()
    of = layer_of("little-gpt2", MODELS["little-gpt2"], 2)
    control.locator(f".st-table .st-row:nth-child(3) [data-s='{column}']").click()  # heads, then keys 0, 1
    worked = control.locator(".st-worked").inner_text().replace("−", "-")
    product, score, weight = float(of.q[4, 8] @ of.k[4, 1]), float(of.scores[4, 8, 1]), float(of.weights[4, 8, 1])
    shown = lambda x, d=2: f"({x:.{d}f})" if x < 0 else f"{x:.{d}f}"
    wanted = [
        f"= {product:.2f}",
        f"= {shown(product)} ÷ 4 = {score:.2f}",
        f"{shown(score)} + 0 = {score:.2f}",
        f"= {weight:.3f}",
        "z = ",
    ]
    assert wanted[column] in worked


def test_a_product_and_a_part_of_the_output_explain_themselves(open_page):
    control = open_page(Steps(layer=2, head=4, query=8, key=2, step=1)).control()
    of = layer_of("little-gpt2", MODELS["little-gpt2"], 2)
    control.locator(".st-strip.is-p .st-cell").nth(6).click()
    q, k = float(of.q[4, 8, 6]), float(of.k[4, 2, 6])
    assert f"= {q * k:.2f}" in control.locator(".st-component").inner_text().replace("−", "-")
    control.locator(".itt-seg-big label").nth(4).click()
    control.locator(".st-strip.is-z .st-cell").nth(6).click()
    z = float(of.weights[4, 8] @ of.v[4, :, 6])
    assert f"= {z:.2f}".replace("-0.00", "0.00") in control.locator(".st-component").inner_text().replace("−", "-")


def test_the_keyboard_reaches_every_number(open_page):
    opened = open_page(Steps(layer=2, head=4, query=8, key=0, step=4))
    control = opened.control()
    cell = control.locator(".st-table [tabindex='0']")
    assert cell.count() == 1  # one tab stop for the whole table
    cell.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "Home", "ArrowRight"):
        opened.page.keyboard.press(key)
    focus = opened.page.evaluate(
        "() => [document.activeElement.dataset.s,"
        " document.activeElement.closest('.st-row').querySelector('.st-name').textContent]"
    )
    assert focus == ["1", "sat"]
    assert "÷ √16" in control.locator(".st-worked").inner_text()
    assert cell.count() == 1
    for element in control.locator("input, button, summary, a, [tabindex]").all():
        assert element.get_attribute("data-lm-suppress-shortcuts") == "true"


def test_what_a_reader_does_stands_in_the_traits_of_the_page(open_page):
    opened = open_page(
        Steps(query=8),
        state={
            "itt": "steps",
            "layer": "3",
            "head": "7",
            "query": "2",
            "temperature": "2",
            "step": "4",
            "text": "A cat sat.",
        },
    )
    control = opened.control()
    control.locator(".st-table", has_text="A").wait_for()
    assert control.get_by_role("group", name="Head").locator("input:checked").get_attribute("value") == "7"
    of = layer_of("little-gpt2", "A cat sat.", 3)
    wanted = (of.scores[7, 2].double() / 2).softmax(-1)
    assert numbers(control, 3) == pytest.approx(wanted.numpy(), abs=0.00051)
    link = control.get_by_role("link", name="Link to this state")
    link.focus()
    assert "temperature=2" in link.get_attribute("href") and "text=A+cat+sat." in link.get_attribute("href")


def test_any_model_of_the_loader_takes_its_place(tmp_path):
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    tokenizer = load("little-gpt2").tokenizer
    folder = tmp_path / "mine"
    tokenizer.save(folder)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer), n_positions=32, n_embd=12, n_layer=1, n_head=3, bos_token_id=0, eos_token_id=0
        )
    ).eval()
    model.save_pretrained(folder)
    steps = Steps(model=str(folder), head=2)
    assert steps.models[-1] == {"name": str(folder), "title": "mine", "text": MODELS["little-gpt2"]}
    assert steps.finished["info"]["label"] == f"mine, {sum(p.numel() for p in model.parameters()):,} parameters"
    wanted = layer_of(str(folder), steps.text, 0).q[2].numpy().astype("f4")
    assert np.array_equal(np.frombuffer(steps.finished["q"], "<f4").reshape(wanted.shape), wanted)


@pytest.mark.parametrize("make", [Steps, Vectors])
def test_another_model_and_back_keeps_the_place_and_the_readers_text(open_page, make):
    root = open_page(make(layer=3, head=5, query=6)).control()
    text = root.get_by_label("Your text")
    text.fill("A dog ran to the old bridge.")
    chosen = lambda name: root.get_by_role("group", name=name).locator("input:checked").first
    expect(root.locator(".itt-tokens label").nth(1)).to_contain_text("dog")
    expect(root.locator(".itt-tokens input").last).to_be_checked()  # a typed text asks with its last token
    root.locator(".itt-tokens label").nth(6).click()
    root.locator(".itt-seg-item", has_text="Paper model").click()
    expect(text).to_have_value("the cat sat")
    expect(root.locator(".itt-tokens input")).to_have_count(3)
    root.locator(".itt-seg-item", has_text="Little GPT-2").click()
    expect(text).to_have_value("A dog ran to the old bridge.")
    expect(root.locator(".itt-tokens input").nth(6)).to_be_checked()
    expect(chosen("Layer")).to_have_value("3")
    expect(chosen("Head")).to_have_value("5")


def test_a_place_that_an_address_asks_for_stays(open_page):
    root = open_page(
        Steps(), state={"itt": "steps", "text": "A dog ran to the old bridge.", "query": "2", "layer": "3"}
    ).control()
    expect(root.locator(".itt-tokens label").nth(1)).to_contain_text("dog")
    expect(root.locator(".itt-tokens input").nth(2)).to_be_checked()


def test_the_steps_play_at_reading_pace_and_a_reader_can_stop_them(open_page):
    opened = open_page(Steps(step=1))
    page, root = opened.page, opened.control()
    opened.stop_the_clock()
    play, step = root.locator(".st-walk button"), lambda n: root.locator(".st-walk input").nth(n)
    expect(step(0)).to_be_checked()
    root.get_by_role("button", name="Play the steps").click()
    for i in range(4):
        letters, waited = len(root.locator(".itt-readout").inner_text()), 0
        while step(i).is_checked() and waited < 60_000:
            page.clock.run_for(250)
            waited += 250
        expect(step(i + 1)).to_be_checked()
        assert waited == pytest.approx(1200 + 55 * letters, abs=500)
    expect(step(4)).to_be_checked()
    expect(play).to_have_text("Play again")
    play.click()
    expect(step(0)).to_be_checked()
    expect(play).to_have_text("Pause")
    root.locator(".st-walk .itt-seg-item").nth(2).click()  # the reader goes on alone
    expect(play).to_have_text("Play the steps")
    page.clock.run_for(60_000)
    expect(step(2)).to_be_checked()


def test_where_no_motion_is_wanted_a_press_is_a_step(open_page):
    root = open_page(Steps(step=4), reduced_motion="reduce").control()
    play = root.locator(".st-walk button")
    play.click()
    expect(root.locator(".st-walk input").nth(4)).to_be_checked()
    expect(play).to_have_text("From the start")
    play.click()
    expect(root.locator(".st-walk input").nth(0)).to_be_checked()
    expect(play).to_have_text("Next step")


def test_on_paper_every_step_is_done_and_afterwards_it_stands_where_it_stood(open_page):
    opened = open_page(Steps(step=1), width=1280)
    root = opened.control()
    first = root.locator(".itt-readout").inner_text()
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert root.locator(".itt-readout").inner_text() == readout(Steps(step=5)) != first
    opened.page.emulate_media(media="print")
    assert root.locator(".itt-bar, .st-walk").evaluate_all("all => all.filter((one) => one.offsetParent).length") == 0
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert root.locator(".itt-readout").inner_text() == first
