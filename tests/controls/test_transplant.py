"""A row of one text in another: shares are Python's, places are found by trying, the line stands where the word travels."""

import re

import pytest
import torch
from controls.hands import assert_a_picture, choose, taken
from controls.hostile import HOSTILE, type_in, unharmed
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Transplant
from labutils.trace import trace

CAT, HORSE = "The cat sat on the mat. It was", "The horse sat on the mat. It was"
FOUND = "In the attention of layer 3 the answer travels from the row of cat to the row of was."
FIRST = "First text"
TIRED, PROUD = (f"The [MASK] sat on the mat. It was {end}." for end in ("tired", "proud"))
IN_HOLE = "In the attention of layer 5 the answer travels from the row of tired to the row of [MASK]."


def unfolded(root):
    """The control with its two texts open."""
    root.locator(".tp-texts").evaluate("(texts) => { texts.open = true }")
    return root


def carried(text: str, other: str, stage: str, row: int) -> torch.Tensor:
    """(V,): what the little GPT-2 says after `text` with one row of `other`."""
    little = load("little-gpt2")
    given = trace(little.model, other, little.tokenizer).stages()[stage][row]

    def change(x):
        x = x.clone()
        x[:, row] = given
        return x

    return trace(little.model, text, little.tokenizer, change={stage: change}).logits[-1].softmax(-1)


def test_the_finished_state_has_pythons_shares():
    found = Transplant().finished
    for place, stage, row in (
        ("6.1", "layer 3 input", 1),
        ("7.8", "layer 3 attention_stream", 8),
        ("0.2", "layer 0 input", 2),
    ):
        p = carried(CAT, HORSE, stage, row)
        assert found["places"][place]["p"] == pytest.approx([float(p[one["id"]]) for one in found["ones"]], abs=1e-6)
        assert found["places"][place]["best"]["id"] == int(p.argmax())
    gains = found["ones"][found["k"]]
    assert gains["word"] == "␣gentle" and gains["a"] < 0.001 and round(gains["b"], 2) == 0.23


def test_the_lens_ends_in_the_models_own_answer_and_begins_with_each_rows_word():
    lens, little = Transplant(view="lens").finished["lens"], load("little-gpt2")
    p = trace(little.model, CAT, little.tokenizer).logits.softmax(-1)
    assert [one["id"] for one in lens[-1]] == p.argmax(-1).tolist()
    assert [one["id"] for one in lens[0]] == little.tokenizer.encode(CAT).ids
    changed = Transplant(view="lens", level=6, token=1, carried=True).finished["lens"]
    assert lens[-1][-1]["word"] == "␣sleepy" and changed[-1][-1]["word"] == "␣gentle"


def test_the_still_picture_shows_every_place_and_the_line():
    picture = re.sub("<[^>]+>", " ", Transplant(level=6, token=1, carried=True).picture())
    assert FOUND in re.sub(r"\s+([.,:])", r"\1", re.sub(r"\s+", " ", picture)) and picture.count(" 98 ") > 4


def test_trying_finds_both_ends_and_then_the_line(open_page):
    opened = open_page(Transplant(number="8.1"), width=760)
    root = opened.control()
    expect(root.locator(".tp-cell.is-untried")).to_have_count(81)
    expect(root.locator(".itt-readout")).to_contain_text("No row is carried")
    root.locator('[data-place="6.1"]').click()
    expect(root.locator('[data-place="6.1"]')).to_have_text("98")
    expect(root.locator(".itt-readout")).to_contain_text("gentle rises from under 1% to 23%")
    expect(root.locator(".tp-over")).to_be_hidden()
    root.locator('[data-place="7.8"]').click()
    expect(root.locator(".itt-readout")).to_contain_text(FOUND)
    expect(root.locator(".tp-over")).to_be_visible()
    root.locator('[data-place="7.1"]').click()
    expect(root.locator(".itt-readout")).to_contain_text("stays at under 1%, and the first choice is sleepy")
    expect(root.locator(".tp-count")).to_have_text("3 of 81 tried")
    root.get_by_role("button", name="Try all places").click()
    expect(root.locator(".tp-cell.is-untried")).to_have_count(0)
    assert opened.complaints == []
    assert opened.axe() == []


def test_on_paper_every_place_is_filled_and_afterwards_as_it_was(open_page):
    """Also once the page's own model has read the texts, which has tried no place yet."""
    opened = open_page(Transplant(number="8.1"), width=760)
    root = opened.control()
    root.locator('[data-place="6.1"]').click()
    root.locator('[data-place="7.8"]').click()
    expect(root.locator(".itt-readout")).to_contain_text(FOUND)
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(root.locator(".tp-cell.is-untried")).to_have_count(0)
    expect(root.locator(".tp-over")).to_be_visible()
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(root.locator(".tp-cell.is-untried")).to_have_count(79)
    assert opened.complaints == []


def test_keys_move_enter_carries_and_escape_puts_back(open_page):
    opened = open_page(Transplant(), width=760)
    root, keys = opened.control(), opened.page.keyboard
    root.locator('[data-place="0.0"]').focus()
    keys.press("ArrowRight")
    expect(root.locator('[data-place="0.1"]')).to_be_focused()
    expect(root.locator(".tp-cell.is-untried")).to_have_count(81)
    keys.press("Enter")
    expect(root.locator('[data-place="0.1"]')).to_have_attribute("aria-selected", "true")
    keys.press("End")
    keys.press("ArrowUp")
    expect(root.locator('[data-place="1.8"]')).to_be_focused()
    keys.press("Escape")
    expect(root.locator(".itt-readout")).to_contain_text("No row is carried")


def test_ones_own_texts_are_computed_in_the_page(open_page):
    opened = open_page(Transplant(), width=760)
    root = unfolded(opened.control())
    mouse, dog = "The mouse is here. It is", "The dog is here. It is"
    root.get_by_label("Second text").fill(dog)
    root.get_by_label(FIRST).fill(mouse)
    expect(root.locator(".tp-token").first).to_be_visible()
    expect(root.locator(".tp-token.is-different")).to_have_text("mousedog")
    root.locator('[data-place="0.1"]').click()
    expect(root.locator('[data-place="0.1"]')).to_have_text("100")
    shown = root.locator(".tp-number").all_inner_texts()
    little = load("little-gpt2")
    p = trace(little.model, dog, little.tokenizer).logits[-1].softmax(-1)
    assert f"{100 * float(p.max()):.0f}%" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The tired cat sat on the mat. It was", "has 10 tokens and “The horse sat on the mat. It was” has 9"),
        (HORSE, "The two texts are the same: change a word of one."),
        ("", "A text is empty: write at least one word in each."),
        ("the " * 20, "A text may have 14 tokens at most"),
    ],
)
def test_texts_that_do_not_fit_are_told_and_nothing_is_lost(lasting_page, text, said):
    opened, root = lasting_page(Transplant)
    unfolded(root).get_by_label(FIRST).fill(text)
    expect(root.locator(".itt-note").first).to_contain_text(said)
    expect(root.locator(".tp-cell")).to_have_count(81)
    assert opened.complaints == []


@pytest.mark.parametrize("name", ["image", "script", "surrogate", "long"])
def test_hostile_text_stays_text(lasting_page, name):
    opened, root = lasting_page(Transplant)
    type_in(unfolded(root), HOSTILE[name], FIRST)
    expect(root.locator(".itt-note").first).to_have_class(re.compile("is-wrong"))
    unharmed(opened, root)


def test_on_a_phone_words_lie_flat_and_the_grid_scrolls_beside_the_names_of_its_rows(open_page):
    control = open_page(Transplant(view="lens"), width=390).control()
    cell, side = control.locator(".tp-cell span").first, control.locator(".tp-side").first
    assert cell.evaluate("e => getComputedStyle(e).writingMode") == "horizontal-tb"
    wrap, at = control.locator(".tp-wrap"), side.bounding_box()["x"]
    assert wrap.evaluate("e => { e.scrollLeft = 200; return e.scrollLeft; }") == 200
    assert side.bounding_box()["x"] == at and control.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_on_a_phone_columns_read_upwards_and_a_rows_name_keeps_off_its_cells(open_page):
    control = open_page(Transplant(), width=390).control()
    names = control.locator(".tp-token").evaluate_all(
        "all => all.map((e) => [getComputedStyle(e).writingMode, getComputedStyle(e).rotate])"
    )
    assert set(map(tuple, names)) == {("vertical-rl", "180deg")}
    row = control.locator(".tp-row", has=control.page.get_by_text("2 before", exact=True))
    row.locator(".tp-cell").first.focus()
    ends = row.evaluate("""(row) => {
        const words = document.createRange();
        words.selectNodeContents(row.querySelector(".is-on .is-short"));
        return [words.getBoundingClientRect(), row.querySelector(".tp-cell").getBoundingClientRect(), row.getBoundingClientRect()]
            .map(({ left, right }) => [left, right]);
    }""")
    (from_, to), (cell, _), (edge, _) = ends
    assert to + 6 <= cell and from_ >= edge, ends


def test_the_lens_follows_what_is_carried_and_the_files_are_whole(open_page):
    opened = open_page(Transplant(), width=760)
    root = opened.control()
    choose(root, "In the grid", 1)
    expect(root.locator('[data-place="8.8"]')).to_have_text("sleepy")
    root.locator('[data-place="0.1"]').click()
    expect(root.locator('[data-place="8.8"]')).to_have_text("gentle")
    expect(root.locator(".itt-readout")).to_contain_text("before the attention of layer 0 says horse")
    assert taken(opened, root, "Data (CSV)").splitlines()[1].startswith("after layer 3,")
    assert_a_picture(opened, taken(opened, root, "Picture (SVG)"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"model": "little-bert"}, "has no hole: write .MASK. in place of the word that is asked for"),
        ({"model": "little-bert", "text": TIRED, "other": "[MASK] [MASK]"}, "has 2 holes: leave one"),
        (
            {"model": "little-bert", "text": TIRED, "other": "The cat [MASK] on the mat. It was tired."},
            "different places",
        ),
        ({"text": TIRED, "other": PROUD}, "little-gpt2 goes on with a text and fills no hole: choose a BERT"),
        ({"text": ""}, "no token"),
        ({"text": "The cat"}, "equally many"),
        ({"text": HORSE}, "the same"),
        ({"text": "the " * 20}, "at most 14"),
        ({"level": 9}, "no level 9"),
        ({"token": 9}, "no token 9"),
        ({"view": "map"}, "choose 'answer' or 'lens'"),
    ],
)
def test_what_cannot_be_carried_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Transplant(**given)


# --- a hole, which a BERT fills


def in_hole(text: str, other: str, stage: str, row: int) -> torch.Tensor:
    """(V,): what the little BERT says in the hole, which is token 2, of `text` with one row of `other`."""
    bert = load("little-bert")
    given = trace(bert.model, other, bert.tokenizer).stages()[stage][row]

    def change(x):
        x = x.clone()
        x[:, row] = given
        return x

    return trace(bert.model, text, bert.tokenizer, change={stage: change}).logits[2].softmax(-1)


def test_a_row_of_another_text_fills_the_hole_as_in_python():
    found = Transplant(TIRED, PROUD, model="little-bert").finished
    for place, stage, row in (
        ("0.10", "layer 0 input", 10),
        ("10.10", "layer 5 input", 10),
        ("10.2", "layer 5 input", 2),
        ("11.2", "layer 5 attention_stream", 2),
    ):
        p = in_hole(TIRED, PROUD, stage, row)
        assert found["places"][place]["p"] == pytest.approx([float(p[one["id"]]) for one in found["ones"]], abs=1e-6)
        assert found["places"][place]["best"]["word"] == ("cat" if place == "10.2" else "fox")
    gains = found["ones"][found["k"]]
    assert gains["word"] == "fox" and gains["a"] < 0.005 and round(gains["b"], 2) == 0.55


def test_the_word_stays_in_its_row_until_the_last_attention(open_page):
    opened = open_page(Transplant(TIRED, PROUD, model="little-bert", number="7.2"), width=760)
    root = opened.control()
    expect(root.locator(".itt-readout")).to_contain_text("In the hole of the first text the model reads cat, 65%")
    root.locator('[data-place="8.10"]').click()
    expect(root.locator('[data-place="8.10"]')).to_have_text("100")
    expect(root.locator(".itt-readout")).to_contain_text(re.compile(r"fox rises from under 1% to 5[56]%"))
    root.locator('[data-place="8.2"]').click()
    expect(root.locator(".itt-readout")).to_contain_text("stays at under 1%, and the first choice is cat")
    root.get_by_role("button", name="Try all places").click()
    expect(root.locator(".tp-cell.is-untried")).to_have_count(0)
    expect(root.locator(".itt-readout")).to_contain_text(IN_HOLE)
    assert opened.complaints == []
    assert opened.axe() == []


def test_ones_own_texts_with_a_hole_are_computed_in_the_page(open_page):
    root = open_page(Transplant(TIRED, PROUD, model="little-bert"), width=760).control()
    hungry = "The [MASK] sat on the mat. It was hungry."
    unfolded(root).get_by_label("Second text").fill(hungry)
    expect(root.locator(".tp-token.is-different")).to_have_text("tiredhungry")
    root.locator('[data-place="0.10"]').click()
    expect(root.locator('[data-place="0.10"]')).to_have_text("100")
    p = in_hole(TIRED, hungry, "layer 0 input", 10)
    assert f"{100 * float(p.max()):.0f}%" in root.locator(".tp-number").all_inner_texts()
    root.get_by_label("Second text").fill("The cat [MASK] on the mat. It was tired.")
    expect(root.locator(".itt-note").first).to_contain_text("The two holes stand at different places")
