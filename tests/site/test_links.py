"""Files of the site without a browser: links lead somewhere, other people's files are what they claim to be."""

import hashlib
import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

VENDOR = Path(__file__).resolve().parents[2] / "book/_static/vendor"


def read(path: Path) -> BeautifulSoup:
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


def test_no_page_names_a_script_or_style_of_another_host(site):
    named = [
        f"{path.relative_to(site)}: {address}"
        for path in site.rglob("*.html")
        for tag in read(path).select("script[src], link[rel=stylesheet], img[src], iframe[src]")
        if urlsplit(address := tag.get("src") or tag.get("href")).netloc
    ]
    assert named == []


def test_vendored_files_are_the_ones_of_the_manifest():
    manifest = json.loads((VENDOR / "manifest.json").read_text())
    listed = {name: digest for package in manifest.values() for name, digest in package["files"].items()}
    there = {str(p.relative_to(VENDOR).as_posix()): p for p in VENDOR.rglob("*") if p.is_file() and p.name != "manifest.json"}
    assert set(there) == set(listed)
    assert [name for name, path in there.items() if hashlib.sha256(path.read_bytes()).hexdigest() != listed[name]] == []
    assert all(package["version"] and package["licence"] and package["source"] for package in manifest.values())
