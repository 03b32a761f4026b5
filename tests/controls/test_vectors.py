"""Vectors: what a reader sees against the trace in Python, and what stays where the model is not."""

import csv
import re

import numpy as np
import pytest
from controls.expected import label, meet, readout
from controls.hands import choose, taken
from controls.hostile import HOSTILE, shown_or_refused, type_in
from controls.modules import load
from playwright.sync_api import expect

from labutils.controls import Vectors
from labutils.controls.reading import read

TEXT = "The cat sat on the mat. It was tired."
OTHER = "A dog slept. Tom was near the old bridge."


def number(text):
    return float(text.replace("−", "-").lstrip("'"))


def agrees(rows, reading, layer, head, query):
    """Rows of the CSV against the trace: every number within 1e-4."""
    q, k, v = (getattr(reading, name)[layer, head].astype(float) for name in "qkv")
    d = q.shape[1]
    m = meet(q, k, query, reading.causal)
    assert len(rows) == len(reading.tokens)
    for j, row in enumerate(rows):
        assert row[0] == f"{j} {label(reading.tokens[j])}"
        assert number(row[1]) == pytest.approx(m.cosine[j], abs=1e-4) and number(row[2]) == pytest.approx(
            m.lengths[j], abs=1e-4
        )
        assert number(row[3]) == pytest.approx(m.score[j], abs=1e-4)
        assert (
            row[4] == "masked"
            if m.masked[j]
            else number(row[4]) == pytest.approx(reading.weights[layer, head, query, j], abs=1e-4)
        )
        for at, matrix in enumerate((q, k, v)):
            assert [number(x) for x in row[5 + at * d : 5 + (at + 1) * d]] == pytest.approx(matrix[j], abs=1e-4)


def test_directions_scores_and_weights_as_in_python(browser):
    page, dice = browser.new_page(), np.random.default_rng(0)
    load(page, "vectors/numbers.js", "numbers")
    for n, d, causal in ((1, 2, True), (7, 16, True), (9, 5, False)):
        q, k = dice.normal(size=(n, d)) * 3, dice.normal(size=(n, d)) * 3
        k[0] = 0  # has no direction
        for i in {0, n // 2, n - 1}:
            here = page.evaluate(
                "([n, d, q, k, i, causal]) => { const m = numbers.meet({ n, d, q: Float64Array.from(q), k:"
                " Float64Array.from(k), v: new Float64Array(n * d) }, i, causal); return { ...m, cosine:"
                " m.cosine.map((x) => (Number.isNaN(x) ? null : x)) }; }",
                [n, d, q.ravel().tolist(), k.ravel().tolist(), i, causal],
            )
            m = meet(q, k, i, causal)
            assert here["masked"] == m.masked.tolist() and here["length"] == pytest.approx(m.length)
            for name in ("lengths", "score", "weight"):
                assert here[name] == pytest.approx(getattr(m, name), abs=1e-12)
            assert [np.nan if x is None else x for x in here["cosine"]] == pytest.approx(
                m.cosine, abs=1e-12, nan_ok=True
            )
            assert m.weight.sum() == pytest.approx(1) and (m.weight[m.masked] == 0).all()
    assert page.evaluate(
        "() => numbers.meet({ n: 2, d: 2, q: new Float64Array(4), k: Float64Array.of(1, 0, 0, 1), v: new"
        " Float64Array(4) }, 1, true).weight"
    ) == [0.5, 0.5]
    page.close()


@pytest.mark.parametrize("model", ["little-gpt2", "little-bert"])
def test_any_text_layer_and_head_against_the_trace(open_page, model):
    opened = open_page(Vectors(model=model, layer=2, head=4, query=8))
    control = opened.control()
    agrees(list(csv.reader(taken(opened, control, "Data (CSV)").splitlines()))[1:], read(model, TEXT, 24), 2, 4, 8)
    type_in(control, OTHER)
    expect(control.locator(".vc-table")).to_contain_text("dog")
    reading = read(model, OTHER, 24)
    for layer, head, query in ((0, 0, 1), (3, 7, len(reading.tokens) - 1), (1, 6, 5)):
        choose(control, "Layer", layer)
        choose(control, "Head", head)
        control.locator(".itt-tokens label").nth(query).click()
        expect(control.locator(".vc-token.is-query").first).to_have_text(f"{label(reading.tokens[query], 12)}{query}")
        expect(control.locator(".itt-readout")).to_contain_text(f"Layer {layer}, head {head}:")
        agrees(list(csv.reader(taken(opened, control, "Data (CSV)").splitlines()))[1:], reading, layer, head, query)
    shown = [
        text if text == "masked" else float(text)
        for text in control.locator(".vc-w:not([role=columnheader]) .vc-num").all_inner_texts()
    ]
    wanted = reading.weights[1, 6, 5]
    assert shown == [
        "masked" if reading.causal and j > 5 else pytest.approx(wanted[j], abs=0.00051)
        for j in range(len(reading.tokens))
    ]
    assert opened.complaints == []


def test_the_readout_is_the_same_in_the_picture_and_names_the_length_where_it_decides(open_page):
    cases = [
        Vectors(layer=2, head=4, query=8, name="a"),
        Vectors(layer=0, head=1, query=5, name="b"),
        Vectors(model="paper-gpt2", query=0, name="c"),
        Vectors(model="little-bert", layer=1, head=2, query=3, name="d"),
    ]
    opened = open_page(*cases, without=("*.js",))
    said = [readout(case) for case in cases]
    for i, words in enumerate(said):
        expect(opened.control(i).locator(".itt-readout")).to_have_text(words)


def test_another_key_can_win_by_its_length(browser):
    page = browser.new_page()
    load(page, "vectors/words.js", "words")
    load(page, "look/markup.js", "markup")
    said = lambda m: page.evaluate(
        "(m) => markup.plain(words.readout({ layer: 0, head: 0, m, tokens: ['a', 'b'], i: 1 }))", m
    )
    assert said(
        {
            "length": 1,
            "lengths": [1, 3],
            "cosine": [1, 0.9],
            "score": [1, 2.7],
            "masked": [False, False],
            "weight": [0.15, 0.85],
        }
    ).endswith(
        "The largest weight, 85%, goes to “b” (cosine 0.90): a score also counts the length of a key, 3.00 against"
        " 1.00."
    )
    assert "is 0 and points nowhere" in page.evaluate(
        "() => markup.plain(words.readout({ layer: 0, head: 0, m: { length: 0, lengths: [1, 1], cosine: [NaN, NaN],"
        " score: [0, 0], masked: [false, false], weight: [0.5, 0.5] }, tokens: ['a', 'b'], i: 1 }))"
    )
    page.close()


def test_every_number_of_the_maps_can_be_reached(open_page):
    opened = open_page(Vectors(layer=2, head=4, query=8, view="numbers"))
    control, reading = opened.control(), read("little-gpt2", TEXT, 24)
    pointed, maps = control.locator(".itt-readout"), control.locator(".vc-cells")
    said = lambda row, column: (
        f"“{label(reading.tokens[row])}”, column {column}: "
        + ", ".join(
            f"{name} {getattr(reading, name)[2, 4, row, column]:.2f}".replace("-", "−").replace("−0.00", "0.00")
            for name in "qkv"
        )
        + "."
    )
    expect(pointed).to_have_text(said(8, 0))
    maps.nth(1).focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowRight"):
        opened.page.keyboard.press(key)
    expect(pointed).to_have_text(said(7, 2))
    opened.page.keyboard.press("End")
    expect(pointed).to_have_text(said(7, 15))
    box = maps.nth(2).bounding_box()
    opened.page.mouse.move(box["x"] + box["width"] * 4.5 / 16, box["y"] + box["height"] * 1.5 / 11)
    expect(pointed).to_have_text(said(1, 4))
    opened.page.mouse.move(0, 0)
    expect(pointed).to_have_text(said(7, 15))  # a look leaves what was kept
    opened.page.mouse.click(box["x"] + box["width"] * 4.5 / 16, box["y"] + box["height"] * 1.5 / 11)
    opened.page.mouse.move(0, 0)
    expect(pointed).to_have_text(said(1, 4))
    for i in range(3):  # the mark stands at the same place in all three
        assert (
            maps.nth(i).locator(".vc-cross").get_attribute("y") == "1"
            and maps.nth(i).locator(".vc-cross").get_attribute("x") == "4"
        )


def test_a_page_shows_the_keys_or_the_numbers_and_each_has_its_sentence(open_page):
    opened = open_page(Vectors(layer=3, head=5, query=8))
    control = opened.control()
    said, keys, maps = (control.locator(one) for one in (".itt-readout", ".vc-table", ".vc-maps"))
    expect(keys).to_be_visible()
    expect(maps).to_be_hidden()
    expect(said).to_contain_text("“cat” points most nearly the way of the query of “was”")
    control.get_by_role("radio", name="One query, every key").focus()
    opened.page.keyboard.press("ArrowRight")
    expect(maps).to_be_visible()
    expect(keys).to_be_hidden()
    expect(said).to_contain_text("“was”, column 0: q ")
    assert opened.complaints == []


def test_a_wide_head_comes_in_pages_of_sixteen(open_page):
    wide = Vectors(model="paper-gpt2", view="numbers")
    d, dice = 40, np.random.default_rng(1)
    q, k, v = (dice.normal(size=(3, d)).astype("<f4") for _ in range(3))
    k[1, 35] = -50  # the largest number of the map, and so the end of its scale
    wide.finished = wide.finished | {"shape": [1, 2, 3, d], "q": q.tobytes(), "k": k.tobytes(), "v": v.tobytes()}
    control = open_page(wide, without=("*.js",)).control()
    pages = control.get_by_role("group", name="Columns of 40")
    expect(pages.locator("label")).to_have_text(["0–15", "16–31", "32–39"])
    pages.locator("label").nth(2).click()
    expect(control.locator(".vc-cells").first.locator("g rect")).to_have_count(3 * 8)
    strongest = [
        i
        for i, fill in enumerate(
            control.locator(".vc-cells")
            .nth(1)
            .locator("g rect")
            .evaluate_all("els => els.map(el => el.getAttribute('fill'))")
        )
        if fill == "rgb(119 58 0)"
    ]
    assert strongest == [1 * 8 + 35 - 32]
    control.locator(".vc-cells").first.focus()
    control.page.keyboard.press("End")
    said = ", ".join(f"{name} {matrix[2, 39]:.2f}".replace("-", "−") for name, matrix in (("q", q), ("k", k), ("v", v)))
    expect(control.locator(".itt-readout")).to_have_text(f"“sat”, column 39: {said}.")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"layer": 9}, "no layer 9"),
        ({"head": -9}, "no head -9"),
        ({"query": 99}, "no token 99"),
        ({"page": 1}, "no page 1"),
        ({"text": ""}, "at least one word"),
        ({"model": "nobody"}, "no model named"),
    ],
)
def test_what_is_not_there_is_refused_with_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Vectors(**arguments)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_as_text_or_refused_with_a_sentence(lasting_page, text):
    shown_or_refused(*lasting_page(Vectors), text, ".itt-tokens bdi", 24)


@pytest.mark.parametrize("damage", [None, "", "ittModel('little-gpt2', {});"])
def test_without_sound_weights_the_finished_state_stays_and_still_moves(open_page, damage):
    opened = open_page(
        Vectors(layer=2, head=4, query=8),
        **({"without": ("little-gpt2.js",)} if damage is None else {"damage": {"little-gpt2.js": damage}}),
    )
    control = opened.control()
    expect(control.locator(".itt-note.is-wrong")).to_have_text(re.compile(r"What is shown is the finished state\.$"))
    control.locator(".itt-tokens label").nth(5).click()
    expect(control.locator(".itt-readout")).to_contain_text("the query of “mat”")
    choose(control, "Head", 0)
    expect(control.locator(".itt-told")).to_have_text("The other heads appear when the model is there.")


def test_a_text_that_is_too_long_and_one_that_is_empty(open_page):
    control = open_page(Vectors()).control()
    type_in(control, "The cat sat on the mat. " * 9)
    expect(control.locator(".itt-note").first).to_have_text(
        re.compile(r"The first 24 tokens are shown; \d+ more are left out\.")
    )
    expect(control.locator(".vc-row")).to_have_count(25)
    type_in(control, "")
    expect(control.locator(".itt-note.is-wrong")).to_contain_text("at least one word")
    expect(control.locator(".vc-row")).to_have_count(25)


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Vectors(layer=2, head=4, query=8), Vectors(model="paper-gpt2", name="paper"), width=1280)
    for i in range(2):
        opened.control(i).get_by_text("Read it as a table").click()
    opened.fits(1280, 700, 350)
    ids = opened.page.evaluate("() => [...document.querySelectorAll('[id]')].map(el => el.id)")
    assert len(ids) == len(set(ids))


def test_theme_link_picture_and_a_page_without_javascript(open_page):
    opened = open_page(
        Vectors(layer=2, head=4, query=8, name="v"), state={"itt": "v", "query": "3", "head": "99", "layer": "soon"}
    )
    control = opened.control()
    expect(control.locator(".itt-readout")).to_contain_text("head 7")  # there is no head 99
    expect(control.locator(".itt-tokens input").nth(3)).to_be_checked()
    cell = control.locator(".vc-cells g rect").first
    light = cell.get_attribute("fill")
    opened.theme("dark")
    expect(cell).not_to_have_attribute("fill", light)
    picture = taken(opened, control, "Picture (SVG)")
    assert (
        len(re.findall(r"M[\d.]+ [\d.]+h", picture)) >= 3 * 11 * 16 and "var(--" not in picture and "tired" in picture
    )
    still = open_page(Vectors(layer=2, head=4, query=8), java_script_enabled=False).page.locator(".itt-still")
    assert (
        sum(path.get_attribute("d").count("M") for path in still.locator("svg.is-wide .itt-cells").all()) == 3 * 11 * 16
    )
    wanted = [f"{x:.3f}" for x in read("little-gpt2", TEXT, 24).weights[2, 4, 8, :9]]
    assert [
        word
        for word in still.locator("svg.is-wide text").all_text_contents()
        if re.fullmatch(r"[01]\.\d{3}|masked", word)
    ] == [*wanted, "masked", "masked"]
