"""Stream: what a reader sees against the trace in Python, the neurons of a cell, and what stays where the model is not."""

import csv
import re
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from controls.expected import label, readout
from controls.hands import choose, taken
from controls.hostile import HOSTILE, shown_or_refused, type_in
from controls.modules import load
from playwright.sync_api import expect

from labutils.analysis.neurons import active
from labutils.analysis.stream import steps
from labutils.controls import Stream
from labutils.controls.kernel import answer
from labutils.controls.reading import loaded
from labutils.controls.stream import STAGES
from labutils.trace import trace

TEXT = "The cat sat on the mat. It was tired."
OTHER = "A dog slept. Tom was near the old bridge."
PARTS = ("attention", "feed_forward")


def number(text):
    return float(text.replace("−", "-").lstrip("'"))


def read(name, text):
    model = loaded(name)
    return trace(model.model, text, model.tokenizer)


def cell(control, t, layer, part, token):
    return control.locator(".sm-cell").nth(token * 2 * len(t.layers) + 2 * layer + PARTS.index(part))


def agrees(text, t):
    """The CSV against the steps of the package: each length and both ratios within 1e-3 of their size."""
    _, *rows = csv.reader(text.splitlines())
    halves = steps(t)
    assert len(rows) == len(t.tokens) * len(halves)
    for k, row in enumerate(rows):
        token, half = divmod(k, len(halves))
        one = halves[half]
        assert row[1:3] == [str(one.layer), one.part.replace("_", "-")]
        wanted = (one.stream, one.added, one.added_share, one.moved, one.moved_share, one.after)
        assert [number(x) for x in row[3:]] == pytest.approx([float(x[token]) for x in wanted], rel=1e-3, abs=1e-3)


def test_lengths_and_ratios_as_in_python(browser):
    page, g = browser.new_page(), torch.Generator().manual_seed(0)
    load(page, "stream/numbers.js", "numbers")
    names = ("input", "attention_output", "attention_stream", "ffn_output", "output")
    for layers, n, d in ((1, 1, 1), (3, 5, 7)):
        stages = {name: torch.randn(layers, n, d, generator=g, dtype=torch.float64) for name in names}
        stages["input"][0, 0] = 0  # a row of zeros
        found = page.evaluate(
            "([stages, L, n, d]) => { const seen = { steps: numbers.measured(Object.fromEntries(Object.entries(stages).map(([k,"
            " x]) => [k, Float64Array.from(x)])), { L, n, d }), n }; const ratio = (x) => (Number.isNaN(x) ? null : x);"
            " return Array.from({ length: L * 2 * n }, (_, k) => { const one = numbers.step(seen, Math.floor(k / (2 * n)),"
            " Math.floor(k / n) % 2, k % n); return [one.stream, one.added, one.after, one.moved, ratio(one.ratios.added),"
            " ratio(one.ratios.moved)]; }); }",
            [{name: x.flatten().tolist() for name, x in stages.items()}, layers, n, d],
        )
        made = SimpleNamespace(
            kind="gpt2", layers=[SimpleNamespace(**{k: x[i] for k, x in stages.items()}) for i in range(layers)]
        )
        for h, one in enumerate(steps(made)):
            for i in range(n):
                lengths = [float(x[i]) for x in (one.stream, one.added, one.after, one.moved)]
                assert found[h * n + i][:4] == pytest.approx(lengths, abs=1e-12)
                zero = lengths[0] == 0
                ratios = [None if zero else lengths[1] / lengths[0], None if zero else lengths[3] / lengths[0]]
                assert found[h * n + i][4:] == [None if r is None else pytest.approx(r) for r in ratios]
    page.close()


@pytest.mark.parametrize("model", ["little-gpt2", "little-bert"])
def test_any_text_and_cell_against_the_trace(open_page, model):
    opened = open_page(Stream(model=model, layer=2, part="feed_forward", token=8))
    control = opened.control()
    agrees(taken(opened, control, "Data (CSV)"), read(model, TEXT))
    type_in(control, OTHER)
    expect(control.locator(".sm-grid")).to_contain_text("dog")
    t = read(model, OTHER)
    agrees(taken(opened, control, "Data (CSV)"), t)
    for layer, part, token in ((0, "feed_forward", 1), (3, "attention", 4), (1, "feed_forward", len(t.tokens) - 1)):
        cell(control, t, layer, part, token).click()
        one = steps(t)[2 * layer + PARTS.index(part)]
        expect(control.locator(".itt-readout")).to_contain_text(
            f"Layer {layer}, {part.replace('_', '-')}: the row of “{label(t.tokens[token].replace('Ġ', '').replace('##', ''))}”"
            if model == "little-gpt2"
            else f"Layer {layer}, {part.replace('_', '-')}: the row of"
        )
        expect(control.locator(".itt-readout")).to_contain_text(f"{float(one.stream[token]):.2f} long")
        expect(control.locator(".itt-readout")).to_contain_text(f"{float(one.added[token]):.2f}")
        shown = cell(control, t, layer, part, token).inner_text()
        assert number(shown) == pytest.approx(float(one.added_share[token]), abs=0.051)
    assert opened.complaints == []


def test_the_two_ratios_are_one_in_gpt2_and_two_in_bert(open_page):
    opened = open_page(Stream(name="a"), Stream(model="little-bert", name="b"))
    for i, differ in ((0, False), (1, True)):
        control = opened.control(i)
        added = control.locator(".sm-cell").all_inner_texts()
        choose(control, "As a share of the row’s length", 1)
        expect(control.locator(".itt-readout")).to_contain_text("from in to out the row of")
        assert (control.locator(".sm-cell").all_inner_texts() != added) == differ
        expect(control.locator(".sm-about")).to_contain_text(
            "LayerNorm acts on each sum" if differ else "the same here"
        )


def test_a_page_shows_the_halves_or_the_neurons_of_a_cell(open_page):
    opened = open_page(Stream(layer=1, token=3))
    control, t = opened.control(), read("little-gpt2", TEXT)
    panel, said = control.locator(".sm-neurons"), control.locator(".itt-readout")
    expect(panel).to_be_hidden()
    cell(control, t, 2, "attention", 8).click()  # which has none: those of the same layer are shown
    choose(control, "Show", 1)
    expect(control.locator(".sm-grid")).to_be_hidden()
    row = t.layers[2].ffn_activated[8]
    order = row.abs().sort(descending=True, stable=True).indices.tolist()
    expect(panel.locator(".sm-name")).to_have_text([f"neuron {j}" for j in order[:8]])
    shown = [number(x) for x in panel.locator(".sm-neuron b").all_inner_texts()]
    assert shown == pytest.approx(row[order[:8]].tolist(), abs=0.0051)
    above = int((row > 0).sum())
    expect(panel.locator(".sm-title")).to_have_text(
        f"Layer 2: the 512 neurons of “was”, {above} above zero ({round(100 * float(active(row)))}%)"
    )
    whole = round(100 * float(active(t.layers[2].ffn_activated).mean()))
    expect(said).to_contain_text(f"In the whole text {whole}% of this layer’s neurons")
    choose(control, "Layer", 0)
    expect(panel.locator(".sm-title")).to_contain_text("Layer 0: the 512 neurons of “was”")
    choose(control, "Show", 0)
    expect(panel).to_be_hidden()
    expect(said).to_contain_text("Layer 0, attention: the row of “was”")


def test_neurons_come_in_pages_of_96_and_each_can_be_reached(open_page):
    opened = open_page(Stream(layer=2, token=8, view="neurons"))
    control, t = opened.control(), read("little-gpt2", TEXT)
    hidden, pages = t.layers[2].ffn_activated, control.get_by_role("group", name="Neurons of 512")
    expect(pages.locator("label")).to_have_text(["0–95", "96–191", "192–287", "288–383", "384–479", "480–511"])
    pages.locator("label").nth(3).click()
    said = control.locator(".itt-readout")
    expect(said).to_contain_text(
        f"Neuron 288 of layer 2 is {float(hidden[8, 288]):.2f}".replace("-", "−").replace("−0.00", "0.00")
    )
    control.locator(".sm-map").focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowRight"):
        opened.page.keyboard.press(key)
    value = f"{float(hidden[7, 290]):.2f}".replace("-", "−").replace("−0.00", "0.00")
    expect(said).to_contain_text(f"Neuron 290 of layer 2 is {value} at “It”")
    box = control.locator(".sm-map").bounding_box()
    opened.page.mouse.click(box["x"] + box["width"] * 23.5 / 96, box["y"] + box["height"] * 2.5 / 11)
    opened.page.mouse.move(0, 0)
    value = f"{float(hidden[2, 311]):.2f}".replace("-", "−").replace("−0.00", "0.00")
    expect(said).to_contain_text(f"Neuron 311 of layer 2 is {value} at “sat”")
    opened.page.keyboard.press("End")
    expect(pages.locator("input").nth(5)).to_be_checked()
    assert opened.complaints == []


def test_the_grid_is_moved_by_keys_and_a_look_leaves_what_was_kept(open_page):
    opened = open_page(Stream(layer=1, token=3))
    control, t = opened.control(), read("little-gpt2", TEXT)
    said = control.locator(".itt-readout")
    grid = control.locator(".sm-grid")
    grid.focus()
    for key in ("ArrowDown", "ArrowLeft"):
        opened.page.keyboard.press(key)
    expect(said).to_contain_text("Layer 0, feed-forward: the row of “the”")
    expect(grid).to_have_attribute("aria-label", re.compile("^the, layer 0, feed-forward: "))
    cell(control, t, 3, "attention", 0).hover()
    expect(said).to_contain_text("Layer 3, attention: the row of “The”")
    opened.page.mouse.move(0, 0)
    expect(said).to_contain_text("Layer 0, feed-forward: the row of “the”")
    grid.focus()
    opened.page.keyboard.press("End")
    expect(said).to_contain_text("Layer 3, feed-forward: the row of “the”")


def test_the_readout_is_the_same_in_the_picture(open_page):
    cases = [
        Stream(layer=2, part="feed_forward", token=8, name="a"),
        Stream(model="little-bert", layer=1, measure="moved", name="b"),
        Stream(model="paper-gpt2", part="feed_forward", token=2, name="c"),
        Stream(layer=2, token=8, view="neurons", name="d"),
    ]
    opened = open_page(*cases, without=("*.js",))
    for i, case in enumerate(cases):
        expect(opened.control(i).locator(".itt-readout")).to_have_text(readout(case))
    assert "is 7.21 long; a vector of length 11.66 is added" in readout(cases[2])


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"layer": 9}, "no layer 9"),
        ({"token": 99}, "no token 99"),
        ({"part": "ffn"}, "part='ffn' is not known: choose 'attention' or 'feed_forward'"),
        ({"measure": "added up"}, "choose 'added' or 'moved'"),
        ({"view": "cells"}, "choose 'halves' or 'neurons'"),
        ({"neuron": 512}, "no neuron 512"),
        ({"text": ""}, "at least one word"),
        ({"model": "nobody"}, "no model named"),
    ],
)
def test_what_is_not_there_is_refused_with_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Stream(**arguments)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_as_text_or_refused_with_a_sentence(lasting_page, text):
    shown_or_refused(*lasting_page(Stream), text, ".sm-grid .sm-token bdi", 24)


@pytest.mark.parametrize("damage", [None, "", "ittModel('little-gpt2', {});"])
def test_without_sound_weights_the_finished_state_stays_and_still_moves(open_page, damage):
    opened = open_page(
        Stream(layer=2, part="feed_forward", token=8),
        **({"without": ("little-gpt2.js",)} if damage is None else {"damage": {"little-gpt2.js": damage}}),
    )
    control, t = opened.control(), read("little-gpt2", TEXT)
    expect(control.locator(".itt-note.is-wrong")).to_have_text(re.compile(r"What is shown is the finished state\.$"))
    cell(control, t, 2, "feed_forward", 5).click()
    choose(control, "Show", 1)
    expect(control.locator(".sm-title")).to_contain_text("“mat”")
    choose(control, "Layer", 0)
    expect(control.locator(".itt-told")).to_have_text("The neurons of the other layers appear when the model is there.")
    expect(control.locator(".itt-readout")).to_contain_text("Layer 0, feed-forward: the row of “mat”")


def test_a_text_that_is_too_long_and_one_that_is_empty(open_page):
    control = open_page(Stream()).control()
    type_in(control, "The cat sat on the mat. " * 9)
    expect(control.locator(".itt-note").first).to_have_text(
        re.compile(r"The first 24 tokens are shown; \d+ more are left out\.")
    )
    expect(control.locator(".sm-cell")).to_have_count(24 * 8)
    type_in(control, "")
    expect(control.locator(".itt-note.is-wrong")).to_contain_text("at least one word")
    expect(control.locator(".sm-cell")).to_have_count(24 * 8)


def test_another_model_brings_its_layers_and_keeps_the_text(open_page):
    control = open_page(Stream(layer=3, token=8)).control()
    type_in(control, OTHER)
    expect(control.locator(".sm-grid")).to_contain_text("dog")
    choose(control, "Model", 2)
    expect(control.locator(".sm-grid")).to_contain_text("[SEP]")
    expect(control.locator(".sm-grid")).to_contain_text("dog")
    choose(control, "Model", 0)
    expect(control.locator(".sm-cell")).to_have_count(3 * 2)
    expect(control.locator(".itt-readout")).to_contain_text("4.90 is added")
    choose(control, "Model", 1)
    expect(control.locator(".itt-readout")).to_contain_text("Layer 3")


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(
        Stream(layer=2, part="feed_forward", token=8), Stream(model="paper-gpt2", name="paper"), width=1280
    )
    for i in range(2):
        opened.control(i).get_by_text("Read it as a table").click()
    opened.fits(1280, 700, 350)
    ids = opened.page.evaluate("() => [...document.querySelectorAll('[id]')].map(el => el.id)")
    assert len(ids) == len(set(ids))


def test_theme_link_picture_and_a_page_without_javascript(open_page):
    opened = open_page(
        Stream(layer=2, part="feed_forward", token=8, name="s"),
        state={"itt": "s", "token": "3", "layer": "99", "neuron": "soon"},
    )
    control = opened.control()
    expect(control.locator(".itt-readout")).to_contain_text(
        "Layer 3, feed-forward: the row of “on”"
    )  # there is no layer 99
    box = control.locator(".sm-cell").first
    paper = lambda: box.evaluate("el => getComputedStyle(el).backgroundColor")
    light = paper()
    opened.theme("dark")
    expect(box).not_to_have_css("background-color", light)
    picture = taken(opened, control, "Picture (SVG)")
    assert len(re.findall(r"M[\d.]+ [\d.]+h", picture)) >= 11 * 8 and "var(--" not in picture and "tired" in picture
    still = open_page(Stream(layer=2, part="feed_forward", token=8), java_script_enabled=False).page.locator(
        ".itt-still"
    )
    drawn = sum(path.get_attribute("d").count("M") for path in still.locator("svg.is-wide .itt-cells").all())
    assert drawn == 11 * 8
    t = read("little-gpt2", TEXT)
    ratios = np.array([[float(one.added_share[i]) for one in steps(t)] for i in range(11)]).ravel()
    words = [word for word in still.locator("svg.is-wide text").all_text_contents() if re.fullmatch(r"\d\.\d", word)]
    assert [float(word) for word in words] == pytest.approx(ratios, abs=0.051)


@pytest.mark.parametrize("model", ["little-gpt2", "little-bert"])
def test_a_kernel_answers_with_the_streams_that_a_page_computes(model):
    """In JupyterLab the numbers come from Python: the same stages, with the layers in front."""
    t = read(model, OTHER)
    said, arrays = answer(loaded(model), {"ask": "trace", "text": OTHER, "want": [*STAGES, "ffn_activated"]})
    n, d, f = (said["shape"][letter] for letter in "ndf")
    L = len(t.layers)
    assert (n, d, f) == (len(t.tokens), 128, 512)
    assert {name: tuple(array.shape) for name, array in arrays.items()} == dict.fromkeys(STAGES, (L, n, d)) | {
        "ffn_activated": (L, n, f)
    }
    torch.testing.assert_close(arrays["input"][2], t.layers[2].input)
