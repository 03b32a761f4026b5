"""Every page of the site, from a server and from disk, light and dark, wide and on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from labutils.authoring.front import published

PAGES = published()
CHAPTERS = [name for name in PAGES if name.startswith("notebooks/") and name != "notebooks/play"]
UNFOLD = "document.querySelectorAll('details').forEach(d => d.open = true)"


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("name", [*PAGES, "index", "search"])
def test_page_asks_no_other_host_and_has_no_complaint(visit, roots, name, scheme):
    seen = visit(name, scheme)
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith((roots[scheme], "data:", "blob:"))] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
@pytest.mark.parametrize("name", [*PAGES, "search"])
def test_page_can_be_used_by_everyone(visit, name, phone, theme):
    page = visit(name, theme=theme, phone=phone).page
    page.evaluate(UNFOLD)
    found = Axe().run(page).response["violations"]
    told = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found if v["impact"] in ("serious", "critical")]
    assert told == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_follows_the_reader(visit, theme):
    page = visit(PAGES[0], theme=theme).page
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
    assert (max(red, green, blue) < 60) if theme == "dark" else (min(red, green, blue) > 240)


@pytest.mark.parametrize("name", [*PAGES, "search"])
def test_phone_needs_no_sideways_scroll(visit, name):
    page = visit(name, phone=True).page
    page.evaluate(UNFOLD)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth") == 390


@pytest.mark.parametrize("name", [*PAGES, "search"])
def test_ids_are_unique(visit, name):
    page = visit(name).page
    assert page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) < i)") == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_opens_with_the_strip(visit, name):
    strip = visit(name).page.locator(".itt-strip")
    assert strip.count() == 1
    assert strip.locator("li").count() == 7
    assert strip.locator('[aria-current="step"]').count() == 1
    assert all(strip.locator(".itt-strip-shape").all_inner_texts())
    assert strip.locator(".itt-strip-here").inner_text().startswith("You are here:")


@pytest.mark.parametrize("name", CHAPTERS)
def test_formulas_are_drawn(visit, name):
    page = visit(name).page
    formulas = page.locator(".math").count()
    assert formulas > 0
    assert page.locator("mjx-container").count() == formulas
    assert page.locator("mjx-merror").count() == 0


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_search_works_without_a_network(visit, scheme):
    seen = visit("search?q=attention", scheme)
    seen.page.wait_for_selector("#search-results li a")
    assert any("04_attention" in link.get_attribute("href") for link in seen.page.locator("#search-results li a").all())
    assert seen.complaints == []


def test_front_page_links_what_exists_and_names_what_is_to_come(visit):
    page = visit(PAGES[0]).page
    assert page.locator(".itt-map .is-ready a").count() == len(CHAPTERS)
    ahead = page.locator(".itt-map .is-ahead")
    assert ahead.count() > 0 and ahead.locator("a").count() == 0
    assert all("to come" in text for text in ahead.all_inner_texts())
