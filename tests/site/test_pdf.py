"""The book as a PDF: pages counted through, links that stay inside, everything finished, nothing torn apart; answers
open, and hints and solutions left out.
"""

import re
import unicodedata
from io import BytesIO

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from labutils.authoring.pdf import in_print, write_with

CHAPTERS = ["notebooks/00_pipeline", "notebooks/04_attention", "notebooks/08_gpt2"]
EXERCISES = "notebooks/exercises/05_multi_head"
NAMES = ["notebooks/00_pipeline", "notebooks/01_rnn", "book/glossary", *CHAPTERS[1:], EXERCISES]
PLAIN = 3  # of these have no formula in a heading and no file in a link
FOOT, LINES = 57, 40  # points: the lower margin of a page, and what two lines of text take


@pytest.fixture(scope="module")
def printed(site, browser, tmp_path_factory):
    """Some chapters, exercises and the glossary in one file, which is printed once: conftest.py keeps these tests together."""
    return PdfReader(write_with(browser, site, NAMES, tmp_path_factory.mktemp("pdf") / "book.pdf"))


@pytest.fixture(scope="module")
def begins(printed):
    """The index of the first page of each."""
    return [printed.get_destination_page_number(one) for one in printed.outline if not isinstance(one, list)]


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


def test_the_contents_say_where_each_section_begins(texts, words, start, begins):
    lines = re.findall(r"^(.+?)\s+(\d+)$", "\n".join(texts[1:start]), re.M)
    lines = [line for line in lines if start + int(line[1]) - 1 < begins[PLAIN]]
    assert len(lines) > 30
    for entry, number in lines:
        heading = re.sub(r"^\d+ ", "", entry.strip())  # the numeral of a chapter is set apart on its page
        assert heading in words[start + int(number) - 1], (entry, number)


def links(pages):
    return [reference.get_object() for page in pages for reference in page.get("/Annots", [])]


def test_links_lead_to_pages_of_the_book_or_out_of_it(printed, begins):
    pages = {page.indirect_reference.idnum for page in printed.pages}
    inside, outside = [], []
    for link in links(printed.pages[: begins[PLAIN]]):
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


def letters(text: str) -> str:
    """Letters and digits alone: a PDF has its own spaces, hyphens and ligatures."""
    return "".join(one for one in unicodedata.normalize("NFKC", text) if one.isalnum())


@pytest.fixture(scope="module")
def parts(site, texts, begins):
    """Of each page of the site the article, and the letters of its pages in print."""
    squeezed = list(map(letters, texts))
    spans = zip(begins, [*begins[1:], len(squeezed)], strict=True)
    article = lambda name: BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser").article
    return {name: (article(name), squeezed[a:b]) for name, (a, b) in zip(NAMES, spans, strict=True)}


def together(pages: list[str], first: str, second: str) -> bool:
    """Whether two texts stand on one page, the first above the second."""
    return any(first in page and second in page[page.index(first) :] for page in pages)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_figure_stands_whole_below_its_title(parts, name):
    article, pages = parts[name]
    figures = [
        (letters(figure.select_one(".itt-figure-title").get_text())[:30], letters(figure.figcaption.b.get_text()))
        for figure in article.select(".itt-figure")
        if figure.figcaption and figure.select_one(".itt-figure-title") and not figure.select_one("mjx-container")
    ]
    assert len(figures) > 4
    assert [pair for pair in figures if not together(pages, *pair)] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_below_a_heading_stands_what_it_is_about(parts, name):
    article, pages = parts[name]
    pairs = []
    for one in article.select("h2, h3"):
        after = next(
            (e for e in one.find_next_siblings() if letters(e.get_text()) and "margin" not in e.get("class", [])), None
        )
        if after is None or after.select_one("mjx-container, .itt, .itt-claim") or one.find_parent(class_="itt"):
            continue
        pairs.append((letters(one.get_text().rstrip("#")), letters(after.get_text())[:12]))
    assert len(pairs) > 8
    assert [pair for pair in pairs if not together(pages, *pair)] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_answers_and_asides_are_open(parts, name):
    article, pages = parts[name]
    first = [fold.summary.find_next(["p", "pre"]) for fold in article.select("details.itt-fold")]
    folded = [letters(words.get_text())[:16] for words in first if not words.select_one("mjx-container")]
    assert len(folded) > 3 and [words for words in folded if words not in "".join(pages)] == []


def test_closed_hints_and_solutions_leave_nothing_behind(parts):
    article, pages = parts[EXERCISES]
    folds, printed = article.select("details.sd-dropdown"), "".join(pages)
    last = [letters(fold.get_text())[-24:] for fold in folds]  # a solution begins like the cell in which it is written
    assert len(last) > 6 and [words for words in last if words in printed] == []
    numbered = {letters(fold.summary.get_text()) for fold in folds} - {
        "Hint",
        "Solution",
    }  # those may be said in a text
    assert numbered and [name for name in numbered if name in printed] == []


ANNOUNCED = """() => { document.querySelector("article > section").innerHTML = Array.from({ length: 60 }, (_, i) =>
  `<div style="height:${40 + 7 * i}px; break-inside:avoid"></div><section><h2>Heading${i}x</h2><p class="itt-leads">What follows:</p>
   <ul><li>First${i}x, an entry</li><li>a second</li><li>a third</li></ul></section>`).join("") }"""


def test_a_heading_and_its_sentence_stand_above_the_beginning_of_their_list(site, browser):
    page = browser.new_page()
    page.goto((site / "book/notation.html").as_uri())
    page.evaluate(ANNOUNCED)
    printed = PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True)))
    page.close()
    pages = [letters(one.extract_text()) for one in printed.pages]
    assert len(pages) > 10
    assert [i for i in range(60) if not together(pages, f"Heading{i}x", f"First{i}x")] == []


def test_the_build_marks_the_sentence_that_announces_a_list(parts):
    article, _ = parts["notebooks/04_attention"]
    assert article.select("h2 + p.itt-leads + ul")


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_reply_to_a_guess_stands_at_the_end_of_its_chapter(parts, name):
    article, pages = parts[name]
    told = "".join(pages)
    assert "Answer1standsattheend" in told
    before, answers = told.split("Answerstotheguesses")
    said = [one for one in article.select(".itt.guess details p:first-of-type") if not one.select_one("mjx-container")]
    replies = [letters("".join(map(str, list(one.strings)[1:])))[:24] for one in said]  # after the choice, in bold
    assert len(replies) > 4 and [reply for reply in replies if reply not in answers] == []
    assert "Whichchoiceisright" not in before


def test_an_exercise_begins_on_the_page_of_its_title(parts):
    article, pages = parts[EXERCISES]
    cards = [[letters(p.get_text()) for p in card.select("section > p")[:3]] for card in article.select(".exercise")]
    assert len(cards) > 4 and [title for title, _, text in cards if not together(pages, title, text[:12])] == []
    kinds = [
        (letters(h.get_text().rstrip("#")), letters(h.find_next(class_="exercise").select("section > p")[0].text))
        for h in article.select("h2")
        if h.find_next_sibling(class_="exercise")
    ]
    assert len(kinds) > 2 and [pair for pair in kinds if not together(pages, *pair)] == []


def test_the_foot_of_a_page_names_its_chapter(words, begins):
    for first, title in zip(begins, ("0 The pipeline", "1 Recurrent networks", "Glossary"), strict=False):
        assert f"Inside the Transformer · {title}" in words[first + 1], title


def test_a_control_that_can_be_played_is_printed_at_its_end(parts):
    _, pages = parts["notebooks/04_attention"]
    page = next(page for page in pages if "Attentionstepbystep" in page)
    assert "theweightsaddupto1000" in page and "masked" in page
    assert "Playthesteps" not in page and "Anothertextorhead" not in page


def flat(outline):
    for entry in outline:
        yield from flat(entry) if isinstance(entry, list) else [entry]


def test_the_whole_book_is_every_chapter_with_its_exercises():
    names = in_print()
    assert names[0] == "notebooks/before" and {"notebooks/10_training", "notebooks/exercises/10_training"} < set(names)
    assert not [name for name in names if name.startswith("book/tests")]
