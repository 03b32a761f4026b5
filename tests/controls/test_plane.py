"""Plane: counts are the record's, the record is the model's and the grammar's, a point is dragged and moved by keys."""

import re

import pytest
from controls.expected import label
from playwright.sync_api import expect

from labutils.controls import Plane, predict
from labutils.generation import Settings
from labutils.making import plane
from labutils.world import World

FOUND = plane.stored()
CELLS = {(cell["temperature"], cell["top_p"]): cell for cell in FOUND["cells"]}


def said(root):
    return root.locator(".itt-readout").inner_text()


def test_the_record_is_complete_and_its_verdicts_are_the_grammars():
    assert set(CELLS) == {(t, p) for t in plane.TEMPERATURES for p in plane.TOP_PS}
    world = World()
    for cell in CELLS.values():
        assert len(cell["stories"]) == plane.KEPT and cell["accepted"] <= plane.STORIES
        refused = [story for story in cell["stories"] if "why" in story]
        assert bool(refused) == (cell["accepted"] < plane.STORIES)
        for story in cell["stories"]:
            assert plane.judged(world, story["text"]) == story
            assert plane.accepts(world, story["text"]) == ("why" not in story)


def test_the_first_wrong_word_is_the_one_that_the_parser_names():
    world = World()
    story = plane.judged(world, "The cat sat on the mat. It was tired because lost.")
    start, end = story["at"]
    assert story["text"][start:end] == re.search(r'word "(\w+)"', story["why"])[1]
    assert plane.first_wrong(world, "The cat") == (7, 7)  # it may not end there


def test_a_setting_is_written_again_as_it_was_recorded():
    finished, _ = plane.written(Settings(temperature=0.5, top_p=0.5))
    assert finished[: plane.KEPT] == [story["text"] for story in CELLS[0.5, 0.5]["stories"]]


def test_the_other_ways_on_record_are_those_that_would_be_written():
    assert [row["settings"] for row in FOUND["ways"]] == list(plane.WAYS)


def test_a_setting_waits_for_its_guess(open_page):
    """Neither the cell nor all settings at once nor the table tells before the guess is made."""
    guess = predict("shut", "How many?", ("all", "No."), ("most", "Yes."), ("none", "No."), right=1)
    plane = Plane(0.8, 1.0, shut="1/1", until="shut", number="12.1")
    opened = open_page(plane, guess)
    root, box = opened.control(), opened.control(1)
    cell = root.locator('[data-place="1/1"]')
    told = str(next(one["accepted"] for one in plane.finished["cells"] if (one["temperature"], one["top_p"]) == (1, 1)))
    assert f">{told} of 60<" not in plane.picture()
    root.get_by_role("button", name="Show the other settings").click()
    expect(root.locator(".pn-count")).to_have_text("“?” opens once you have made your guess, below.")
    cell.click()
    expect(root.locator(".itt-readout")).to_have_text("This setting opens once you have made your guess, below.")
    expect(root.locator(".pn-list li")).to_have_count(0)
    expect(root.locator(".pn-cell.is-untried")).to_have_count(1)
    expect(cell).to_have_text("?")
    root.get_by_text("Read it as a table").click()
    expect(root.locator(".itt-data tbody tr")).to_have_count(len(CELLS) - 1)
    box.get_by_text("most", exact=True).click()
    box.get_by_role("button", name="See the answer").click()
    expect(cell).to_contain_text(told)
    expect(root.locator(".itt-readout")).to_contain_text(f"{told} of 60")
    expect(root.locator(".itt-data tbody tr")).to_have_count(len(CELLS))
    opened.page.reload()
    expect(opened.control().locator('[data-place="1/1"]')).not_to_have_text("?")
    assert opened.complaints == [] and opened.axe() == []


def test_on_paper_every_setting_is_open(open_page):
    """Also the one that waits for a guess, whose answer stands open in print; afterwards it waits again."""
    opened = open_page(Plane(1.3, 1.0, tried="0/1", shut="1/1", until="12-first", number="12.1"))
    root = opened.control()
    expect(root.locator(".pn-cell.is-untried")).to_have_count(18)
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(root.locator(".pn-cell.is-untried")).to_have_count(0)
    expect(root.locator('[data-place="1/1"] b')).to_have_text(str(CELLS[1.0, 1.0]["accepted"]))
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(root.locator(".pn-cell.is-untried")).to_have_count(18)
    expect(root.locator('[data-place="1/1"]')).to_have_text("?")
    assert opened.complaints == []


def test_the_still_picture_shows_every_setting():
    picture = re.sub("<[^>]+>", " ", Plane().picture())
    for cell in CELLS.values():
        assert f" {cell['accepted']} " in picture and f"{cell['words']} words" in picture


def test_nothing_is_told_before_a_setting_is_tried_and_keys_try_them(open_page):
    opened = open_page(Plane(number="12.1"))
    root = opened.control()
    expect(root.locator(".pn-cell.is-untried")).to_have_count(19)
    assert "are the same one" in said(root)
    root.locator('[data-place="0/0.5"]').focus()
    for key, place in (("End", "1.3/0.5"), ("ArrowUp", "1.3/0.8"), ("ArrowLeft", "1/0.8"), ("Home", "0/0.8")):
        opened.page.keyboard.press(key)
        expect(root.locator(f'[data-place="{place}"]')).to_be_focused()
        cell = CELLS[tuple(float(x) for x in place.split("/"))]
        expect(root.locator(f'[data-place="{place}"] b')).to_have_text(str(cell["accepted"]))
        assert f"{cell['words']} different words" in said(root)
    expect(root.locator(".pn-count")).to_have_text("5 of 20 tried")
    root.get_by_role("button", name="Show the other settings").click()
    expect(root.locator(".pn-cell.is-untried")).to_have_count(0)
    good = max((c for c in CELLS.values() if c["accepted"] >= 54), key=lambda c: c["words"])
    assert f"temperature {good['temperature']:g} and top-p {good['top_p']:g} uses the most, {good['words']}" in said(
        root
    )
    assert opened.complaints == [] and opened.axe() == []


@pytest.mark.parametrize("width", (390, 900))
def test_the_point_is_dragged(open_page, width):
    root = open_page(Plane(number="12.1"), width=width).control()
    root.locator(".pn-map").scroll_into_view_if_needed()
    point, there = root.locator(".pn-point").bounding_box(), root.locator('[data-place="1.3/1"]').bounding_box()
    mouse = root.page.mouse
    mouse.move(point["x"] + 10, point["y"] + 10)
    mouse.down()
    mouse.move(there["x"] + 20, there["y"] + 30, steps=6)
    mouse.up()
    expect(root.locator('[data-place="1.3/1"]')).to_have_attribute("aria-selected", "true")
    assert f"{CELLS[1.3, 1.0]['accepted']} of 60" in said(root)
    root.page.keyboard.press("ArrowDown")  # the keys go on from there
    there = root.locator('[data-place="1.3/0.95"]')
    expect(there).to_be_focused()
    box = there.bounding_box()
    mouse.move(box["x"] + 8, box["y"] + box["height"] - 8)  # anywhere in its cell
    mouse.down()
    mouse.move(box["x"] + 8, box["y"] + 1.5 * box["height"], steps=6)
    mouse.up()
    expect(root.locator('[data-place="1.3/0.8"]')).to_have_attribute("aria-selected", "true")


def test_a_refused_story_is_marked_at_its_first_wrong_word(open_page):
    root = open_page(Plane(temperature=1.3, top_p=1.0)).control()
    stories = CELLS[1.3, 1.0]["stories"]
    root.get_by_role("button", name="Show 12 of the 60").click()
    expect(root.locator(".pn-list li")).to_have_count(12)
    marks = sorted(root.locator(".pn-list mark").all_inner_texts())
    wrong = [one["text"][slice(*one["at"])] or "(end)" for one in stories if "why" in one]
    assert marks == sorted(label(word) for word in wrong) and len(marks) > 3


def test_text_of_a_model_is_never_markup(open_page):
    control = Plane(temperature=1.0, top_p=1.0)
    hostile = {"text": "<img src=x onerror=alert(1)> \u202eabc", "at": [0, 4], "why": 'The word "<b>" cannot'}
    cells = [c | {"stories": [hostile] * 12} for c in control.finished["cells"]]
    control.finished = control.finished | {"cells": cells}
    opened = open_page(control)
    root = opened.control()
    assert root.locator(".pn-list img, .pn-list b").count() == 0
    expect(root.locator(".pn-list mark").first).to_have_text("<img")
    assert opened.complaints == []


def test_what_was_not_measured_is_refused():
    with pytest.raises(ValueError, match="temperature"):
        Plane(temperature=0.7)
    with pytest.raises(ValueError, match="top_p"):
        Plane(top_p=2.0)
