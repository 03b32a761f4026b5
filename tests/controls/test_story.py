"""A story: its draws and chances are Python's, it writes itself to its end and stops there."""

import math

import pytest
from controls.expected import after, drawn, uniform
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Story

STILL = {"reduced_motion": "reduce"}
START = "One night, a small mouse"


@pytest.fixture(scope="module")
def little():
    return load("little-gpt2")


def written(checkpoint, text, seed):
    """Ids and chances of what a seed draws, up to the end sign."""
    ids, chances = checkpoint.tokenizer.encode(text).ids, []
    end = checkpoint.tokenizer.token_to_id("<|endoftext|>")
    given = len(ids)
    while ids[-1] != end and len(ids) < 256:
        p = after(checkpoint, ids)
        ids.append(drawn(p, uniform(seed, len(chances))))
        chances.append(float(p[ids[-1]]))
    return ids[given:], chances


@pytest.mark.parametrize("seed", [10, 3])
def test_tokens_and_chances_are_pythons_and_the_last_one_is_the_end_sign(little, seed):
    ids, chances = written(little, START, seed)
    found = [one for one in Story(START, seed=seed).finished["tokens"] if one["p"] is not None]
    assert [one["piece"] for one in found] == [little.tokenizer.pieces(i) for i in ids]
    gaps = [abs(one["p"] - p) for one, p in zip(found, chances, strict=True)]
    assert max(gaps) < 1e-5  # float32, of whole passes there and with a cache here
    assert found[-1]["piece"] == "<|endoftext|>"


def test_at_rest_every_word_stands_and_the_rarest_is_spoken_of(open_page, little):
    opened = open_page(Story(START, plays=True), width=760, **STILL)
    root = opened.control()
    ids, chances = written(little, START, 10)
    words = root.locator(".st-tale").inner_text()
    assert words.startswith(START) and words.rstrip().endswith("the end")
    assert little.tokenizer.decode(ids[:-1]).strip() in words.replace("\n", " ")
    assert min(chances) < 0.05 and "a rare one" in root.locator(".itt-readout").inner_text()
    assert opened.axe() == []


def test_it_writes_itself_to_the_end_sign_and_stops(open_page):
    opened = open_page(Story(START), width=760)
    root = opened.control()
    opened.stop_the_clock()
    root.get_by_role("button", name="Write it again").click()
    expect(root.locator(".st-tale .is-ahead").first).to_be_attached()
    expect(root.locator(".itt-readout")).to_have_text("The model writes, one word after the other …")
    opened.page.clock.run_for(20_000)
    expect(root.locator(".st-tale .is-ahead")).to_have_count(0)
    expect(root.locator(".itt-readout")).to_contain_text("Here the model ended the story itself.")


def test_another_story_and_ones_own_beginning_are_drawn_in_the_page(open_page, little):
    opened = open_page(Story(START), width=760, **STILL)
    root = opened.control()
    root.get_by_role("button", name="Another story").click()
    expect(root.locator(".itt-source")).to_contain_text("seed 11")
    ids, _ = written(little, START, 11)
    assert little.tokenizer.decode(ids[:-1]).strip() in root.locator(".st-tale").inner_text().replace("\n", " ")
    root.get_by_label("Your own beginning").fill("The dog")
    expect(root.locator(".st-tale")).to_contain_text("The dog")
    assert opened.complaints == []


def test_pieces_of_a_word_are_one_word_with_the_product_of_their_chances(little):
    from labutils.controls.script import call

    tokens = [{"piece": "␣Once", "p": None}, {"piece": "␣sle", "p": 0.5}, {"piece": "epy", "p": 0.25}]
    found = call("story/numbers.js", "words", {"tokens": tokens})
    assert [(one["text"], one["p"]) for one in found] == [("Once", None), ("sleepy", math.prod((0.5, 0.25)))]


def test_a_word_that_comes_twice_is_spoken_of_by_its_turn():
    from labutils.controls.script import call

    told = [{"text": word, "p": 0.004, "pieces": 1} for word in ("Karl", "and", "Karl")]
    said = lambda at: "".join(str(part) for part in call("story/words.js", "readout", {"info": {}}, told, at)[:1])
    assert [said(at) for at in range(3)] == ["The first ", "", "The second "]


def test_keys_go_from_word_to_word(open_page):
    root = open_page(Story(START), width=760, **STILL).control()
    root.locator(".st-tale").focus()
    root.page.keyboard.press("End")
    expect(root.locator(".itt-readout")).to_contain_text("Here the model ended the story itself.")
    root.page.keyboard.press("Home")
    expect(root.locator(".itt-readout")).to_contain_text("“One” was given")


@pytest.mark.parametrize(
    "given, words", [({"model": "little-bert"}, "choose a GPT-2"), ({"text": ""}, "no token"), ({"seed": -1}, "seed")]
)
def test_what_cannot_be_written_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Story(**given)
