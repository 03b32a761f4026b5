"""The way of a sentence: rows, weights and words are Python's; it plays once, follows pointer and keys, reads any text."""

import re

import pytest
import torch
from controls.expected import after, readout
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Way, script
from labutils.controls.whole_words import whole_word
from labutils.trace import trace

STILL = {"reduced_motion": "reduce"}
TEXT = "The cat sat on the"


@pytest.fixture(scope="module")
def little():
    return load("little-gpt2")


def without(checkpoint, ids, layer, head):
    """The last row of probabilities with one head switched off."""

    def off(weights):
        return torch.stack([w * (h != head) for h, w in enumerate(weights[0])])[None]

    return trace(checkpoint.model, ids, change={f"layer {layer} weights": off}).logits[-1].softmax(-1)


def whole(p: float) -> str:
    """A share in a sentence."""
    return "under 1%" if p < 0.005 else "over 99%" if p >= 0.995 else f"{round(100 * p)}%"


def brief(p: float) -> str:
    """A share in a picture."""
    return whole(p).replace("under ", "<").replace("over ", ">")


def test_the_head_that_is_shown_is_one_that_the_answer_needs(little):
    ids = little.tokenizer.encode(TEXT).ids
    p, head = after(little, ids), Way(TEXT).finished["head"]
    answer, t = int(p.argmax()), trace(little.model, ids)
    costs = {(i, h): float(p[answer] - without(little, ids, i, h)[answer]) for i in range(4) for h in range(8)}
    near = [at for at, cost in costs.items() if cost >= max(costs.values()) / 2]
    weight = {(i, h): float(t.layers[i].weights[h, -1, :-1].max()) for i, h in near}
    assert (head["layer"], head["head"]) == max(weight, key=weight.get) == (3, 4)
    assert head["weight"] == pytest.approx(weight[3, 4], abs=1e-6) and ids[head["key"]] == ids[1]
    assert head["left"] == pytest.approx(float(p[answer]) - costs[3, 4], abs=1e-6)


def test_at_rest_it_says_when_the_answer_came_and_what_it_costs_to_lose_the_head(little):
    said = readout(Way(TEXT))
    p = float(after(little, little.tokenizer.encode(TEXT).ids).max())
    assert said == (
        f"After block 2 the row of “the” still says “large”. One block later it says “mat”, {whole(p)}. For that it needs"
        " head 4 of block 3, which takes over 99% of its weight from “cat”: switch the head off, and the chance falls to"
        " 5%."
    )


def test_a_still_picture_holds_every_number_as_a_stroke(little):
    drawn = Way(TEXT).picture()
    for name in ("wy-long", "wy-short"):
        strips = re.findall(rf'<svg viewBox="[^"]*"[^>]*class="{name}">(.*?)</svg>', drawn)
        assert len(strips) == 5 * 5 and {strip.count("v1") for strip in strips} == {128}
    assert "<button" not in drawn and "<input" not in drawn


@pytest.mark.parametrize("text", [TEXT, "One night, a small mouse", "The horse was", "Anna"])
def test_what_it_reads_in_the_page_is_what_python_finds(open_page, little, text):
    opened = open_page(Way("The cat sat"), width=1280, **STILL)
    root = opened.control()
    root.get_by_label("Your own words").fill(text)
    expect(root.locator(".wy-next .wy-small")).to_have_text(f"after “{text}”")
    there = Way(text)
    assert root.locator(".itt-readout").inner_text() == readout(there)
    ids = little.tokenizer.encode(text).ids
    p = after(little, ids)
    words = [whole_word(little, ids, int(i)).strip("␣") for i in p.topk(5).indices]
    words = [{".": "full stop", ",": "comma"}.get(word, word) for word in words]
    for k, word in enumerate(words):
        expect(root.locator(".wy-bars b").nth(k)).to_have_text(re.compile(rf"(^|→ ){re.escape(word)}$"))
    assert root.locator(".wy-bars span").all_inner_texts() == [brief(float(x)) for x in p.topk(5).values]
    assert opened.complaints == []


def test_pointer_and_keys_follow_tokens_stages_and_numbers(open_page, little):
    root = open_page(Way(TEXT), width=1280, **STILL).control()
    said, t = root.locator(".itt-readout"), trace(little.model, little.tokenizer.encode(TEXT).ids)
    cell = root.locator(".wy-cell[data-t='1'][data-s='2']")
    box = cell.bounding_box()
    root.page.mouse.move(box["x"] + (64.5 / 128) * box["width"], box["y"] + 4)
    number = f"{float(t.layers[0].output[1, 64]):.2f}".replace("-", "−")
    expect(said).to_contain_text(f"the row of “cat”: number 64 of 128 is {number}.")
    root.locator(".wy-looks[data-t='3']").hover()
    expect(said).to_contain_text("sees the 4 tokens up to itself")
    expect(root.locator(".wy-next .wy-small")).to_have_text("after “The cat sat on”")
    root.locator(".wy-token").nth(3).focus()
    root.page.keyboard.press("ArrowUp")
    expect(root.locator(".wy-token").nth(2)).to_be_focused()
    for _ in range(2):  # from the map
        root.page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("After block 1 the row of “sat” would say")
    expect(root.get_by_role("button", name="After block 1")).to_have_attribute("aria-pressed", "true")


def test_it_plays_from_left_to_right_and_ends_with_its_sentence(open_page):
    opened = open_page(Way(TEXT), width=1280)
    root = opened.control()
    opened.stop_the_clock()
    root.get_by_role("button", name="Follow them").click()
    expect(root.locator(".wy")).to_have_class(re.compile("is-playing"))
    opened.page.clock.run_for(700)
    expect(root.locator(".itt-readout")).to_have_text("Each token becomes a row of 128 numbers.")
    opened.page.clock.run_for(6000)
    expect(root.locator(".wy")).not_to_have_class(re.compile("is-playing"))
    assert root.locator(".itt-readout").inner_text() == readout(Way(TEXT))


def test_on_paper_it_is_finished(open_page):
    opened = open_page(Way(TEXT, plays=True), width=1280)
    root = opened.control()
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert "is-playing" not in root.locator(".wy").get_attribute("class")
    assert root.locator(".itt-readout").inner_text() == readout(Way(TEXT))


def test_who_wants_no_motion_gets_none(open_page):
    root = open_page(Way(TEXT, plays=True), width=1280, **STILL).control()
    expect(root.locator(".itt-readout")).to_contain_text("After block 2")
    assert "is-playing" not in root.locator(".wy").get_attribute("class")


def test_a_long_text_is_cut_and_says_so_and_none_is_refused(open_page):
    root = open_page(Way(TEXT), width=1280, **STILL).control()
    root.get_by_label("Your own words, up to 16 tokens").fill("The cat sat on the mat. " * 4)
    expect(root.locator(".itt-note").first).to_contain_text("The first 16 tokens are shown")
    expect(root.locator(".wy-token")).to_have_count(16)
    root.get_by_label("Your own words").fill("")
    expect(root.locator(".itt-note.is-wrong")).to_contain_text("write at least one word")
    expect(root.locator(".wy-token")).to_have_count(16)


def test_no_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Way("The cat sat on the mat. It was"), width=1280, **STILL)
    root = opened.control()
    root.locator("details").evaluate("el => { el.open = true }")
    expect(root.locator("table tr")).to_have_count(1 + 9 * (5 + 1 + 5))
    opened.fits(1280, 768, 390, 320)


@pytest.mark.parametrize(
    "given, words",
    [({"model": "little-bert"}, "choose a GPT-2"), ({"text": ""}, "no token"), ({"model": "none"}, "none")],
)
def test_what_cannot_be_shown_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Way(**given)


def test_a_long_text_is_cut_at_the_front_and_at_a_word():
    text = "The old wolf and the small mouse sat on the hill. They were"
    said = script.call("way/words.js", "before", {"seen": {"n": 1, "left": 0, "text": text, "tokens": ["x"]}, "i": 0})
    assert said == "after “… the small mouse sat on the hill. They were”"


# In one step, so that no machine is too slow for what plays: it begins, and its button ends it.
SKIPPED = """root => {
  const button = (name) => [...root.querySelectorAll("button")].find((one) => one.textContent === name);
  const playing = () => root.querySelector(".wy").classList.contains("is-playing"), end = button("Show the end");
  const before = end.hidden;
  button("Follow them").click();
  const meanwhile = [playing(), end.checkVisibility()];
  end.click();
  return [before, ...meanwhile, playing(), end.hidden];
}"""


def test_who_does_not_want_to_wait_sees_the_end_at_once(open_page):
    opened = open_page(Way(TEXT), width=1280)
    root = opened.control()
    assert root.evaluate(SKIPPED) == [True, True, True, False, True]
    assert root.locator(".itt-readout").inner_text() == readout(Way(TEXT))
    assert opened.complaints == []


def test_the_note_on_arrows_comes_with_the_first_arrow(open_page):
    root = open_page(Way(TEXT), width=1280).control()
    delay = lambda what: root.locator(what).evaluate("one => one.getAnimations()[0].effect.getTiming().delay")
    root.locator(".wy").evaluate("one => one.classList.add('is-playing')")
    assert delay(".wy-arrows") == delay(".wy-next") > 1000
