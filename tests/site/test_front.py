"""The front page: a first screen that is alive, a story that ends, all questions in order, and columns wide enough."""

import re

import pytest
from controls.expected import after, readout
from PIL import Image, ImageChops
from playwright.sync_api import expect

from labutils.authoring.front import planned, published, written
from labutils.checkpoints import load
from labutils.controls import Story, Way

WIDTHS = (1440, 1280, 1024, 768, 390, 320)
STILL = {"reduced_motion": "reduce"}
LEAST = 24  # characters of a column of text

# Every block of text that has several lines: how many characters the average line has, but for its last one.
NARROW = """least => {
  const found = [], range = document.createRange();
  for (const block of document.querySelectorAll('article :is(p, li, dd, dt, td, .itt-question)')) {
    if (!block.offsetParent || block.closest('.itt-stage, .itt-bar, .itt-foot, .itt-sr, .itt-head')) continue;
    if (block.querySelector('p, li, ol, .itt-question')) continue;
    range.selectNodeContents(block);
    const lines = new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.bottom / 8)));
    const letters = block.textContent.trim().length;
    if (lines.size > 2 && letters / lines.size < least - 6) found.push(`${lines.size} lines: ${block.textContent.trim().slice(0, 60)}`);
    const size = parseFloat(getComputedStyle(block).fontSize), width = block.getBoundingClientRect().width;
    if (letters > least && width < least * 0.45 * size) found.push(`${Math.round(width)} px: ${block.textContent.trim().slice(0, 60)}`);
  }
  return found;
}"""


def first(page):
    return page.locator(".itt-live > .itt").first


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_first_screen_is_whole_and_true(visit, scheme):
    seen = visit("book/index", scheme, viewport={"width": 1280, "height": 800}, **STILL)
    page, live = seen.page, first(seen.page)
    for part in (
        page.locator("article h1"),
        page.locator("article h1 + p"),
        live.locator(".wy-token").first,
        live.locator(".wy-bars li").last,
        live.locator(".itt-readout"),
        live.get_by_label("Your own words"),
    ):
        expect(part).to_be_in_viewport(ratio=1)
    assert live.locator(".itt-readout").inner_text() == readout(Way())
    little = load("little-gpt2")
    best = float(after(little, little.tokenizer.encode("The cat sat on the").ids).max())
    expect(live.locator(".wy-bars span").first).to_have_text(f"{round(100 * best)}%")
    assert seen.complaints == [] and all(
        url.startswith(("http://127.0.0.1", "file:", "data:")) for url in seen.requests
    )


@pytest.mark.parametrize("width", [1440, 1280])
def test_no_next_word_stands_on_the_line_of_its_token(visit, width):
    live = first(visit("book/index", viewport={"width": width, "height": 900}, **STILL).page)
    middles = lambda what: [
        (b["y"] + b["height"] / 2, b) for b in (one.bounding_box() for one in live.locator(what).all())
    ]
    tokens, words = middles(".wy-token"), middles(".wy-bars li")
    assert len(tokens) == len(words) == 5
    for (token, box), (word, _) in zip(tokens, words, strict=True):
        assert abs(token - word) > box["height"] / 2  # “The … mat 32%” is no sentence


def test_it_plays_once_by_itself_and_comes_to_rest(visit):
    live = first(visit("book/index", viewport={"width": 1280, "height": 800}).page)
    expect(live.locator(".itt-readout")).to_have_text(readout(Way()))
    expect(live.locator(".wy")).not_to_have_class(re.compile("is-playing"))


def test_ones_own_words_go_through_the_model_in_the_page(visit):
    page = visit("book/index", viewport={"width": 1280, "height": 800}, **STILL).page
    field = first(page).get_by_label("Your own words, up to 16 tokens")
    field.fill("The horse was")
    field.press("Enter")
    expect(first(page).locator(".wy-next .wy-small")).to_have_text("after “The horse was”")
    assert first(page).locator(".itt-readout").inner_text() == readout(Way("The horse was"))


def test_the_story_writes_itself_to_the_end_sign_and_stops_there(visit):
    page = visit("book/index").page
    page.locator(".st-tale").scroll_into_view_if_needed()
    live = page.locator(".itt-live > .itt").nth(1)
    expect(live.locator(".itt-readout")).to_contain_text("Here the model ended the story itself.")
    expect(live.locator(".st-tale .is-ahead")).to_have_count(0)
    assert live.locator(".st-tale").inner_text().rstrip().endswith("the end")


def test_without_javascript_two_whole_pictures_stand_there(visit):
    page = visit("book/index", java_script_enabled=False).page
    expect(page.locator(".itt-still .wy-bars li").first).to_be_visible()
    assert page.locator(".itt-still .itt-readout").first.inner_text() == readout(Way())
    assert page.locator(".itt-still .itt-readout").last.inner_text() == readout(Story())
    assert page.locator(".itt-still .st-tale").inner_text().rstrip().endswith("the end")


def test_every_question_stands_in_order_and_what_is_written_is_a_link(still, site):
    page = still("book/index").page
    ready = [name for name, chapter in planned().items() if written(chapter)]
    links = page.locator(".itt-questions .is-ready a")
    assert [link.get_attribute("href").rsplit("/", 1)[1] for link in links.all()] == [f"{name}.html" for name in ready]
    assert len(ready) == len([name for name in published() if re.match(r"notebooks/\d", name)])
    assert page.locator(".is-ready .itt-question").all_inner_texts() == [planned()[name]["question"] for name in ready]
    assert page.locator(".is-ready .itt-question-title", has_text="\u00a0minutes").count() == len(ready)
    pictures = page.locator(".is-ready .itt-question-picture")
    assert pictures.count() == len(ready)
    for picture, name in zip(pictures.all(), ready, strict=True):
        picture.scroll_into_view_if_needed()
        page.wait_for_function("one => one.complete && one.naturalWidth === 264", arg=picture.element_handle())
        assert picture.get_attribute("src").endswith(f"/small/{name}.png")
    assert sum(path.stat().st_size for path in site.glob("_static/previews/small/*.png")) < 150_000
    ahead = page.locator(".itt-questions :is(.is-ahead, .is-part-ahead)")
    assert ahead.locator("a").count() == 0
    said = " ".join(ahead.all_inner_texts())
    assert all(chapter["title"] in said for name, chapter in planned().items() if name not in ready)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_column_is_narrow_and_nothing_is_wider_than_the_window(awake, width):
    seen = awake("book/index")
    seen.resize(width)
    page = seen.page
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(NARROW, LEAST if width > 360 else LEAST - 6) == []


def test_a_phone_shows_the_title_and_the_drawing_at_once(visit):
    page = visit("book/index", phone=True, **STILL).page
    for part in (page.locator("article h1"), first(page).locator(".wy-token").last):
        expect(part).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_ways_on_stand_at_the_top(visit):
    page = visit("book/index", phone=True, **STILL).page
    for name in ("Chapters", "Play"):
        expect(page.locator(".itt-top").get_by_role("link", name=name)).to_be_in_viewport(ratio=1)


def test_what_is_drawn_beside_a_question_fills_its_place(site):
    """A thumb of dust and hairlines is nearly white."""
    for name, chapter in planned().items():
        if written(chapter):
            with Image.open(site / f"_static/previews/small/{name}.png") as thumb:
                grey = thumb.convert("L")
                assert sum(grey.histogram()[:230]) > 0.07 * grey.width * grey.height, name
                left, above, right, below = ImageChops.invert(grey).getbbox()
                assert right - left > 0.75 * grey.width and below - above > 0.3 * grey.height, name


def test_the_card_of_the_front_page_is_filled_up_to_its_right_edge(site):
    with Image.open(site / "_static/previews/book-index.png") as card:
        right = ImageChops.invert(card.convert("L")).crop((800, 140, card.width, card.height)).getbbox()
    assert right and 800 + right[2] > 0.95 * card.width


def test_nothing_empty_stays_above_what_is_read(visit):
    page = visit("book/index").page
    page.evaluate("scrollTo(0, 2000)")
    page.wait_for_function("scrollY > 1500")
    assert page.locator(".bd-header-article").evaluate("bar => bar.getBoundingClientRect().bottom") < 0


def test_on_a_phone_the_grid_says_who_asks(visit):
    page = visit("book/index", viewport={"width": 390, "height": 844}).page
    turned = first(page).locator(".wy-turned")
    expect(turned).to_be_visible()
    expect(turned).to_have_text("a column asks, its rows answer")
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(turned).to_be_hidden()


# Of the drawing on paper: numbers that are wider than their cell, the room between two names above the map, the lines of
# its title and of the words before the answers, and how far the bars end before the rule above them.
PRINTED = """() => {
  const way = document.querySelector(".itt-live .wy"), all = (what) => [...way.querySelectorAll(what)];
  const range = document.createRange();
  const box = (one) => { range.selectNodeContents(one); return range.getBoundingClientRect(); };
  const lines = (one) => { range.selectNodeContents(one); return new Set([...range.getClientRects()].map((b) => Math.round(b.bottom))).size; };
  const keys = all(".wy-keys span").map(box);
  return {
    cut: all(".wy-looks i").filter((cell) => cell.textContent && box(cell).width > cell.getBoundingClientRect().width).length,
    between: Math.min(...keys.slice(1).map((key, i) => key.left - keys[i].right)),
    title: lines(way.querySelector(".wy-over b")), lead: lines(way.querySelector(".wy-lead")),
    short: Math.round(way.querySelector(".wy-next").getBoundingClientRect().right - way.querySelector(".wy-bars").getBoundingClientRect().right),
  };
}"""


def test_on_paper_the_map_has_room_for_its_words(visit):
    page = visit("book/index", viewport={"width": 657, "height": 900}, **STILL).page  # A4 between its margins
    expect(first(page)).to_be_visible()
    page.emulate_media(media="print")
    found = page.evaluate(PRINTED)
    assert found.pop("between") > 4
    assert found == {"cut": 0, "title": 1, "lead": 2, "short": 0}


def test_the_pages_of_controls_start_all_of_them(visit):
    seen = visit("notebooks/play")
    seen.wake()
    expect(seen.page.locator(".itt-live > .itt")).to_have_count(5)
