"""Sweep: what an author may give it, and what a reader sees at each position against the numbers that were given."""

import csv
import json
import math
import random
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from controls.expected import readout
from controls.hands import assert_a_picture, taken
from controls.modules import load
from playwright.sync_api import expect

from labutils.controls import Sweep
from labutils.controls.sweep.axis import axis, significant

TAUS, WORDS = [0.1, 0.5, 1, 2.5], ["The", "cat", "sat"]
SCORES = np.array([0.3, 1.4, -0.8])
WEIGHTS = np.exp(SCORES / np.array(TAUS)[:, None])
WEIGHTS /= WEIGHTS.sum(1, keepdims=True)
MASKED = np.ma.masked_array(np.stack([WEIGHTS, WEIGHTS], 1), np.broadcast_to([[0, 0, 0], [0, 0, 1]], (4, 2, 3)))
GAPS = [[1.5, 2], [float("nan"), 3], [4.25, 5], [6, 7]]


def of_bar(x: float) -> str:
    """A probability beside its bar: one that is not all is not written as all."""
    return ">0.999" if 0.9995 <= np.float32(x) < 1 else shown(x, 3)


def shown(x: float, decimals: int) -> str:
    """A number as the bars and the readout write it; `words.js` is compared with this."""
    if math.isnan(x):
        return "missing"
    if x == -math.inf:
        return "masked"
    if decimals < 0:
        return significant(x)
    if 0 < x < 0.5 * 10**-decimals:
        return f"<{10**-decimals:.{decimals}f}"
    text = f"{x * (1 + 1e-9):,.{decimals}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else f"{0:.{decimals}f}"


def bars(**more):
    return Sweep("Weights", "Move it.", ("Temperature τ", TAUS), bars=(WORDS, WEIGHTS), unit="probability", **more)


def both(**more):
    return Sweep(
        "Weights",
        "Move it.",
        [("Temperature τ", TAUS), ("Mask", ["none", "causal"])],
        bars=(WORDS, MASKED),
        curves={"entropy": GAPS, "<b>two</b>": np.ones((4, 2))},
        unit=("probability", "bits"),
        **more,
    )


def move(control, i, s=0):
    control.get_by_role("slider").nth(s).evaluate(
        "(el, i) => { el.value = i; el.dispatchEvent(new Event('input', { bubbles: true })) }", i
    )


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({}, "nothing to draw"),
        ({"over": ("τ", [1])}, "1 positions: it needs 2"),
        ({"over": [1, 2, 3]}, "one pair"),
        ({"bars": (WORDS, WEIGHTS.T)}, r"shape \(3, 4\) and should have \(4, 3\)"),
        ({"bars": (WORDS, [[1, 2, 3], [1, 2]])}, "rows of one length"),
        ({"bars": (WORDS, [["a"] * 3] * 4)}, "does not hold numbers"),
        ({"bars": (WORDS, WEIGHTS + np.inf)}, "infinite"),
        ({"bars": (["x"] * 40, np.zeros((4, 40)))}, "1 to 32 bars"),
        ({"bars": (WORDS, np.full((4, 3), np.nan))}, "no number at all"),
        ({"curves": {"a": [1, 2, 3]}}, r"curves\['a'\] has the shape"),
        ({"curves": {str(i): [1, 2, 3, 4] for i in range(7)}}, "1 to 6 curves"),
        ({"curves": {"a": [0, 1, 2, 3]}, "log": ("y",)}, "above 0"),
        ({"curves": {"a": [0, 1, 2, 3]}, "log": ("z",)}, '"x" and "y"'),
        ({"curves": {"a": [1, 1, 2, 3]}, "log": ("y",), "floor": 0.0}, "above 0"),
        ({"curves": {"a": [1, 1, 2, 3]}, "levels": {"b": float("nan")}}, "level 'b'"),
        ({"curves": {"a": [1, 1, 2, 3]}, "top": 0.5}, "below every curve"),
        ({"over": ("way", list("abcd")), "curves": {"a": [0, 1, 2, 3]}, "log": ("x",)}, "growing numbers"),
        ({"over": ("n", [0, 1, 2, 3]), "curves": {"a": [0, 1, 2, 3]}, "log": ("x",)}, "begins at 0"),
        ({"bars": (WORDS, WEIGHTS), "said": ["one"]}, "each of the 4 positions"),
        ({"bars": (WORDS, WEIGHTS), "start": 4}, "no position 4"),
        ({"bars": (WORDS, WEIGHTS), "start": (0, 0)}, "does not fit 1 slider"),
        ({"bars": (WORDS, WEIGHTS), "paper": 4}, "no position 4"),
        ({"matrix": (WORDS, [0], np.zeros((4, 3, 1))), "paper": 1}, "a matrix is printed where it starts"),
    ],
)
def test_what_does_not_fit_is_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words) as refusal:
        Sweep(
            "t",
            "l",
            **{"over": ("τ", TAUS), **({"bars": (WORDS, WEIGHTS)} if "over" in arguments else {}), **arguments},
        )
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)


@pytest.mark.parametrize("low, high", [(0.3, 27.2), (-4, 1e-3), (0.02, 0.021), (5, 5), (-1e6, 1e6)])
def test_a_scale_holds_every_value_and_has_few_ticks(low, high):
    for zero in (False, True):
        found = axis(np.array([low, high]), "", log=False, zero=zero)
        assert found["low"] <= low and high <= found["high"] and 3 <= len(found["ticks"]) <= 9
        assert not zero or found["low"] <= 0 <= found["high"]
    places = [x for x, _ in found["ticks"]]
    assert places == sorted(places) and places[0] == 0 and places[-1] == 1


def test_numbers_are_written_as_in_python(browser):
    page, dice = browser.new_page(), random.Random(0)
    load(page, "sweep/words.js", "words")
    xs = [
        0.0,
        0.0625,
        1.875,
        0.125,
        1234567.5,
        999.9999,
        -0.0001,
        0.0004,
        *(dice.uniform(-1, 1) * 10 ** dice.uniform(-9, 9) for _ in range(400)),
    ]
    for decimals in (-1, 0, 1, 2, 3, 5):
        assert page.evaluate("([xs, d]) => xs.map((x) => words.shown(x, d))", [xs, decimals]) == [
            shown(x, decimals) for x in xs
        ]
    assert (
        page.evaluate("() => [words.shown(NaN, 2), words.shown(-Infinity, 2)]")
        == ["missing", "masked"]
        == [shown(math.nan, 2), shown(-math.inf, 2)]
    )
    assert significant(-1234.5) == "−1,235" and significant(0.00012) == "1.20 × 10⁻⁴"
    page.close()


def test_every_position_shows_the_numbers_that_were_given(open_page):
    opened = open_page(bars(start=1))
    control = opened.control()
    for i in (1, 0, 3, 2):
        move(control, i)
        expect(control.locator(".itt-value")).to_have_text(str(TAUS[i]))
        expect(control.locator(".sw-number")).to_have_text([of_bar(x) for x in WEIGHTS[i]])
        ends = control.locator(".sw-bar").evaluate_all("els => els.map(el => +el.style.getPropertyValue('--to'))")
        assert ends == pytest.approx(WEIGHTS[i], abs=1e-6)  # a probability fills its share of the scale, and no other
        expect(control.locator(".itt-readout")).to_have_text(readout(bars(start=i)))
    assert opened.complaints == [] and not [url for url in opened.requests if "models/" in url]


def test_two_settings_with_a_mask_and_a_gap(open_page):
    control = open_page(both()).control()
    for i, j in ((0, 1), (1, 0), (3, 1), (2, 0)):
        move(control, i)
        control.get_by_role("group", name="Mask").locator("label").nth(j).click()
        expect(control.locator(".itt-readout")).to_have_text(readout(both(start=(i, j))))
        expect(control.locator(".sw-bar.is-masked")).to_have_count(j)
        expect(control.locator(".sw-number")).to_have_text(
            ["masked" if MASKED.mask[i, j, c] else of_bar(x) for c, x in enumerate(WEIGHTS[i])]
        )
        wanted = "missing" if math.isnan(GAPS[i][j]) else shown(GAPS[i][j], 2)
        expect(control.locator(".sw-svg")).to_have_attribute(
            "aria-label", f"entropy {wanted}, <b>two</b> 1.00, at Temperature τ {TAUS[i]}"
        )
    line = control.locator(".sw-line").first
    assert line.get_attribute("d").count("M") == 2  # with the first setting of the second slider the line has a gap
    control.get_by_role("group", name="Mask").locator("label").nth(1).click()
    expect(line).not_to_have_attribute("d", re.compile("M.*M"))


def test_a_missing_bar_is_an_empty_outline(open_page):
    sweep = Sweep("t", "l", ("n", [1, 2]), bars=(["a", "b"], [[1, float("nan")], [2, 3]]))
    control = open_page(sweep).control()
    expect(control.locator(".sw-bar.is-missing")).to_have_count(1)
    expect(control.locator(".sw-number")).to_have_text(["1", "missing"])
    assert "stroke-dasharray" in sweep.picture()


def test_the_marker_stands_on_the_curve_and_a_click_moves_it(open_page):
    heights = [1, 10, 100, 1000]
    opened = open_page(Sweep("t", "l", ("n", [1, 10, 100, 1000]), curves={"cost": heights}, log=("x", "y"), start=2))
    control = opened.control()
    here = lambda: control.locator(".sw-here").evaluate(
        "el => (el.x1.baseVal.value - el.ownerSVGElement.querySelector('.sw-grid').x1.baseVal.value) /"
        " (el.ownerSVGElement.querySelector('.sw-grid').x2.baseVal.value -"
        " el.ownerSVGElement.querySelector('.sw-grid').x1.baseVal.value)"
    )
    assert here() == pytest.approx(2 / 3, abs=1e-3)  # on a logarithmic axis equal factors are equal steps
    ys = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", control.locator(".sw-line").get_attribute("d"))]
    assert np.diff(ys) == pytest.approx([ys[1] - ys[0]] * 3, abs=0.11) and ys[1] < ys[0]
    box = control.locator(".sw-grid").first.bounding_box()
    opened.page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + 20)
    expect(control.locator(".itt-value")).to_have_text("10")
    assert here() == pytest.approx(1 / 3, abs=1e-3)
    control.get_by_role("slider").press("ArrowRight")
    expect(control.locator(".itt-readout")).to_have_text("n 100: cost is 100.")


@pytest.mark.parametrize("heights", [[8, 4, 2, 1], [1, 2, 4, 8], [8, 8, 8, 8]], ids=["falls", "rises", "level"])
def test_a_number_stands_at_its_mark_and_not_on_the_line(open_page, heights):
    control = open_page(Sweep("t", "l", ("n", [1, 2, 3, 4]), curves={"cost": heights}), width=700).control()
    mark, number = control.locator(".sw-dot"), control.locator(".sw-at")
    for i, height in enumerate(heights):
        move(control, i)
        expect(number).to_have_text(str(height))
        at, words = mark.bounding_box(), number.bounding_box()
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        assert min(abs(words["x"] - x), abs(words["x"] + words["width"] - x)) < 14  # on one side of the mark
        middle = words["y"] + words["height"] / 2
        assert 8 < abs(middle - y) < 26 and words["y"] >= control.locator(".sw-svg").bounding_box()["y"] - 1


def test_no_number_stands_on_the_mark_of_another_line_and_equal_ones_are_said_once(open_page):
    curves = {"low": [5, 6.2, 4], "high": [5, 7, 5], "far": [5, 1, 0]}
    control = open_page(Sweep("t", "l", ("n", [1, 2, 3]), curves=curves), width=700).control()
    marks, numbers = control.locator(".sw-dot"), control.locator(".sw-at")
    for i, said in enumerate((1, 3, 3)):
        move(control, i)
        expect(numbers).to_have_count(said)
        boxes = [one.bounding_box() for one in numbers.all()]
        for mark in (one.bounding_box() for one in marks.all()):
            middle = mark["y"] + mark["height"] / 2
            assert all(abs(box["y"] + box["height"] / 2 - middle) > 8 for box in boxes), (i, middle, boxes)


@pytest.mark.parametrize("width", [1280, 700, 390])
def test_no_line_runs_through_a_number_and_none_stands_on_the_axis(open_page, width):
    """Nor at the end of the axis, where three lines part, and on its left only short numbers have room."""
    n = [128, 256, 512, 1024, 2048, 4096, 8192, 16384]
    costs = {
        "projecting": [8 * x * 768**2 for x in n],
        "comparing": [4 * x**2 * 768 for x in n],
        "network": [16 * x * 768**2 for x in n],
    }
    control = open_page(Sweep("t", "l", ("n", n), curves=costs, log=("x", "y")), width=width).control()
    crossed = """(svg) => [...svg.querySelectorAll(".sw-at")].flatMap((words) => {
        const box = words.getBBox(), inside = ({ x, y }) =>
            x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 4 && y < box.y + box.height - 4;
        return [...svg.querySelectorAll(".sw-line")].filter((line) =>
            Array.from({ length: 400 }, (_, i) => line.getPointAtLength((line.getTotalLength() * i) / 399)).some(inside),
        ).concat(box.x < svg.querySelector(".sw-grid").x1.baseVal.value ? [words] : []).map(() => words.textContent);
    })"""
    for i in range(len(n)):
        move(control, i)
        assert control.locator(".sw-svg").evaluate(crossed) == [], n[i]


def test_a_line_that_ends_early_is_led_to_its_name(open_page):
    heights = {"short": [3, 2, float("nan")], "long": [1, 2, 3]}
    control = open_page(Sweep("t", "l", ("n", [1, 2, 3]), curves=heights), width=700).control()
    expect(control.locator(".sw-leader")).to_have_count(1)
    name, leader = (control.locator(one).first.bounding_box() for one in (".sw-end", ".sw-leader"))
    assert 0 < name["x"] - leader["x"] - leader["width"] < 8


def level_sweep(**more):
    heights = {"A": [6, 5.8, 5.13], "D": [6, 5.2, 4.65], "C": [4, 1, 0]}
    return Sweep("t", "l", ("n", [1, 2, 3]), curves=heights, levels={"counting": 5.36}, floor=1.11, start=2, **more)


@pytest.mark.parametrize("width", [1280, 390])
def test_bars_have_the_colours_of_the_curves_of_their_names_and_no_mark_hides_another(open_page, width):
    """The costs of one layer at n = 1,024 and d = 768: two marks are 5 px apart."""
    names, n = ["projecting", "comparing", "rest"], [128, 1024, 1536, 16384]
    costs = {"projecting": [8 * x * 768**2 for x in n], "comparing": [4 * x**2 * 768 for x in n]}
    sweep = Sweep(
        "t", "l", ("n", n), bars=(names, [[1, 2, 3]] * 4), curves=costs | {"network": [16 * x * 768**2 for x in n]},
        log=("x", "y"), start=1,
    )  # fmt: skip
    opened = open_page(sweep, width=width)
    control = opened.control()
    expect(control.locator(".itt-value")).to_have_text("1,024")
    assert (
        "1,024" in control.locator(".sw-tick").all_text_contents()
    )  # where the dashed line stands, whatever gives way
    bars = control.locator(".sw-bar").evaluate_all(
        "els => els.map(el => getComputedStyle(el, '::before').backgroundColor)"
    )
    lines = control.locator(".sw-line").evaluate_all("els => els.map(el => getComputedStyle(el).stroke)")
    assert bars[:2] == lines[:2] and bars[2] not in lines
    still = BeautifulSoup(sweep.picture(), "html.parser").select_one("svg.is-wide")
    assert [one["fill"] for one in still.select("rect")] == [
        *(line["stroke"] for line in still.select(".sw-line")[:2]),
        "var(--itt-w)",
    ]
    dots = control.locator(".sw-dot").evaluate_all("els => els.map(({ cy, r }) => [cy.baseVal.value, r.baseVal.value])")
    assert all(abs(one[0] - other[0]) > other[1] + 1 for one in dots for other in dots if one is not other), dots
    assert "1024" in taken(opened, control, "Data (CSV)")


def test_levels_are_dashed_and_the_floor_has_its_own_colour(open_page):
    opened = open_page(level_sweep())
    control = opened.control()
    counting, floor = control.locator(".sw-level").all()  # the higher one comes first
    assert counting.get_attribute("stroke-dasharray") and not floor.get_attribute("stroke-dasharray")
    assert floor.get_attribute("stroke") == "var(--itt-v)" != counting.get_attribute("stroke")
    ink = "e => getComputedStyle(e).stroke"
    assert floor.evaluate(ink) not in [line.evaluate(ink) for line in control.locator(".sw-line").all()]
    assert control.locator(".sw-end").all_text_contents() == ["A", "D", "C", "counting", "floor"]
    expect(control.locator(".sw-dot")).to_have_count(3)  # a level has no mark, and no number
    assert control.locator(".sw-at").all_text_contents() == ["5.13", "4.65", "0.00"]
    assert float(counting.get_attribute("y1")) < float(floor.get_attribute("y1"))
    assert "sw-level" in level_sweep().picture() and opened.complaints == []


@pytest.mark.parametrize("width", [350, 700])
def test_each_name_stands_nearer_to_its_own_line_than_to_another(open_page, width):
    control = open_page(level_sweep(), width=width).control()
    middle = lambda one: one.bounding_box()["y"] + one.bounding_box()["height"] / 2
    marks = [middle(one) for one in control.locator(".sw-dot").all()]
    names = [middle(one) for one in control.locator(".sw-end").all()][:3]
    for k, name in enumerate(names):
        assert min(range(3), key=lambda i: abs(marks[i] - name)) == k, (marks, names)
    level = float(control.locator(".sw-level").first.get_attribute("y1"))
    top = control.locator(".sw-svg").bounding_box()["y"]
    assert abs(middle(control.locator(".sw-at").first) - top - level) > 8  # no line goes through the number


def test_above_its_top_a_curve_leaves_the_chart_and_no_number_is_made_up(open_page):
    heights = {"far": [1, 30, 1e40, 5], "near": [1, 2, 3, 4]}
    sweep = Sweep("t", "l", ("n", [1, 2, 3, 4]), curves=heights, log=("y",), top=100.0, start=2)
    opened = open_page(sweep)
    control = opened.control()
    expect(control.locator(".sw-at")).to_have_text(["↑ off the chart", "3"])
    expect(control.locator(".sw-dot")).to_have_count(1)
    assert "far is off the chart" in control.locator(".itt-readout").inner_text()
    assert "10" in sweep.curves["axis"]["ticks"][-1][1] and sweep.curves["axis"]["high"] == 100
    control.get_by_text("Read it as a table").click()
    expect(control.locator("table tbody tr").nth(2).locator("td").first).to_have_text("off the chart")
    move(control, 3)
    expect(control.locator(".sw-at")).to_have_text(["5", "4"])
    assert opened.complaints == []


def test_below_its_bottom_a_curve_stands_on_the_axis_and_its_number_says_so(open_page):
    heights = {"far": [1, 1e-9, 0.0, 1e-30], "near": [1, 2, 3, 4]}
    sweep = Sweep("t", "l", ("n", [1, 2, 3, 4]), curves=heights, log=("y",), bottom=1e-20, start=2)
    opened = open_page(sweep)
    control = opened.control()
    expect(control.locator(".sw-at")).to_have_text(["below 10⁻²⁰", "3.00"])
    expect(control.locator(".sw-dot")).to_have_count(2)
    expect(control.locator(".itt-readout")).to_have_text("n 3: far is below 10⁻²⁰, near is 3.00.")
    assert sweep.curves["axis"]["low"] == 1e-20 and sweep.again["bottom"] == 1e-20
    control.get_by_text("Read it as a table").click()
    expect(control.locator("table tbody tr").nth(2).locator("td").first).to_have_text("below 10⁻²⁰")
    assert opened.complaints == []
    with pytest.raises(ValueError, match="heights above 0"):
        Sweep("t", "l", ("n", [1, 2]), curves={"far": [1, 0]}, log=("y",))


def test_sentences_of_the_author_are_text_with_bold_words(open_page):
    said = ["**0.5** < 1 & <img src=x onerror='globalThis.hit = 1'>", "**a** and **b**", "plain", "** not closed"]
    opened = open_page(bars(said=said))
    control = opened.control()
    for i, bold in enumerate((["0.5"], ["a", "b"], [], [])):
        move(control, i)
        expect(control.locator(".itt-readout")).to_have_text(re.sub(r"\*\*(.+?)\*\*", r"\1", said[i]))
        expect(control.locator(".itt-readout b")).to_have_text(bold)
    assert "<img" not in bars(said=said).picture() and "<b>0.5</b> &lt; 1 &amp; &lt;img" in bars(said=said).picture()
    assert opened.page.evaluate("() => globalThis.hit") is None and control.locator("img").count() == 0


def test_the_data_and_the_picture_to_take_along(open_page):
    opened = open_page(both(start=(2, 1)))
    control = opened.control()

    head, *rows = csv.reader(taken(opened, control, "Data (CSV)").splitlines())
    assert head == ["Temperature τ", "Mask", *WORDS, "entropy", "<b>two</b>"] and len(rows) == 8
    for row, (i, j) in zip(rows, np.ndindex(4, 2)):
        assert row[:2] == [str(TAUS[i]), ["none", "causal"][j]]
        assert [float(x) for x in row[2:4]] == pytest.approx(WEIGHTS[i, :2], rel=1e-5)
        assert row[4] == "masked" if j else float(row[4]) == pytest.approx(WEIGHTS[i, 2], rel=1e-5)
        assert row[5] == "missing" if math.isnan(GAPS[i][j]) else float(row[5]) == GAPS[i][j]
    picture = taken(opened, control, "Picture (SVG)")
    assert "<b>" not in picture
    assert_a_picture(opened, picture)
    control.get_by_text("Read it as a table").click()
    expect(control.locator("table tbody tr")).to_have_count(8)


def framed(start, **more):
    curves = {"a": [1, 2, 1e30], "b": [3, 2, 1]}
    return Sweep("t", "l", ("n", [1, 2, 3]), curves=curves, levels={"x": 2.5}, floor=0.5, top=4.0, start=start, **more)


@pytest.mark.parametrize("make", [bars, both, framed])
def test_the_copied_cell_makes_the_same_sweep(browser, make):
    sweep, page = make(start=(1, 1) if make is both else 1, number="4.3", said=None), browser.new_page()
    load(page, "sweep/numbers.js", "sweep")
    state = {name: getattr(sweep, name) for name in ("title", "lede", "over", "said", "again", "number", "name")}
    packed = {
        name: {k: list(v) if isinstance(v, bytes) else v for k, v in getattr(sweep, name).items()}
        for name in ("bars", "curves")
    }
    text = page.evaluate(
        """([state, packed, at]) => {
      for (const [name, key] of [["bars", "heights"], ["curves", "values"]]) state[name] = packed[name][key] ? { ...packed[name], [key]: new Uint8Array(packed[name][key]) } : packed[name];
      const model = { get: (name) => state[name] };
      return sweep.cell(model, sweep.read(model), at);
    }""",
        [state, packed, [1, 1][: len(sweep.over)]],
    )
    again = eval(text, {"Sweep": Sweep})
    for name in ("title", "lede", "over", "first", "second", "bars", "curves", "again", "number", "name"):
        assert getattr(again, name) == getattr(sweep, name), name
    page.close()


@pytest.mark.parametrize(
    "state", [{"first": "3"}, {"first": "99"}, {"first": "-5"}, {"first": "1.5", "second": "soon"}, {"second": "1"}]
)
def test_an_address_opens_a_position_or_the_nearest_there_is(open_page, state):
    opened = open_page(both(name="s"), state={"itt": "s"} | state)
    control = opened.control()
    at = min(3, max(0, round(float(state.get("first", 0)) + 1e-9))), 1 if state.get("second") == "1" else 0
    expect(control.locator(".itt-readout")).to_have_text(readout(both(start=at)))
    assert opened.complaints == []


def test_a_link_and_two_sweeps_that_move_apart(open_page):
    opened = open_page(bars(name="one"), bars(name="two"))
    first, second = opened.control(0), opened.control(1)
    move(first, 3)
    expect(first.locator(".itt-value")).to_have_text("2.5")
    expect(second.locator(".itt-value")).to_have_text("0.1")
    link = first.get_by_role("link", name="Link to this state")
    link.focus()
    expect(link).to_have_attribute("href", "#itt=one&first=3&second=0")


def test_damaged_bytes_leave_the_picture_and_a_sentence(open_page):
    opened = open_page(bars())
    index = opened.page.url.removeprefix("file://")
    with open(index, encoding="utf-8") as file:
        source = file.read()
    start = source.index(">", source.index("widget-state+json")) + 1
    states = json.loads(source[start : source.index("</script>", start)])
    next(iter(states["state"].values()))["buffers"][0]["data"] = "AAAA"
    with open(index, "w", encoding="utf-8") as file:
        file.write(
            source[:start] + json.dumps(states).replace("<", "\\u003c") + source[source.index("</script>", start) :]
        )
    opened.page.reload()
    expect(opened.page.get_by_role("alert")).to_contain_text("could not be started")
    expect(opened.page.locator(".itt-still svg.is-wide")).to_be_visible()


def test_without_javascript_bars_and_curves_remain(open_page):
    opened = open_page(both(start=(2, 1)), java_script_enabled=False)
    still = opened.page.locator(".itt-still")
    written = still.locator("svg.is-wide text").all_text_contents()
    assert [word for word in written if word in {of_bar(x) for x in WEIGHTS[2]} | {"masked"}] == [
        of_bar(x) for x in WEIGHTS[2, :2]
    ] + ["masked"]
    expect(still.locator("svg.is-wide .sw-line")).to_have_count(2)
    expect(still.locator(".itt-readout")).to_contain_text("the highest of 3 bars is cat")
    assert (
        "moves where JavaScript is allowed" in still.locator(".itt-still-note").inner_text()
    )  # nothing runs here that could be late


@pytest.mark.parametrize(
    ("width", "drawing", "ticks"),
    [(1280, "is-wide", ["0", "0.25", "0.5", "0.75", "1"]), (390, "is-narrow", ["0", "0.5", "1"])],
)
def test_below_the_bars_stand_the_same_ticks_at_rest_and_alive(open_page, width, drawing, ticks):
    alive = open_page(bars(), width=width).control().locator(".sw-mark:visible").all_inner_texts()
    still = BeautifulSoup(bars().picture(), "html.parser").select(f"svg.{drawing} text[font-size='11']")
    assert alive == [one.get_text() for one in still] == ticks


def test_in_print_stands_the_position_that_is_meant_for_it(open_page):
    opened = open_page(bars(paper=-1, said=["one", "two", "three", "four"]), java_script_enabled=False)
    still = opened.page.locator(".itt-still")
    for media, seen, hidden, weights, said in (
        ("screen", "is-wide", "is-paper", WEIGHTS[0], "one"),
        ("print", "is-paper", "is-wide", WEIGHTS[3], "four"),
    ):
        opened.page.emulate_media(media=media)
        expect(still.locator(f"svg.{seen}")).to_be_visible()
        expect(still.locator(f"svg.{hidden}")).to_be_hidden()
        written = still.locator(f"svg.{seen} text").all_text_contents()
        numbers = [of_bar(x) for x in weights]
        assert [word for word in written if word in numbers] == numbers
        assert still.locator(".itt-readout").inner_text() == said


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    long = Sweep(
        "Long names",
        "Move it.",
        ("A slider with a rather long label", [f"a long value {i}" for i in range(9)]),
        curves={"a name that is far too long for a phone": range(9), "b": [2] * 9},
        bars=(["a label that does not fit at all", "b"], np.arange(18).reshape(9, 2) - 9),
        name="long",
    )
    opened = open_page(bars(), both(name="both"), long, width=1280)
    for i in range(3):
        opened.control(i).get_by_text("Read it as a table").click()

    def none_outside(width: int) -> None:
        outside = opened.page.evaluate(
            "() => [...document.querySelectorAll('.sw-svg text')].filter(t => { const a = t.getBoundingClientRect(), b ="
            " t.closest('.itt').getBoundingClientRect(); return a.left < b.left || a.right > b.right; }).map(t =>"
            " t.textContent)"
        )
        assert outside == [], width

    opened.fits(1280, 700, 350, look=none_outside)
    ids = opened.page.evaluate("() => [...document.querySelectorAll('[id]')].map(el => el.id)")
    assert len(ids) == len(set(ids))
