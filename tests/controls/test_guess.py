"""A guess that stands in the frame of a control."""

import comm
import pytest
from playwright.sync_api import expect

from labutils.controls import Explorer, Steps, predict

CHOICES = (("none", "No *head* has to."), ("one", "Head 0.3."), ("about ten", "Far fewer."))
asked = lambda name="in": predict(name, "How many <b>heads</b>?", *CHOICES, right=1)
number = lambda: predict("in-n", "How many points?", answer=17, unit="points", why="It keeps 1%.")

# what the site and JupyterLab put around the output of a cell: prose between the control and its answer, then a second one
AROUND = """() => {
  const add = (into, tag, cls) => Object.assign(into.appendChild(document.createElement(tag)), { className: cls });
  for (const place of document.querySelectorAll(".cell_output")) {
    const cell = Object.assign(document.createElement("div"), { className: "cell" });
    place.replaceWith(cell);
    cell.append(place);
  }
  const main = document.querySelector("main");
  add(main, "p", "").textContent = "Look at it first.";
  for (const kind of ["itt-answer", "itt-answer"]) add(add(main, "section", ""), "details", `itt-fold ${kind}`);
}"""
FOLDS = "folds => folds.map((fold) => fold.open)"


def surrounded(opened):
    opened.page.add_init_script(f"addEventListener('DOMContentLoaded', {AROUND})")
    opened.page.reload()
    return opened.control()


def test_only_a_question_is_taken_and_its_own_box_never_opens(monkeypatch):
    with pytest.raises(ValueError, match="guess= takes what"):
        Steps(guess="How many?")
    opened, create = [], comm.create_comm
    monkeypatch.setattr(comm, "create_comm", lambda **given: opened.append(given) or create(**given))
    control = Steps(guess=asked())
    assert control.guess["name"] == "in" and control.guess["right"] == 1 and Steps().guess == {}
    assert "steps" in [
        one["data"]["state"].get("name") for one in opened
    ]  # from the first: what is said later may be lost
    boxes = lambda: [one["data"]["state"]["name"] for one in opened if one["data"]["state"].get("control") == "predict"]
    other = predict("other", "?", *CHOICES, right=0)
    assert boxes() == []  # one that closes at once is an error in JupyterLab's console
    other._ipython_display_()
    assert boxes() == ["other"]


def test_the_still_picture_asks_above_its_drawing_and_folds_the_answer():
    html = Explorer(guess=asked()).picture()
    assert html.index("Your guess.") < html.index("&lt;b&gt;heads") < html.index("<svg")
    assert html.index("<details>") < html.index("No <em>head</em> has to.") < html.index("<svg")
    assert "guess" not in Explorer().picture()


def test_a_guess_in_a_control_opens_the_next_answer_and_keeps_its_value(open_page):
    opened = open_page(Explorer(guess=asked()))
    control = surrounded(opened)
    folds = opened.page.locator("details.itt-answer")
    box, stage = control.locator(".guess"), control.locator(".itt-stage")
    assert box.bounding_box()["y"] < stage.bounding_box()["y"]
    control.get_by_role("button", name="See the answer").click()
    expect(box.get_by_role("status")).to_have_text("Choose one first.")
    assert folds.evaluate_all(FOLDS) == [False, False]
    box.locator("label", has_text="about ten").click()
    control.get_by_role("button", name="See the answer").click()
    assert folds.evaluate_all(FOLDS) == [True, False]
    assert box.get_by_text("Head 0.3.").is_visible() and box.get_by_text("Far fewer.").is_visible()
    assert box.locator(".guess-text").all_inner_texts() == ["none", "one", "about ten"]  # all, as in a box of its own
    assert [row.is_visible() for row in box.locator(".guess-row").all()] == 3 * [True]
    expect(box.locator(".is-right .guess-text")).to_have_text("one")
    opened.page.reload()
    opened.control()
    expect(box.locator(".is-guess .guess-mark")).to_have_text("your guess")
    assert folds.evaluate_all(FOLDS) == [True, False]
    box.get_by_role("button", name="Guess again").click()
    assert box.get_by_text("none", exact=True).is_visible() and box.locator("input:checked").count() == 0
    assert opened.complaints == []


def test_it_opens_too_where_answer_and_guess_are_sections_of_one_level(open_page):
    opened = open_page(Steps(guess=asked()))
    box = surrounded(opened).locator(".guess")
    opened.page.evaluate("""() => {
      const cell = document.querySelector(".cell"), section = document.createElement("section");
      cell.replaceWith(section);
      section.append(cell);
    }""")
    box.locator("label").first.click()
    box.get_by_role("button", name="See the answer").click()
    assert opened.page.locator("details.itt-answer").evaluate_all(FOLDS) == [True, False]


def test_an_answer_that_belongs_to_another_guess_stays_closed(open_page):
    opened = open_page(Steps(guess=asked()), asked("other"))
    box = surrounded(opened).locator(".guess")
    opened.control(1)
    box.locator("label").first.click()
    box.get_by_role("button", name="See the answer").click()
    assert opened.page.locator("details.itt-answer").evaluate_all(FOLDS) == [False, False]


def test_a_guess_fits_in_its_control_in_both_themes(open_page):
    opened = open_page(Steps(guess=number()), Explorer(guess=asked()), width=1280, reduced_motion="reduce")
    control = opened.control()
    opened.control(1)
    for theme in ("light", "dark"):
        opened.theme(theme)
        assert opened.axe() == []
    control.get_by_label("Your guess, points").fill("16")
    control.get_by_role("button", name="See the answer").click()
    assert control.locator(".guess-line").all_inner_texts() == ["Your guess\n16 points", "The truth\n17 points"]
    assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_symbol_in_a_title_is_read_as_in_a_formula(open_page):
    control = Steps(title="Without √d_k", lede="√d_k is the root of the width.")
    assert "Without √<var>d</var><sub>k</sub>" in control.picture() and "d_k" not in control.picture().split("<svg")[0]
    assert open_page(control).control().locator(".itt-title").inner_text() == "Without √dk"
