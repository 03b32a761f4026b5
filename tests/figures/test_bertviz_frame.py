"""Bertviz in a frame: it draws in a browser without a network, in both homes, and a token stays text."""

import html
import json
import re
from hashlib import sha256
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
import torch

from labutils.figures import bertviz_frame
from labutils.figures.bertviz_frame import LIBRARIES, bertviz_head_view, bertviz_model_view

HOSTILE = "</script><img src=x onerror=alert(1)>"
WEIGHTS = torch.tensor([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.1, 0.2, 0.7]]).expand(2, 4, 3, 3)


def drawn(
    weights=WEIGHTS, tokens=("the", "cat", HOSTILE), title="Who asks", alt="cat gives 0.75", name="who-asks", **more
):
    return bertviz_head_view(weights, list(tokens), title, "<b>Figure.</b>", alt, name, **more)


@pytest.fixture(params=["site", "notebook"])
def home(request, monkeypatch, tmp_path):
    """Where the figure is shown; what the site writes goes to an empty folder."""
    monkeypatch.setattr(bertviz_frame, "GENERATED", tmp_path / "generated")
    monkeypatch.setenv("ITT_SITE", "1" if request.param == "site" else "")
    return request.param


@pytest.fixture
def opened(home, browser, tmp_path):
    """opened(figure) -> the frame of the figure in a page; afterwards nothing was asked of another host and nobody
    complained.
    """
    page, asked, complaints = browser.new_page(viewport={"width": 1280, "height": 900}), [], []

    def opened(figure):
        shown = tmp_path / "generated" / "_static" / "page.html"  # an address as chapters have it: ../_static/...
        text = figure._repr_html_()
        (tmp_path / "generated").mkdir(exist_ok=True)
        if home == "site":
            (tmp_path / "generated/static").rename(tmp_path / "generated/_static")
        shown.parent.mkdir(exist_ok=True)
        shown.write_text(f"<!doctype html><meta charset=utf-8>{text}", encoding="utf-8")
        page.on("request", lambda sent: asked.append(sent.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type in ("error", "warning") and complaints.append(said.text))
        page.goto(shown.as_uri())
        frame = page.frame_locator("iframe.itt-bertviz")
        frame.locator("line").first.wait_for(state="attached")
        return frame

    opened.page = page
    yield opened
    page.close()
    assert complaints == []
    assert {urlsplit(url).scheme for url in asked} <= {"file", "data", "about"}


def nothing_hidden_below(frame) -> bool:
    return frame.locator("html").evaluate("html => html.scrollHeight - innerHeight") <= 0


def test_the_head_view_draws_in_a_browser_that_reaches_no_other_host(opened):
    frame = opened(drawn(layer=1))
    assert frame.get_by_label("Layer").evaluate("select => [select.value, select.options.length]") == ["1", 2]
    assert frame.locator("line").count() == 4 * 3 * 3
    assert frame.locator("#left text").all_text_contents() == ["the", "cat", HOSTILE]
    assert frame.locator("img").count() == 0
    assert nothing_hidden_below(frame)


@pytest.mark.parametrize("n", [3, 16])
def test_the_model_view_draws_every_head_and_a_click_makes_one_large(opened, n):
    words = ["the", "cat", HOSTILE, *"abcdefghijklm"][:n]
    frame = opened(bertviz_model_view(torch.ones(3, 4, n, n).tril() / n, words, "All", "", "All heads", "all-heads"))
    assert frame.locator("line").count() == 3 * 4 * n * n and frame.locator(".detail").count() == 0
    assert nothing_hidden_below(frame)
    assert frame.get_by_label("All heads").evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    frame.locator("rect[style*='opacity: 0']").nth(5).click()
    large = frame.locator("text.detail, .detail text").all_text_contents()
    assert HOSTILE in large and any("Layer 1, Head 1" in text for text in large)
    assert frame.locator("img").count() == 0
    box = frame.get_by_label("All heads")
    opened.page.set_viewport_size({"width": 860, "height": 900})  # as wide as a chapter
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0 and nothing_hidden_below(frame)
    opened.page.set_viewport_size({"width": 390, "height": 844})
    box.focus()
    assert box.evaluate("box => box.scrollWidth > box.clientWidth && document.activeElement === box")
    assert frame.locator("html").evaluate("html => html.scrollWidth - innerWidth") <= 0


def test_no_address_of_another_host_is_in_it(home):
    text = drawn()._repr_html_()
    for file in (bertviz_frame.GENERATED / "static" / "bertviz").glob("*.html"):
        text += file.read_text()
    for name in LIBRARIES:
        text = text.replace(html.escape(bertviz_frame.library(name)), "")
    assert re.findall(r"https?://(?!github\.com)[\w.]+", text) == []


def test_the_same_weights_give_the_same_bytes(home):
    assert drawn()._repr_html_() == drawn()._repr_html_()


def test_on_the_site_the_frame_is_a_lazy_page_with_shared_libraries(monkeypatch, tmp_path):
    monkeypatch.setattr(bertviz_frame, "GENERATED", tmp_path)
    monkeypatch.setenv("ITT_SITE", "1")
    text = drawn()._repr_html_()
    assert len(text) < 3000 and 'loading="lazy"' in text and 'src="../_static/bertviz/who-asks.html"' in text
    assert sorted(file.name for file in (tmp_path / "static/bertviz").iterdir()) == [
        "LICENSE-bertviz.txt",
        "LICENSE-d3.txt",
        "LICENSE-jquery.txt",
        "d3.min.js",
        "jquery.min.js",
        "who-asks.html",
    ]
    assert (tmp_path / "static/bertviz/who-asks.html").stat().st_size < 40_000


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match=r"2 tokens need weights of the shape \(L, H, 2, 2\), not \(2, 4, 3, 3\)"):
        drawn(tokens=("the", "cat"))
    with pytest.raises(ValueError, match=r"2 tokens need weights"):
        bertviz_model_view(WEIGHTS, ["the", "cat"], "All", "", "All heads", "all")
    with pytest.raises(ValueError, match="cannot name a page"):
        drawn(name="../index")
    with pytest.raises(ValueError, match="alternative text"):
        drawn(alt="")


def test_the_libraries_are_the_ones_of_the_manifest():
    folder = files("labutils.figures") / "bertviz_parts"
    listed = {
        name: digest
        for package in json.loads((folder / "manifest.json").read_text()).values()
        for name, digest in package["files"].items()
    }
    assert sorted(listed) == sorted(LIBRARIES)
    assert [name for name in listed if sha256((folder / name).read_bytes()).hexdigest() != listed[name]] == []
