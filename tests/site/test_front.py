"""The front page: what a first screen shows, and that its control is alive."""

import pytest
import torch
from controls.expected import after, share
from playwright.sync_api import expect

from labutils.authoring.front import planned, published, written
from labutils.checkpoints import load

TEXT = "The mouse sat on the mat. It was"


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_title_sentence_way_in_and_a_live_control_fit_the_first_screen(visit, scheme):
    page = visit("book/index", scheme, viewport={"width": 1280, "height": 800}).page
    live = page.locator(".itt-live > .itt")
    for part in (
        page.locator("article h1"),
        page.locator("article h1 + p"),
        page.locator(".itt-begin-button"),
        live.get_by_label("Your text"),
        live.locator(".nw-row").first,
        live.locator(".itt-readout"),
    ):
        expect(part).to_be_in_viewport(ratio=1)
    live.get_by_label("Your text").fill(TEXT)
    expect(live.locator(".nw-text")).to_have_text(TEXT)
    little = load("little-gpt2")
    best = float(torch.max(after(little, little.tokenizer.encode(TEXT).ids)))
    expect(live.locator(".nw-rows .nw-p").first).to_have_text(share(best))


def test_a_phone_shows_the_way_in_and_the_field_of_the_control(visit):
    page = visit("book/index", phone=True).page
    for part in (
        page.locator("article h1"),
        page.locator(".itt-begin-button"),
        page.locator(".itt-live").get_by_label("Your text"),
    ):
        expect(part).to_be_in_viewport(ratio=1)


def test_a_phone_shows_each_station_with_its_words_its_shape_and_its_chapter(visit):
    stations = visit("book/index", phone=True).page.locator(".itt-strip-map li")
    for station in stations.all():
        for part in ("svg", ".itt-strip-name", ".itt-strip-shape", ".itt-strip-chapter"):
            expect(station.locator(part)).to_be_visible()


def test_one_button_writes_the_story_to_its_end(visit):
    live = visit("book/index").page.locator(".itt-live > .itt")
    live.get_by_role("button", name="Write to the end").click()
    expect(live.locator(".itt-readout")).to_contain_text("Step back, or start again.")


def test_without_javascript_a_picture_stands_there(visit):
    page = visit("book/index", java_script_enabled=False).page
    expect(page.locator(".itt-still svg.is-wide")).to_be_visible()
    expect(page.locator(".itt-still .itt-readout")).to_be_visible()


def test_the_map_links_what_exists_and_names_what_is_to_come(visit):
    page = visit("book/index").page
    ready = [name for name, chapter in planned().items() if written(chapter)]
    links = page.locator(".itt-map .is-ready a")
    assert [link.get_attribute("href").rsplit("/", 1)[1] for link in links.all()] == [f"{name}.html" for name in ready]
    assert len(ready) == len(
        [name for name in published() if name.startswith("notebooks/") and name.split("/")[1][0].isdigit()]
    )
    ahead = page.locator(".itt-map .is-ahead")
    assert ahead.count() > 0 and ahead.locator("a").count() == 0
    folded = page.locator(".itt-map details")
    expect(folded.locator(".is-ahead")).to_have_count(ahead.count())
    expect(folded.locator("summary")).to_have_text(f"{ahead.count()} chapters to come")
    expect(ahead.first).to_be_hidden()
    folded.locator("summary").click()
    expect(ahead.first).to_be_visible()
    stations = page.locator(".itt-strip-map li")
    assert stations.count() == 7
    assert all(("to come" in station.inner_text()) != bool(station.locator("a").count()) for station in stations.all())


def test_the_pages_of_controls_start_all_of_them(visit):
    seen = visit("notebooks/play")
    seen.wake()
    expect(seen.page.locator(".itt-live > .itt")).to_have_count(5)
