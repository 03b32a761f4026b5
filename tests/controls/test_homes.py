"""Controls on a page: whatever is missing, damaged or hostile, a reader sees a picture and a sentence."""

import json

import pytest
from controls.hands import assert_a_picture, taken
from controls.hostile import DAMAGED, HOSTILE, shown_or_refused, type_in, unharmed
from playwright.sync_api import expect

from labutils.controls import Explorer, Steps, predict

CHOICES = (("a", "no"), ("b", "yes"), ("c", "no"))
MAKE = {
    "steps": lambda **more: Steps(layer=2, head=4, query=8, **more),
    "explorer": lambda **more: Explorer(layer=2, head=4, query=8, **more),
}
READY = {"steps": ".st-table [role=gridcell]", "explorer": ".ex-word"}
both = pytest.mark.parametrize("kind", MAKE)


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(
        MAKE["steps"](),
        MAKE["explorer"](),
        predict("axe", "Which?", *CHOICES, right=1),
        predict("axe-n", "How many?", answer=3),
        width=1280,
    )
    for i in range(4):
        opened.control(i)
    assert opened.page.locator(".itt-still").count() == 0  # each picture makes room for its control
    for details in opened.page.locator("details").all():
        details.evaluate("el => { el.open = true }")
    assert all(url.startswith(("file:", "data:", "blob:")) for url in opened.requests)
    opened.fits(1280, 700, 350)
    ids = opened.page.evaluate("() => [...document.querySelectorAll('[id]')].map(el => el.id)")
    assert len(ids) == len(set(ids))


@both
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_as_text_or_refused_with_a_sentence(lasting_page, kind, text):
    opened, control = lasting_page(MAKE[kind])
    tokens, cap = {"steps": (".itt-tokens bdi", 24), "explorer": (".ex-word bdi", 64)}[kind]
    shown_or_refused(opened, control, text, tokens, cap)
    assert len(control.inner_text()) > 100


@both
def test_a_whole_word_that_is_markup_is_quoted_as_text(open_page, kind):
    """Pieces of a subword are too short to be markup. The paper model reads whole words, and names the one that it does
    not know.
    """
    word = '<img/src=x/onerror="globalThis.hit=1">'
    opened = open_page({"steps": Steps, "explorer": Explorer}[kind](model="paper-gpt2"))
    control = opened.control()
    type_in(control, f"the {word} sat")
    expect(control.locator(".itt-note.is-wrong")).to_contain_text(word)
    unharmed(opened, control)


@both
def test_an_unreadable_text_loses_nothing(open_page, kind):
    opened = open_page(MAKE[kind]())
    control = opened.control()
    before = control.locator(".itt-readout").inner_text()
    control.get_by_label("Your text").fill("")
    control.locator(".itt-note.is-wrong").wait_for()
    assert control.locator(".itt-readout").inner_text() == before
    assert control.get_by_label("Your text").get_attribute("aria-invalid") == "true"
    control.get_by_label("Your text").fill("A dog sat on the mat.")
    control.locator(READY[kind], has_text="dog" if kind == "explorer" else "").first.wait_for()
    opened.page.wait_for_function("() => !document.querySelector('.itt-note.is-wrong')")


@both
@pytest.mark.parametrize("damage", ["missing", "empty", "cut off", "other bytes", "lying"])
def test_without_sound_weights_the_finished_state_stays_and_says_so(open_page, models, kind, damage):
    sound = (models / "little-gpt2.js").read_text(encoding="utf-8")
    broken = DAMAGED.get(damage, lambda content: None)(sound)
    opened = open_page(
        MAKE[kind](),
        without=("little-gpt2.js",) if damage == "missing" else (),
        damage={} if broken is None else {"little-gpt2.js": broken},
    )
    control = opened.control()
    note = control.locator(".itt-note.is-wrong")
    note.wait_for()
    assert note.inner_text().endswith("What is shown is the finished state.")
    assert "of its weight to" in control.locator(".itt-readout").inner_text()
    expect(control.locator(READY[kind]).nth(5)).to_be_attached()


def test_what_moves_without_weights_still_moves(open_page):
    control = open_page(MAKE["steps"](), without=("little-gpt2.js",)).control()
    control.locator(".itt-tokens label").nth(3).click()
    assert "“on” gives" in control.locator(".itt-readout").inner_text()
    control.get_by_role("group", name="Head").locator("label", has_text="0").click()  # not in the finished state
    assert "appear when the model is there" in control.inner_text()


@pytest.mark.parametrize(
    "harm, words",
    [
        (lambda state: state["buffers"].clear(), "could not be started"),
        (lambda state: state["buffers"][0].update(encoding="hex"), "unknown encoding"),
        (lambda state: state["state"].update(control="sorter"), "does not know the control “sorter”"),
        (lambda state: state["state"]["finished"].update(shape=[4, 8, 99]), "could not be started"),
    ],
)
def test_a_damaged_page_shows_the_picture_and_a_sentence(open_page, harm, words):
    opened = open_page(MAKE["explorer"]())
    holder = 'script[type="application/vnd.jupyter.widget-state+json"]'
    states = json.loads(opened.page.locator(holder).text_content())
    harm(next(iter(states["state"].values())))
    page = opened.page.content()
    index = opened.page.url.removeprefix("file://")
    start = page.index("{", page.index("widget-state+json"))
    with open(index, encoding="utf-8") as file:
        source = file.read()
    start = source.index(">", source.index("widget-state+json")) + 1
    with open(index, "w", encoding="utf-8") as file:
        file.write(
            source[:start] + json.dumps(states).replace("<", "\\u003c") + source[source.index("</script>", start) :]
        )
    opened.page.reload()
    failed = opened.page.get_by_role("alert")
    failed.wait_for()
    assert words in failed.inner_text() and opened.page.locator(".itt-still svg.is-wide").first.is_visible()


def test_without_javascript_a_picture_and_a_sentence_remain(open_page):
    opened = open_page(
        MAKE["steps"](), MAKE["explorer"](), predict("off", "Which?", *CHOICES, right=1), java_script_enabled=False
    )
    assert opened.page.locator(".itt-still").count() == 3
    assert (
        opened.page.locator(".itt-still svg.is-wide").count() == 2
        and opened.page.locator(".itt-still svg.is-wide .itt-cells").count() > 10
    )
    assert all(
        "moves where JavaScript is allowed" in note for note in opened.page.locator(".itt-still-note").all_inner_texts()
    )
    assert opened.page.locator(".itt-still .itt-readout", has_text="of its weight to").count() == 2


@both
def test_the_theme_is_followed(open_page, kind):
    opened = open_page(MAKE[kind]())
    control = opened.control()
    colour = lambda: control.locator(".st-cell, .ex-word").first.evaluate("el => getComputedStyle(el).backgroundColor")
    light = colour()
    opened.theme("dark")
    expect(control.locator(".st-cell, .ex-word").first).not_to_have_css("background-color", light)


@both
def test_the_same_control_twice_moves_apart_and_the_code_is_there_once(open_page, kind):
    opened = open_page(MAKE[kind](name="one"), MAKE[kind](name="two"))
    first, second = opened.control(0), opened.control(1)
    before = second.locator(".itt-readout").inner_text()
    first.get_by_role("group", name="Head").locator("label", has_text="7").click()
    expect(first.locator(".itt-readout")).not_to_have_text(before)
    assert "7" in first.get_by_role("group", name="Head").locator("input:checked").get_attribute("value")
    assert second.locator(".itt-readout").inner_text() == before
    loaded = [url.rsplit("/", 1)[1] for url in opened.requests if url.endswith(".js")]
    assert len(loaded) == len(set(loaded)) and "little-gpt2.js" in loaded


@both
def test_what_a_reader_takes_along(open_page, kind):
    opened = open_page(MAKE[kind]())
    control = opened.control()
    control.locator(READY[kind]).first.wait_for()

    rows = taken(opened, control, "Data (CSV)").strip().splitlines()
    assert len(rows) == 12 and rows[1].startswith("0 The,")
    picture = taken(opened, control, "Picture (SVG)")
    assert picture.count("tired") >= 1
    assert_a_picture(opened, picture)
    control.get_by_text("Read it as a table").click()
    expect(control.locator("table tbody tr")).to_have_count(11)


def test_a_control_starts_when_it_comes_near(open_page):
    opened = open_page(*(MAKE["steps"](name=f"s{i}") for i in range(4)))
    opened.control(0)
    assert opened.page.locator(".itt-live > .itt").count() < 4
    opened.control(3)
    assert opened.page.locator(".itt-live > .itt").last.is_visible()


def test_a_link_opens_the_page_at_the_control_in_its_state(open_page):
    opened = open_page(*(MAKE["steps"](name=f"s{i}") for i in range(3)), state={"itt": "s2", "query": "3", "step": "3"})
    control = opened.page.locator(".itt-live > .itt[data-name=s2]")
    expect(control.locator(".itt-tokens input:checked")).to_have_value("3")
    opened.page.wait_for_function(
        "() => Math.abs(document.querySelector('.itt-live > .itt[data-name=s2]').getBoundingClientRect().y) < 60"
    )


@pytest.mark.parametrize(
    "state",
    [
        {"layer": "99"},
        {"query": "-4"},
        {"step": "soon"},
        {"temperature": "1e9"},
        {"text": ""},
        {"model": "large"},
        {"layer": "1.5"},
    ],
)
def test_an_address_that_asks_for_nonsense_gets_a_picture(open_page, state):
    opened = open_page(MAKE["steps"](), state={"itt": "steps"} | state)
    control = opened.control()
    control.locator(".st-table [role=gridcell]").first.wait_for()
    assert control.locator(".itt-readout").inner_text().endswith(".")
    assert not [c for c in opened.complaints if "could not be loaded" not in c and "ERR_FILE" not in c]


def test_reduced_motion_stops_what_moves(open_page):
    control = open_page(MAKE["steps"](), reduced_motion="reduce").control()
    assert control.locator(".itt-token > span").first.evaluate("el => getComputedStyle(el).transitionDuration") in (
        "0s",
        "0ms",
    )


def test_a_link_within_the_page_moves_the_control(open_page):
    opened = open_page(*(MAKE["steps"](name=f"s{i}") for i in range(3)))
    opened.control(0)
    opened.page.evaluate("() => { location.hash = 'itt=s2&query=4&step=2' }")
    control = opened.page.locator(".itt-live > .itt[data-name=s2]")
    expect(control.locator(".itt-tokens input:checked")).to_have_value("4")
    opened.page.evaluate("() => { location.hash = 'itt=s2&query=6' }")
    expect(control.locator(".itt-tokens input:checked")).to_have_value("6")
