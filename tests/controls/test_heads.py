"""Heads: five answers from one pass, equal to Python's for both homes, and what a reader may do with them."""

import csv
import re

import pytest
import torch
from controls.hands import taken
from controls.hostile import HOSTILE, unharmed
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Heads
from labutils.controls.heads import QUESTIONS
from labutils.controls.kernel import answer
from labutils.making import shared
from labutils.models import best_span

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
            return out.logits[0, token].softmax(-1).topk(8).values.tolist(), None
        if head == "follows":
            return out.nsp_logits[0].softmax(-1).tolist(), None
        if head == "tag":
            return heads["tag"](x)[0, token].softmax(-1).topk(8).values.tolist(), None
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
    assert seen["row"] == (0 if head in ("follows", "being") else 3) and len(seen["vector"]) == 128


def test_a_row_that_is_drawn_for_a_span_is_one_that_the_head_reads():
    seen = Heads("The cat sat on the mat.", "It was tired.", head="meant", token=9).finished
    assert seen["row"] == seen["span"][0] < seen["split"]


def percent(p: float) -> str:
    """A share as the readout writes it."""
    return "over 99%" if p >= 0.995 else f"{round(100 * p)}%"


def shown(opened, control) -> list[list[str]]:
    _, *rows = csv.reader(taken(opened, control, "Data (CSV)").splitlines())
    return rows


def fill(control, which: str, text: str) -> None:
    control.get_by_label(f"{which} text").evaluate(
        "(el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })) }", text
    )


def test_every_input_moves_the_answer(open_page):
    """In the page, where nothing but the engine computes: own texts, each head, another token, a hidden one."""
    opened = open_page(Heads())
    control = opened.control()
    fill(control, "First", FIRST)
    fill(control, "Second", SECOND)
    expect(control.locator(".itt-token").nth(4)).to_contain_text("saw")
    names = {"follows": "Does it follow?", "tag": "Which tag?", "meant": "Whom is meant?", "being": "Which class?"}
    for head, words in names.items():
        control.locator(".itt-seg-item", has_text=words).click()
        expect(control.locator(".hd-canvas svg")).to_have_attribute(
            "aria-label", re.compile("^(Does|Which part|Whom|Is it)")
        )
        shares, span = wanted(FIRST, SECOND, head, 2)
        expect(control.locator(".itt-readout")).to_contain_text(percent(max(shares)))
        if span:
            expect(control.locator(".itt-token.is-found")).to_have_count(span[1] - span[0] + 1)
    control.locator(".itt-seg-item", has_text="Which word?").click()
    control.locator(".itt-token").nth(4).click()
    control.locator(".itt-toggle").click()
    expect(control.locator(".itt-token.is-masked")).to_have_count(1)
    shares, _ = wanted(FIRST, SECOND, "word", 4, hide=True)
    expect(control.locator(".itt-readout")).to_contain_text(percent(shares[0]))
    assert [float(row[1]) for row in shown(opened, control)] == pytest.approx(shares, abs=1e-4)
    assert opened.complaints == []


def test_the_keyboard_reaches_heads_and_tokens(open_page):
    control = open_page(Heads()).control()
    control.get_by_label("Which word?").focus()
    control.page.keyboard.press("ArrowRight")
    expect(control.locator(".itt-readout")).to_contain_text("it follows")
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


def test_without_javascript_the_answer_remains(open_page):
    still = open_page(Heads(head="meant"), java_script_enabled=False).page.locator(".itt-still")
    assert "The best span is" in still.locator(".itt-readout").inner_text()
    assert still.locator("svg.is-wide rect").count() > 10


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
    """In JupyterLab the pass is Python's: the segments that the page sends reach the model, and wrong ones are refused."""
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
