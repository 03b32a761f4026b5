"""Heads: six answers from one pass, equal to Python's for both homes, and what a reader may do with them."""

import csv
import math
import re

import pytest
import torch
from controls.hands import TOUCHING, taken
from controls.hostile import HOSTILE, unharmed
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Heads
from labutils.controls.heads import QUESTIONS
from labutils.controls.kernel import answer
from labutils.controls.script import call
from labutils.making import shared
from labutils.models import best_span
from labutils.world import World
from labutils.world.story import OutsideTheWorld

FIRST, SECOND = "The old fox saw Anna in the green.", "It was very tired."


def wanted(first: str, second: str, head: str, token: int, hide: bool = False):
    """The shares of a head, worked out with the package, and the best span."""
    bert = load("little-bert")
    e = bert.tokenizer.encode(first, second)
    ids = [bert.tokenizer.token_to_id("[MASK]") if hide and i == token else one for i, one in enumerate(e.ids)]
    with torch.no_grad():
        out = bert.model(torch.tensor([ids]), type_ids=torch.tensor([e.type_ids]))
        x, heads = out.hidden_states[-1], shared.heads()
        if head == "word":
            return out.logits[0, token].softmax(-1).topk(5).values.tolist(), None
        if head == "next":
            return heads["next"](x)[0, len(e.ids) - 2].softmax(-1).topk(5).values.tolist(), None
        if head == "follows":
            return out.nsp_logits[0].softmax(-1).tolist(), None
        if head == "tag":
            return heads["tag"](x)[0, token].softmax(-1).topk(5).values.tolist(), None
        if head == "being":
            return heads["being"](x)[0].softmax(-1).tolist(), None
        start, end = (scores[0] for scores in heads["meant"](x))
    inside = torch.tensor([s == 0 for s in e.sequence_ids])
    shares = start.masked_fill(~inside, -torch.inf).softmax(-1)[inside].tolist()
    return shares, best_span(start, end, inside, 8)


@pytest.mark.parametrize("head", QUESTIONS)
@pytest.mark.parametrize("hide", [False, True])
def test_the_state_it_comes_with_is_pythons(head, hide):
    seen = Heads(FIRST, SECOND, head=head, token=3, hide=hide).finished
    shares, span = wanted(FIRST, SECOND, head, 3, hide)
    assert [one["p"] for one in seen["bars"]] == pytest.approx(shares, abs=1e-4)
    assert span is None or tuple(seen["span"]) == span
    n, split = len(seen["tokens"]), seen["split"]
    words = [i for i in range(n) if i not in (0, split - 1, n - 1)]
    read = {"word": [3], "next": [n - 2], "tag": words, "meant": words[: split - 2]}
    assert seen["read"] == read.get(head, [0]) and [len(row) for row in seen["rows"]] == [128] * n


def test_the_rows_are_those_of_the_model_and_the_same_for_every_head():
    bert = load("little-bert")
    e = bert.tokenizer.encode(FIRST, SECOND)
    with torch.no_grad():
        x = bert.model(torch.tensor([e.ids]), type_ids=torch.tensor([e.type_ids])).hidden_states[-1][0]
    drawn = [Heads(FIRST, SECOND, head=head, token=3).finished["rows"] for head in QUESTIONS]
    assert all(rows == drawn[0] for rows in drawn)
    assert torch.allclose(torch.tensor(drawn[0]), x, atol=0.006)


def test_each_token_has_a_tag():
    seen = Heads(FIRST, SECOND, head="tag", token=3).finished
    bert = load("little-bert")
    e = bert.tokenizer.encode(FIRST, SECOND)
    with torch.no_grad():
        x = bert.model(torch.tensor([e.ids]), type_ids=torch.tensor([e.type_ids])).hidden_states[-1]
        p, best = shared.heads()["tag"](x)[0].softmax(-1).max(-1)
    for i, one in enumerate(seen["labels"]):
        if e.special_tokens_mask[i]:
            assert one is None
        else:
            assert one["name"] == shared.TAGS[best[i]] and one["p"] == pytest.approx(float(p[i]), abs=1e-4)


@pytest.mark.parametrize("head", ["word", "next", "follows", "being"])
def test_a_share_is_a_power_over_the_sum_of_all_powers(head):
    seen = Heads(FIRST, SECOND, head=head, token=3).finished
    most = max(one["logit"] for one in seen["bars"])
    for one in seen["bars"]:
        assert one["power"] == pytest.approx(math.exp(one["logit"] - most))
        assert one["p"] == pytest.approx(one["power"] / seen["sum"])
    if seen["of"] == len(seen["bars"]):
        assert sum(one["power"] for one in seen["bars"]) == pytest.approx(seen["sum"])


def test_how_many_numbers_a_head_has_of_its_own():
    bert, heads = load("little-bert").model, shared.heads()
    count = lambda *modules: sum(p.numel() for module in modules for p in module.parameters())
    wanted = {name: count(head) for name, head in heads.items()}
    wanted |= {"word": count(bert.mlm), "follows": count(bert.pooler, bert.nsp)}
    assert {head: Heads(head=head).finished["own"] for head in QUESTIONS} == wanted


def percent(p: float) -> str:
    """A share as the readout writes it."""
    return "over 99%" if p >= 0.995 else f"{round(100 * p)}%"


def shown(opened, control) -> list[list[str]]:
    _, *rows = csv.reader(taken(opened, control, "Data (CSV)").splitlines())
    return rows


def fill(control, which: str, text: str) -> None:
    """A text is written, as if the fold were open."""
    control.locator("input.itt-text").nth(int(which == "Second")).evaluate(
        "(el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })) }", text
    )


def test_every_input_moves_the_answer(open_page):
    """In the page, where nothing but the engine computes: own texts, each head, another token, a hidden one."""
    opened = open_page(Heads())
    control = opened.control()
    fill(control, "First", FIRST)
    fill(control, "Second", SECOND)
    expect(control.locator(".itt-token").nth(4)).to_contain_text("saw")
    control.get_by_text("Change the texts").click()
    names = {
        "next": "What next?",
        "follows": "Does it follow?",
        "being": "Person or animal?",
        "tag": "Which tags?",
        "meant": "Whom is meant?",
    }
    for head, words in names.items():
        control.locator(".itt-seg-item", has_text=words).click()
        expect(control.locator(".hd-canvas svg")).to_have_attribute(
            "aria-label", re.compile("^(Which word comes|Does|Which part|Whom)")
        )
        shares, span = wanted(FIRST, SECOND, head, 2)
        expect(control.locator(".itt-readout")).to_contain_text(percent(max(shares)))
        expect(control.locator(".itt-token.is-read")).to_have_count(
            len(Heads(FIRST, SECOND, head=head).finished["read"])
        )
        if span:
            expect(control.locator(".itt-token.is-found")).to_have_count(span[1] - span[0] + 1)
    control.locator(".itt-seg-item", has_text="Which word?").click()
    control.locator(".itt-token").nth(4).click()
    control.locator(".itt-toggle").click()
    expect(control.locator(".itt-token.is-masked")).to_have_count(1)
    shares, _ = wanted(FIRST, SECOND, "word", 4, hide=True)
    expect(control.locator(".itt-readout")).to_contain_text(percent(shares[0]))
    assert [float(row[1]) for row in shown(opened, control)] == pytest.approx(shares, abs=1e-4)
    control.get_by_text("What is such a percentage made of?").click()
    expect(control.locator(".hd-more td").nth(2)).to_contain_text(re.compile(rf"= {100 * shares[0]:.1f}%$"))
    assert opened.complaints == []


def test_how_a_share_comes_about_stands_in_one_place_for_all_heads(open_page):
    """A span has two softmaxes: its begin is shown. A special token has no tag: the place stays, so that nothing jumps."""
    control = open_page(Heads(head="tag", token=0)).control()
    fold = control.get_by_text("What is such a percentage made of?")
    expect(fold).to_be_hidden()
    assert fold.bounding_box()["height"] > 10
    control.locator(".itt-seg-item", has_text="Whom is meant?").click()
    fold.click()
    expect(control.locator(".hd-more th").first).to_have_text("begins at")
    bars = Heads(head="meant").finished["bars"]
    expect(control.locator(".hd-more td").nth(2)).to_contain_text(re.compile(rf"= {100 * bars[0]['p']:.1f}%$"))


@pytest.mark.parametrize("head", ["word", "next", "follows", "being", "tag", "meant"])
def test_on_the_smallest_phone_no_words_touch(open_page, head):
    control = open_page(Heads(head=head, token=6), width=320).control()
    assert control.locator(".hd-canvas svg").evaluate(TOUCHING) == []


def test_the_keyboard_reaches_heads_and_tokens(open_page):
    control = open_page(Heads()).control()
    control.get_by_label("Which word?").focus()
    control.page.keyboard.press("ArrowRight")
    expect(control.locator(".itt-readout")).to_contain_text("The head says: here the text ends")
    control.locator(".itt-token input").nth(2).focus()
    control.page.keyboard.press("ArrowRight")
    expect(control.locator(".itt-token input").nth(3)).to_be_checked()


@pytest.mark.parametrize("which", ["First", "Second"])
def test_hostile_texts_are_shown_or_refused_with_a_sentence(open_page, which):
    opened = open_page(Heads())
    control = opened.control()
    for text in (*HOSTILE.values(), ""):
        fill(control, which, text)
        for note in control.locator(".itt-note").all_inner_texts():
            assert note == "" or note.endswith(".")
        unharmed(opened, control)
    fill(control, which, "A dog sat.")
    expect(control.locator(".itt-tokens")).to_contain_text("dog")


def sentence(control: Heads) -> str:
    """What stands below the picture, without its marks."""
    said = call("heads/words.js", "readout", control.finished)
    return "".join(one if isinstance(one, str) else one["props"].get("text") or one["kids"][0][0] for one in said)


def test_the_sentence_of_a_head_says_what_it_was_trained_to_say():
    assert sentence(Heads("The cat saw a baker.", "It sat.", head="being")).startswith(
        "The head says: an animal first, "
    )
    assert sentence(Heads("The baker saw a cat.", "He sat.", head="being")).startswith(
        "The head says: a person first, "
    )
    meant = sentence(Heads("The cat saw a baker.", "It sat.", head="meant"))
    assert re.fullmatch("The head says “the cat”: it begins at “the” with .*, and ends at “cat” with .*%.", meant)


def test_a_hidden_token_is_called_by_its_name():
    cat = Heads(FIRST, SECOND, token=2).finished["tokens"][2]
    assert sentence(Heads(FIRST, SECOND, token=2, hide=True)).startswith(f"Where “{cat}” is hidden, the head puts ")
    assert sentence(Heads(FIRST, SECOND, token=2, hide=False)).startswith(f"In the place of “{cat}” the head puts ")


def test_without_javascript_the_answer_remains(open_page):
    still = open_page(Heads(head="meant"), java_script_enabled=False).page.locator(".itt-still")
    assert "The head says “the cat”" in still.locator(".itt-readout").inner_text()
    assert still.locator("svg.is-wide rect").count() > 10
    drawn = still.locator("svg.is-wide path.itt-cells").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    tokens = Heads(head="meant").finished["tokens"]
    assert sum(d.count("M") for d in drawn) == 128 * len(tokens) + 20  # the rows, and what the colours mean


def test_texts_as_long_as_can_be_keep_picture_and_sentence_on_one_screen(open_page):
    control = open_page(Heads()).control()
    control.page.set_viewport_size({"width": 1280, "height": 900})
    fill(control, "First", "The old dog saw the tall baker and the cat. " * 3)
    fill(control, "Second", "It was very tired. It sat on the mat. " * 3)
    expect(control.locator(".itt-token")).to_have_count(2 * Heads.CAP + 3)
    rows = control.locator(".hd-rows")
    assert rows.evaluate("(el) => el.scrollHeight > el.clientHeight") and control.bounding_box()["height"] <= 800
    control.locator(".itt-seg-item", has_text="Which tags?").click()
    control.locator(".itt-token input").last.focus()
    expect(control.locator(".itt-token").last).to_be_in_viewport()


@pytest.mark.parametrize("width", [1280, 390])
def test_another_question_moves_neither_the_rows_nor_the_buttons(open_page, width):
    control = open_page(Heads(token=6, hide=True), width=width).control()
    where = lambda one: one.evaluate("(el) => { const r = el.getBoundingClientRect(); return [r.x, r.width]; }")
    fixed = [control.locator(".hd-canvas"), control.locator(".hd-place"), *control.locator(".itt-seg-item").all()]
    before = [where(one) for one in fixed]
    for item in control.locator(".itt-seg-item").all():
        item.click()
        expect(item.locator("input")).to_be_checked()
        assert [where(one) for one in fixed] == before


def test_what_it_says_is_worth_elsewhere_stands_below_stories_of_the_little_world(open_page):
    control = open_page(Heads()).control()
    control.get_by_text("Change the texts").click()
    expect(control.locator(".hd-more").last).to_contain_text("of the little world alone, as the first four")
    *stories, outside = control.locator(".itt-samples button").all()
    assert len(stories) == 4
    for sample in stories:
        sample.click()
        first, second = texts_of(control)
        World().parse(f"{first} {second}")
        assert first.lower().startswith(sample.inner_text())
    outside.click()
    with pytest.raises(OutsideTheWorld):
        World().parse(" ".join(texts_of(control)))


def texts_of(control) -> list[str]:
    """What stands in the two fields."""
    return [one.input_value() for one in control.locator("input.itt-text").all()]


def test_the_cat_that_stands_there_twice_is_asked_with_nothing_hidden(open_page):
    control = open_page(Heads(token=6, hide=True)).control()
    control.get_by_text("Change the texts").click()
    control.get_by_role("button", name="the cat twice").click()
    expect(control.locator(".itt-token")).to_have_count(17)
    expect(control.locator(".itt-token.is-masked")).to_have_count(0)
    control.locator(".itt-seg-item", has_text="Whom is meant?").click()
    expect(control.locator(".itt-readout")).to_contain_text(
        re.compile(
            "The head says “the cat”, the best pair that makes a span: it begins at the first “the” with .*, and ends at"
            " the first “cat” with "
        )
    )
    shares, span = wanted(*texts_of(control), "meant", 6)
    assert span == (1, 2) and shares.index(max(shares)) == 6  # the best begin alone is that of the second cat


def test_another_question_leaves_the_texts_of_the_reader(open_page):
    control = open_page(Heads(token=6, hide=True)).control()
    control.get_by_text("Change the texts").click()
    for field, text in zip(control.locator("input.itt-text").all(), (FIRST, SECOND), strict=True):
        field.fill(text)
    for item in control.locator(".itt-seg-item").all():
        item.click()
        expect(control.locator(".hd-canvas svg")).to_have_attribute("aria-label", re.compile(re.escape(FIRST)))
        expect(item.locator("input")).to_be_checked()
        assert texts_of(control) == [FIRST, SECOND]


@pytest.mark.parametrize("which, empty", [("First", ["", SECOND]), ("Second", [FIRST, ""])])
def test_beside_an_empty_text_another_question_is_answered_for_the_one_that_stood_there(open_page, which, empty):
    control = open_page(Heads(FIRST, SECOND)).control()
    fill(control, which, "")
    expect(control.locator(".itt-note.is-wrong")).to_have_text(
        f"The {which.lower()} text has no token yet: write at least one word."
    )
    control.locator(".itt-seg-item", has_text="Whom is meant?").click()
    expect(control.locator(".itt-readout")).to_contain_text("The head says “the old fox”")
    assert texts_of(control) == empty
    expect(control.locator(".itt-note.is-wrong")).to_have_count(1)
    fill(control, which, "A dog sat.")
    expect(control.locator(".itt-note.is-wrong")).to_have_count(0)
    expect(control.locator(".itt-tokens")).to_contain_text("dog")


def test_in_another_text_a_word_is_chosen_and_hidden(open_page):
    """Token 6 is “mat” in the first texts, and the [SEP] between the kitten's."""
    control = open_page(Heads(token=6, hide=True)).control()
    expect(control.locator(".itt-token.is-masked")).to_have_count(1)
    fill(control, "First", "The kitten marches there.")
    expect(control.locator(".itt-readout")).to_contain_text("Where “.” is hidden")
    expect(control.locator(".itt-token input").nth(5)).to_be_checked()
    control.locator(".itt-token").nth(6).click()  # a reader may still choose it
    expect(control.locator(".itt-readout")).to_contain_text("In the place of “[SEP]”")
    control.get_by_text("Change the texts").click()
    control.get_by_role("button", name="the kitten").click()
    expect(control.locator(".itt-readout")).to_contain_text("Where “kitten” is hidden")


def test_rows_that_have_to_be_scrolled_say_so(open_page):
    control = open_page(Heads()).control()
    assert "scroll" not in control.locator(".hd-canvas").inner_text()
    fill(control, "First", "The old dog saw the tall baker and the cat. " * 2)
    expect(control.locator(".hd-canvas")).to_contain_text("rows of 128 numbers: scroll")


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Heads(head="meant"), width=1280)
    opened.control()
    opened.fits(1280, 350)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"first": ""}, "write at least one word"),
        ({"second": " "}, "write at least one word"),
        ({"token": 99}, "There is no token 99"),
        ({"head": "none"}, "is not known"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Heads(**arguments)


def test_a_kernel_reads_the_two_texts_as_segments():
    """In JupyterLab the pass is Python's: segments of the page reach the model, and wrong ones are refused."""
    bert = load("little-bert")
    e = bert.tokenizer.encode(FIRST, SECOND)
    asked = {"ask": "trace", "ids": list(e.ids), "want": ["final", "logits", "nsp_logits"]}
    _, arrays = answer(bert, asked | {"typeIds": list(e.type_ids)})
    with torch.no_grad():
        out = bert.model(torch.tensor([e.ids]), type_ids=torch.tensor([e.type_ids]))
    torch.testing.assert_close(arrays["final"].float(), out.hidden_states[-1][0], atol=1e-4, rtol=1e-4)
    _, without = answer(bert, asked)
    assert not torch.allclose(without["final"], arrays["final"], atol=0.1)
    for wrong in ([0], [2] * len(e.ids)):
        with pytest.raises(ValueError, match="segment, 0 or 1"):
            answer(bert, asked | {"typeIds": wrong})
