"""Segments: two texts as one sequence, equal to the tokenizers of Python at every length, and drawn as such."""

import csv
import random
import re

import pytest
from controls.expected import laid, readout
from controls.expected import templated as with_templates
from controls.hands import taken
from controls.hostile import HOSTILE, unharmed
from controls.modules import load
from playwright.sync_api import expect

from labutils.checkpoints import load as checkpoint
from labutils.controls import Segments
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.segments import END, LANES
from labutils.text.template import room_for
from labutils.text.unicode import table

OLD = ("Tom saw a cat near the old bridge.", "The cat was unbelievably tired.")
TEMPLATES = {lane["name"]: lane for lane in LANES}


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    for path, name in (
        ("engine/tokenizer.js", "tokenizers"),
        ("engine/template.js", "template"),
        ("engine/unicode.js", "unicode"),
        ("segments/numbers.js", "laying"),
        ("segments/words.js", "words"),
    ):
        load(page, path, name)
    page.evaluate("(table) => { globalThis.kinds = unicode.openUnicode(table); globalThis.open = {}; }", table())
    for name in TEMPLATES:
        page.evaluate(
            "([name, data]) => { open[name] = tokenizers.openTokenizer(data, kinds); }",
            [name, tokenizer_file(checkpoint(name).tokenizer)],
        )
    yield page
    page.close()


def texts(n, seed):
    dice = random.Random(seed)
    words = [
        "the",
        " cat",
        " sat",
        "unbelievably ",
        "é",
        " 🐈",
        " 猫",
        "\n",
        "  ",
        "Tom's",
        "[MASK]",
        END,
        "42",
        "ﬁ",
        "e\u0301",
        ".",
        "x" * 30,
    ]
    return ["".join(dice.choice(words) for _ in range(dice.randint(0, 14))) for _ in range(n)]


def templated(name):
    return with_templates(checkpoint(name).tokenizer, TEMPLATES[name])


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("own", [True, False])
def test_truncation_and_padding_are_those_of_python(page, name, own):
    """Four hundred pairs: ids, type ids, mask, offsets and the rest, cut and padded on either side."""
    tokenizer, dice, asked, wanted = checkpoint(name).tokenizer if own else templated(name), random.Random(1), [], []
    for first, second in zip(texts(400, 2), texts(400, 3)):
        second = second if dice.random() < 0.8 else None
        room, side, padding = dice.randint(3, 40), dice.choice(["right", "left"]), dice.choice(["right", "left"])
        e = tokenizer.encode_batch(
            [first], [second], max_length=room, truncation_side=side, padding_side=padding, length=room
        )[0]
        asked.append(
            [first, second, {"maxLength": room, "truncationSide": side, "padTo": room, "paddingSide": padding}]
        )
        places = [[0], [0]]
        for which, text in enumerate((first, second or "")):
            for char in text:
                places[which].append(places[which][-1] + 1 + (ord(char) > 0xFFFF))
        offsets = [[places[s or 0][a], places[s or 0][b]] for (a, b), s in zip(e.offsets, e.sequence_ids)]
        wanted.append([e.ids, e.type_ids, e.attention_mask, e.special_tokens_mask, e.sequence_ids, e.word_ids, offsets])
    found = page.evaluate(
        """([name, asked, lane]) => asked.map(([first, second, how]) => {
      const e = open[name].encode(first, second, lane ? { ...how, single: lane.single, double: lane.pair } : how);
      return [e.ids, e.typeIds, e.mask, e.special, e.sequenceIds, e.wordIds, e.offsets]; })""",
        [name, asked, None if own else TEMPLATES[name]],
    )
    assert found == wanted
    assert (
        sum(0 in row[2] for row in wanted) > 50 and sum(0 not in row[2] for row in wanted) > 50
    )  # some are padded, some are cut


def test_the_longer_text_gives_first(page):
    sizes = [(a, b, room) for a in range(12) for b in range(12) for room in range(14)]
    assert page.evaluate("(sizes) => sizes.map((size) => template.roomFor(...size))", sizes) == [
        list(room_for(*size)) for size in sizes
    ]


def test_no_room_and_no_padding_token_are_sentences(page):
    said = lambda code: page.evaluate("() => { try { " + code + " } catch (error) { return error.message; } }")
    assert (
        said("open['little-bert'].encode('a', 'b', { maxLength: 2 })")
        == "A length of 2 is too small: the special tokens alone need 3."
    )
    assert said("template.pad([1], { padTo: 2 }, null, new Map())") == "This tokenizer has no padding token."


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_lane_is_laid_as_in_python(page, name):
    lane, tokenizer = TEMPLATES[name], checkpoint(name).tokenizer
    pairs = [
        [first, second, length]
        for (first, second), length in zip(zip(texts(150, 4), texts(150, 5)), list(range(4, 49)) * 4)
    ] + [["The cat sat.", "", 6]]
    found = page.evaluate(
        "([name, pairs, lane]) => pairs.map(([first, second, length]) => laying.laid(open[name], first, second, length,"
        " lane))",
        [name, pairs, lane],
    )
    for (first, second, length), here in zip(pairs, found, strict=True):
        wanted = laid(tokenizer, first, second, length, lane)
        assert here == wanted
        whole = tokenizer.encode(first, second or None, add_special_tokens=False)
        assert sum(t["from"] is not None for t in here["tokens"]) + sum(map(len, here["lost"])) == len(
            whole
        )  # nothing is forgotten
        assert len(here["tokens"]) == length


def cards(control, lane):
    """(token, id, type id, mask, position) of each position that is drawn, and all tokens drawn as lost."""
    drawn = [
        el.inner_text().split("\n")
        for el in control.locator(".sg-lane").nth(lane).locator(".sg-card:not(.is-lost)").all()
    ]
    lost = control.locator(".sg-lane").nth(lane).locator(".sg-card.is-lost .sg-piece").all_inner_texts()
    return [[text, *map(int, numbers)] for text, *numbers in drawn], lost


def fill(control, which, text):
    control.get_by_label(f"{which} text").evaluate(
        "(el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })) }", text
    )


def move(control, length):
    control.get_by_role("slider").evaluate(
        "(el, n) => { el.value = n; el.dispatchEvent(new Event('input', { bubbles: true })) }", length
    )


def test_typed_texts_at_any_length(open_page):
    opened = open_page(Segments())
    control = opened.control()
    for first, second, length in (
        (*OLD, 12),
        (*OLD, 4),
        ("The cat sat.", "It was tired.", 20),
        ("A dog slept.", "", 9),
        ("cat " * 14, "", 4),
        ("", "", 5),
    ):
        fill(control, "First", first)
        fill(control, "Second", second)
        move(control, length)
        expect(control.locator(".itt-readout")).to_have_text(readout(Segments(first, second, length)))
        for i, lane in enumerate(LANES):
            wanted = laid(checkpoint(lane["name"]).tokenizer, first, second, length, lane)
            drawn, lost = cards(control, i)
            assert [row[1:] for row in drawn] == [
                [t["id"], t["type"], t["mask"], at] for at, t in enumerate(wanted["tokens"])
            ]
            assert [text.replace(" ", "·") for text in sum(wanted["lost"], [])] == lost
            padded = control.locator(".sg-lane").nth(i).locator(".sg-card.is-pad")
            expect(padded).to_have_count(sum(t["mask"] == 0 for t in wanted["tokens"]))
    assert opened.complaints == []
    assert not [url for url in opened.requests if re.search(r"little-\w+\.js", url)]  # the tokenizers are enough


def test_the_cap_a_lone_surrogate_and_missing_files(open_page):
    opened = open_page(Segments())
    control = opened.control()
    fill(control, "Second", "ab " * 80)
    expect(control.locator(".itt-note").nth(1)).to_have_text("The first 160 characters are read; 80 more are left out.")
    expect(control.locator(".sg-card.is-lost").last).to_contain_text("more")
    before = control.locator(".itt-readout").inner_text()
    control.get_by_label("Second text").evaluate(
        "(el) => { el.value = 'a \\ud800'; el.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(control.locator(".itt-note.is-wrong")).to_contain_text("lone surrogate")
    expect(control.locator(".itt-readout")).to_have_text(before)
    control = open_page(Segments(length=12), without=("little-bert.tokenizer.js",)).control()
    fill(control, "First", "Another text")
    expect(control.locator(".itt-told")).to_have_text(
        re.compile(r"could not be loaded.*What is shown are the texts it came with, at 12 positions\.")
    )
    expect(control.locator(".itt-readout")).to_have_text(readout(Segments(length=12)))


@pytest.mark.parametrize("which", ["First", "Second"])
def test_hostile_texts_are_shown_or_refused_with_a_sentence(open_page, which):
    opened = open_page(Segments())
    control = opened.control()
    fill(control, "First", "A dog slept.")
    expect(control.locator(".sg-cards").first).to_contain_text("dog")  # it lives
    lane, ids = LANES[0], control.locator(".sg-lane").first.locator(".sg-card:not(.is-lost) > span:nth-child(2)")
    for name, text in HOSTILE.items():
        fill(control, which, text)
        if name == "surrogate":
            expect(control.locator(".itt-note.is-wrong")).to_contain_text("lone surrogate")
        else:
            both = (text[:160], Segments().second) if which == "First" else ("A dog slept.", text[:160])
            expect(ids).to_have_text(
                [str(token["id"]) for token in laid(checkpoint(lane["name"]).tokenizer, *both, 16, lane)["tokens"]]
            )
        for note in control.locator(".itt-note").all_inner_texts():
            assert note == "" or note.endswith(".")
        unharmed(opened, control)


def test_the_data_the_picture_and_the_link(open_page):
    opened = open_page(Segments(*OLD, length=12, name="s"), Segments(name="t"), state={"itt": "s", "length": "99"})
    control = opened.control()
    expect(control.locator(".itt-value")).to_have_text("48")  # the longest there is
    move(control, 12)

    head, *rows = csv.reader(taken(opened, control, "Data (CSV)").splitlines())
    assert head == ["position", "token", "id", "type id", "mask", "from"]
    for lane in LANES:
        wanted = laid(checkpoint(lane["name"]).tokenizer, *OLD, 12, lane)
        own = [row for row in rows if row[0].startswith(lane["title"])]
        assert [[int(x) for x in row[2:5]] for row in own if row[2]] == [
            [t["id"], t["type"], t["mask"]] for t in wanted["tokens"]
        ]
        assert [row[1].replace("·", " ").lstrip("'") for row in own if not row[2]] == sum(wanted["lost"], [])
    picture = taken(opened, control, "Picture (SVG)")
    assert (
        "var(--" not in picture
        and picture.count("line-through") == sum(not row[2] for row in rows)
        and "[SEP]" in picture
    )
    link = control.get_by_role("link", name="Link to this state")
    link.focus()
    expect(link).to_have_attribute("href", re.compile("itt=s&first=Tom.*length=12"))
    expect(opened.control(1).locator(".itt-value")).to_have_text("16")


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Segments(), Segments("x" * 160, "word " * 30, 24, name="long"), width=1280)
    for i in range(2):
        opened.control(i).get_by_text("Read it as a table").click()

    def none_outside(width: int) -> None:
        outside = opened.page.evaluate(
            """() => [...document.querySelectorAll('.sg-piece')].filter((el) => { const a = el.getBoundingClientRect(), b = el.parentElement.getBoundingClientRect();
          return a.left < b.left - 1 || a.right > b.right + 1; }).map((el) => el.textContent)"""
        )
        assert outside == [], width

    opened.fits(1280, 700, 350, look=none_outside)


def test_the_state_it_comes_with_is_laid_as_in_python():
    for first, second, length in (
        (*OLD, 12),
        ("The cat sat.", "It was tired.", 20),
        ("Tom 🐈", "", 9),
        ("é" * 200, "猫", 48),
    ):
        for lane, here in zip(LANES, Segments(first, second, length).finished["lanes"]):
            tokenizer = checkpoint(lane["name"]).tokenizer
            assert here == lane | laid(tokenizer, first[:160], second, length, lane) | {"size": len(tokenizer)}


def test_without_javascript_both_sequences_remain(open_page):
    still = open_page(Segments(*OLD, length=12), java_script_enabled=False).page.locator(".itt-still")
    for cards, lane in zip(Segments(*OLD, length=12).finished["lanes"], LANES):
        wanted = templated(lane["name"]).encode_batch([OLD[0]], [OLD[1]], max_length=12, length=12)[0].ids
        assert [token["id"] for token in cards["tokens"]] == wanted
    written = still.locator("svg.is-wide text").all_text_contents()
    ids = [
        str(i)
        for lane in LANES
        for i in templated(lane["name"]).encode_batch([OLD[0]], [OLD[1]], max_length=12, length=12)[0].ids
    ]
    assert (
        all(written.count(i) >= ids.count(i) for i in ids)
        and still.locator("svg.is-wide [text-decoration]").count() == 28
    )
    assert "found no room" in still.locator(".itt-readout").inner_text()


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"length": 3}, "outside 4 to 48"),
        ({"length": 49}, "outside 4 to 48"),
        ({"first": "a \ud800"}, "lone surrogate"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Segments(**arguments)
