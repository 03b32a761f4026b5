"""The tokenizer playground and the next word on a page: hostile texts, missing files, several at once, links, files to
take along.
"""

import json
import re

import pytest
from controls.expected import label
from controls.hands import assert_a_picture, taken
from controls.hostile import DAMAGED, HOSTILE, type_in, unharmed
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import NextWord, Tokenizer

MAKE = {"tokenizer": Tokenizer, "next_word": NextWord}
PARTS = {"tokenizer": ".tok-chip", "next_word": ".nw-row"}
both = pytest.mark.parametrize("kind", MAKE)


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Tokenizer("Crème 🐈 [MASK] unbelievably"), NextWord(trail="p300 p13"), width=1280)
    for i in range(2):
        opened.control(i)
    for details in opened.page.locator("details").all():
        details.evaluate("el => { el.open = true }")
    opened.fits(1280, 700, 350)
    assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert all(url.startswith(("file:", "data:", "blob:")) for url in opened.requests)
    ids = opened.page.evaluate("() => [...document.querySelectorAll('[id]')].map(el => el.id)")
    assert len(ids) == len(set(ids))


@both
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_shown_as_text_or_refused_with_a_sentence(lasting_page, kind, name):
    opened, root = lasting_page(MAKE[kind])
    text, note = HOSTILE[name], root.locator(".itt-note").first
    type_in(root, text)
    if name == "surrogate":
        expect(note).to_contain_text("lone surrogate")
    elif kind == "next_word":
        expect(root.locator(".nw-text")).to_have_text(label(text, 400))
    else:
        for lane, model in enumerate(("little-gpt2", "little-bert")):
            expect(root.locator(".tok-lane").nth(lane).locator(".tok-chip small")).to_have_text(
                [str(i) for i in load(model).tokenizer.encode(text[:160]).ids]
            )
        if "<" in text:  # and as the reader wrote it
            assert "".join(root.locator(".tok-lane").first.locator(".tok-piece").all_inner_texts()) == text.replace(
                " ", "·"
            )
    expect(note).to_have_text(re.compile(r"\.$" if name in ("long", "one word", "surrogate") else r"^$|\.$"))
    assert root.locator(PARTS[kind]).count() > 2
    unharmed(opened, root)


@both
def test_an_address_that_asks_for_nonsense_gets_a_picture(open_page, kind):
    wishes = {
        "tokenizer": {"side": "7", "piece": "1.5", "step": "0.4", "under": "9"},
        "next_word": {"trail": "x d99999s0 p1e9 <b>", "seed": "-4.5", "top": "7", "model": "large"},
    }
    opened = open_page(MAKE[kind](), state={"itt": kind} | wishes[kind])
    root = opened.control()
    root.locator(PARTS[kind]).first.wait_for()
    assert root.locator(".itt-readout").inner_text().endswith(".") and root.locator(PARTS[kind]).count() > 5


@pytest.mark.parametrize("damage", ["missing", "empty", "cut off", "other bytes", "lying"])
def test_without_sound_weights_the_next_word_keeps_its_finished_state(open_page, models, damage):
    sound = (models / "little-gpt2.js").read_text(encoding="utf-8")
    broken = DAMAGED.get(damage, lambda content: None)(sound)
    opened = open_page(
        NextWord(),
        without=("little-gpt2.js",) if damage == "missing" else (),
        damage={} if broken is None else {"little-gpt2.js": broken},
    )
    root = opened.control()
    note = root.locator(".itt-note.is-wrong")
    note.wait_for()
    assert note.inner_text().endswith("What is shown is the finished state.")
    assert root.locator(".nw-row").count() >= 10 and "The entropy is" in root.locator(".itt-readout").inner_text()
    root.get_by_role("button", name="Draw a token").click()
    assert "as soon as the model is here" in root.locator(".itt-told").inner_text()


def test_without_javascript_pictures_and_a_sentence_remain(open_page):
    page = open_page(Tokenizer(), NextWord(), java_script_enabled=False).page
    assert page.locator(".itt-still svg.is-wide").first.locator("rect").count() > 50
    assert page.locator(".itt-still svg.is-wide").last.locator("rect").count() >= 10
    assert page.locator("main").inner_text().count("it moves where JavaScript is allowed") == 2


@both
def test_two_of_a_kind_move_apart_and_their_files_come_once(open_page, kind):
    opened = open_page(MAKE[kind](name="one"), MAKE[kind](name="two"))
    first, second = opened.control(0), opened.control(1)
    if kind == "next_word":  # a piece stands alone until its whole word is known
        second.locator(".itt-readout", has_text="→").wait_for()
    before = second.locator(".itt-readout").inner_text()
    first.get_by_label("Your text").fill("A dog was")
    opened.page.wait_for_function(
        "before => document.querySelector('.itt-live .itt-readout').textContent !== before", arg=before
    )
    assert second.locator(".itt-readout").inner_text() == before
    loaded = [url.rsplit("/", 1)[1] for url in opened.requests if url.endswith(".js")]
    assert len(loaded) == len(set(loaded)) and "little-gpt2.tokenizer.js" in loaded


def test_two_views_of_one_control_stay_in_step(open_page):
    one = NextWord()
    opened = open_page(one, one)
    first, second = opened.control(0), opened.control(1)
    first.locator(".nw-rows .nw-row").first.click()
    second.locator(".nw-step").wait_for()
    assert first.locator(".nw-step").inner_text() == second.locator(".nw-step").inner_text()


@both
def test_a_link_opens_the_page_in_the_same_state(open_page, kind):
    opened = open_page(MAKE[kind]())
    root = opened.control()
    root.get_by_label("Your text").fill("The old cook was unbelievably")
    if kind == "tokenizer":
        root.locator(".tok-lane").nth(1).locator(".tok-chip").nth(3).click()
        root.locator(".itt-seg-item", has_text="characters").click()
    else:
        opened.page.wait_for_function(
            "() => document.querySelector('.itt-live .nw-text').textContent.startsWith('The old cook')"
        )
        root.get_by_label("Seed").fill("5")
        root.get_by_role("button", name="Draw a token").click()
        root.locator(".nw-step").wait_for()
        expect(root.locator(".nw-rows")).not_to_contain_text("·")  # pieces have become words, the last thing to come
    root.get_by_text("Link to this state").click()
    address, said = opened.page.url, root.locator(".itt-readout").inner_text()
    whole = root.locator(".itt-stage").inner_text()
    opened.page.goto("about:blank")
    opened.page.goto(address)
    root = opened.control()
    opened.page.wait_for_function(
        "said => document.querySelector('.itt-live .itt-readout')?.textContent === said", arg=said
    )
    assert root.locator(".itt-stage").inner_text() == whole


@both
def test_what_a_reader_takes_along(open_page, kind):
    opened = open_page(MAKE[kind]("the cat sat"))
    root = opened.control()

    rows = taken(opened, root, "Data (CSV)").strip().splitlines()
    root.get_by_text("Read it as a table").click()
    assert len(rows) > 8
    expect(root.locator("table tbody tr")).to_have_count(len(rows) - 1)
    picture = taken(opened, root, "Picture (SVG)")
    assert "cat" in picture
    assert_a_picture(opened, picture)


@both
def test_the_theme_is_followed(open_page, kind):
    opened = open_page(MAKE[kind](**({"trail": "p300"} if kind == "next_word" else {})))
    root = opened.control()
    piece = root.locator(".tok-chip, .nw-step").first
    light = piece.evaluate("el => getComputedStyle(el).color")
    opened.theme("dark")
    expect(piece).not_to_have_css("color", light)


@both
def test_state_is_small_and_plain_json(kind):
    control = MAKE[kind]()
    state = {name: value for name, value in control.get_state().items() if name[0] != "_"}
    assert len(json.dumps(state, default=str)) < 24_000 and state["control"] == kind
