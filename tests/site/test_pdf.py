"""The book as a PDF: pages counted through, links that stay inside, no heading at the foot of a page."""

import re

import pytest
from pypdf import PdfReader

from labutils.authoring.pdf import in_print, write_with

NAMES = ["notebooks/00_pipeline", "notebooks/01_rnn", "book/glossary"]
FOOT, LINES = 57, 40  # points: the lower margin of a page, and what two lines of text take


@pytest.fixture(scope="module")
def printed(site, browser, tmp_path_factory):
    return PdfReader(write_with(browser, site, NAMES, tmp_path_factory.mktemp("pdf") / "book.pdf"))


@pytest.fixture(scope="module")
def start(printed):
    """The index of the first page after the contents."""
    return printed.page_labels.index("1")


@pytest.fixture(scope="module")
def texts(printed):
    """What stands on each page, read once: it takes a tenth of a second a page."""
    return [page.extract_text() for page in printed.pages]


@pytest.fixture(scope="module")
def words(texts):
    """The same in one line each."""
    return [re.sub(r"\s+", " ", text) for text in texts]


def test_pages_are_counted_through_from_the_first_chapter_on(printed, texts, start):
    numbers = [int(re.match(r"\d+", text)[0]) for text in texts[start:]]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 40
    assert printed.page_labels[:start] == ["i", "ii", "iii", "iv", "v"][:start]


def test_the_contents_say_where_each_section_begins(texts, words, start):
    lines = re.findall(r"^(.+?)\s+(\d+)$", "\n".join(texts[1:start]), re.M)
    assert len(lines) > 30
    for entry, number in lines:
        heading = re.sub(r"^\d+ ", "", entry.strip())  # the numeral of a chapter is set apart on its page
        assert heading in words[start + int(number) - 1], (entry, number)


def links(pages):
    return [reference.get_object() for page in pages for reference in page.get("/Annots", [])]


def test_links_lead_to_pages_of_the_book_or_out_of_it(printed):
    pages = {page.indirect_reference.idnum for page in printed.pages}
    inside, outside = [], []
    for link in links(printed.pages):
        inside.append(link["/Dest"][0].idnum) if "/Dest" in link else outside.append(str(link["/A"]["/URI"]))
    assert len(inside) > 60 and set(inside) <= pages
    assert all(address.startswith("https://") for address in outside)


def test_a_term_leads_to_the_page_of_its_entry_in_the_glossary(printed, texts, words, start, site):
    html = (site / "notebooks/00_pipeline.html").read_text(encoding="utf-8")
    terms = set(re.findall(r'href="\.\./book/glossary\.html#([a-z-]+)"', html))
    numbers = {page.indirect_reference.idnum: i for i, page in enumerate(printed.pages)}
    glossary = next(i for i, text in enumerate(texts) if i >= start and "Glossary" in text[:80])
    second = next(i for i, text in enumerate(texts) if i >= start and "Chapter 1" in text[:80])
    to = {numbers[link["/Dest"][0].idnum] for link in links(printed.pages[start:second]) if "/Dest" in link}
    reached = " ".join(words[i].lower() for i in to if i >= glossary)
    assert len(terms) > 5 and [term for term in terms if term.replace("-", " ") not in reached.replace("-", " ")] == []


def test_no_heading_stands_at_the_foot_of_a_page(printed):
    outline = list(flat(printed.outline))
    assert len(outline) > 30
    low = [entry.title for entry in outline if entry.top is not None and float(entry.top) < FOOT + LINES]
    assert low == []


def flat(outline):
    for entry in outline:
        yield from flat(entry) if isinstance(entry, list) else [entry]


def test_the_whole_book_is_every_chapter_with_its_exercises():
    names = in_print()
    assert names[0] == "notebooks/before" and {"notebooks/10_training", "notebooks/exercises/10_training"} < set(names)
    assert not [name for name in names if name.startswith("book/tests")]
