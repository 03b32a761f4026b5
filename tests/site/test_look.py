"""How every page is set: its face, its columns, its lines, its notes, its tables."""

import re

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from labutils.authoring.face import FALLBACK, drawn
from labutils.authoring.front import published

PAGES = published()
CHAPTERS = [name for name in PAGES if name.startswith("notebooks/") and name.split("/")[1][0].isdigit()]
WIDTHS = (1440, 1280, 1024, 768, 390, 320)
PHONES = (390, 320)
NARROWEST = 24  # characters of a line of prose
UNFOLD = "document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"
NOT_PROSE = "pre, code, script, style, svg, table, .math, .itt, .itt-still, .itt-strip, .cell_output, .itt-icon"

# (characters a line would hold, text) of every block of prose with more than one line; a heading is counted in the
# letters of the text, since a title may be as large as it likes
COLUMNS = """() => {
  const brush = document.createElement("canvas").getContext("2d"), found = [];
  const read = document.querySelectorAll("main :is(h1, h2, h3, p, li, dd, blockquote, figcaption)");
  for (const block of read) {
    if (block.closest(".itt, .itt-still, .itt-strip, table, svg, nav, pre") || !block.checkVisibility()) continue;
    const lines = block.innerText.split("\\n").map((line) => line.trim().replace(/\\s+/g, " "));
    const text = lines.reduce((a, b) => (b.length > a.length ? b : a)), style = getComputedStyle(block);
    if (text.length < 32 || style.display === "inline" || style.display === "contents") continue;
    const heading = /^H/.test(block.tagName), size = heading ? getComputedStyle(block.closest("article") ?? document.body).fontSize : style.fontSize;
    const inner = block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    brush.font = `${size} ${style.fontFamily}`;
    const wide = brush.measureText(text).width;
    if (wide <= inner) continue;
    found.push([inner / (wide / text.length), text.slice(0, 60)]);
  }
  return found;
}"""

# what of a drawing or a control is written in letters of less than 9 px on the screen: its place, size and words
LETTERS = """() => {
  const small = [], walk = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode()); ) {
    const words = node.parentElement;
    if (!node.data.trim() || !words.closest(".itt-figure, .itt, .itt-still")) continue;
    if (words.closest("script, style, noscript, title, .itt-sr, .math") || !words.checkVisibility()) continue;
    const turned = words.closest("svg") ? words.getScreenCTM() : null;
    const size = parseFloat(getComputedStyle(words).fontSize) * (turned ? Math.sqrt(Math.abs(turned.a * turned.d - turned.b * turned.c)) : 1);
    if (!size || size >= 8.95) continue; // words of no size are hidden
    const place = words.closest(".itt-figure, [data-name]");
    const name = place?.dataset.name ?? place?.querySelector("figcaption b")?.textContent ?? "";
    small.push(`${name} ${size.toFixed(1)} px: ${node.data.trim().slice(0, 24)}`);
  }
  return [...new Set(small)];
}"""

# what stands at the beginning of a line and may not, and what was broken and may not be
LINES = """() => {
  const wrong = [];
  for (const block of document.querySelectorAll("article :is(p, li, dd, h2, h3)")) {
    if (block.closest(".itt, .itt-still, .itt-strip, table, svg, nav, pre") || !block.checkVisibility()) continue;
    const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let node; (node = walk.nextNode()); ) {
      if (node.parentElement.closest("pre, code, .math, mjx-container") || node.parentElement.closest("p, li, dd, h2, h3") !== block) continue;
      for (const { index } of node.data.matchAll(/[.,;:?!)”’]/g)) {
        const before = index ? [node, index - 1] : null;
        range.setStart(node, index); range.setEnd(node, index + 1);
        const here = range.getBoundingClientRect();
        let top = null;
        if (before) { range.setStart(...before); range.setEnd(node, index); top = range.getClientRects()[0]; }
        else { const last = node.previousSibling ?? node.parentElement.previousSibling; top = last?.getClientRects ? [...last.getClientRects()].at(-1) : null; }
        if (top && top.width && here.width && here.top > top.bottom - 2 && !/\\s/.test(node.data[index - 1] ?? "")) wrong.push(block.innerText.slice(0, 60));
      }
    }
  }
  for (const kept of document.querySelectorAll("article .itt-nb")) {
    if (!kept.checkVisibility() || kept.querySelector("mjx-container, code")) continue;
    if (new Set([...kept.getClientRects()].map((box) => Math.round(box.top))).size > 1) wrong.push(kept.textContent);
  }
  return wrong;
}"""


@pytest.mark.parametrize("name", PAGES)
def test_every_sign_of_the_text_is_in_the_face_or_has_a_named_fallback(site, name):
    article = BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser").select_one("article")
    for other in article.select(NOT_PROSE):
        other.decompose()
    assert {sign for sign in article.get_text() if not sign.isspace()} - drawn() == set()


def test_the_fallbacks_are_only_what_the_face_has_not(site):
    assert set("".join(FALLBACK.values())) <= drawn() and all(FALLBACK.values())


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_face_is_the_site_s_own(visit, roots, scheme):
    seen = visit(CHAPTERS[0], scheme)
    assert seen.page.evaluate("document.fonts.check('600 16px \"Literata Book\"', 'a')")
    assert [url for url in seen.requests if "literata" in url and not url.startswith(roots[scheme])] == []
    if scheme == "http":
        assert any("literata.woff2" in url for url in seen.requests)


@pytest.fixture(scope="module")
def looked(awake):
    """looked(name) -> for each width what of the page is wider than the window, its columns, of a chapter at two widths
    its wrong lines, and on the two phones its small letters: at each width it is laid out once.
    """
    kept = {}

    def look(name):
        if name not in kept:
            kept.clear()
            seen = awake(name)
            page = seen.page
            page.evaluate(UNFOLD)
            found = {}
            for width in WIDTHS:
                seen.resize(width)
                lines = page.evaluate(LINES) if name in CHAPTERS and width in (1280, 390) else []
                letters = page.evaluate(LETTERS) if width in PHONES else []
                wide = page.evaluate("document.documentElement.scrollWidth")
                found[width] = wide, page.evaluate(COLUMNS), lines, letters
            kept[name] = found
        return kept[name]

    return look


@pytest.mark.parametrize("name", PAGES)
def test_no_column_is_narrower_than_24_characters_and_nothing_scrolls_sideways(looked, name):
    found = looked(name)
    assert [width for width, (wide, *_) in found.items() if wide > width] == []
    narrow = {width: [one for one in columns if one[0] < NARROWEST][:5] for width, (_, columns, *_) in found.items()}
    assert {width: ones for width, ones in narrow.items() if ones} == {}


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_line_begins_with_a_stop_and_names_do_not_break(looked, name):
    assert {width: lines for width, (_, _, lines, _) in looked(name).items() if lines} == {}


@pytest.mark.parametrize("name", PAGES)
def test_no_letter_of_a_picture_is_smaller_than_nine_pixels_on_a_phone(looked, name):
    assert {width: letters for width, (*_, letters) in looked(name).items() if letters} == {}


NOTE = """<p class="itt-noted">A paragraph of the page that has a note beside it, long enough for two lines of text.</p>
<details class="itt-note"><summary>A note</summary><p>It stands in the margin.</p></details><p>The next one.</p>"""


def test_a_note_stands_in_the_margin_and_is_folded_on_a_phone(visit):
    page = visit(CHAPTERS[0], viewport={"width": 1280, "height": 900}).page
    page.evaluate("html => document.querySelector('article section').insertAdjacentHTML('afterbegin', html)", NOTE)
    page.evaluate("dispatchEvent(new Event('afterprint'))")  # as on arrival
    beside, note = (page.locator(name).first.bounding_box() for name in (".itt-noted", ".itt-note"))
    assert note["x"] > beside["x"] + beside["width"] and abs(note["y"] - beside["y"]) < 8
    text = page.locator(".itt-note p").first
    expect(text).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 900})
    expect(text).not_to_be_visible()
    beside, note = (page.locator(name).first.bounding_box() for name in (".itt-noted", ".itt-note"))
    assert note["y"] >= beside["y"] + beside["height"] - 8
    page.locator(".itt-note summary").first.click()
    expect(text).to_be_visible()


ALONE = """<div class="cell">Code.</div><details class="itt-note"><summary>A note</summary>
<p>It has no paragraph beside it, and it is long enough for two lines of text, at the size in which notes are set.</p>
</details><p>The next one.</p>"""


def test_a_note_without_a_paragraph_is_as_wide_as_the_text_and_keeps_its_distance(visit):
    page = visit(CHAPTERS[0], viewport={"width": 1280, "height": 900}).page
    page.evaluate("html => document.querySelector('article section').insertAdjacentHTML('afterbegin', html)", ALONE)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    note, text = (page.locator(name).first.bounding_box() for name in (".itt-note", ".itt-note + p"))
    assert note["width"] <= text["width"] + 1 and text["y"] - note["y"] - note["height"] >= 24


def test_the_line_below_the_bar_is_as_wide_as_the_text(visit):
    page = visit(CHAPTERS[0], viewport={"width": 1440, "height": 900}).page
    bar, text = (page.locator(one).first.bounding_box() for one in (".bd-header-article", "article > section"))
    line = page.locator(".bd-header-article").evaluate(
        "one => { document.documentElement.classList.add('scrolled'); document.body.classList.add('scrolled');"
        " const its = getComputedStyle(one, '::after'); return [its.left, its.right].map(parseFloat) }"
    )
    assert abs(bar["x"] + line[0] - text["x"]) <= 1
    assert abs(bar["x"] + bar["width"] - line[1] - text["x"] - text["width"]) <= 1


def test_every_fold_has_the_same_small_mark(visit):
    mark = "one => getComputedStyle(one, '::before').borderLeftWidth"
    for name in ("book/glossary", "book/a_to_z"):
        assert visit(name).page.locator("article summary").first.evaluate(mark) == "4px"
    page = visit(CHAPTERS[-1]).page
    folds = "nav.page-toc summary, .itt-fold > summary, .itt-data summary, .itt-unfolds > summary"
    found = page.locator(folds)
    assert found.count() > 5 and {one.evaluate(mark) for one in found.all()} == {"4px"}


def test_the_sections_of_the_page_stand_below_its_name_in_the_sidebar(visit):
    page = visit(CHAPTERS[-1]).page
    listed = page.locator(".bd-sidebar-primary li.current.active > nav.page-toc a")
    assert listed.count() >= 5 and listed.first.is_visible()
    assert page.locator(".bd-sidebar-secondary").count() == 0


def test_the_name_of_the_book_and_the_search_stay_while_the_contents_go_by(visit):
    page = visit("notebooks/04_attention").page
    page.locator(".bd-sidebar-primary").evaluate("bar => { bar.scrollTop = 400; }")
    for part in (page.locator(".bd-sidebar-primary .navbar-brand"), page.locator(".search-button-field").first):
        expect(part).to_be_in_viewport(ratio=1)
    above = "({x, y}) => document.elementFromPoint(x, y).closest('.sidebar-primary-item') !== null"
    assert all(page.evaluate(above, {"x": x, "y": 40}) for x in (30, 120))


def test_the_code_of_a_check_is_folded_and_what_it_prints_is_not(visit):
    page = visit("notebooks/06_feed_forward").page
    cell = page.locator(".cell:has(details.itt-code)", has_text="stages")
    code, printed = cell.locator(".cell_input pre"), cell.locator(".cell_output pre")
    expect(printed).to_be_visible()
    expect(code).to_be_hidden()
    cell.locator("summary").click()
    expect(code).to_be_visible()


def test_a_fold_of_code_says_what_it_holds(visit):
    folds = visit("notebooks/03_embeddings").page.locator(".itt-code > summary")
    assert [name for name in folds.all_inner_texts() if name != "Its code"] == ["Its imports", "The code of LayerNorm"]


def test_asides_are_folded_in_the_sidebar_as_in_the_text(visit):
    page = visit("notebooks/05_multi_head").page
    fold = page.locator("nav.page-toc details")
    asides = page.locator("nav.page-toc a", has_text="Aside: ")
    assert fold.count() == 1 and asides.count() == fold.locator("a").count() >= 2
    expect(asides.first).to_be_hidden()
    fold.locator("summary").click()
    expect(asides.first).to_be_visible()


def test_on_a_phone_nothing_of_the_first_line_stands_under_a_button_of_the_theme(visit):
    page = visit("book/index", phone=True).page
    ends = page.locator(".itt-top a:visible").evaluate_all("all => all.map((a) => a.getBoundingClientRect().right)")
    begins = page.locator(".bd-header-article button:visible").evaluate_all(
        "all => all.map((button) => button.getBoundingClientRect().left).filter((left) => left > innerWidth / 2)"
    )
    assert ends and begins and max(ends) < min(begins)


def test_on_paper_a_control_has_no_button(awake):
    page = awake("notebooks/04_attention").page
    buttons = page.locator(".itt .itt-button")
    assert buttons.count() > 0
    page.emulate_media(media="print")
    assert not any(button.is_visible() for button in buttons.all())
    page.emulate_media(media="screen")


@pytest.mark.parametrize("address", ["#%", "#1.2", "#a:b(", '#"]', "#%E0%A4%A", "#itt=nothing"])
def test_a_broken_address_throws_nothing(visit, address):
    assert visit(CHAPTERS[0] + address).complaints == []


def test_a_blocked_store_throws_nothing_and_the_theme_can_be_changed(browser, roots):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { configurable: true, get() { throw new Error('refused'); } })"
    )
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: said.type in ("error", "warning") and complaints.append(said.text))
    page.goto(f"{roots['http']}{CHAPTERS[0]}.html")
    page.locator(".theme-switch-button").first.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert complaints == []
    context.close()


WIDE = """() => [...document.querySelectorAll("article :is(.pst-scrollable-table-container, .itt-scroll)")]
  .filter((box) => box.checkVisibility())
  .map((box) => { const first = box.querySelector("tbody :is(th, td)"); return [box.scrollWidth > box.clientWidth + 1,
    box.getBoundingClientRect().right <= innerWidth + 1, first ? getComputedStyle(first).position : "sticky", getComputedStyle(box).backgroundImage]; })"""


@pytest.mark.parametrize("name", ["book/models", "notebooks/04_attention"])
def test_a_wide_table_scrolls_with_an_edge_and_keeps_its_first_column(visit, name):
    seen = visit(name, phone=True)
    seen.wake()
    seen.page.evaluate(UNFOLD)
    boxes = seen.page.evaluate(WIDE)
    assert any(wide for wide, *_ in boxes)
    assert [box for box in boxes if not box[1] or box[2] != "sticky" or "gradient" not in box[3]] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_ends_with_one_way_on(site, name):
    article = BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser").select_one("article")
    assert len(article.select(".itt-onward")) == 1
    own = [
        p for p in article.select("section > p") if p.find("a") and p.get_text(strip=True) == p.a.get_text(strip=True)
    ]
    assert [p for p in own if re.match(r"\d", p.get_text(strip=True)) and "itt-onward" not in p.get("class", ())] == []
