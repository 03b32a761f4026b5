"""Shuffle: what moves and what stays when words change places, against a forward pass written out here."""

import csv
import json

import pytest
import torch
from controls.expected import label, readout
from controls.hostile import HOSTILE, type_in, unharmed
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Shuffle
from labutils.controls.shuffle import given_order
from labutils.layers.feed_forward import ACTIVATIONS

START = "The cat sat on the mat. It was"
BOTH = [(True, True), (True, False), (False, True), (False, False)]


@pytest.fixture(scope="module")
def exact():
    return {name: load(name, dtype=torch.float64) for name in ("paper-gpt2", "little-gpt2")}


def said(checkpoint, ids, positions, mask):
    """The probabilities after each token, (n, V): a GPT-2 written out with torch's own functions."""
    p, c, n = dict(checkpoint.model.named_parameters()), checkpoint.model.config, len(ids)
    norm = lambda x, name: torch.nn.functional.layer_norm(
        x, (c.d_model,), p[f"{name}.gain"], p[f"{name}.bias"], c.layer_norm_eps
    )
    through = lambda x, name: torch.nn.functional.linear(x, p[f"{name}.weight"], p[f"{name}.bias"])
    heads = lambda x: x.view(n, c.n_heads, c.head_dim).transpose(0, 1)
    x = p["embeddings.token.weight"][ids]
    if positions:
        x = x + p["embeddings.position.table.weight"][:n]
    for i in range(c.n_layers):
        heard = norm(x, f"blocks.{i}.norm1")
        q, k, v = (heads(through(heard, f"blocks.{i}.attention.{name}")) for name in ("query", "key", "value"))
        mixed = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=mask)[0]
        x = x + through(mixed.transpose(0, 1).reshape(n, c.d_model), f"blocks.{i}.attention.output")
        inner = through(norm(x, f"blocks.{i}.norm2"), f"blocks.{i}.feed_forward.expand")
        active = ACTIVATIONS[checkpoint.model.blocks[i].feed_forward.activation]
        x = x + through(active(inner), f"blocks.{i}.feed_forward.contract")
    return (norm(x, "final_norm") @ p["embeddings.token.weight"].T).softmax(-1).detach()


def taken(opened, control) -> dict[str, list[str]]:
    with opened.page.expect_download() as download:
        control.get_by_role("button", name="Data (CSV)").click()
    with download.value.path().open(encoding="utf-8", newline="") as file:
        return {line[0]: line[1:] for line in csv.reader(file)}


def order_of(control) -> list[str]:
    return control.locator(".sh-word").all_inner_texts()


def agrees(opened, control, checkpoint, ids, order, positions, mask):
    """Everything on the screen and in the file against the pass above."""
    expect(control.locator(".sh-chip small", has_text="…")).to_have_count(0)
    was, now = (said(checkpoint, row, positions, mask) for row in (ids, [ids[i] for i in order]))
    found = taken(opened, control)
    nexts = {name.removeprefix("next: "): row for name, row in found.items() if name.startswith("next: ")}
    assert len(nexts) == min(8, was.shape[1])
    best = float(torch.maximum(was[-1], now[-1]).sort(descending=True).values[len(nexts) - 1])
    names = {("end of text" if (n := checkpoint.tokenizer.pieces(i)) == "<|endoftext|>" else n.replace("␣", "·")): i
             for i in range(was.shape[1])}  # fmt: skip
    for name, (before, after, gap) in nexts.items():
        i = names[name]
        assert float(before) == pytest.approx(float(was[-1, i]), abs=2e-6)
        assert float(after) == pytest.approx(float(now[-1, i]), abs=2e-6)
        assert float(gap) == pytest.approx(float((was - now)[-1, i].abs()), abs=2e-6)
        assert max(float(was[-1, i]), float(now[-1, i])) >= best - 1e-6
    gaps = [float((was[from_] - now[to]).abs().max()) for to, from_ in enumerate(order)]
    shown = control.locator(".sh-chip small").all_inner_texts()
    key = "Once a word has moved" if order == sorted(order) else "“same” is to the last bit"
    expect(control.locator(".sh-key")).to_contain_text(key)
    for gap, word in zip(gaps, shown, strict=True):
        if order == sorted(order):
            assert word.strip() == ""  # nothing is compared yet, so nothing is told
        elif gap < 1e-12:
            assert word in ("same", "equal")
        else:
            assert word == ("<0.001" if gap < 0.0005 else f"{gap:.3f}")
    return shown


def switch(control, name: str, on: bool) -> None:
    box = control.get_by_role("switch", name=name)
    if box.is_checked() != on:
        box.locator("..").click()
    expect(box).to_be_checked(checked=on)


@pytest.mark.parametrize("positions, mask", BOTH)
@pytest.mark.parametrize("model, order", [("paper-gpt2", [0, 2, 1]), ("little-gpt2", [4, 1, 7, 3, 0, 5, 6, 2, 8])])
def test_what_it_comes_with_is_the_written_out_model(exact, model, order, positions, mask):
    seen = Shuffle(model=model, order=order, positions=positions, mask=mask).finished
    checkpoint = exact[model]
    ids = checkpoint.tokenizer.encode(seen["text"]).ids
    was, now = (said(checkpoint, row, positions, mask) for row in (ids, [ids[i] for i in order]))
    for one in seen["top"]:
        assert one["before"] == pytest.approx(float(was[-1, one["id"]]), abs=1e-9)
        assert one["after"] == pytest.approx(float(now[-1, one["id"]]), abs=1e-9)
    assert seen["words"] == pytest.approx(
        [float((was[i] - now[to]).abs().max()) for to, i in enumerate(order)], abs=1e-9
    )
    assert seen["gap"] == pytest.approx(float((was[-1] - now[-1]).abs().max()), abs=1e-9)


def test_the_paper_model_by_hand():
    share = lambda control, word: next(one for one in control.finished["top"] if one["token"] == word)
    bag = Shuffle(model="paper-gpt2", order=(1, 0, 2), positions=False, mask=False)
    assert f"{share(bag, 'mat')['before']:.4f}" == f"{share(bag, 'mat')['after']:.4f}" == "0.5214"
    assert bag.finished["gap"] == 0 and "did not move by one bit" in readout(bag)
    whole = Shuffle(model="paper-gpt2", order=(0, 2, 1))
    assert f"{share(whole, 'mat')['after']:.3f} {share(whole, 'on')['after']:.3f}" == "0.391 0.287"
    assert "Now “cat” stands last" in readout(whole)


def test_one_masked_block_forgets_the_order_of_earlier_words_and_four_do_not():
    one = Shuffle(model="paper-gpt2", order=(1, 0, 2), positions=False).finished
    assert one["words"][2] == 0 and min(one["words"][:2]) > 0.1
    four = Shuffle(order=(1, 0, 2, 3, 4, 5, 6, 7, 8), positions=False).finished
    assert four["gap"] > 1e-3
    bag = Shuffle(order=(1, 0, 2, 3, 4, 5, 6, 7, 8), positions=False, mask=False)
    assert max(bag.finished["words"]) < 1e-12 and "equal to within 10−12" in readout(bag)


@pytest.mark.parametrize(
    "order, places", [(None, [0, 1, 2]), ("", [0, 1, 2]), ("2 0 1", [2, 0, 1]), ((1, 0, 2), [1, 0, 2])]
)
def test_an_order_may_be_words_or_numbers(order, places):
    assert given_order(order, 3) == places


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"model": "little-bert"}, "choose a GPT-2"),
        ({"model": "nothing"}, "no model named"),
        ({"text": ""}, "no token that could be moved"),
        ({"order": (0, 0, 1)}, "is no order of 9 tokens"),
        ({"order": "0 1 x"}, "is no order of 9 tokens"),
        ({"order": (-1, 0, 1), "model": "paper-gpt2"}, "is no order of 3 tokens"),
    ],
)
def test_wrong_arguments_are_one_sentence(wrong, words):
    with pytest.raises(ValueError, match=words) as refusal:
        Shuffle(**wrong)
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)


@pytest.mark.parametrize("positions, mask", BOTH)
def test_switches_and_buttons_against_python(open_page, exact, positions, mask):
    opened = open_page(Shuffle())
    control, little = opened.control(), exact["little-gpt2"]
    ids = little.tokenizer.encode(START).ids
    switch(control, "Positions", positions)
    switch(control, "Causal mask", mask)
    agrees(opened, control, little, ids, list(range(9)), positions, mask)
    control.get_by_role("button", name="Reverse").click()
    agrees(opened, control, little, ids, list(range(9))[::-1], positions, mask)
    names = [label(little.tokenizer.pieces(i)) for i in ids]
    assert order_of(control) == names[::-1]
    gone = " and ".join([*([] if positions else ["positions"]), *([] if mask else ["causal mask"])])
    expect(control.locator(".itt-source")).to_contain_text(f"The model without its {gone}." if gone else "Little GPT-2")
    if gone:
        control.get_by_role("button", name="Back to the model").click()
        agrees(opened, control, little, ids, list(range(9))[::-1], True, True)
    control.get_by_role("button", name="As written").click()
    expect(control.locator(".sh-word")).to_have_text(names)
    assert opened.complaints == []


def test_a_word_is_dragged(open_page, exact):
    opened = open_page(Shuffle(model="paper-gpt2"))
    control, mouse = opened.control(), opened.page.mouse
    box = lambda i: control.locator(".sh-chip").nth(i).bounding_box()
    mid = lambda b: (b["x"] + b["width"] / 2, b["y"] + b["height"] / 2)
    mouse.move(*mid(box(2)))
    mouse.down()
    x, y = mid(box(1))
    mouse.move(x - 8, y + 3, steps=6)
    assert order_of(control) == ["the", "sat", "cat"]
    mouse.up()
    expect(control.locator(".sh-chip.is-held")).to_have_count(0)
    agrees(opened, control, exact["paper-gpt2"], [0, 1, 2], [0, 2, 1], True, True)
    expect(control.locator(".itt-readout")).to_have_text(readout(Shuffle(model="paper-gpt2", order="0 2 1")))
    first = box(0)
    mouse.click(*mid(first))  # a click chooses and moves nothing
    expect(control.locator(".sh-chip").nth(0)).to_have_attribute("aria-pressed", "true")
    assert order_of(control) == ["the", "sat", "cat"]
    control.get_by_role("button", name="Later").click()
    control.get_by_role("button", name="Later").click()
    agrees(opened, control, exact["paper-gpt2"], [0, 1, 2], [2, 1, 0], True, True)
    assert control.get_by_role("button", name="Later").is_disabled() and opened.complaints == []


def test_a_finger_drags_too(open_page):
    opened = open_page(Shuffle(model="paper-gpt2"), has_touch=True)
    control = opened.control()
    cdp = opened.page.context.new_cdp_session(opened.page)
    boxes = [control.locator(".sh-chip").nth(i).bounding_box() for i in range(3)]
    at = lambda i, dx=0: [{"x": boxes[i]["x"] + boxes[i]["width"] / 2 + dx, "y": boxes[i]["y"] + 20}]
    cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at(0)})
    for i, dx in ((0, 20), (1, 0), (1, 12)):
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at(i, dx)})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(control.locator(".sh-word")).to_have_text(["cat", "the", "sat"])


def test_the_keyboard_chooses_and_moves(open_page, exact):
    opened = open_page(Shuffle(model="paper-gpt2"))
    control, keys = opened.control(), opened.page.keyboard
    control.locator(".sh-chip").first.focus()
    keys.press("ArrowRight")
    expect(control.locator(".sh-chip").nth(1)).to_be_focused()
    assert order_of(control) == ["the", "cat", "sat"]
    keys.press("Shift+ArrowRight")
    expect(control.locator(".sh-word")).to_have_text(["the", "sat", "cat"])
    expect(control.locator(".sh-chip").nth(2)).to_be_focused()
    keys.press("Shift+Home")
    expect(control.locator(".sh-word")).to_have_text(["cat", "the", "sat"])
    expect(control.locator(".sh-chip").nth(0)).to_be_focused()
    keys.press("Shift+ArrowLeft")  # there is nothing before the first place
    agrees(opened, control, exact["paper-gpt2"], [0, 1, 2], [1, 0, 2], True, True)
    assert control.locator(".sh-chip[tabindex='0']").count() == 1


def test_another_text_and_another_model(open_page, exact):
    opened = open_page(Shuffle(order="8 7 6 5 4 3 2 1 0"))
    control = opened.control()
    control.get_by_label("Your text").fill("Anna saw a dog.")
    ids = exact["little-gpt2"].tokenizer.encode("Anna saw a dog.").ids
    expect(control.locator(".sh-word")).to_have_text([label(exact["little-gpt2"].tokenizer.pieces(i)) for i in ids])
    agrees(opened, control, exact["little-gpt2"], ids, list(range(len(ids))), True, True)
    control.locator(".itt-seg-item", has_text="Paper model").click()
    expect(control.locator(".sh-word")).to_have_text(["the", "cat", "sat"])
    control.get_by_label("Your text").fill("the dog")
    expect(control.locator(".itt-note.is-wrong")).to_contain_text("is not among the 5 words")
    assert order_of(control) == ["the", "cat", "sat"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_as_text_or_refused(lasting_page, text):
    opened, control = lasting_page(Shuffle)
    type_in(control, text)
    expect(control.locator(".sh-list.is-waiting")).to_have_count(1 if "\ud800" in text else 0)
    if "\ud800" in text:
        expect(control.locator(".itt-note").first).to_contain_text("lone surrogate")
    assert control.locator(".sh-chip").count() <= 16
    unharmed(opened, control)


@pytest.mark.parametrize(
    "state", [{"order": "2 1 0"}, {"order": "9 9"}, {"order": "soon"}, {"positions": "false"}, {"mask": "maybe"}]
)
def test_an_address_opens_an_order_or_the_one_as_written(open_page, exact, state):
    opened = open_page(Shuffle(model="paper-gpt2", name="s"), state={"itt": "s"} | state)
    control = opened.control()
    order = [2, 1, 0] if state.get("order") == "2 1 0" else [0, 1, 2]
    agrees(opened, control, exact["paper-gpt2"], [0, 1, 2], order, "positions" not in state, "mask" not in state)
    assert opened.complaints == []


def test_without_weights_the_finished_state_stays_and_says_so(open_page):
    control = open_page(Shuffle(order="1 0 2 3 4 5 6 7 8"), without=("little-gpt2.js",)).control()
    control.get_by_role("button", name="Reverse").click()
    expect(control.locator(".itt-note.is-wrong")).to_contain_text("What is shown is the finished state.")
    expect(control.locator(".itt-readout")).to_have_text(readout(Shuffle(order="1 0 2 3 4 5 6 7 8")))


def test_without_javascript_words_and_bars_remain(open_page):
    made = Shuffle(model="paper-gpt2", order="0 2 1", positions=False, mask=False)
    opened = open_page(made, java_script_enabled=False)
    still = opened.page.locator(".itt-still")
    written = still.locator("svg.is-wide text").all_text_contents()
    assert [word for word in written if word in ("the", "cat", "sat")][:3] == ["the", "sat", "cat"]
    for one in made.finished["top"]:
        assert f"{100 * one['before'] + 1e-7:.1f}%" in written and f"{100 * one['after'] + 1e-7:.1f}%" in written
    expect(still.locator(".itt-source")).to_contain_text("The model without its positions and causal mask.")


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Shuffle(), Shuffle(model="paper-gpt2", positions=False, name="paper"), width=1280)
    for i in range(2):
        opened.control(i).get_by_text("Read it as a table").click()
    opened.fits(1280, 700, 350)


def test_with_a_kernel_the_changes_go_to_python(exact):
    """What JupyterLab asks: the stages that are put in the place of others give the same as the page."""
    control = Shuffle(model="paper-gpt2")
    sent = []
    control.send = lambda content, buffers=None: sent.append((content, buffers))
    ask = lambda **content: control._hear(control, {"id": 1, "name": "paper-gpt2"} | content, []) or sent.pop()
    answer, _ = ask(ask="stage", ids=[1, 0, 2], of=["layer 0 scores", "layer 0 q", "layer 0 k"], put=[])
    assert answer["answer"]["place"] == "layer 0 q", json.dumps(answer)[:200]
    zeros = torch.zeros(3, 4, dtype=torch.float64).numpy().tobytes()
    control._hear(
        control,
        {"id": 2, "ask": "trace", "name": "paper-gpt2", "ids": [1, 0, 2], "want": ["logits"], "put": ["position"]},
        [zeros],
    )
    content, buffers = sent.pop()
    logits = torch.frombuffer(bytearray(buffers[0]), dtype=torch.float64).view(3, 5)
    assert torch.allclose(logits.softmax(-1), said(exact["paper-gpt2"], [1, 0, 2], False, True))
