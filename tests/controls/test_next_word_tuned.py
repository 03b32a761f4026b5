"""The next word with settings: what is cut and by which rule, and what is drawn, as `labutils.generation` computes it."""

import re

import pytest
import torch
from controls.expected import after, drawn, uniform
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import NextWord
from labutils.generation import Settings, processed, stages

START = "One day, a small mouse"
SETTINGS = (
    {"temperature": 1.3, "top_p": 0.8},
    {"temperature": 0.5, "top_k": 7, "min_p": 0.1},
    {"temperature": 0.0},
    {"top_k": 3},
    {"temperature": 2.0, "top_k": 40, "top_p": 0.9, "min_p": 0.02},
    {"typical": 0.3},
    {"temperature": 1.5, "top_k": 40, "typical": 0.6},
    {"penalty": 1.3},
    {"frequency": 0.7},
    {"temperature": 0.7, "top_p": 0.9, "penalty": 1.2, "frequency": 0.4},
    {"temperature": 0.0, "penalty": 5.0},
)
SAID = "The cat sits in the garden. Then the cat sits in"  # the best token stands there twice


@pytest.fixture(scope="module")
def little():
    return load("little-gpt2")


def logits(checkpoint, text):
    return after(checkpoint, checkpoint.tokenizer.encode(text).ids).log()[None]


def raw(checkpoint, ids):
    """The logits as the model gives them: the repetition penalty asks on which side of 0 they lie."""
    with torch.no_grad():
        return checkpoint.model(torch.tensor([ids])).logits[:, -1].double()


@pytest.mark.parametrize("given", SETTINGS, ids=str)
def test_what_stays_and_what_has_cut_the_others_is_pythons(little, given):
    found, ids = NextWord(SAID, **given).finished, little.tokenizer.encode(SAID).ids
    before, said = raw(little, ids), torch.tensor([ids])
    p, q = before.softmax(-1)[0], processed(before, Settings(**given), said).softmax(-1)[0]
    assert found["stay"] == int((q > 0).sum())
    assert found["lost"] == pytest.approx(float(p[q == 0].sum()), abs=1e-6)
    assert found["best"]["q"] == pytest.approx(float(q.max()), abs=1e-6) and found["best"]["token"]
    for one in found["top"]:
        assert one["q"] == pytest.approx(float(q[one["id"]]), abs=1e-6)
        rules = stages(before, Settings(**given), said)
        cutting = [name for name, rows in rules if rows[0, one["id"]] == -torch.inf]
        assert one["cut"].replace("-", "_").removesuffix(" 0") == (cutting[0] if cutting else "")


def test_the_rarer_settings_wait_behind_a_button_and_a_penalty_counts_what_was_written(open_page, little):
    opened = open_page(NextWord(SAID, tuned=True, seed=4, top=20))
    root = opened.control()
    fold = root.locator(".nw-rarer")
    expect(fold).to_be_hidden()
    more = root.get_by_role("button", name="More rules")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.click()
    expect(root.get_by_role("button", name="Fewer rules")).to_have_attribute("aria-expanded", "true")
    for name, presses in (("Typical p", 0), ("Repetition penalty", 10), ("Frequency penalty", 10)):
        fold.get_by_role("slider", name=name).focus()
        for _ in range(presses):
            opened.page.keyboard.press("ArrowRight")  # to 1.5 and 1
    how, ids = Settings(penalty=1.5, frequency=1.0), little.tokenizer.encode(SAID).ids
    for step in range(4):
        expect(root.locator(".nw-rows .nw-row")).to_have_count(20)
        q = processed(raw(little, ids), how, torch.tensor([ids])).softmax(-1)[0]
        ids.append(drawn(q, uniform(4, step)))
        root.get_by_role("button", name="Draw a token").click()
        expect(root.locator(".nw-step")).to_have_count(step + 1)
    chips = [text.split("\n")[0] for text in root.locator(".nw-step").all_inner_texts()]
    assert chips == [little.tokenizer.pieces(i).replace("␣", "·") for i in ids[-4:]]
    expect(root.locator(".itt-readout")).to_contain_text("All 1,000 tokens stay, and the odds have changed.")
    root.get_by_role("button", name="The model’s own odds").click()
    expect(fold.get_by_role("slider", name="Frequency penalty")).to_have_value("0")
    assert opened.complaints == [] and opened.axe() == []


def test_typical_may_cut_the_most_probable_token_and_another_one_is_named(open_page):
    root = open_page(NextWord(model="paper-gpt2", tuned=True, typical=0.2)).control()
    expect(root.locator(".nw-rarer")).to_be_visible()  # what an address has set is seen
    readout = (
        "Of 5 tokens 1 stays; the others had 75% together. The best one now, “mat”, had 25% and is drawn with 100%."
    )
    expect(root.locator(".itt-readout")).to_have_text(readout)


def test_without_settings_nothing_of_them_is_there():
    found = NextWord(START).finished
    assert "stay" not in found and "q" not in found["top"][0]


def test_tokens_are_drawn_from_what_stays(open_page, little):
    opened = open_page(NextWord(START, tuned=True, seed=4, top=20))
    root = opened.control()
    top_p = root.get_by_role("slider", name="Top-p")
    top_p.focus()
    for _ in range(10):
        opened.page.keyboard.press("ArrowLeft")  # to 0.5
    expect(root.locator(".itt-readout")).to_contain_text("stay")
    expect(root.locator(".nw-p.is-cut").first).to_have_text("top-p")
    ids = little.tokenizer.encode(START).ids
    for step in range(3):
        q = processed(after(little, ids).log()[None], Settings(top_p=0.5)).softmax(-1)[0]
        ids.append(drawn(q, uniform(4, step)))
        root.get_by_role("button", name="Draw a token").click()
        expect(root.locator(".nw-step")).to_have_count(step + 1)
    chips = [text.split("\n")[0] for text in root.locator(".nw-step").all_inner_texts()]
    assert chips == [little.tokenizer.pieces(i).replace("␣", "·") for i in ids[-3:]]
    assert all(small.endswith("drawn") for small in root.locator(".nw-step small").all_inner_texts())
    root.get_by_role("button", name="The model’s own odds").click()
    expect(root.locator(".nw-p.is-cut")).to_have_count(0)
    assert opened.complaints == [] and opened.axe() == []


def test_a_token_that_is_cut_can_still_be_chosen_by_hand(open_page):
    root = open_page(NextWord(START, tuned=True, top_k=2)).control()
    cut = root.locator(".nw-rows .nw-row:has(.is-cut)").first
    expect(cut).to_have_attribute("aria-label", re.compile("cut by top-k"))
    cut.click()
    expect(root.locator(".nw-step small")).to_contain_text("chosen")


BOLD = {"temperature": 1.3, "top_p": 0.8}


def telling(little) -> tuple[int, int]:
    """A seed, and its first token, which it draws with the settings BOLD and with no other settings of these tests."""
    others = ({}, BOLD | {"top_p": 0.3}, {"top_k": 3})
    for seed in range(100):
        token, *rest = [
            drawn(processed(logits(little, START), Settings(**one)).softmax(-1)[0], uniform(seed, 0))
            for one in (BOLD, *others)
        ]
        if token not in rest:
            return seed, token
    raise AssertionError


def test_a_token_remembers_how_it_was_written(open_page, little):
    seed, _ = telling(little)
    root = open_page(NextWord(START, tuned=True, seed=seed, **BOLD)).control()
    how = root.locator(".nw-step small")
    root.get_by_role("button", name="Draw a token").click()
    expect(how).to_contain_text("drawn")
    root.get_by_role("slider", name="Top-p").focus()
    for _ in range(10):
        root.page.keyboard.press("ArrowLeft")
    expect(root.locator(".nw-p.is-cut").first).to_have_text("top-p")
    expect(root.locator(".itt-readout")).to_contain_text(f"Seed {seed} drew")
    assert how.inner_text().endswith("drawn")
    root.get_by_role("button", name="Draw a token").click()
    expect(how).to_have_count(2)
    assert all(small.endswith("drawn") for small in how.all_inner_texts())


def test_a_trail_names_the_settings_of_a_draw(little):
    seed, token = telling(little)
    trail = f"d{token}s{seed}t1.3p0.8"
    for now in ({}, BOLD, {"top_k": 3}):
        found = NextWord(START, trail=trail, **now)
        assert found.trail == trail and found.finished["steps"][0]["seed"] == seed
        assert NextWord(START, trail=f"d{token}s{seed}", **now).trail == f"p{token}"  # not from the model's own odds
    with pytest.raises(ValueError, match="trail"):
        NextWord(START, trail=f"d{token}s{seed}x9")


def test_a_trail_names_the_rarer_settings_too(little):
    how = {"typical": 0.3, "penalty": 1.5, "frequency": 0.4}
    ids = little.tokenizer.encode(SAID).ids
    token = drawn(processed(raw(little, ids), Settings(**how), torch.tensor([ids])).softmax(-1)[0], uniform(2, 0))
    trail = f"d{token}s2y0.3r1.5f0.4"
    found = NextWord(SAID, trail=trail)
    assert found.trail == trail and found.finished["steps"][0]["seed"] == 2
