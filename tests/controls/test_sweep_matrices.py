"""Matrices of a sweep: what an author may give, and what a reader sees of each cell against the numbers given."""

import csv
import re

import numpy as np
import pytest
from controls.expected import readout
from controls.hands import assert_a_picture, assert_damaged_bytes_are_told, taken
from controls.hostile import OWN_IMAGE
from playwright.sync_api import expect

from labutils.controls import Sweep

NS, ROWS, COLUMNS = [1, 2, 5], ["the", "cat"], ["le", "chat", "noir"]
SIGNED = np.random.default_rng(0).normal(size=(3, 2, 3))
SHARES = np.random.default_rng(1).dirichlet(np.ones(3), size=(3, 2))
RAGGED = [np.array([[0, 0.1, 0.2], [0.0003, 0.4, 0.5]]), np.full((3, 2), 0.25), np.eye(2)]


def signed(**more):
    return Sweep("Signed", "Move it.", ("n", NS), matrix=(ROWS, COLUMNS, SIGNED), axes=("output", "input"), **more)


def ragged(**more):
    rows, columns = [ROWS, list("abc"), ["x", "y"]], [COLUMNS, ["p", "q"], ["x", "y"]]
    return Sweep("Ragged", "Choose.", ("text", ["one", "two", "three"]), matrix=(rows, columns, RAGGED),
                 unit="probability", **more)  # fmt: skip


def gaps(**more):
    values = np.ma.masked_array(np.arange(12.0).reshape(2, 2, 3), False)
    values[1, 0, 2], values[0, 1, 1] = np.ma.masked, np.nan
    return Sweep("Gaps", "Move it.", ("n", [1, 2]), matrix=(ROWS, COLUMNS, values), **more)


def two(**more):
    values = np.arange(3 * 2 * 6).reshape(3, 2, 2, 3)
    return Sweep("Two", "Move both.", [("n", NS), ("mask", ["no", "yes"])], matrix=(ROWS, COLUMNS, values), **more)


def move(control, i):
    control.get_by_role("slider").first.evaluate(
        "(el, i) => { el.value = i; el.dispatchEvent(new Event('input', { bubbles: true })) }", i
    )


def written(x: float, decimals: int) -> str:
    if 0 < x < 0.5 * 10**-decimals:
        return f"<{10**-decimals:.{decimals}f}"
    return "masked" if x == -np.inf else "missing" if np.isnan(x) else f"{x:.{decimals}f}".replace("-", "−")


def table(opened, control) -> list[list[str]]:
    return list(csv.reader(taken(opened, control, "Data (CSV)").splitlines()))


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"matrix": (ROWS, COLUMNS)}, "three things"),
        ({"matrix": (ROWS, COLUMNS, SIGNED[:2])}, "2 matrices along a slider of 3"),
        ({"matrix": (ROWS, COLUMNS[:2], SIGNED)}, r"has the shape \(2, 3\) and should have \(2, 2\)"),
        ({"matrix": (ROWS, COLUMNS, [["a"] * 3] * 3)}, "does not hold numbers"),
        ({"matrix": (ROWS, COLUMNS, SIGNED + np.inf)}, "infinite"),
        ({"matrix": (ROWS, COLUMNS, np.full((3, 2, 3), np.nan))}, "no number at all"),
        ({"matrix": (range(129), [1], np.zeros((3, 129, 1)))}, "129 rows: a sweep draws 1 to 128"),
        ({"matrix": ([], COLUMNS, np.zeros((3, 0, 3)))}, "0 rows"),
        ({"matrix": ([["a"], ["b"]], COLUMNS, SIGNED)}, "2 rows along a slider of 3"),
        ({"scale": "rainbow"}, '"sequential" or "diverging"'),
        ({"scale": "sequential"}, "name both ends="),
        ({"ends": (-1, 2)}, "as far below 0 as above"),
        ({"ends": (2, 1)}, "the lower one first"),
        ({"ends": (-0.5, 0.5)}, "cannot show"),
        ({"axes": "rows"}, "no pair of names"),
        ({"decimals": 9}, "0 to 6 decimals"),
        ({"cell": (2, 0)}, "no row 2 to choose"),
        ({"cell": (0, -4)}, "no column -4 to choose"),
        ({"cell": (1,)}, "no pair"),
        ({"unit": ("a", "b")}, "2 names for matrix"),
        ({"start": 3}, "no position 3"),
    ],
)
def test_what_does_not_fit_is_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words) as refusal:
        Sweep("t", "l", **{"over": ("n", NS), "matrix": (ROWS, COLUMNS, SIGNED), **arguments})
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)


def test_more_numbers_than_a_page_should_carry_are_refused():
    with pytest.raises(ValueError, match="491,520 numbers, more than a page should carry"):
        Sweep("t", "l", ("n", list(range(30))), matrix=(range(128), range(128), np.zeros((30, 128, 128))))


def test_the_scale_is_stated_and_one_for_all_positions():
    assert (signed().matrix["scale"], *signed().matrix["ends"]) == ("div", -3, 3)
    assert 2 < abs(SIGNED).max() < 3
    shares = Sweep("t", "l", ("n", NS), matrix=(ROWS, COLUMNS, SHARES), unit="probability")
    assert (shares.matrix["scale"], shares.matrix["ends"]) == ("seq", [0, 1])
    assert signed(scale="sequential", ends=(-3, 3)).matrix["ticks"] == ["−3", "0", "3"]
    assert Sweep("t", "l", ("n", NS), matrix=(ROWS, COLUMNS, SHARES * 70)).matrix["ends"][0] == 0


@pytest.mark.parametrize("top, code", [(1, "int8"), (300, "int16"), (1e9, "float32"), (1e-9, "float32")])
def test_numbers_travel_in_few_bytes_and_as_they_are_written(top, code):
    assert Sweep("t", "l", ("n", NS), matrix=(ROWS, COLUMNS, SIGNED / abs(SIGNED).max() * top)).matrix["code"] == code


@pytest.mark.parametrize("make, values", [(signed, SIGNED), (ragged, RAGGED)])
def test_every_position_shows_the_numbers_that_were_given(open_page, make, values):
    opened = open_page(make(start=1))
    control, decimals = opened.control(), make().matrix["decimals"]
    for i in (1, 0, 2):
        if make is signed:
            move(control, i)
        else:
            control.get_by_role("group", name="text").locator("label").nth(i).click()
        expect(control.locator(".itt-readout")).to_have_text(readout(make(start=i)).split(": ")[0] + ": " + _range(
            values[i], decimals))  # fmt: skip
        head, *rows = table(opened, control)
        assert [row[1:] for row in rows] == [
            [written(x, decimals).replace("−", "-") for x in line] for line in np.asarray(values[i])
        ]
        assert len(head) == 1 + np.asarray(values[i]).shape[1]
    assert opened.complaints == []


def _range(values, decimals):
    return f"{values.size} numbers from {written(values.min(), decimals)} to {written(values.max(), decimals)}."


def rgb(colour: str) -> list[int]:
    """A computed colour, in whichever way it is written."""
    numbers = [float(x) for x in re.findall(r"[\d.]+", colour)][:3]
    return [round(255 * x) for x in numbers] if colour.startswith("color(") else [round(x) for x in numbers]


def test_the_colour_of_a_cell_is_its_place_on_the_scale(open_page):
    """The middle of a diverging scale is paper, and its ends are the theme's."""
    values = [[[-1, 0, 1]], [[1, 0, -1]]]
    opened = open_page(Sweep("t", "l", ("n", [1, 2]), matrix=(["a"], list("xyz"), values)))
    control = opened.control()
    at = lambda k: control.locator(".sw-map").evaluate(
        """(svg, k) => { const box = svg.querySelector('.itt-cells').getBBox();
      const x = svg.querySelector('.sw-cross').getBBox().x + 1 + (k + 0.5) * (svg.querySelector('.sw-cross').getBBox().width - 2);
      const y = box.y + box.height / 2;
      const hit = [...svg.querySelectorAll('.itt-cells')].find((path) => path.isPointInFill(new DOMPoint(x, y)));
      return getComputedStyle(hit).fill; }""",
        k,
    )
    end = lambda name: control.evaluate(
        "(el, name) => { const probe = el.appendChild(document.createElement('i')); probe.style.color = `var(${name})`;"
        " const c = getComputedStyle(probe).color; probe.remove(); return c; }",
        name,
    )
    low, zero, high = (end(f"--itt-div-{k}") for k in (0, 4, 8))
    assert [rgb(at(k)) for k in range(3)] == [rgb(low), rgb(zero), rgb(high)]
    move(control, 1)
    assert [rgb(at(k)) for k in range(3)] == [rgb(high), rgb(zero), rgb(low)]
    expect(control.locator(".itt-legend-ticks span")).to_have_text(["−1", "0", "1"])


def test_a_pointer_and_the_keyboard_read_cells(open_page):
    opened = open_page(signed(cell=(1, 2)))
    control = opened.control()
    said, grid = control.locator(".sw-cell"), control.locator(".sw-map")
    decimals = signed().matrix["decimals"]
    best = int(SIGNED[0, 1].argmax())
    more = "No square in this line is larger." if best == 2 else (
        f"The largest in this line, {written(SIGNED[0, 1, best], decimals)}, is at input “{COLUMNS[best]}”.")  # fmt: skip
    expect(said).to_have_text(f"Output “cat”, input “noir”: {written(SIGNED[0, 1, 2], decimals)}. {more}")
    grid.focus()
    for key, (i, j) in {"ArrowLeft": (1, 1), "ArrowUp": (0, 1), "End": (0, 2), "Home": (0, 0)}.items():
        opened.page.keyboard.press(key)
        expect(said).to_contain_text(f"Output “{ROWS[i]}”, input “{COLUMNS[j]}”: {written(SIGNED[0, i, j], decimals)}.")
    box = control.locator(".sw-cross").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    opened.page.mouse.move(x + box["width"], y + box["height"])
    expect(said).to_contain_text("Output “cat”, input “chat”:")
    opened.page.mouse.move(x, y - 400)  # what a pointer only passed is not kept
    expect(said).to_contain_text("Output “the”, input “le”:")
    opened.page.mouse.click(x + 2 * box["width"], y)
    opened.page.mouse.move(x, y - 400)
    expect(said).to_contain_text("Output “the”, input “noir”:")
    link = control.get_by_role("link", name="Link to this state")
    link.focus()
    assert link.get_attribute("href").endswith("first=0&second=0&row=0&column=2")


@pytest.mark.parametrize("unit, after", [("cosine", ""), ("share", ""), ("tokens", " tokens")])
def test_only_what_counts_something_has_a_unit(open_page, unit, after):
    """A cosine of 0.97 is no number of cosines."""
    control = open_page(signed(unit=unit, decimals=2, cell=(1, 2))).control()
    expect(control.locator(".sw-cell strong, .sw-cell b")).to_have_text(f"{written(SIGNED[0, 1, 2], 2)}{after}")


def test_the_names_of_the_axes_end_inside_the_picture(open_page):
    """Also where the letters are wider than is reckoned with."""
    sweep = Sweep("t", "l", ("n", [1, 2]), matrix=(range(9), range(16), np.zeros((2, 9, 16))), axes=("place", "mmmm"))
    over = open_page(sweep).control().locator(".sw-map text", has_text="mmmm →")
    beyond = "t => t.getBoundingClientRect().right - t.ownerSVGElement.getBoundingClientRect().right"
    assert over.evaluate(beyond) <= 0.5


def test_masked_is_a_texture_and_missing_an_outline(open_page):
    opened = open_page(gaps(start=1, cell=(0, 2)))
    control = opened.control()
    expect(control.locator(".sw-cell")).to_have_text("Row “the”, column “noir”: masked.")
    expect(control.locator(".itt-legend-key")).to_be_visible()
    assert control.locator(".sw-map path[stroke='var(--itt-hatch)']").count() == 1
    assert [row[1:] for row in table(opened, control)[1:]] == [["6", "7", "masked"], ["9", "10", "11"]]
    move(control, 0)
    expect(control.locator(".itt-legend-key")).to_be_hidden()
    expect(control.locator(".sw-map rect[stroke-dasharray]")).to_have_count(1)
    assert table(opened, control)[2][2] == "missing"


def test_two_sliders_and_a_table_to_read(open_page):
    opened = open_page(two(start=(2, 1)))
    control = opened.control()
    control.get_by_text("Read it as a table").click()
    expect(control.locator("tbody tr").first).to_have_text("the303132")
    move(control, 0)
    control.get_by_role("group", name="mask").locator("label").first.click()
    expect(control.locator("tbody tr").first).to_have_text("the012")
    expect(control.locator("caption")).to_have_text("Two: n 1, mask no")


def test_a_matrix_with_bars_and_curves(open_page):
    both = Sweep("t", "l", ("n", NS), bars=(["a", "b"], SHARES[:, :, 0]), curves={"c": [1, 2, 3]},
                 matrix=(ROWS, COLUMNS, SIGNED), unit=("probability", "bits", ""), start=2)  # fmt: skip
    opened = open_page(both)
    control = opened.control()
    expect(control.locator(".sw-number")).to_have_text([f"{x:.3f}" for x in SHARES[2, :, 0]])
    rows = table(opened, control)
    assert [row[0] for row in rows[1:]] == [*ROWS, "a", "b", "c"] and rows[-1] == ["c", "3"]
    assert "c is 3 bits" in control.locator(".itt-readout").inner_text()


@pytest.mark.parametrize("state", [{"row": "1", "column": "2"}, {"row": "99"}, {"column": "-3"}, {"row": "soon"}])
def test_an_address_opens_a_cell_or_the_nearest_there_is(open_page, state):
    control = open_page(signed(name="s"), state={"itt": "s"} | state).control()
    i, j = {"1": 1, "99": 1}.get(state.get("row"), 0), 2 if state.get("column") == "2" else 0
    expect(control.locator(".sw-cell")).to_contain_text(f"Output “{ROWS[i]}”, input “{COLUMNS[j]}”:")


def test_hostile_names_are_text(open_page):
    bad = ["<img src=x onerror='globalThis.hit = 1'>", "\u202eabc", "x" * 300]
    opened = open_page(Sweep("t", "l", ("n", NS), matrix=(bad[:2], bad, SIGNED), axes=("<b>r</b>", "**c**")))
    control = opened.control()
    assert control.locator("img, .sw-cell bdi").count() == 0 and opened.page.evaluate(OWN_IMAGE) is None
    assert "<img" in control.locator(".sw-cell").inner_text() and opened.complaints == []
    assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_picture_holds_the_matrix(open_page):
    opened = open_page(signed(start=1, cell=(1, 0)), java_script_enabled=False)
    still, decimals = opened.page.locator(".itt-still"), signed().matrix["decimals"]
    words = still.locator("svg.is-wide text").all_text_contents()
    numbers = [written(x, decimals) for x in SIGNED[1].ravel()]
    assert [word for word in words if word in numbers] == numbers  # the cells are large enough to be written into
    assert set(ROWS + COLUMNS) <= set(words)
    assert (
        f"Output “cat”, input “le”: {written(SIGNED[1, 1, 0], decimals)}." in still.locator(".itt-readout").inner_text()
    )


def test_many_small_cells_are_few_marks():
    many = Sweep("t", "l", ("n", [1, 2]), matrix=(range(96), range(128), np.random.default_rng(0).random((2, 96, 128))))
    assert many.picture().count("<path") < 400 and len(many.picture()) < 600_000


def test_a_picture_to_take_along(open_page):
    opened = open_page(signed())
    picture = taken(opened, opened.control(), "Picture (SVG)")
    assert_a_picture(opened, picture)


def test_damaged_bytes_leave_the_picture_and_a_sentence(open_page):
    assert_damaged_bytes_are_told(open_page(signed()), "numbers")


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    large = Sweep("t", "l", ("n", [1, 2]), matrix=(range(64), range(128), np.random.default_rng(0).normal(size=(2, 64, 128))),
                  name="large")  # fmt: skip
    long = [f"a rather long word {i}" for i in range(20)]
    named = Sweep("t", "l", ("n", [1, 2]), matrix=(long, long, np.zeros((2, 20, 20))), name="named")
    opened = open_page(signed(), gaps(name="gaps"), large, named, width=1280)
    for i in range(4):
        opened.control(i)
    opened.control(0).get_by_text("Read it as a table").click()

    def none_outside(width: int) -> None:
        outside = opened.page.evaluate(
            "() => [...document.querySelectorAll('.sw-map text')].filter(t => { const a = t.getBoundingClientRect(), b ="
            " t.closest('.sw-map').getBoundingClientRect(); return a.left < b.left - 1 || a.right > b.right + 1 || a.top <"
            " b.top - 1; }).map(t => t.textContent)"
        )
        assert outside == [], width

    opened.fits(1280, 700, 350, look=none_outside)


def test_the_theme_is_followed(open_page):
    opened = open_page(signed())
    number = opened.control().locator(".sw-map text", has_text=re.compile(r"\d\.\d")).first
    light = number.evaluate("el => getComputedStyle(el).fill")
    opened.theme("dark")
    expect(opened.control().locator(".sw-map text", has_text=re.compile(r"\d\.\d")).first).not_to_have_css(
        "fill", light
    )
