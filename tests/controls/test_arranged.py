"""Where the parts of a control stand: one grid for its settings, and the sentence directly below what it reads."""

import pytest
from playwright.sync_api import expect

from labutils.controls import Budget, NextWord, Plane, Reuse, Sweep, Walk, predict

LEFTS = "all => all.map((one) => Math.round(one.getBoundingClientRect().left))"


def box(root, part: str):
    return root.locator(part).first.bounding_box()


def asking(**more):
    guess = predict("x-which", "Which?", ("a", "No."), ("b", "Yes."), ("c", "No."), right=1)
    return Sweep("t", "", ("n", [1, 2, 3, 4]), bars=(["a", "b"], [[0.5, 0.5]] * 4), guess=guess, **more)


def test_the_sliders_of_all_rows_stand_below_each_other(open_page):
    opened = open_page(NextWord(tuned=True, penalty=1.2), width=1120)
    opened.page.add_style_tag(content="main { max-width: none !important }")
    sliders = opened.control().locator(".nw-tuning .itt-slider").evaluate_all(LEFTS)
    assert len(sliders) == 7 and len(set(sliders)) == 4 and sliders[4:] == sliders[:3]


def test_what_stands_second_in_its_row_begins_at_one_place(open_page):
    root = open_page(Budget(), width=1120).control()
    seconds = root.locator(".bu-bar > .itt-row > :nth-child(2)").evaluate_all(LEFTS)
    assert len(seconds) == 3 and len(set(seconds)) == 1


def test_on_the_narrowest_phone_a_slider_has_the_whole_width(open_page):
    root = open_page(NextWord(tuned=True, penalty=1.2), width=296).control()
    assert len(set(root.locator(".nw-tuning .itt-slider").evaluate_all(LEFTS))) == 1
    assert box(root, ".nw-tuning .itt-slider input")["width"] > 150


@pytest.mark.parametrize("tuned", [True, False])
def test_on_a_phone_the_bars_come_first_then_what_they_say_and_what_moves_them(open_page, tuned):
    root = open_page(NextWord(tuned=tuned), width=358).control()
    names = (".nw-cols", ".itt-readout", ".nw-tuning" if tuned else ".itt-bar", ".itt-text", ".itt-foot")
    tops = [box(root, name)["y"] for name in names]
    assert tops == sorted(tops)
    if tuned:  # one picture, and below it the sliders: they and the bars are on one screen
        assert box(root, ".nw-tuning")["y"] + box(root, ".nw-tuning")["height"] - tops[0] < 844


def test_rules_that_are_open_can_be_closed_by_their_name(open_page):
    root = open_page(NextWord(tuned=True)).control()
    root.get_by_role("button", name="More rules").click()
    fewer = root.get_by_role("button", name="Fewer rules")
    expect(fewer).to_have_attribute("aria-expanded", "true")
    fewer.click()
    expect(root.locator(".nw-rarer")).to_be_hidden()
    expect(root.get_by_role("button", name="More rules")).to_be_visible()


def test_at_the_end_of_a_text_the_settings_rest_and_say_so(open_page):
    root = open_page(NextWord(tuned=True)).control()
    root.get_by_role("button", name="Write to the end").click()
    expect(root.locator(".itt-readout")).to_contain_text("Until then the settings have nothing to change.")
    for slider in root.locator(".nw-tuning input").all():
        expect(slider).to_be_disabled()
    root.get_by_role("button", name="Step back").click()
    expect(root.get_by_role("slider", name="Temperature")).to_be_enabled()


def test_the_sentence_stands_between_the_figure_and_the_guess(open_page):
    for width in (760, 390):
        root = open_page(asking(), width=width).control()
        tops = [box(root, part)["y"] for part in (".itt-stage", ".itt-readout", ".guess", ".itt-foot")]
        assert tops == sorted(tops), width


def test_no_panel_touches_what_stands_below_it(open_page):
    for width in (390, 296):
        root = open_page(asking(), width=width).control()
        panel = box(root, ".itt-bar")
        below = min(box(root, part)["y"] for part in (".itt-readout", ".guess"))
        assert below - panel["y"] - panel["height"] >= 12, width


def test_no_station_pushes_down_what_stands_below(open_page):
    root = open_page(Walk("The cat sat on the", view="stations"), width=920).control()
    tops = set()
    for name in ("Overview", "Attention", "Network", "Next word"):
        root.get_by_role("radio", name=name).check(force=True)
        expect(root.locator(".wk-stop input:checked + .wk-line")).to_contain_text(name)
        tops.add(round(box(root, ".itt-readout")["y"] - box(root, ".itt-head")["y"]))
    assert len(tops) == 1


def test_more_stories_are_offered_where_the_stories_begin(open_page):
    root = open_page(Plane(1.3, 1.0, tried="0/1"), width=1120).control()
    more, story = root.locator(".pn-more"), box(root, ".pn-list")
    inset = more.evaluate("one => parseFloat(getComputedStyle(one).paddingLeft)")
    assert abs(more.bounding_box()["x"] + inset + 1 - story["x"]) <= 1.5


def test_choices_that_do_not_fit_stand_in_equal_columns_and_begin_at_the_left(open_page):
    over = ("layer 3 adds", ["nothing", "attention", "network", "both"])
    sweep = Sweep("t", "", over, bars=(["a"], [[0.5]] * 4))
    root = open_page(sweep, width=296).control()
    boxes = [one.bounding_box() for one in root.locator(".itt-seg-item").all()]
    lefts, widths = [{round(one[side]) for one in boxes} for side in ("x", "width")]
    assert len(lefts) == 2 and len(widths) == 1 and len({round(one["y"]) for one in boxes}) == 2


def test_a_symbol_is_set_as_in_a_formula_and_read_as_text(open_page):
    choice = ("divided by", ["1", "√d_k", "d_k"])
    sweep = Sweep("How large is *s*?", "Move *s*.", [("*s*", [1, 2, 3]), choice], bars=(["a"], [[[0.5]] * 3] * 3))
    root = open_page(sweep).control()
    set_ = "all => all.map((one) => one.innerHTML)"
    assert root.locator(".itt-title, .itt-lede, .itt-slider .itt-label").evaluate_all(set_) == [
        "How large is <var>s</var>?",
        "Move <var>s</var>.",
        "<var>s</var>",
    ]
    assert root.locator(".itt-seg-item > span > span").evaluate_all(set_)[1] == "√<var>d</var><sub>k</sub>"
    expect(root.get_by_role("slider", name="s", exact=True)).to_be_visible()
    assert "*" not in sweep.picture()


def test_of_probabilities_none_that_is_not_all_is_written_as_all(open_page):
    bars = (["a", "b"], [[0.99999, 0.00001], [1.0, 0.0]])
    sweep = Sweep("t", "", ("n", [1, 2]), bars=bars, unit="probability")
    root = open_page(sweep).control()
    assert root.locator(".sw-number").all_inner_texts() == [">0.999", "<0.001"]
    root.get_by_role("slider").press("ArrowRight")
    expect(root.locator(".sw-number").first).to_have_text("1.000")
    assert "&gt;0.999" in sweep.picture()


def test_what_a_button_that_rests_has_done_can_be_read(open_page):
    root = open_page(Reuse()).control()
    main = root.locator(".ru-main")
    main.evaluate("one => { one.disabled = true }")
    assert main.evaluate("one => getComputedStyle(one).opacity") == "1"
