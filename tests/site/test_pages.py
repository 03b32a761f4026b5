"""Every page of the site, from a server and from disk, light and dark, wide and on a phone, with all its controls
awake.
"""

import re
from urllib.parse import unquote, urlsplit

import pytest
from axe import findings
from playwright.sync_api import expect

from labutils.authoring import notebooks
from labutils.authoring.front import published
from labutils.places import ROOT

PAGES = published()
CHAPTERS = [name for name in PAGES if name.startswith("notebooks/") and name.split("/")[1][0].isdigit()]
UNFOLD = "document.querySelectorAll('details').forEach(d => d.open = true)"
MB = 1_000_000


SEEN = {"light": set(), "dark": set()}  # the kinds of text that were judged on a page before, by the theme


def both_themes(page, *outside: str) -> list[str]:
    """Findings in the theme that the page was opened in, which is light, and in dark, where nothing but colours is
    another; colours are judged outside of what is named.
    """
    found = findings(page, outside=outside, known=SEEN["light"])
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "document.documentElement.dataset.theme === 'dark'"
    )  # an `expect` that waits describes the page
    return found + findings(page, structure=False, outside=outside, known=SEEN["dark"])


def settled(seen, roots, scheme="http") -> None:
    """No complaint, and nothing asked of another host."""
    seen.rest()
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith((roots[scheme], "data:", "blob:", "about:"))] == []


@pytest.mark.parametrize("name", [*PAGES, "search"])
def test_page_works_for_everyone_and_is_light(awake, roots, site, name):
    seen = awake(name)
    settled(seen, roots)
    weigh(seen.requests, roots["http"], site)
    seen.page.evaluate(UNFOLD)
    assert (
        seen.page.evaluate(
            "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) < i)"
        )
        == []
    )
    assert both_themes(seen.page) == []


def weigh(requests, root, site) -> None:
    """At most 1.5 MB of a page’s own and 2.9 MB with all that pages share, the weights of models left out."""
    paths = {unquote(urlsplit(url).path).lstrip("/") for url in requests if url.startswith(root)}
    files = {
        path: (site / path).stat().st_size
        for path in paths
        if (site / path).is_file() and not path.startswith("_static/models/")
    }
    own = {
        path: size
        for path, size in files.items()
        if not path.startswith("_static/") or path.startswith("_static/bertviz/")
    }
    assert 0 < sum(own.values()) <= 1.5 * MB, own
    assert sum(files.values()) <= 2.9 * MB, dict(sorted(files.items(), key=lambda item: -item[1])[:8])


def test_the_site_is_light(site):
    assert (
        5 * MB < sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) <= 49 * MB
    )  # 0.6 of them previews: a page has its own


# Text in a picture that is smaller on a screen than 9 px; an exponent or an index within a label may have 7.
SMALL = """() => [...document.querySelectorAll('article svg text')].filter((text) => {
  if (!text.textContent.trim() || !text.getBoundingClientRect().width) return false;
  const { b, d } = text.getScreenCTM(), parts = [text, ...text.querySelectorAll('tspan')].filter((part) =>
    [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()));
  const sizes = parts.map((part) => parseFloat(getComputedStyle(part).fontSize) * Math.hypot(b, d));
  return Math.max(...sizes) < 8.995 || Math.min(...sizes) < 7;
}).map((text) => text.textContent.trim())"""

# From disk a page differs by what loads and by its frame: each chapter, and of all other pages one of each kind.
KINDS = (
    *("index", "search", "book/index", "notebooks/play", "notebooks/own_gpt2", "notebooks/exercises/04_attention"),
    *("book/claims", "book/models", "book/performance"),
)


@pytest.mark.parametrize("name", [*CHAPTERS, *KINDS])
def test_page_works_from_disk_and_a_phone_needs_no_sideways_scroll(visit, roots, name):
    """What a page holds is looked at once, from a server. Of its frame, which on a phone is another one, each kind of
    page has the same.
    """
    seen = visit(name, "file", phone=True)
    seen.wake()
    settled(seen, roots, "file")
    page = seen.page
    page.evaluate(UNFOLD)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth") == 390
    assert page.evaluate(SMALL) == []
    if name in KINDS or name == CHAPTERS[0]:
        assert both_themes(page, "article") == []  # inside the article colours are the same at every width
    seen.resize(320, 800)  # as at 400 %
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_follows_the_reader(visit, theme):
    page = visit(PAGES[0], theme=theme).page
    red, green, blue = page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
    )
    assert (max(red, green, blue) < 60) if theme == "dark" else (min(red, green, blue) > 240)


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_opens_with_the_strip_and_draws_its_formulas(awake, name):
    page = awake(name).page
    strip = page.locator(".itt-strip")
    assert strip.count() == 1
    assert strip.locator("li").count() == 7
    assert strip.locator('[aria-current="step"]').count() == 1
    assert all(strip.locator(".itt-strip-shape").all_inner_texts())
    assert strip.locator(".itt-strip-here").inner_text().startswith("You are here:")
    formulas = page.locator(".math").count()
    written = [cell.source for cell in notebooks.read(ROOT / f"{name}.ipynb").cells if cell.cell_type == "markdown"]
    assert (formulas > 0) == any("$" in source for source in written)
    expect(page.locator("mjx-container")).to_have_count(formulas)
    assert page.locator("mjx-merror").count() == 0


@pytest.mark.parametrize("name", ["book/index", "notebooks/04_attention"])
def test_the_title_of_a_control_is_a_heading_of_its_section(awake, name):
    levels = awake(name).page.evaluate(
        "[...document.querySelectorAll('article :is(h1, h2, h3, h4, .itt-live .itt-title)')].map(e => Number(e.ariaLevel ?? e.tagName[1]))"
    )
    assert levels[0] == 1 and max(b - a for a, b in zip(levels, levels[1:], strict=False)) == 1


def test_in_a_box_the_claim_is_set_as_a_quotation_and_nothing_else(visit):
    styles = visit("notebooks/04_attention").page.evaluate(
        "[...document.querySelectorAll('.claim')].map(box => [...box.querySelectorAll(':scope > p')]"
        ".map(p => getComputedStyle(p).fontStyle))"
    )
    assert (
        styles
        and {tuple(styles_of) for styles_of in styles if styles_of[:3] != ["normal", "italic", "normal"]} == set()
    )


def test_formulas_and_icons_need_no_script_and_no_font_of_icons(visit):
    seen = visit(CHAPTERS[1], java_script_enabled=False)
    page = seen.page
    letter = page.locator("p mjx-c").first
    expect(letter).to_be_visible()
    assert letter.bounding_box()["width"] > 4
    icon = page.locator(".itt-icon:visible").first.bounding_box()
    assert 8 < icon["width"] < 32 and 8 < icon["height"] < 32
    assert [url for url in seen.requests if "awesome" in url or "tex-" in url] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_on_paper_every_picture_fits_a_sheet(still, name):
    """A4 without its margins is 658 by 1009 CSS pixels."""
    page = still(name).page
    page.set_viewport_size({"width": 658, "height": 1009})
    page.emulate_media(media="print")
    boxes = page.evaluate(
        "[...document.querySelectorAll('.itt, .itt-figure')].map(e => { const r = e.getBoundingClientRect(); return"
        " [e.className, r.height, r.right] })"
    )
    assert boxes and [box for box in boxes if box[1] > 1009 or box[2] > 659] == []
    hidden = page.locator(".bd-sidebar, .bd-header-article, .itt-ways, .copybtn")
    assert hidden.count() and not any(one.is_visible() for one in hidden.all())
    assert page.evaluate("document.documentElement.scrollWidth") <= 658


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize(
    ("words", "page"), [("attention", "04_attention"), ("out of vocabulary", "glossary"), ("woman", "claims")]
)
def test_search_works_without_a_network(visit, roots, scheme, words, page):
    seen = visit(f"search?q={words}", scheme)
    expect(seen.page.locator(f"#search-results li a[href*='{page}']").first).to_be_visible()
    settled(seen, roots, scheme)


def test_search_shows_sections_first_and_the_sentence_with_the_words(visit):
    page = visit("search?q=Causal masks").page
    first = page.locator("#search-results li").first
    expect(first.locator("a")).to_have_text("causal mask")
    expect(first.locator("small")).to_have_text("Glossary")
    items = page.locator("#search-results li")
    assert items.count() > 5 and all(page.locator("#search-results li p").all_inner_texts())
    assert {word.lower() for word in page.locator("#search-results mark").all_inner_texts()} >= {"causal", "mask"}
    link = items.locator("a[href*='04_attention']").first
    link.click()
    expect(page).to_have_url(re.compile("04_attention.html#"))


# What learners type, and the section that they should find first: the chapter that has it for its subject, the definition of
# a term, or where the chapter shows it.
SECTIONS = {
    "softmax": "book/glossary.html#softmax",
    "kv cache": "notebooks/11_kv_cache.html",
    "atention": "notebooks/04_attention.html",
    "tokenisation": "notebooks/02_tokenization.html",
    "query key value": "notebooks/04_attention.html#a-row-seeks-offers-and-hands-over",
    "beam search": "book/glossary.html#beam-search",
    "query": "book/glossary.html#query",
    "head": "notebooks/05_multi_head.html",
    "temperature": "book/glossary.html#temperature",
    "why divide by sqrt d": "notebooks/04_attention.html#why-sqrt-d-k",
    "causal mask": "book/glossary.html#causal-mask",
    "layer norm": "book/glossary.html#layernorm",
    "residual": "book/glossary.html#residual-connection",
    "byte pair encoding": "book/glossary.html#byte-pair-encoding-bpe",
    "perplexity": "book/glossary.html#perplexity",
    "top p": "notebooks/12_decoding.html#cut-off-the-tail",
    "positional encoding": "notebooks/03_embeddings.html#a-second-table-for-places",
    "bert mask": "notebooks/07_bert.html",
    "hidden state": "book/glossary.html#hidden-state",
    "vanishing gradient": "book/glossary.html#vanishing-gradient",
    "gelu": "notebooks/06_feed_forward.html#why-it-has-to-bend",
    "embedding": "notebooks/03_embeddings.html",
    "backpropagation": "book/glossary.html#back-propagation-backpropagation",
    "hallucination": "book/glossary.html#hallucination",
}
ASKED = {  # others, and the page on which the first answer stands
    "what is attention": "notebooks/04_attention.html",
    "how does bpe work": "notebooks/02_tokenization.html",
    "difference between bert and gpt": "notebooks/00_pipeline.html",
    "multi-head": "notebooks/05_multi_head.html",
    "multihead attention": "notebooks/05_multi_head.html",
    "how does gpt work": "notebooks/08_gpt2.html",
    "self-attention": "notebooks/04_attention.html",
    "why divide by sqrt d_k": "notebooks/04_attention.html",
    "why divide by the square root": "notebooks/04_attention.html",
    "what is a transformer": "notebooks/00_pipeline.html",
    "what is a token": "notebooks/02_tokenization.html",
    "tokenizer": "notebooks/02_tokenization.html",
    "word embeddings": "notebooks/03_embeddings.html",
    "word2vec": "notebooks/more/03_embeddings.html",
    "what is an lstm": "notebooks/01_rnn.html",
    "feed forward layer": "notebooks/06_feed_forward.html",
    "exercises attention": "notebooks/exercises/04_attention.html",
}


def test_what_learners_type_finds_the_right_section_first(visit):
    """Results follow what is typed, so one page answers them all."""
    page = visit("search").page
    found = {}
    for query in SECTIONS | ASKED:
        page.locator(".bd-search-container input[type=search]").fill(query)
        expect(page.locator("#search-results [role=status]")).to_contain_text(f"“{query}”")
        address = page.locator("#search-results li a").first.get_attribute("href").removeprefix("./")
        found[query] = address if query in SECTIONS else address.split("#")[0]
    assert found == SECTIONS | ASKED


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("atention", "attention"),  # one letter too few
        ("softtmax", "softmax"),  # one too many
        ("gradiant", "gradient"),  # another one
        ("perplexiyt", "perplexity"),  # two exchanged
        ("tokenisaton", "tokenization"),  # and the British spelling besides
        ("kv cashe", "kv cache"),  # one word of two, which is not cut into "ca" and "she"
    ],
)
def test_one_slip_of_the_keyboard_is_forgiven_and_said(visit, typed, meant):
    page = visit(f"search?q={meant}").page
    first = page.locator("#search-results li a").first.get_attribute("href")
    page.locator(".bd-search-container input[type=search]").fill(typed)
    expect(page.locator("#search-results [role=status]")).to_contain_text(f"Nothing has “{typed}”")
    expect(page.locator("#search-results [role=status]")).to_contain_text(f"“{meant}”")
    assert page.locator("#search-results li a").first.get_attribute("href") == first


def test_what_is_no_word_is_not_mended_into_one(visit):
    page = visit("search").page
    for typed in ("zzzz", "pizza", "qwerty"):
        page.locator(".bd-search-container input[type=search]").fill(typed)
        expect(page.locator("#search-results [role=status]")).to_have_text(
            f"No section has “{typed}”. Try another word, or fewer."
        )


def test_a_term_stands_before_every_section_and_its_sentence_says_something(visit):
    page = visit("search?q=attention").page
    hits = page.locator("#search-results li")
    places = [link.get_attribute("href") for link in hits.locator("a").all()]
    sections = [place for place in places if "#" in place]
    assert sections[0].startswith("./book/glossary.html#attention")
    assert hits.get_by_text("That is attention.", exact=True).count() == 0  # where a longer sentence has the word


@pytest.mark.parametrize(
    ("query", "words"),
    [("kv cache", "both words"), ("what is the kv cache", "both main words"), ("sum of 3 queries", "all main words")],
)
def test_it_says_how_many_sections_have_all_words(visit, query, words):
    page = visit(f"search?q={query}").page
    said = page.locator("#search-results [role=status]")
    expect(said).to_have_text(re.compile(rf"^“{query}”: \d+ sections, \d+ with {words}$"))


def test_a_search_that_finds_more_than_it_lists_says_both_numbers(visit):
    page = visit("search?q=attention").page
    all_of_them = int(page.locator("#search-results [role=status]").inner_text().split()[0])
    assert all_of_them > page.locator("#search-results li").count() == 40
    expect(page.locator("#search-results .itt-all")).to_have_text(f"The first 40 of {all_of_them} are listed.")


def test_the_search_page_has_the_edge_of_a_chapter(visit):
    edge = lambda name: visit(name).page.locator("h1:visible").first.evaluate("h => h.getBoundingClientRect().left")
    assert edge("search?q=attention") == edge("notebooks/04_attention")


@pytest.mark.parametrize("height", [800, 1000])
def test_the_window_of_the_search_is_whole_and_its_last_line_is_the_way_to_all(visit, height):
    page = visit("notebooks/12_decoding", viewport={"width": 1280, "height": height}).page
    page.keyboard.press("Control+k")
    dialog = page.locator("#pst-search-dialog")
    expect(dialog.get_by_role("link", name="why divide by the square root")).to_be_visible()  # nothing is typed yet
    page.keyboard.type("temperature")
    expect(dialog.get_by_role("link", name="Show all of them")).to_be_in_viewport(ratio=1)
    assert dialog.evaluate("one => one.scrollHeight <= one.clientHeight")
    found = dialog.locator(".itt-found")
    colour = "one => getComputedStyle(one).color"
    expect(dialog.locator("input")).to_be_focused()
    assert dialog.locator("input").evaluate(colour) == found.evaluate(colour)


def test_in_the_dark_the_window_of_the_search_is_lighter_than_the_page_and_has_an_edge(visit):
    page = visit("notebooks/12_decoding", theme="dark").page
    page.keyboard.press("Control+k")
    found = page.locator("#pst-search-dialog .itt-found")
    expect(found).to_be_visible()
    shade = "one => getComputedStyle(one).backgroundColor.match(/[0-9.]+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0)"
    assert found.evaluate(shade) > page.locator("body").evaluate(shade)
    assert found.evaluate("one => getComputedStyle(one).borderBottomStyle") == "solid"


def test_on_a_phone_the_search_has_the_edge_of_every_page(visit):
    edges = set()
    for name, words in (("search?q=attention", "#search-results p"), ("book/glossary", "article p")):
        page = visit(name, viewport={"width": 390, "height": 844}).page
        edges.add(page.locator(words).first.evaluate("p => p.getBoundingClientRect().left"))
    assert edges == {20}


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_window_finds_while_one_types_on_every_page(visit, roots, scheme):
    seen = visit("notebooks/more/03_embeddings", scheme)
    page = seen.page
    assert [url for url in seen.requests if "search_sections" in url] == []  # it is large, and not everybody searches
    page.keyboard.press("Control+k")
    page.keyboard.type("causal m")
    found = page.locator("#pst-search-dialog .itt-found")
    expect(found.get_by_role("link", name="causal mask", exact=True)).to_be_visible()
    page.keyboard.type("<img src=x onerror=alert(1)>")
    expect(found).to_contain_text("<img src=x onerror=alert(1)>")
    assert found.locator("img").count() == 0
    page.locator("#pst-search-dialog input").fill("causal mask")
    if scheme == "http":  # axe asks for stylesheets, which a page from disk may not
        assert both_themes(page) == []
    found.get_by_role("link", name="causal mask", exact=True).click()
    expect(page).to_have_url(re.compile(r"/book/glossary\.html#causal-mask$"))
    settled(seen, roots, scheme)


def test_the_arrows_choose_what_enter_opens_and_one_ring_is_drawn(visit):
    seen = visit("notebooks/more/03_embeddings")
    page = seen.page
    page.keyboard.press("Control+k")
    page.keyboard.type("kv cach")
    field, hits = page.locator("#pst-search-dialog input"), page.locator("#pst-search-dialog .itt-found li > a")
    expect(hits.nth(2)).to_be_visible()
    rings = "field => [field, field.form].map(part => getComputedStyle(part)).map(s => [s.outlineStyle, s.boxShadow])"
    assert field.evaluate(rings) == [["none", "none"], ["solid", "none"]]
    for key, place in zip(
        ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"], [0, 1, 0, None, None], strict=True
    ):
        page.keyboard.press(key)
        expect(field if place is None else hits.nth(place)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("e")  # who types on types in the field
    expect(field).to_have_value("kv cache")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/notebooks/11_kv_cache\.html$"))
    seen.rest()  # its keys are heard once it has run
    page.keyboard.press("Control+k")
    page.keyboard.type("kv cache")
    page.keyboard.press("Enter")  # nothing is chosen
    expect(page).to_have_url(re.compile(r"/search\.html\?q=kv\+cache$"))


def test_all_words_are_marked_where_they_stand_and_in_one_colour(visit):
    shade = "mark => getComputedStyle(mark).backgroundColor"
    page = visit("notebooks/more/03_embeddings").page
    page.keyboard.press("Control+k")
    page.keyboard.type("kv cache")
    window = page.locator("#pst-search-dialog mark").first.evaluate(shade)
    page = visit("search?q=kv cache").page
    assert page.locator("#search-results mark").first.evaluate(shade) == window
    for item in page.locator("#search-results li").all():
        words = re.findall(r"\b(?:kv|caches?)\b", " ".join(item.locator("a, p").all_inner_texts()), re.I)
        assert item.locator("mark").all_inner_texts() == words


def test_what_a_recap_says_again_is_found_below_where_it_is_said(visit):
    links = visit("search?q=softmax").page.locator("#search-results li a")
    first = [link.get_attribute("href") for link in links.all()[:10]]
    assert len(first) == 10 and not [address for address in first if address.endswith("#recap")]


@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.parametrize("name", ["search?q=softmax", "notebooks/04_attention"])
def test_the_magnifier_covers_no_letter(visit, width, name):
    page = visit(name, viewport={"width": width, "height": 900}).page
    form = page.locator(".bd-search-container form.bd-search")
    if "search" not in name:
        page.keyboard.press("Control+k")
        form = page.locator("#pst-search-dialog form.bd-search")
    expect(form.locator("input")).to_be_visible()
    glass, letter = form.evaluate(
        "form => [form.querySelector('svg').getBoundingClientRect().right, ((field) =>"
        " field.getBoundingClientRect().left + parseFloat(getComputedStyle(field).paddingLeft))(form.querySelector('input'))]"
    )
    assert 0 < glass < letter


def test_what_stands_high_or_low_does_so_where_it_is_found(visit):
    page = visit("search?q=divided by step t").page
    expect(page.locator("#search-results", has_text="1−β₁ᵗ")).to_be_visible()


@pytest.mark.parametrize("name", ["notebooks/04_attention", "notebooks/play", "notebooks/own_gpt2"])
def test_in_print_the_words_before_a_picture_go_with_it(visit, name):
    page = visit(name).page
    page.emulate_media(media="print")
    before = page.locator("p.itt-leads")
    styles = before.evaluate_all(
        "all => all.map(p => [getComputedStyle(p).breakAfter, getComputedStyle(p).breakInside])"
    )
    assert len(styles) >= 4 and {tuple(style) for style in styles} == {("avoid", "avoid")}


@pytest.mark.parametrize("name", CHAPTERS)
def test_in_print_no_letter_of_a_figure_is_below_six_and_a_half_points(still, name):
    """The letters that stand low in a formula too. A4 without its margins is 658 CSS pixels wide."""
    page = still(name).page
    page.set_viewport_size({"width": 658, "height": 1009})
    page.emulate_media(media="print")
    page.evaluate("document.querySelectorAll('details.itt-fold').forEach((fold) => { fold.open = true; })")
    sizes = page.locator(".itt-figure svg :is(text, tspan):visible").evaluate_all(
        "all => all.filter((e) => e.firstChild?.nodeType === Node.TEXT_NODE && e.textContent.trim())"
        ".map((e) => [e.getScreenCTM().a * parseFloat(getComputedStyle(e).fontSize) * 0.75, e.textContent])"
    )
    assert [one for one in sizes if 0 < one[0] < 6.5] == []


def test_in_print_a_short_cell_stays_on_one_page_and_an_answer_has_no_summary(visit):
    page = visit("notebooks/04_attention").page
    page.emulate_media(media="print")
    cell = page.locator("#cell-mask-early")
    assert cell.evaluate("cell => getComputedStyle(cell).breakInside") == "avoid"
    assert page.locator(".itt-answer > summary:visible").count() == 0


def test_in_print_hints_and_solutions_stay_closed_and_no_label_is_below_7_points(visit):
    """A pixel is three quarters of a point; what a control's zoom makes smaller was drawn larger."""
    page = visit("notebooks/exercises/05_multi_head").page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    folds = page.locator("details.sd-dropdown")
    assert folds.count() > 6 and not any(folds.evaluate_all("all => all.map((fold) => fold.open)"))
    page = visit("notebooks/12_decoding").page
    page.emulate_media(media="print")
    assert page.locator(".pn-point:visible").count() == 0
    sizes = page.locator(".itt:not(.guess) svg.is-wide text:visible").evaluate_all(
        "all => all.map(e => { const m = e.getScreenCTM(); return m.a * parseFloat(getComputedStyle(e).fontSize) })"
    )
    assert sizes and min(sizes) > 7 / 0.75 - 0.05


def test_a_formula_in_a_heading_is_found_as_it_is_read(visit):
    page = visit("search?q=√dₖ").page
    assert not [title for title in page.locator("#search-results li a").all_inner_texts() if "d k" in title]
    expect(page.locator("#search-results mark").first).to_be_visible()


def test_what_is_searched_for_is_no_markup_and_no_pattern(visit):
    page = visit("search?q=%3Cimg src=x onerror=alert(1)%3E padding(").page
    expect(page.locator("#search-results")).to_contain_text("<img src=x onerror=alert(1)> padding(")
    assert page.locator("#search-results img").count() == 0
    page.goto(page.url.split("?")[0] + "?q=qqzzxx")
    expect(page.locator("#search-results")).to_contain_text("No section has “qqzzxx”")
    page.locator("#search-results").get_by_role("link", name="KV cache").click()
    expect(page.locator("#search-results li").first).to_contain_text("KV cache")


def test_on_a_phone_the_window_of_the_search_has_a_way_out(visit):
    page = visit("notebooks/04_attention").page
    page.set_viewport_size({"width": 390, "height": 800})
    page.keyboard.press("Control+k")
    dialog = page.locator("#pst-search-dialog")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).not_to_be_visible()


def test_an_aside_opens_for_its_address_and_on_paper(visit):
    """A link into a fold, and one to a control in it, open it; print shows it and leaves it as it was."""
    page = visit("notebooks/04_attention#aside-padding-and-a-row-that-sees-nothing").page
    folds = page.locator("details.itt-aside")
    opened = "folds => folds.map((fold) => fold.open)"
    assert folds.evaluate_all(opened).count(True) == 1 and folds.count() == 3
    expect(page.get_by_text("filled up with padding")).to_be_in_viewport()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(folds.evaluate_all(opened))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert folds.evaluate_all(opened).count(True) == 1


def test_a_guess_opens_what_answers_it_and_nothing_else(visit):
    page = visit("notebooks/01_rnn").page  # its first guess stands in its opening control
    answers, opened = page.locator("details.itt-answer"), "folds => folds.map((fold) => fold.open)"
    assert not any(answers.evaluate_all(opened))
    guess = page.locator("fieldset.guess").first
    guess.get_by_role("radio").last.check(force=True)
    guess.get_by_role("button", name="See the answer").click()
    expect(page.locator('.itt[data-name="backwards"]').first).to_be_visible()
    assert answers.evaluate_all(opened) == [True] + [False] * (answers.count() - 1)
    page.reload()
    expect(page.locator("fieldset.guess.is-shown").first).to_be_visible()
    assert answers.evaluate_all(opened)[0]


def test_the_list_of_the_page_names_the_section_that_is_read(visit):
    page = visit("notebooks/04_attention").page
    named = page.locator("nav.page-toc a[data-here]")
    expect(named).to_have_count(0)
    page.locator("h2", has_text="From scores to shares").first.scroll_into_view_if_needed()
    page.evaluate("document.getElementById('from-scores-to-shares').scrollIntoView()")
    expect(named).to_have_text("From scores to shares")


def test_whatever_has_the_focus_has_a_ring(visit):
    page = visit("book/index").page
    seen = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        tag, style, width = page.evaluate(
            "(() => { const e = document.activeElement, s = getComputedStyle(e); return [e.outerHTML.slice(0, 80),"
            " s.outlineStyle, parseFloat(s.outlineWidth)]; })()"
        )
        seen.add(tag)
        assert style != "none" and width >= 2, tag
    assert len(seen) >= 10


CONTRAST = """(link) => {  // WCAG 2.2, 1.4.3, of a text on what it stands on
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const [a, b] = [getComputedStyle(link).color, getComputedStyle(link.parentElement).backgroundColor].map(light);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_way_past_the_navigation_can_be_read(visit, theme):
    page = visit("notebooks/04_attention", theme=theme).page
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="Skip to main content")
    expect(link).to_be_focused()
    found = link.evaluate(CONTRAST)
    assert found > 4.5, found


def test_in_forced_colours_a_switch_that_is_on_is_told_from_one_that_is_off(visit):
    page = visit("notebooks/04_attention#itt=steps-4.1", forced_colors="active").page
    page.get_by_text("temperature, scale and mask").click()
    track = page.locator('.itt-live > .itt[data-name="steps-4.1"] .itt-toggle-track').first
    expect(track).to_be_visible()
    colour = "one => getComputedStyle(one).backgroundColor"
    on = track.evaluate(colour)
    track.click()
    page.wait_for_function("document.getAnimations().every(one => one.playState !== 'running')")
    assert track.evaluate(colour) != on


def test_on_a_phone_long_code_shows_its_beginning_and_a_button(visit):
    page = visit("notebooks/02_tokenization", phone=True).page
    more = page.locator(".itt-more:visible").first
    code = more.locator("xpath=preceding-sibling::div[1]/pre")
    before = code.bounding_box()["height"]
    assert before < 300 and more.inner_text().startswith("Show all ")
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    assert code.bounding_box()["height"] > before + 50
    assert visit("notebooks/02_tokenization").page.locator(".itt-more:visible").count() == 0
