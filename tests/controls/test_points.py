"""Points: planes, neighbours and lines against plain numpy, and what a reader finds of them in the page."""

import csv

import numpy as np
import pytest
from controls.expected import label, readout
from controls.hands import assert_a_picture, assert_damaged_bytes_are_told, taken
from controls.hostile import HOSTILE, OWN_IMAGE, type_in
from playwright.sync_api import expect

from labutils.controls import Points
from labutils.controls.points.tables import RIDGE, along, fitted, neighbours, principal
from labutils.controls.script import call

DICE = np.random.default_rng(3)
WORDS = [f"w{i}" for i in range(40)]
CENTRES = np.zeros((40, 6))
CENTRES[:15, 0], CENTRES[15:30, 1] = 1.2, 1.2
VECTORS = CENTRES + DICE.normal(size=(40, 6))
LATER = VECTORS @ DICE.normal(size=(6, 6))
GROUPS = {"reds": WORDS[:15], "blues": WORDS[15:30]}


def points(**more):
    return Points("Planes", "Choose one.", WORDS, **{"vectors": VECTORS, "groups": GROUPS} | more)


def layers(**more):
    return points(vectors={"layer 0": VECTORS, "layer 1": LATER}, **more)


def cosines(vectors):
    units = vectors / np.sqrt((vectors**2).sum(1, keepdims=True))
    return units @ units.T


def ranked(vectors, i):
    row = cosines(vectors)[i]
    return sorted((j for j in range(len(row)) if j != i), key=lambda j: -row[j])


def one_left_out(vectors, above, below):
    """Scores of the members, each from a line that is fitted again without it; the others from the line of all."""
    centred = vectors - vectors.mean(0)
    x = np.hstack([centred / np.sqrt((centred**2).sum(1).mean()), np.ones((len(vectors), 1))])
    weight, y = above / above.sum() / 2 + below / below.sum() / 2, above.astype(float) - below

    def line(keep):
        w = weight * keep
        ridge = np.diag([RIDGE] * vectors.shape[1] + [0.0])
        return np.linalg.solve(x.T @ np.diag(w) @ x + ridge, x.T @ (w * y))

    every = x @ line(np.ones(len(x)))
    apart = [x[i] @ line(np.arange(len(x)) != i) for i in range(len(x))]
    return np.where(above | below, apart, every)


def table(opened, control) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in csv.reader(taken(opened, control, "Data (CSV)").splitlines())}


def near(control) -> list[tuple[str, str]]:
    return list(
        zip(control.locator(".pt-word").all_inner_texts(), control.locator(".pt-number").all_inner_texts(), strict=True)
    )


def wanted(vectors, i, k):
    return [(WORDS[j], f"{cosines(vectors)[i, j] + 1e-9:.3f}".replace("-", "−")) for j in ranked(vectors, i)[:k]]


def slide(control, name, value):
    control.get_by_role("slider", name=name).evaluate(
        "(el, i) => { el.value = i; el.dispatchEvent(new Event('input', { bubbles: true })) }", value
    )


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"words": ["a", "b"]}, "2 words: a plane shows 3 to 2,000"),
        ({"words": [str(i) for i in range(2001)]}, "2001 words"),
        ({"vectors": VECTORS[:9]}, r"has the shape \(9, 6\), and there are 40 words"),
        ({"vectors": [[1, 2]] * 39 + [[1]]}, "rows of one length"),
        ({"vectors": VECTORS[:, :1]}, "needs two or more"),
        ({"vectors": np.where(np.arange(40)[:, None] == 7, 0, VECTORS)}, "of 'w7' is 0 and has no direction"),
        ({"vectors": np.where(np.arange(40)[:, None] == 7, np.nan, VECTORS)}, "not finite"),
        ({"vectors": {}}, "0 tables"),
        ({"vectors": {"a": VECTORS}, "coordinates": {"b": VECTORS[:, :2]}}, "different names"),
        ({"coordinates": VECTORS}, "6 numbers for each word, and a plane takes two"),
        ({"groups": ["a"]}, "1 entries for 40 words"),
        ({"groups": {"a": ["nobody"]}}, "has 'nobody', which is not among the words"),
        ({"groups": {"a": ["w1"], "b": ["w1"]}}, "in two groups"),
        ({"groups": [str(i % 7) for i in range(40)]}, "7 names: 6 can be told apart"),
        ({"k": 0}, "1 to 20 neighbours"),
        ({"k": 21}, "1 to 20 neighbours"),
        ({"word": "nobody"}, "no word 'nobody'"),
        ({"word": 40}, "no word 40"),
        ({"table": 1}, "no table 1"),
        ({"probe": ("reds", "greens")}, "no line that could be drawn"),
        ({"axes": ("x",)}, "no pair of names"),
        ({"directions": {"up": (VECTORS[0], "reds")}}, r"takes \(vector, group above, group below\)"),
        ({"directions": {"up": (VECTORS[0], "reds", "greens")}}, "two groups that there are"),
        ({"directions": {"up": ([1, 2], "reds", "blues")}}, "needs 6 numbers"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words) as refusal:
        Points("t", "l", **{"words": WORDS, "vectors": VECTORS, "groups": GROUPS} | arguments)
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)


def test_principal_components_are_those_of_the_covariance():
    plane, shares = principal(VECTORS)
    values, axes = np.linalg.eigh(np.cov(VECTORS.T))
    assert shares == pytest.approx((values[::-1] / values.sum())[:2], abs=1e-6)
    for a in (0, 1):
        mine = (VECTORS - VECTORS.mean(0)) @ axes[:, -1 - a]
        assert plane[:, a] == pytest.approx(mine if mine @ plane[:, a] > 0 else -mine)


def test_neighbours_by_brute_force():
    found, values = neighbours(VECTORS, 20)
    for i in range(40):
        assert found[i].tolist() == ranked(VECTORS, i)[:20] and i not in found[i]
        assert values[i] == pytest.approx(cosines(VECTORS)[i, found[i]])


def test_a_word_is_judged_by_a_line_that_was_fitted_without_it():
    above, below = np.arange(40) < 15, (np.arange(40) >= 15) & (np.arange(40) < 28)  # of different size
    assert fitted(VECTORS, above, below) == pytest.approx(one_left_out(VECTORS, above, below))
    within = fitted(VECTORS, above, below)
    noise = DICE.normal(size=(40, 200))  # wider than there are words: a line that has seen all separates any groups
    scores = fitted(noise, above, below)
    assert ((scores[above] > 0).mean() + (scores[below] < 0).mean()) / 2 < 0.8
    assert ((within[above] > 0).mean() + (within[below] < 0).mean()) / 2 > 0.6


def test_a_given_direction_has_its_border_between_the_other_words():
    above, below, places = np.arange(40) < 15, np.arange(40) >= 25, VECTORS @ np.arange(6)
    scores, half = along(places, above, below), abs(places[above].mean() - places[below].mean()) / 2
    for i in range(40):
        keep = np.arange(40) != i if above[i] or below[i] else np.full(40, True)
        border = (places[above & keep].mean() + places[below & keep].mean()) / 2
        assert scores[i] == pytest.approx((places[i] - border) / half)


def test_tables_turn_as_little_as_possible():
    turned = Points("t", "l", WORDS, {"a": VECTORS, "b": -VECTORS})
    a, b = (np.frombuffer(table["plane"], "<f4") for table in turned.tables)
    assert a == pytest.approx(b, abs=1e-5)


@pytest.mark.parametrize("at", [0, 1])
def test_a_word_its_nearest_and_its_place(open_page, at):
    opened = open_page(layers(word="w3", k=5))
    control, vectors = opened.control(), (VECTORS, LATER)[at]
    control.get_by_role("group", name="Vectors").locator("label").nth(at).click()
    assert near(control) == wanted(vectors, 3, 5)
    slide(control, "Nearest words", 20)
    assert near(control) == wanted(vectors, 3, 20)
    expect(control.locator(".itt-readout")).to_have_text(readout(layers(word="w3", k=20, table=at)))
    rows, plane = table(opened, control), principal(vectors)[0]
    signs = np.sign(
        (np.array([[float(x) for x in rows[word][1:3]] for word in WORDS]) * plane).sum(0)
    )  # a component may be turned round
    for i, word in enumerate(WORDS):
        assert rows[word][0] == ("reds" if i < 15 else "blues" if i < 30 else "")
        assert [float(x) for x in rows[word][1:3]] == pytest.approx(plane[i] * signs, abs=6e-4)
    words = control.locator(".pt-word").all_inner_texts()
    control.locator(".pt-row").nth(2).click()
    assert near(control) == wanted(vectors, WORDS.index(words[2]), 20) and opened.complaints == []


def test_before_a_choice_nothing_is_near(open_page):
    made = points(word=None, k=4, probe=("reds", "blues"))
    opened = open_page(made)
    control = opened.control()
    expect(control.locator(".itt-readout")).to_have_text(readout(made))
    assert readout(made).startswith("40 words, and none is chosen yet. A line puts ")
    assert near(control) == [] and control.locator(".pt-label").count() == 0
    assert "Nearest: choose a word" in made.picture() and "“" not in readout(made)
    assert taken(opened, control, "Data (CSV)").splitlines()[0].count(",") == 3
    assert call("look/state.js", "pythonCall", "Points", {"word": None, "k": 4}) == "Points(word=None, k=4)"
    control.locator(".pt-svg").press("ArrowLeft")
    assert near(control) == wanted(VECTORS, 0, 4) and opened.complaints == []


def test_the_shares_of_the_variance_are_shown(open_page):
    control = open_page(points()).control()
    first, second = principal(VECTORS)[1]
    texts = control.locator(".pt-svg text").all_text_contents()
    assert f"Principal component 1, {round(100 * first)}% of the variance →" in texts
    assert f"↑ Principal component 2, {round(100 * second)}% of the variance" in texts
    assert (
        f"The plane shows {round(100 * (first + second))}% of the variance"
        in control.locator(".itt-readout").inner_text()
    )


def test_a_line_between_two_groups_is_an_axis(open_page):
    direction = {"upwards": (np.eye(6)[1] - np.eye(6)[0], "blues", "reds")}
    opened = open_page(points(directions=direction))
    control = opened.control()
    above, below = np.arange(40) < 15, (np.arange(40) >= 15) & (np.arange(40) < 30)
    for choice, scores, (up, down), names in (
        ("reds or blues", one_left_out(VECTORS, above, below), (above, below), ("reds", "blues")),
        ("upwards", along(VECTORS @ direction["upwards"][0], below, above), (below, above), ("blues", "reds")),
    ):
        control.locator(".itt-seg-item", has_text=choice).click()
        right = (scores[up] > 0).sum(), (scores[down] < 0).sum()
        said = control.locator(".itt-readout").inner_text()
        assert f"({right[0]} of 15 {names[0]}, {right[1]} of 15 {names[1]}, " in said
        assert f"{round(100 * (right[0] + right[1]) / 30)}%" in said and "Chance is 50%." in said
        rows = table(opened, control)
        assert [float(rows[word][1]) for word in WORDS] == pytest.approx(scores, abs=6e-4)
        texts = control.locator(".pt-svg text").all_text_contents()
        assert {f"← {names[1]}", f"{names[0]} →", "border"} <= set(texts)
    expect(control.locator(".itt-readout")).to_have_text(readout(points(directions=direction, probe="upwards")))


def test_a_word_is_found(open_page):
    opened = open_page(Points("t", "l", ["Cat", "cat", "cattle", "dog"], [[1, 0], [1, 1], [0, 1], [1, 2]], k=2))
    control = opened.control()
    chosen = lambda: control.locator(".pt-list .itt-label").inner_text().split("“")[1].split("”")[0]
    for words, found in (("cat", "cat"), ("Cat", "Cat"), ("CATT", "cattle"), ("d", "dog")):
        control.get_by_label("Find a word").fill(words)
        assert chosen() == found
    control.get_by_label("Find a word").fill("zebra")
    expect(control.locator(".itt-note.is-wrong")).to_have_text("No word here begins like this.")
    assert chosen() == "dog"
    control.get_by_label("Find a word").fill("")
    expect(control.locator(".itt-note.is-wrong")).to_have_count(0)


def test_a_pointer_and_the_keyboard_move_between_words(open_page):
    square = [[0, 0], [1, 0], [0, 1], [1, 1.0]]
    made = Points("t", "l", list("abcd"), DICE.normal(size=(4, 3)), coordinates=square, axes=("east", "north"), k=1)
    opened = open_page(made)
    control = opened.control()
    bold = control.locator(".pt-label[font-weight]")
    expect(bold).to_have_text("a")
    control.locator(".pt-svg").focus()
    for key, word in (("ArrowRight", "b"), ("ArrowUp", "d"), ("ArrowUp", "d"), ("ArrowLeft", "c"), ("ArrowDown", "a"),
                      ("End", "d"), ("Home", "a")):  # fmt: skip
        opened.page.keyboard.press(key)
        expect(bold).to_have_text(word)
    svg = control.locator(".pt-svg").bounding_box()
    at = control.locator(".pt-points").first.evaluate(
        "el => { const b = el.getBoundingClientRect(); return [b.right - 3, b.top + 3] }"
    )
    opened.page.mouse.move(*at)
    expect(control.locator(".pt-hover")).to_have_count(1)
    expect(control.locator(".pt-label").first).to_have_text("d")
    opened.page.mouse.move(svg["x"] + svg["width"] / 2, svg["y"] - 60)
    expect(control.locator(".pt-hover")).to_have_count(0)
    opened.page.mouse.click(*at)
    expect(bold).to_have_text("d")
    assert {"↑ north", "east →"} <= set(control.locator(".pt-svg text").all_text_contents())


def test_names_do_not_cover_one_another(open_page):
    crowded = Points("t", "l", [f"a word {i}" for i in range(30)], 1 + DICE.normal(size=(30, 4)) / 50, k=20)
    control = open_page(crowded).control()
    boxes = [one.bounding_box() for one in control.locator(".pt-label").all()]
    assert 2 <= len(boxes) <= 21
    edge = 4  # px of paper around the letters
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            beside = a["x"] + a["width"] - edge <= b["x"] + edge or b["x"] + b["width"] - edge <= a["x"] + edge
            above = a["y"] + a["height"] - edge <= b["y"] + edge or b["y"] + b["height"] - edge <= a["y"] + edge
            assert beside or above


def test_groups_differ_by_shape_and_colour(open_page):
    six = points(groups=[f"g{i % 6}" if i < 36 else None for i in range(40)])
    control = open_page(six).control()
    seen = control.locator(".pt-key path").evaluate_all(
        "els => els.map(el => [el.getAttribute('d'), el.getAttribute('fill')])"
    )
    assert len({d for d, _ in seen}) == len({fill for _, fill in seen}) == 7
    expect(control.locator(".pt-key bdi")).to_have_text([*(f"g{i}" for i in range(6)), "other"])
    assert control.get_by_label("Horizontal axis").locator("option").count() == 1 + 15  # many lines are a select
    control.get_by_label("Horizontal axis").select_option("g0 or g5")
    expect(control.locator(".itt-readout")).to_contain_text("of 6 g0")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_are_text(lasting_page, text):
    opened, control = lasting_page(points)
    type_in(control, text, "Find a word")
    expect(control.locator(".itt-note").first).to_have_text("No word here begins like this.")
    assert control.locator("img, script").count() == 0 and opened.page.evaluate(OWN_IMAGE) is None


def test_hostile_names_are_text(open_page):
    bad = [text[:300].replace("\ud800", "") for text in HOSTILE.values()]
    made = Points(bad[0], bad[1], bad, DICE.normal(size=(len(bad), 3)), ["<b>a</b>", *["b"] * (len(bad) - 1)], k=5)
    opened = open_page(made)
    control = opened.control()
    for i in range(len(bad)):
        control.locator(".pt-svg").press("Home" if i == 0 else "End" if i == 1 else "ArrowUp")
    assert set(control.locator(".pt-word").all_text_contents()) <= {label(text) for text in bad}
    assert control.locator("img, script").count() == 0 and opened.page.evaluate(OWN_IMAGE) is None
    assert opened.complaints == [] and "<img" not in made.picture()
    assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("state", [{"word": "7", "k": "3"}, {"word": "99"}, {"k": "0"}, {"probe": "9"}, {"table": "x"}])
def test_an_address_opens_a_word_or_the_nearest_there_is(open_page, state):
    control = open_page(points(name="s"), state={"itt": "s"} | state).control()
    i, k = {"7": 7, "99": 39}.get(state.get("word"), 0), {"3": 3, "0": 1}.get(state.get("k"), 8)
    assert near(control) == wanted(VECTORS, i, k)
    assert ("A line puts" in control.locator(".itt-readout").inner_text()) == (state.get("probe") == "9")


def test_the_picture_shows_the_chosen_word_and_its_nearest(open_page):
    opened = open_page(points(word="w20", k=4, probe=("blues", "reds")), java_script_enabled=False)
    still = opened.page.locator(".itt-still")
    texts = still.locator("svg.is-wide text").all_text_contents()
    for word, cosine in wanted(VECTORS, 20, 4):
        assert word in texts and cosine in texts
    assert {"Nearest to “w20”, by cosine", "border", "reds →", "← blues"} <= set(texts)
    assert "A line puts" in still.locator(".itt-readout").inner_text()


def test_a_picture_to_take_along(open_page):
    opened = open_page(points())
    picture = taken(opened, opened.control(), "Picture (SVG)")
    assert_a_picture(opened, picture)


def test_damaged_bytes_leave_the_picture_and_a_sentence(open_page):
    assert_damaged_bytes_are_told(open_page(points()), "plane")


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    long = Points("t", "l", [f"a rather long word {i}" for i in range(12)], {f"a long name {i}": DICE.normal(size=(12, 3))
                  for i in range(9)}, ["a group with a long name", "b", "c"] * 4, name="long")  # fmt: skip
    opened = open_page(points(), layers(name="layers"), long, width=1280)
    for i in range(3):
        opened.control(i).get_by_text("Read it as a table").click()

    def none_outside(width: int) -> None:
        outside = opened.page.evaluate(
            "() => [...document.querySelectorAll('.pt-svg text')].filter(t => { const a = t.getBoundingClientRect(), b ="
            " t.closest('.itt').getBoundingClientRect(); return a.left < b.left || a.right > b.right; }).map(t =>"
            " t.textContent)"
        )
        assert outside == [], width

    opened.fits(1280, 700, 350, look=none_outside)
