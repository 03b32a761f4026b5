"""Predict boxes: what Python refuses, and what a reader sees before and after the reveal."""

import pytest
from controls.modules import load
from playwright.sync_api import expect

from labutils.controls import predict

CHOICES = (("nothing", "No: *add* it up."), ("five sixths", "Yes, `5/6`."), ("one", "Only after dividing."))
box = lambda name="one", right=1: predict(name, "What does the *row* sum to?", *CHOICES, right=right)
number = lambda name="two", **more: predict(
    name, "How many steps?", answer=44, unit="steps", within=1, why="0.9 to the 44th.", **more
)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: predict("x", "?"), "three to five choices"),
        (lambda: predict("x", "?", *CHOICES, right=1, answer=3), "three to five choices"),
        (lambda: predict("x", "?", *CHOICES[:2], right=1), "has 2 choices"),
        (lambda: predict("x", "?", *CHOICES), "right="),
        (lambda: predict("x", "?", *CHOICES, right=3), "0 to 2"),
        (lambda: predict("x", "?", answer="many"), "is a number"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_the_picture_holds_the_question_and_folds_the_answer():
    html = predict("x", "Is <b> *bold*?", *CHOICES, right=1).picture()
    assert "Is &lt;b&gt; <em>bold</em>?" in html
    assert html.index("<details>") < html.index("Yes, <code>5/6</code>.")
    assert repr(box()) == "Predict('one')"


def test_guess_then_see_then_again(open_page):
    opened = open_page(box())
    control = opened.control()
    assert not control.get_by_text("Yes,").is_visible()
    control.get_by_role("button", name="See the answer").click()
    assert control.get_by_text("Choose one first.").is_visible()  # and the focus lies on the first choice
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("ArrowDown")
    control.get_by_role("button", name="See the answer").click()
    assert control.locator(".is-right .guess-mark").inner_text() == "right"
    assert control.locator(".is-guess .guess-mark").inner_text() == "your guess"
    expect(control.locator(".guess-status")).to_have_class("guess-status itt-sr")  # said to the ear: the eye has marks
    for reply in ("No: add it up.", "Yes, 5/6.", "Only after dividing."):
        assert control.get_by_text(reply).is_visible()
    control.get_by_role("button", name="Guess again").click()
    assert control.locator("input:checked").count() == 0 and not control.get_by_text("Yes,").is_visible()
    assert opened.complaints == []


def test_on_paper_the_answer_stands_there_and_then_it_is_asked_again(open_page):
    opened = open_page(box(), number())
    for i in (0, 1):  # only a control that has come alive hears that it is printed
        expect(opened.control(i).get_by_role("button", name="See the answer")).to_be_visible()
    turned = lambda to: opened.page.evaluate("name => dispatchEvent(new Event(name))", f"{to}print")
    turned("before")
    assert opened.control(0).get_by_text("Yes, 5/6.").is_visible()
    assert opened.control(1).locator(".guess-line").all_inner_texts() == ["The truth\n44 steps"]  # nobody has guessed
    assert "0.9 to the 44th." in opened.control(1).inner_text()
    turned("after")
    for i in (0, 1):
        assert opened.control(i).locator(".is-right:visible").count() == 0
        assert opened.control(i).get_by_role("button", name="See the answer").is_visible()
    assert opened.complaints == []


def test_a_guess_survives_a_reload_and_does_not_reach_another_box(open_page):
    opened = open_page(box("first"), box("second"))
    opened.control(0).locator("label", has_text="five sixths").click()
    opened.control(1).locator("label", has_text="nothing").click()
    assert (
        opened.control(0).locator("input:checked").get_attribute("value") == "1"
    )  # radios of two boxes do not untick each other
    opened.control(0).get_by_role("button", name="See the answer").click()
    opened.page.reload()
    assert opened.control(0).locator(".is-guess.is-right").count() == 1
    assert opened.control(1).locator("input:checked").count() == 0


def test_a_number_is_shown_beside_the_truth(open_page):
    control = open_page(
        number(replies=[(10, "That is the first one below a third."), (60, 100, "Halve it.")])
    ).control()
    field = control.get_by_label("Your guess, steps")
    field.fill("ten")
    field.press("Enter")
    assert "Write a number" in control.inner_text()
    field.fill("10")
    field.press("Enter")
    assert control.locator(".guess-line").all_inner_texts() == ["Your guess\n10 steps", "The truth\n44 steps"]
    widths = control.locator(".guess-bar").evaluate_all(
        "bars => bars.map(bar => parseFloat(getComputedStyle(bar, '::before').width))"
    )
    assert widths[0] / widths[1] == pytest.approx(10 / 44, rel=0.02)
    assert (
        "first one below a third" in control.inner_text()
        and "The answer is 4.4 times your guess." in control.inner_text()
    )


@pytest.mark.parametrize(
    "guess, verdict",
    [
        ("44", "Your guess is right."),
        ("43", "Your guess is near enough: the answer is 44 steps."),
        ("46", "2 too large"),
        ("−44", "88 too small"),
        ("88", "Your guess is twice the answer."),
        ("22", "The answer is twice your guess."),
        ("132", "Your guess is 3 times the answer."),
    ],
)
def test_what_is_said_of_a_number(open_page, guess, verdict):
    control = open_page(number()).control()
    control.get_by_role("textbox").fill(guess)
    control.get_by_role("button", name="See the answer").click()
    assert verdict in control.locator(".guess-status").inner_text()


def test_one_step_is_no_steps(open_page):
    control = open_page(number()).control()
    control.get_by_role("textbox").fill("1")
    control.get_by_role("button", name="See the answer").click()
    assert control.locator(".guess-line").all_inner_texts()[0] == "Your guess\n1 step"


def test_a_reply_without_a_lower_end_ends_where_it_says():
    low, high, _ = number(replies=[(-1e300, 0.99, "Count whole steps.")]).replies[0]
    assert low <= -1e300 and high == pytest.approx(0.99)


@pytest.mark.parametrize(
    "text, value",
    [
        ("12", 12),
        ("−3.5", -3.5),
        ("0,5", 0.5),
        ("1,000", 1000),
        ("1,234,567.5", 1234567.5),
        ("1/4", 0.25),
        ("2e6", 2e6),
        (" 7 ", 7),
        ("", None),
        ("1/0", None),
        ("1/2/3", None),
        ("12%", None),
        ("0x10", None),
        ("Infinity", None),
    ],
)
def test_numbers_as_people_write_them(number_page, text, value):
    assert number_page.evaluate("text => number.parse(text)", text) == value


@pytest.fixture(scope="module")
def number_page(browser):
    page = browser.new_page()
    load(page, "predict/number.js", "number")
    yield page
    page.close()


def test_without_storage_the_box_works_and_forgets(open_page):
    opened = open_page(box())
    opened.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied'); } })"
    )
    opened.page.reload()
    control = opened.control()
    control.locator("label", has_text="five sixths").click()
    control.get_by_role("button", name="See the answer").click()
    assert control.locator(".is-guess.is-right").count() == 1
    assert opened.complaints == []
