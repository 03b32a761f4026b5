"""A site with an address of its own says it on each page, and has a page for what is not there; one without says nothing."""

import importlib
import sys
from io import BytesIO
from pathlib import Path

import pytest
import resvg_py
from bs4 import BeautifulSoup
from PIL import Image
from sphinx.application import Sphinx

from labutils.places import BOOK

PICTURE = (
    '<figure class="itt-figure"><svg viewBox="0 0 200 100"><rect fill="{}" width="200" height="100"/></svg></figure>'
)
COLOUR = "color-mix(in srgb, var(--itt-seq-1) 50%, var(--itt-seq-0))"


@pytest.fixture
def built(tmp_path, monkeypatch):
    """Build a book of two pages, with or without an address; returns its folder."""
    monkeypatch.syspath_prepend(str(BOOK / "_ext"))

    def build(base: str) -> Path:
        source, out = tmp_path / "source", tmp_path / "out"
        (source / "book").mkdir(parents=True)
        (source / "index.rst").write_text("Root\n====\n\n.. toctree::\n\n   book/index\n")
        page = (
            f"Book\n====\n\nHow does a machine finish your sentence?\n\n.. raw:: html\n\n   {PICTURE.format(COLOUR)}\n"
        )
        (source / "book/index.rst").write_text(page)
        set_ = {"extensions": "addresses,previews", "html_baseurl": base, "html_theme": "pydata_sphinx_theme"}
        Sphinx(
            source, None, out, tmp_path / "trees", "html", confoverrides=set_ | {"project": "B"}, status=None
        ).build()
        sys.modules.pop("previews", None)
        return out

    return build


def test_with_an_address_it_stands_on_each_page(built):
    out = built("https://example.org/book/")
    page = BeautifulSoup((out / "book/index.html").read_text(), "html.parser")
    assert page.select_one("link[rel=canonical]")["href"] == "https://example.org/book/book/index.html"
    said = {one["property"]: one["content"] for one in page.select("meta[property^=og]")}
    assert said["og:url"] == "https://example.org/book/book/index.html"
    assert said["og:image"] == "https://example.org/book/_static/previews/book-index.png"
    assert page.select_one("meta[name='twitter:card']")["content"] == "summary_large_image"
    for path in out.rglob("*.html"):  # a relative address of a preview is of no use to another site
        shared = BeautifulSoup(path.read_text(), "html.parser").select(
            "meta[property^='og:image'], meta[property='og:url']"
        )
        assert all(one["content"].startswith("https://example.org/book/") for one in shared if "/" in one["content"])
    lost = BeautifulSoup((out / "404.html").read_text(), "html.parser")
    assert lost.base["href"] == "https://example.org/book/"
    addresses = [one["href"] for one in lost.select("article a, main a") if "http" in one["href"]]
    assert {"https://example.org/book/", "https://example.org/book/search.html"} <= set(addresses)


def test_a_host_may_say_the_address_where_no_setting_does(built, monkeypatch):
    monkeypatch.setenv("ITT_ADDRESS", "https://host.example/its")
    page = (built("") / "book/index.html").read_text()
    assert 'content="https://host.example/its/_static/previews/book-index.png"' in page


def test_without_one_there_is_neither(built, monkeypatch):
    monkeypatch.delenv("ITT_ADDRESS", raising=False)
    out = built("")
    assert not (out / "404.html").exists()
    page = (out / "book/index.html").read_text()
    assert "canonical" not in page and "og:url" not in page


def test_a_preview_has_the_colours_of_the_page_and_not_black(built):
    out = built("")
    with Image.open(out / "_static/previews/book-index.png") as card:
        assert card.size == (1200, 630)
        middle = card.convert("RGB").getpixel((600, 400))
    assert min(middle) > 180 and middle != (255, 255, 255)


def test_a_preview_is_set_in_the_face_of_the_book(built, monkeypatch):
    built("")
    paint = importlib.import_module("preview_paint")
    line = f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><text y="40" font-family="{paint.READING}"'
    for style in ("", ' font-weight="700"', ' font-style="italic"'):
        letters = f"{line}{style}>Attention</text></svg>"
        drawn = resvg_py.svg_to_bytes(svg_string=letters, font_files=paint.FACES)
        assert drawn == resvg_py.svg_to_bytes(svg_string=letters, font_files=paint.FACES, skip_system_fonts=True)
        assert drawn != resvg_py.svg_to_bytes(svg_string=letters)


def test_in_a_label_with_a_root_only_the_root_is_of_another_face(built):
    built("")
    paint = importlib.import_module("preview_paint")

    def seen(words):
        letters = f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60" font-family="{paint.READING}">'
        png = paint.rasterised(f'{letters}<text y="40" font-size="40">{words}</text></svg>')
        return Image.open(BytesIO(png)).convert("RGBA").crop((0, 0, 38, 60))

    assert seen("16").tobytes() == seen("16 √").tobytes() == seen("16 →").tobytes()
    assert seen("16").tobytes() != seen("→").tobytes()
