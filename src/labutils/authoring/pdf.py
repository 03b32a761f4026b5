"""The book as one PDF: `python -m labutils.authoring.pdf`, or `make pdf`.

Chromium prints the pages of the built site one after the other. Their pages are counted through, a link from one
chapter to another leads to a page of the same file, and contents with page numbers stand in front.
"""

import os
import shutil
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, sync_playwright
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.constants import PageLabelStyle
from pypdf.generic import ArrayObject, DictionaryObject, Fit, NameObject, NullObject

from labutils.authoring.arguments import given
from labutils.authoring.front import published
from labutils.places import BUILD

TITLE = "Inside the Transformer"
LOOKED_UP = ("book/notation", "book/glossary", "book/bibliography")
PLAYED = ("notebooks/play", "notebooks/own_gpt2")  # nothing but controls

# An id moves from a section to its heading, because a section may begin at the foot of the page before.
HEADINGS = """() => [...document.querySelectorAll("article :is(h1, h2, h3, h4)")].map((heading) => {
  const words = heading.cloneNode(true), section = heading.parentElement.closest("section[id]");
  words.querySelectorAll(".headerlink").forEach((link) => link.remove());
  if (section?.querySelector("h1, h2, h3, h4") === heading) {
    const id = section.id;
    section.removeAttribute("id");
    heading.id = id;
  }
  return [Number(heading.tagName[1]), words.textContent.trim(), heading.id];
}).filter(([level, , id]) => level < 3 && id)"""

FRONT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>
@page {{ size: A4; margin: 22mm 24mm }}
@page {{ @bottom-right {{ content: counter(page, lower-roman); font: 9pt "Literata Book", Georgia, serif }} }}
@font-face {{ font-family: "Literata Book"; src: url("{static}/vendor/literata/literata.woff2"); font-weight: 400 700 }}
body {{ font: 10.5pt/1.45 "Literata Book", Georgia, serif; color: #16202e }}
h1 {{ font-size: 34pt; margin: 30mm 0 10mm }}
img {{ width: 100%; margin: 0 0 12mm; border: 1px solid #dbe1ea }}
p {{ max-width: 32em }} ol {{ font-size: 9pt; line-height: 1.4 }} ol {{ list-style: none; padding: 0; margin: 0 }}
h2 {{ break-before: page; font-size: 20pt }}
li {{ display: flex; gap: 1em; justify-content: space-between; break-inside: avoid }}
li.one {{ font-weight: bold; margin-top: .8em; break-after: avoid }} li.two {{ padding-left: 1.6em }}
a {{ color: inherit; text-decoration: none }}
</style><h1>{title}</h1><img src="{static}/previews/book-index.png" alt=""><p>{about}</p>
<h2>Contents</h2><ol>{lines}</ol></html>"""
ABOUT = (
    "The printed form of an executable book. Its controls are pictures here; on the site and in JupyterLab they can be"
    " moved, and each number is computed again when the book is built. The answers to the guesses of a chapter stand at"
    " its end. The hints and the solutions of the exercises are on the site, so that nothing is given away here. Code:"
    " MIT licence, text and figures: CC BY 4.0."
)


@dataclass(frozen=True)
class Part:
    """One page of the site as it was printed: where it lies, its headings, and the number of its first page."""

    name: str  # "notebooks/04_attention"
    headings: list[tuple[int, str, str]]  # level, words, id
    printed: PdfReader
    first: int

    def place(self, fragment: str):
        """The destination of an id; None where the page begins."""
        return self.printed.named_destinations.get(f"/{fragment}")

    def page_of(self, fragment: str) -> int:
        """The number that is printed on the page of a heading."""
        found = self.place(fragment)
        return self.first + (self.printed.get_destination_page_number(found) if found else 0)


def in_print() -> list[str]:
    """The pages of the book, in order: chapters with their exercises, and what is looked up."""
    return [name for name in published() if name.startswith("notebooks/") and name not in PLAYED] + list(LOOKED_UP)


def write(site: Path, names: Iterable[str], path: Path) -> Path:
    """Print some pages of a built site into one PDF and return its path. Raises RuntimeError without Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        write_with(browser, site, names, path)
        browser.close()
    return path


def write_with(browser: Browser, site: Path, names: Iterable[str], path: Path) -> Path:
    """Do the same with a browser that is open: a process can drive one at a time."""
    parts, first = [], 1
    for name in names:
        parts.append(_printed(browser, site, name, first))
        first += len(parts[-1].printed.pages)
    contents = _contents(browser, site, parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        _bound(site, contents, parts).write(file)
    return path


def chromium() -> str:
    """The program that prints. Raises RuntimeError with one sentence if there is none."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        raise RuntimeError("No Chromium was found to print with: install it, or set CHROMIUM to its path.")
    return found


def _printed(browser: Browser, site: Path, name: str, first: int) -> Part:
    """Print one page, its own pages counted from `first`."""
    page = browser.new_page(color_scheme="light")
    page.goto((site / f"{name}.html").as_uri())
    page.evaluate("() => document.fonts.ready")
    headings = page.evaluate(HEADINGS)
    page.add_style_tag(content=f"@media print {{ @page:first {{ counter-set: page {first} }} }}")
    printed = page.pdf(format="A4", prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
    page.close()
    return Part(name, [tuple(heading) for heading in headings], PdfReader(BytesIO(printed)), first)


def _contents(browser: Browser, site: Path, parts: list[Part]) -> PdfReader:
    """The title page and the contents, whose links are addresses of the site, as those of all parts are."""
    lines = [
        f'<li class="{"one" if level == 1 else "two"}">'
        f'<a href="{(site / part.name).as_uri()}.html#{escape(fragment)}">{escape(words)}</a>'
        f"<span>{part.page_of(fragment)}</span></li>"
        for part in parts
        for level, words, fragment in part.headings
        if level == 1 or "exercises" not in part.name
    ]
    page = browser.new_page()
    page.goto((site / f"{parts[0].name}.html").as_uri())  # so that links into the folder are allowed
    static = (site / "_static").as_uri()
    page.set_content(FRONT.format(title=TITLE, about=ABOUT, static=static, lines="".join(lines)), wait_until="load")
    page.evaluate("() => document.fonts.ready")
    printed = page.pdf(prefer_css_page_size=True, print_background=True)
    page.close()
    return PdfReader(BytesIO(printed))


def _bound(site: Path, contents: PdfReader, parts: list[Part]) -> PdfWriter:
    """All in one file: links, outline, the numbers that a reader's program shows."""
    writer, start = PdfWriter(), len(contents.pages)
    writer.append(contents, import_outline=False)
    for part in parts:
        writer.append(part.printed, import_outline=False)
    at = {part.name: start + part.first - 1 for part in parts}
    where = {part.name: part for part in parts}

    def target(name: str, fragment: str) -> ArrayObject:
        found = where[name].place(fragment)
        page = at[name] + (where[name].printed.get_destination_page_number(found) if found else 0)
        top = found.top if found else NullObject()
        return ArrayObject([writer.pages[page].indirect_reference, NameObject("/XYZ"), NullObject(), top, NullObject()])

    for i, page in enumerate(writer.pages):
        own = next((part.name for part in reversed(parts) if at[part.name] <= i), None)
        _relink(page, site, own, where, target)
    for part in parts:
        above = None
        for level, words, fragment in part.headings:
            page, found = at[part.name] + part.page_of(fragment) - part.first, part.place(fragment)
            fit = Fit.xyz(top=found.top) if found else Fit.fit()
            entry = writer.add_outline_item(title=words, page_number=page, parent=above if level > 1 else None, fit=fit)
            above = entry if level == 1 else above
    writer.set_page_label(0, start - 1, style=PageLabelStyle.LOWERCASE_ROMAN)
    writer.set_page_label(start, len(writer.pages) - 1, style=PageLabelStyle.DECIMAL, start=1)
    writer.add_metadata({"/Title": TITLE})
    writer.compress_identical_objects(remove_duplicates=True, remove_unreferenced=True)
    return writer


def _relink(page: PageObject, site: Path, own: str | None, where: dict[str, Part], target) -> None:
    """Turn links to pages of the site into links to pages of the file; those to pages that are not in it are words."""
    kept = ArrayObject()
    for reference in page.get("/Annots", ArrayObject()):
        link = reference.get_object()
        found = _address(link, site, own)
        if found is None:
            kept.append(reference)
        elif found[0] in where:
            link.pop("/A", None)
            link[NameObject("/Dest")] = target(*found)
            kept.append(reference)
    page[NameObject("/Annots")] = kept


def _address(link: DictionaryObject, site: Path, own: str | None) -> tuple[str, str] | None:
    """Page and id that a link leads to; None for one that leaves the book."""
    if "/Dest" in link and own:
        return own, str(link["/Dest"]).lstrip("/")
    parts = urlsplit(str(link.get("/A", {}).get("/URI", "")))
    if parts.scheme != "file":
        return None
    path = Path(unquote(parts.path))
    name = path.relative_to(site).with_suffix("").as_posix() if path.is_relative_to(site) else ""
    return name, unquote(parts.fragment)


def main() -> None:
    from labutils.authoring.book import build

    begun = time.time()
    path = write(build(), in_print(), BUILD / "inside-the-transformer.pdf")
    pages = len(PdfReader(path).pages)
    print(f"{path.as_uri()}: {pages} pages, {path.stat().st_size / 1e6:.0f} MB, in {time.time() - begun:.0f} s")


if __name__ == "__main__":
    given(__doc__)
    try:
        main()
    except RuntimeError as error:
        sys.exit(str(error))
