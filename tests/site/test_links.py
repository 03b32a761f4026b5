"""Files of the site without a browser: links lead somewhere, other people's files are what they claim to be."""

import base64
import hashlib
import json
import re
import struct
import sys
import zipfile
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from labutils.authoring import archive, single
from labutils.authoring.front import published
from labutils.authoring.ledger import proved
from labutils.places import BOOK

sys.path.insert(0, str(BOOK / "_ext"))
import preview_pictures

VENDORED = [Path(__file__).resolve().parents[2] / "book" / name / "vendor" for name in ("_static", "_ext")]


@cache
def read(path: Path) -> BeautifulSoup:
    """A page, parsed once for all tests, which leave it as it is."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def test_internal_links_resolve(site):
    pages = {path: read(path) for path in site.rglob("*.html") if "_static" not in path.parts}
    ids = {path: {tag["id"] for tag in soup.select("[id]")} for path, soup in pages.items()}
    links, dead = 0, []
    for path, soup in pages.items():
        for tag in soup.select("[href], [src]"):
            address = urlsplit(tag.get("href") or tag.get("src"))
            if address.scheme or address.netloc or tag.name == "base":
                continue
            links += 1
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            wrong_place = address.fragment and target in ids and unquote(address.fragment) not in ids[target] | {""}
            if not target.exists() or wrong_place:
                dead.append(f"{path.relative_to(site)}: {tag.get('href') or tag.get('src')}")
    assert links > 100
    assert dead == []


def test_every_page_has_a_way_on_and_a_way_back(site):
    pages = published()
    led_to, on = set(), {}
    for name in pages:
        article = read(site / f"{name}.html").select_one("article")
        ways = article.select_one(".itt-ways")
        onward = article.select(".itt-onward")  # a link and nothing else, the page's own or one put there
        assert [p.get_text(strip=True) for p in onward] == [p.a.get_text(strip=True) for p in onward], name
        links = [p.a["href"] for p in onward]
        assert len(links) == 1, name
        on[name] = (
            ((site / name).parent / unquote(urlsplit(links[0]).path))
            .resolve()
            .relative_to(site.resolve())
            .with_suffix("")
            .as_posix()
        )
        led_to.add(on[name])
        assert len([a for a in ways.select(".itt-back a") if a.get_text().startswith("←")]) == (name != pages[0]), name
    assert set(on.values()) <= set(pages)
    assert on[pages[-1]] == pages[0]  # the last leads back to the front
    numbered = [name for name in pages if name.startswith("notebooks/") and name.split("/")[1][0].isdigit()]
    assert all(
        on[one] in (following, f"notebooks/exercises/{one.split('/')[1]}")
        for one, following in zip(numbered, numbered[1:])
    )


def test_each_box_of_a_claim_and_its_entry_name_each_other(site):
    """Where the addresses lead is checked with all other links."""
    entries = {entry["id"]: entry for entry in read(site / "book/claims.html").select(".itt-claims > li")}
    told = proved()
    for name in sorted(set(told.values())):
        links = read(site / f"notebooks/{name}.html").select(".admonition.claim a[href*='book/claims.html#']")
        assert sorted(link.get_text() for link in links) == sorted(claim for claim in told if told[claim] == name), name
        for link in links:
            place = f"#{link.get_text().lower()}"
            assert link["href"].endswith(f"book/claims.html{place}") and link.find_parent(id=place[1:]), (name, place)
            back = [a["href"] for a in entries[place[1:]].select("a") if a.get_text().startswith("Proved in")]
            assert back == [f"../notebooks/{name}.html{place}"]


def test_every_page_says_how_to_report_an_error(site):
    for name in published():
        page = read(site / f"{name}.html")
        links = [a["href"] for a in page.select(".itt-back a") if a.get_text() == "Report an error on this page"]
        assert len(links) == (name != "book/report"), name
    assert "git remote get-url origin" in read(site / "book/report.html").get_text()


def test_code_can_be_copied(site):
    for name in ("book/teach", *[one for one in published() if one.startswith("notebooks/0")]):
        page = read(site / f"{name}.html")
        assert page.select("script[src*=copybutton]") and page.select("div.highlight pre"), name


def test_terms_of_the_glossary_lead_into_chapters(site):
    """Where they lead is checked with all other links."""
    terms = read(site / "book/glossary.html").select("section > section > section")
    assert len(terms) >= 40
    assert sum(bool(term.select(".itt-where a")) for term in terms) >= 40


def test_a_term_names_at_once_the_chapters_with_most_of_it_and_never_an_answer(site):
    for term in read(site / "book/glossary.html").select("section.itt-term"):
        assert len(term.select(":scope > .itt-where a")) <= 3, term.h3.get_text()
        for link in term.select(".itt-where a"):
            own, title = re.fullmatch(r"Chapter (\d+): (.+)", link.get_text()).groups()
            assert title != "Answer" and not title.startswith(f"{own} "), link.get_text()
        for more in term.select("details.itt-where-more"):
            assert more.summary.get_text().split()[1] == str(len(more.select("a")))


def test_no_page_names_a_script_or_style_of_another_host(site):
    named = [
        f"{path.relative_to(site)}: {address}"
        for path in site.rglob("*.html")
        for tag in read(path).select("script[src], link[rel=stylesheet], img[src], iframe[src]")
        if urlsplit(address := tag.get("src") or tag.get("href")).netloc
    ]
    assert named == []


@pytest.mark.parametrize("folder", VENDORED, ids=["of the site", "of the build"])
def test_vendored_files_are_the_ones_of_the_manifest(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    listed = {name: digest for package in manifest.values() for name, digest in package["files"].items()}
    there = {
        str(p.relative_to(folder).as_posix()): p for p in folder.rglob("*") if p.is_file() and p.name != "manifest.json"
    }
    assert set(there) == set(listed)
    assert [name for name, path in there.items() if hashlib.sha256(path.read_bytes()).hexdigest() != listed[name]] == []
    assert all(package["version"] and package["licence"] and package["source"] for package in manifest.values())


def test_no_stylesheet_asks_what_an_element_holds(site):
    """`:has(` makes WebKit work out all styles again at each move of a slider; classes say the same."""
    asking = [path for kind in ("*.css", "*.html") for path in site.rglob(kind) if ":has(" in path.read_text("utf-8")]
    assert asking == []


def test_a_shared_page_says_what_it_asks_and_shows_a_picture(site):
    for name in [*published(), "search"]:
        page = site / f"{name}.html"
        said = {
            tag.get("property") or tag.get("name"): tag["content"] for tag in read(page).select("head meta[content]")
        }
        if name == "search":
            assert said["og:title"] == "Search Inside the Transformer" and (site / said["og:image"]).exists()
            continue
        assert said["og:title"] == " ".join(read(page).select_one("article h1").get_text().rstrip("#").split())
        assert 40 < len(said["description"]) <= 202 and said["description"] == said["og:description"]
        head = (page.parent / said["og:image"]).read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:]) == (1200, 630)
        assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
        assert said["og:site_name"] == "Inside the Transformer" and said["twitter:card"] == "summary_large_image"
        assert said["og:image"].endswith(f"/{name.replace('/', '-')}.png") and said["og:title"] in said["og:image:alt"]


def test_the_address_of_the_site_leads_to_the_front_and_has_its_preview(site):
    page = BeautifulSoup((site / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert page.select_one("meta[http-equiv=Refresh]")["content"] == "0; url=book/index.html"
    assert page.select_one("meta[property='og:title']")["content"] == "Inside the Transformer"
    assert (site / page.select_one("meta[property='og:image']")["content"]).exists()


def test_each_picture_that_is_chosen_for_a_preview_is_on_its_page(site):
    for name, (place, state) in preview_pictures.CHOSEN.items():
        page = BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        assert preview_pictures.named(page, place, state) is not None, (name, place)


def test_two_models_can_be_taken_home_in_a_file_each(site):
    offered = {a["download"]: a["href"] for a in read(site / "notebooks/08_gpt2.html").select("a[download$='.py']")}
    for name in single.NAMES:
        assert (site / f"{name}.py").read_text(encoding="utf-8") == single.text(name)
        assert read(site / "book/get.html").select_one(f"a[download][href='../{name}.py']")
        kind, _, data = offered[f"{name}.py"].partition(",")
        assert "base64" in kind and base64.b64decode(data).decode() == single.text(name)


def test_the_book_can_be_taken_home_and_a_notebook_says_how_to_run_it(site):
    assert zipfile.is_zipfile(site / archive.NAME)
    assert read(site / "book/get.html").select_one(f"a[download][href='../{archive.NAME}']")
    downloads = sorted((site / "_sources/notebooks").rglob("*.ipynb"))
    assert len(downloads) == len([name for name in published() if name.startswith("notebooks/")])
    for path in downloads:
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
        assert "Get the book" in first["source"] and "labutils" in first["source"], path.name


def test_no_preview_is_dark(site):
    """A rasteriser paints a colour black that it does not know."""
    for path in (site / "_static/previews").glob("*.png"):
        with Image.open(path) as picture:
            shades = np.asarray(picture.convert("L").resize((60, 32)))
        assert shades.mean() > 190, path.name
        with Image.open(path) as picture:  # the sign of the book, its lowest square on the right
            red, green, blue = picture.convert("RGB").getpixel((70, 52))
        assert blue > red > green + 40, path.name


def test_the_preview_of_the_walk_has_no_black_block(site):
    """What is under the mouse or chosen has a shade of its own, which a rasteriser does not know by its name."""
    with Image.open(site / "_static/previews/notebooks-00_pipeline.png") as picture:
        small = picture.convert("L").resize((150, 79), Image.Resampling.BOX)
        dark = np.asarray(small) < 60
    assert dark.mean() < 0.02
