"""The next word: probabilities, entropy and draws as Python computes them, and a text that goes on and back."""

import csv
import html

import numpy as np
import pytest
import torch
from controls.expected import after, drawn, readout, share, uniform
from controls.modules import load as load_module
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import NextWord
from labutils.controls.whole_words import next_name

START = "The cat sat on the mat. It was"


@pytest.fixture(scope="module")
def little():
    return load("little-gpt2")


def rows(root) -> list[tuple[str, str]]:
    names = root.locator(".nw-rows .itt-share-token").all_inner_texts()
    return list(zip(names, root.locator(".nw-rows .nw-p").all_inner_texts()))


def expected(checkpoint, ids, count=10) -> list[tuple[str, str]]:
    p = after(checkpoint, ids)
    level = (p * 1e12).round()
    return [
        (next_name(checkpoint, ids, i), share(float(p[i])))
        for i in torch.argsort(level, descending=True, stable=True)[:count].tolist()
    ]


def assert_rows(root, wanted: list[tuple[str, str]]) -> None:
    """The words of pieces come when the reader rests."""
    expect(root.locator(".nw-rows .itt-share-token")).to_have_text([name for name, _ in wanted])
    assert rows(root) == wanted


def settled(root, steps: int):
    root.page.wait_for_function("n => document.querySelectorAll('.itt-live .nw-step').length === n", arg=steps)


def named(opened, root) -> dict[int, float]:
    """id -> probability of the tokens that are named."""
    with opened.page.expect_download() as download:
        root.get_by_role("button", name="Data (CSV)").click()
    with download.value.path().open(encoding="utf-8", newline="") as file:
        return {
            int(line["id"]): float(line["probability"])
            for line in csv.DictReader(file)
            if line["place"].startswith("next")
        }


def test_the_paper_models_distribution(open_page):
    root = open_page(NextWord(model="paper-gpt2")).control()
    assert rows(root) == [("on", "50.0%"), ("mat", "25.0%"), ("the", "12.5%"), ("cat", "6.3%"), ("sat", "6.3%")]
    assert (
        root.locator(".nw-bits").inner_text() == "1.88" and root.locator(".nw-rest").is_hidden()
    )  # 1/2 + 2/4 + 3/8 + 4/16 + 4/16 bits


@pytest.mark.parametrize("text", [START, "Anna saw a dog.", "xyz 猫"])
def test_probabilities_and_entropy_are_pythons(open_page, little, text):
    opened = open_page(NextWord())
    root = opened.control()
    root.get_by_label("Your text").fill(text)
    opened.page.wait_for_function("text => document.querySelector('.itt-live .nw-text').textContent === text", arg=text)
    p = after(little, little.tokenizer.encode(text).ids)
    found = named(opened, root)
    assert len(found) == 20 and max(abs(found[i] - float(p[i])) for i in found) < 1e-4
    assert abs(float(root.locator(".nw-bits").inner_text()) - float(-(p * p.log2()).sum())) < 0.01


def draws(checkpoint, ids, seed, numbers, end=None):
    """The tokens that a seed draws one after the other, with the given places in its sequence, up to the token `end`."""
    ids = list(ids)
    for at in numbers:
        ids.append(drawn(after(checkpoint, ids), uniform(seed, at)))
        if ids[-1] == end:
            break
    return ids


def test_drawing_is_reproducible_and_equals_python(open_page, little):
    ids = little.tokenizer.encode(START).ids
    seed = next(
        s for s in range(1, 100) if draws(little, ids, s, (0, 1, 2)) != draws(little, ids, s, (0, 0, 0))
    )  # each draw takes the next number
    opened = open_page(NextWord(seed=seed))
    root = opened.control()
    for step in range(3):
        p = after(little, ids)
        taken = drawn(p, uniform(seed, step))
        root.get_by_role("button", name="Draw a token").click()
        settled(root, step + 1)
        said = root.locator(".itt-readout").inner_text()
        assert said.startswith(f"Seed {seed} drew")
        assert root.locator(".nw-step small").last.inner_text().endswith("drawn")
        ids.append(taken)
        assert_rows(root, expected(little, ids))
    with_three = root.locator(".nw-step").all_inner_texts()
    root.get_by_role("button", name="Step back").click()
    settled(root, 2)
    root.get_by_role("button", name="Draw a token").click()
    settled(root, 3)
    assert root.locator(".nw-step").all_inner_texts() == with_three
    root.get_by_role("button", name="Start again").click()
    settled(root, 0)
    assert_rows(root, expected(little, ids[:-3]))
    assert root.get_by_role("button", name="Step back").is_disabled()


def test_choosing_by_mouse_and_by_keyboard(open_page, little):
    root = open_page(NextWord()).control()
    ids = little.tokenizer.encode(START).ids
    by_rank = lambda: torch.argsort((after(little, ids) * 1e12).round(), descending=True, stable=True).tolist()
    root.locator(".nw-rows .nw-row").nth(1).click()
    settled(root, 1)
    ids.append(by_rank()[1])
    assert_rows(root, expected(little, ids))
    assert "chosen" in root.locator(".nw-step").inner_text()
    assert root.locator(".itt-readout").inner_text().startswith("You chose")
    focused = root.page.locator(":focus")
    focused.press("ArrowDown")
    focused.press("ArrowDown")
    focused.press("Enter")
    settled(root, 2)
    ids.append(by_rank()[2])
    assert_rows(root, expected(little, ids))
    root.locator(".itt-seg-item", has_text="20").click()
    assert_rows(root, expected(little, ids, 20))


def test_the_paper_model_stops_at_its_last_position(open_page):
    root = open_page(NextWord(model="paper-gpt2", trail="p3 p0 p4")).control()
    assert "All 6 positions of the model are taken" in root.locator(".itt-readout").inner_text()
    draw = root.get_by_role("button", name="Draw a token")
    assert draw.get_attribute("aria-disabled") == "true"
    draw.click(force=True)
    assert "All 6 positions" in root.locator(".itt-told").inner_text() and root.locator(".nw-step").count() == 3
    root.get_by_role("button", name="Step back").click()
    settled(root, 2)
    assert draw.get_attribute("aria-disabled") == "false"


def test_on_the_narrowest_screen_a_name_stands_above_its_bar(open_page):
    control = open_page(NextWord(), width=320).control()
    row = control.locator(".nw-rows .nw-row").first
    name, bar = (row.locator(part).bounding_box() for part in (".itt-share-token", ".itt-share"))
    assert name["y"] + name["height"] <= bar["y"] + 1 and bar["width"] > 240
    ticks = [one.bounding_box() for one in control.locator(".nw-axis .itt-share-ticks span").all()]
    assert all(a["x"] + a["width"] + 20 < b["x"] for a, b in zip(ticks, ticks[1:]))


def test_the_end_of_the_text_ends_it(open_page, little):
    end = little.tokenizer.token_to_id("<|endoftext|>")
    root = open_page(NextWord(trail=f"p{end}")).control()
    assert "the end of the text, which had" in root.locator(".itt-readout").inner_text()
    assert root.locator(".nw-step bdi").inner_text() == "end"


def test_one_button_writes_the_story_to_its_end(open_page, little):
    end, ids = little.tokenizer.token_to_id("<|endoftext|>"), little.tokenizer.encode(START).ids
    stories = ((seed, draws(little, ids, seed, range(40), end)[len(ids) :]) for seed in range(100))
    seed, story = next((seed, story) for seed, story in stories if len(story) > 13 and story[-1] == end)
    written = story[:-1]
    root = open_page(NextWord(seed=seed)).control()
    root.get_by_role("button", name="Write to the end").click()
    expect(root.locator(".itt-readout")).to_contain_text("The text has ended")
    expect(root.locator(".nw-text")).to_have_text(START + little.tokenizer.decode(written))
    expect(root.locator(".nw-step")).to_have_count(1)
    expect(root.get_by_role("button", name="Write to the end")).to_have_attribute("aria-disabled", "true")
    expect(root.locator(".nw-written")).to_have_text(little.tokenizer.decode(written))
    root.get_by_role("button", name="Step back").click()
    settled(root, 8)  # the last steps stand on chips again


def test_a_reader_can_stop_the_writing(open_page):
    root = open_page(NextWord()).control()
    draw = root.get_by_role("button", name="Draw a token")
    draw.click()
    settled(root, 1)  # the model is here
    whole = root.get_by_role("button", name="Write to the end").element_handle()
    said = whole.evaluate("one => { one.click(); const said = one.textContent; one.click(); return said; }")
    assert said == "Stop" and whole.inner_text() == "Write to the end"
    settled(root, 2)
    draw.click()
    settled(root, 3)  # and not more


def test_the_signs_of_pieces_are_explained_where_they_are_shown(open_page, little):
    root = open_page(NextWord()).control()
    expect(root.locator(".nw-key")).to_have_text(
        "Before an arrow stands the token, its dot for a space; after it the word that it most probably begins."
    )
    text = "The cat sat on the mat. It was s"
    root.get_by_label("Your text").fill(text)
    expect(root.locator(".nw-key")).to_contain_text("A token with three dots goes on with the word before it.")
    assert_rows(root, expected(little, little.tokenizer.encode(text).ids))
    assert root.locator(".nw-rows .itt-share-token").first.inner_text().startswith("…")
    root.locator(".itt-seg-item", has_text="Paper model").click()
    expect(root.locator(".nw-key")).to_be_empty()


def test_after_the_end_sign_nothing_is_offered(open_page):
    opened = open_page(NextWord("The cat was tired.<|endoftext|>"))
    root = opened.control()
    expect(root.locator(".itt-readout")).to_have_text("The text has ended. Step back, or start again.")
    assert not root.locator(".nw-list").is_visible() and not root.locator(".nw-side").is_visible()
    assert named(opened, root) == {}
    root.get_by_label("Your text").fill("<|endoftext|>")  # here it stands for the start of a story
    expect(root.locator(".nw-rows .nw-row").first).to_be_visible()
    assert opened.complaints == []


def test_a_change_of_model_brings_its_own_text(open_page):
    root = open_page(NextWord()).control()
    root.locator(".itt-seg-item", has_text="Paper model").click()
    root.page.wait_for_function("() => document.querySelector('.itt-live .nw-text').textContent === 'the cat sat'")
    assert rows(root)[0] == ("on", "50.0%")
    root.get_by_label("Your text").fill("the dog")
    root.locator(".itt-note.is-wrong").wait_for()
    assert "is not among the 5 words" in root.locator(".itt-note.is-wrong").inner_text() and rows(root)[0] == (
        "on",
        "50.0%",
    )


def test_a_seed_that_is_no_number_is_refused_with_a_sentence(open_page):
    root = open_page(NextWord()).control()
    root.get_by_label("Seed").fill("many")
    assert root.locator(".itt-told").inner_text() == "A seed is a whole number, such as 7."
    root.get_by_label("Seed").fill("12")
    assert root.locator(".itt-told").inner_text() == ""


def test_a_seed_has_the_numbers_of_mulberry32():
    assert [uniform(0, at) for at in range(3)] == [0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]
    assert [uniform(seed, 49) for seed in (1, 2**31 - 1)] == [0.8657720659393817, 0.5934694036841393]


def test_python_and_the_page_draw_the_same_tokens(browser):
    page = browser.new_page()
    load_module(page, "next_word/numbers.js", "ahead")
    p = np.random.default_rng(0).dirichlet(np.ones(40))
    us = [uniform(5, at) for at in range(200)]
    theirs = page.evaluate("([p, us]) => us.map((u) => ahead.drawn(Float64Array.from(p), u))", [p.tolist(), us])
    assert theirs == [drawn(torch.tensor(p), u) for u in us] and len(set(theirs)) > 20
    page.close()


def test_a_trail_cannot_claim_a_draw_that_did_not_happen(little, open_page):
    ids = little.tokenizer.encode(START).ids
    true = drawn(after(little, ids), uniform(4, 0))
    other = (true + 1) % len(little.tokenizer)
    assert NextWord(trail=f"d{true}s4").trail == f"d{true}s4" and NextWord(trail=f"d{other}s4").trail == f"p{other}"
    root = open_page(NextWord(), state={"itt": "next_word", "trail": f"d{other}s4"}).control()
    settled(root, 1)
    assert root.locator(".itt-readout").inner_text().startswith("You chose")


@pytest.mark.parametrize("trail", ["", "p300 p13", "p3 p512 p100 p13 p282"])
def test_the_state_it_comes_with_is_pythons(little, trail):
    ids, seen = little.tokenizer.encode(START).ids, NextWord(trail=trail).finished
    assert seen["read"] == len(ids) and seen["trail"] == trail
    for step in seen["steps"]:
        assert abs(step["p"] - float(after(little, ids)[step["id"]])) < 1e-6 and step[
            "token"
        ] == little.tokenizer.pieces(step["id"])
        ids.append(step["id"])
    p = after(little, ids)
    assert abs(seen["entropy"] - float(-(p * p.log2()).sum())) < 1e-4
    assert max(abs(one["p"] - float(p[one["id"]])) for one in seen["top"]) < 1e-6
    assert [one["p"] for one in seen["top"]] == sorted((one["p"] for one in seen["top"]), reverse=True) and len(
        seen["top"]
    ) == 20
    assert abs(float(p.topk(20).values.sum()) - sum(one["p"] for one in seen["top"])) < 1e-5


def test_draws_follow_the_probabilities():
    p = torch.tensor([0.5, 0.25, 0.125, 0.125], dtype=torch.float64)
    counts = torch.bincount(torch.tensor([drawn(p, uniform(11, at)) for at in range(4000)]), minlength=4) / 4000
    assert (counts - p).abs().max() < 0.03
    assert drawn(p, 0.0) == 0 and drawn(p, 0.999999) == 3 and drawn(torch.tensor([0.0, 1.0]), 0.0) == 1


def test_the_picture_says_what_the_control_says(open_page):
    control = NextWord(trail="p300 p13")
    root = open_page(control, without=("*.js",)).control()
    said = readout(control)
    assert root.locator(".itt-readout").inner_text() == said


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"text": "The [MASK] sat."}, "little-gpt2 goes on with a text and fills no hole: choose a BERT"),
        ({"model": "little-bert", "text": "The cat sat."}, "no hole yet"),
        ({"model": "little-bert", "text": "[MASK] " * 200}, "There are 200 holes: leave at most two"),
        ({"model": "little-bert", "text": "the cat " * 40 + "[MASK]"}, "behind the first 64 tokens"),
        ({"text": ""}, "no token that could be continued"),
        ({"trail": "x9"}, "The trail has 'x9'"),
        ({"trail": "p99999"}, "an id below"),
        ({"seed": -1}, "seed=-1 is outside 0 to 2147483647"),
        ({"top": 7}, "choose 5, 10 or 20"),
        ({"model": "nothing"}, "no model named"),
        ({"model": "paper-gpt2", "trail": "p0 p0 p0 p0"}, "longer than the 6 positions"),
    ],
)
def test_wrong_arguments_are_one_sentence(wrong, words):
    with pytest.raises(ValueError, match=words):
        NextWord(**wrong)


# --- a hole, which a BERT fills

HOLE = "The [MASK] sat on the mat. It was {}."


@pytest.fixture(scope="module")
def bert():
    return load("little-bert")


def percent(p: float) -> str:
    return "<1%" if p < 0.005 else ">99%" if p >= 0.995 else f"{100 * p:.0f}%"


def in_hole(bert, text) -> list[tuple[str, str]]:
    """The five most probable tokens of the hole and their probabilities, from Python's model."""
    ids = bert.tokenizer.encode(text).ids
    with torch.no_grad():
        logits = bert.model(torch.tensor([ids])).logits[0, ids.index(bert.tokenizer.token_to_id("[MASK]"))]
    best = logits.double().softmax(-1).topk(5)
    shown = lambda piece: piece.replace("##", "…")
    return [(shown(bert.tokenizer.pieces(i)), percent(p)) for p, i in zip(best.values.tolist(), best.indices.tolist())]


def hole_rows(root) -> list[tuple[str, str]]:
    names = root.locator(".nw-hole .itt-share-token").all_inner_texts()[:5]
    return list(zip(names, root.locator(".nw-hole .nw-p").all_inner_texts()))


def assert_hole(root, bert, text):
    wanted = in_hole(bert, text)
    expect(root.locator(".nw-hole .nw-p").first).to_have_text(wanted[0][1])
    expect(root.locator(".nw-hole .itt-share-token").first).to_have_text(wanted[0][0])
    assert hole_rows(root) == wanted


def test_the_last_word_changes_the_hole(open_page, bert):
    root = open_page(NextWord(HOLE.format("tired"), "little-bert", ends=("tired", "timid"))).control()
    assert_hole(root, bert, HOLE.format("tired"))
    root.locator(".itt-seg-item", has_text="timid").click()
    assert_hole(root, bert, HOLE.format("timid"))
    root.get_by_label("Your text").fill(HOLE.format("gentle"))
    assert_hole(root, bert, HOLE.format("gentle"))
    assert root.locator(".itt-seg", has_text="timid").locator("input:checked").count() == 0


def test_any_word_can_be_hidden_by_mouse_and_by_keyboard(open_page, bert):
    root = open_page(NextWord(HOLE.format("tired"), "little-bert")).control()
    root.locator(".itt-token", has_text="mat").click()  # where the hole was stands what the model read there
    expect(root.get_by_label("Your text")).to_have_value("The cat sat on the [MASK]. It was tired.")
    assert_hole(root, bert, "The cat sat on the [MASK]. It was tired.")
    root.locator(":focus").press("ArrowRight")
    expect(root.get_by_label("Your text")).to_have_value("The cat sat on the mat. [MASK] was tired.")
    assert_hole(root, bert, "The cat sat on the mat. [MASK] was tired.")


def hole_by_hole(bert, text, filled=None) -> list[tuple[str, float]]:
    """The first choice of each hole, or of those that are left once the first is `filled`, from Python's model."""
    ids, mask = bert.tokenizer.encode(text).ids, bert.tokenizer.token_to_id("[MASK]")
    if filled:
        ids[ids.index(mask)] = bert.tokenizer.token_to_id(filled)
    with torch.no_grad():
        p = bert.model(torch.tensor([ids])).logits[0].double().softmax(-1)
    return [(bert.tokenizer.pieces(p[i].argmax().item()), p[i]) for i, token in enumerate(ids) if token == mask]


def test_two_holes_are_filled_each_as_if_the_other_were_unknown(open_page, bert):
    root = open_page(NextWord(HOLE.format("tired"), "little-bert")).control()
    root.get_by_role("button", name="Hide a second word").click()
    text = "The [MASK] sat on the mat. It was [MASK]."
    expect(root.get_by_label("Your text")).to_have_value(text)
    (one, p), (two, q) = hole_by_hole(bert, text)
    ((then, filled),) = hole_by_hole(bert, text, one)
    expect(root.locator(".itt-readout")).to_contain_text(
        f"The first hole says “{one}” with {p.max():.0%}, the second “{two}” with {q.max():.0%}."
    )
    expect(root.locator(".itt-readout")).to_contain_text(
        f"Once “{one}” is written into the first, the second gives “{two}”"
        f" {filled[q.argmax()]:.0%}, and its first choice is “{then}” with {filled.max():.0%}."
    )
    expect(root.locator(".nw-hole").nth(1).locator(".itt-share-token").first).to_have_text(two)
    root.locator(".itt-token", has_text="mat").click()  # the hole that was hidden last moves
    expect(root.get_by_label("Your text")).to_have_value("The [MASK] sat on the [MASK]. It was tired.")
    root.locator(".itt-token").nth(1).click()  # a hole of two can be shown again, with what the model reads there
    expect(root.get_by_label("Your text")).to_have_value("The cat sat on the [MASK]. It was tired.")
    expect(root.locator(".nw-hole").nth(1)).to_be_hidden()
    assert_hole(root, bert, "The cat sat on the [MASK]. It was tired.")


def test_the_picture_and_the_table_of_two_holes(open_page, bert):
    text = "The [MASK] sat on the mat. It was [MASK]."
    opened = open_page(NextWord(text, "little-bert"))
    picture = NextWord(text, "little-bert").picture()
    assert "First hole" in picture and "Second hole" in picture
    with opened.page.expect_download() as download:
        opened.control().get_by_role("button", name="Data (CSV)").click()
    with download.value.path().open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    for hole, (word, p) in zip(("first", "second"), hole_by_hole(bert, text)):
        mine = [line for line in lines if line["hole"] == hole]
        assert mine[0]["token"] == word and float(mine[0]["probability"]) == pytest.approx(p.max().item(), abs=1e-5)
        assert sum(float(line["probability"]) for line in mine) == pytest.approx(1, abs=1e-4)
    assert opened.complaints == [] and opened.axe() == []


@pytest.mark.parametrize(
    "text, words",
    [("The cat sat.", "no hole yet"), ("[MASK] " * 200, "There are 200 holes"), ("the cat " * 40 + "[MASK]", "behind")],
)
def test_a_text_without_one_hole_gets_a_sentence_and_loses_nothing(open_page, bert, text, words):
    root = open_page(NextWord(HOLE.format("tired"), "little-bert")).control()
    root.get_by_label("Your text").fill(text)
    expect(root.locator(".itt-note.is-wrong")).to_contain_text(words)
    assert hole_rows(root) == in_hole(bert, HOLE.format("tired"))


def test_a_gpt2_is_told_that_it_fills_no_hole(open_page):
    root = open_page(NextWord()).control()
    root.get_by_label("Your text").fill("The [MASK] sat")
    expect(root.locator(".itt-note.is-wrong")).to_contain_text("fills no hole: choose a BERT")


def test_a_hole_in_hostile_text(open_page, bert):
    opened = open_page(NextWord(HOLE.format("tired"), "little-bert"))
    root, text = opened.control(), "<img src=x onerror=alert(1)> [MASK] \u202e 猫 it's"
    root.get_by_label("Your text").fill(text)
    assert_hole(root, bert, text)
    assert root.locator("img").count() == 0 and opened.complaints == []


def test_the_picture_and_the_table_of_a_hole(open_page, bert):
    opened = open_page(NextWord(HOLE.format("timid"), "little-bert"))
    wanted, root = in_hole(bert, HOLE.format("timid")), opened.control()
    assert all(html.escape(p) in NextWord(HOLE.format("timid"), "little-bert").picture() for _, p in wanted)
    with opened.page.expect_download() as download:
        root.get_by_role("button", name="Data (CSV)").click()
    with download.value.path().open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["word"], percent(float(line["probability"]))) for line in lines[:5]] == wanted
    assert sum(float(line["probability"]) for line in lines) == pytest.approx(1, abs=1e-4)


def test_a_piece_in_a_hole_stands_with_its_word(bert):
    from labutils.controls.whole_words import hole_word

    ids, at = bert.tokenizer.encode(HOLE.format("timid")).ids, 2
    pieces = bert.tokenizer.encode("squirrels", add_special_tokens=False).ids
    known = [bert.tokenizer.pieces(i) for i in pieces]
    assert hole_word(bert, ids, at, pieces[0]).startswith(known[0])
    assert hole_word(bert, ids, at, bert.tokenizer.token_to_id("cat")) == "cat"


def test_a_whole_word_in_a_hole_is_not_made_longer(bert):
    from labutils.controls.whole_words import hole_word

    ids = bert.tokenizer.encode("The bird [MASK] in the tree.").ids
    at, words = ids.index(bert.tokenizer.token_to_id("[MASK]")), ["worked", "danced", "marched", "sings", "plays"]
    # a second hole behind "danced" would be filled with "##ed"
    assert [hole_word(bert, ids, at, bert.tokenizer.token_to_id(word)) for word in words] == words
