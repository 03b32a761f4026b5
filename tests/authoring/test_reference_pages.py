"""Notation, glossary, bibliography and the page for teachers agree with the package and the chapters."""

import re
from collections import Counter

import pytest
from docutils.nodes import make_id
from pybtex.database import parse_string

from labutils.authoring import front, notebooks, references
from labutils.authoring.glossary import names, place, terms
from labutils.authoring.pages import report as report_page
from labutils.authoring.pages import teach as teach_page
from labutils.models import GPT2Config
from labutils.places import BOOK

LINK = re.compile(r"\]\((?:\.\./)*book/(\w+)\.md(?:#([\w-]+))?\)")


def chapter_texts():
    return {
        notebooks.name(path): "\n".join(
            cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"
        )
        for path in [*notebooks.chapters(), *notebooks.second()]
    }


def test_terms_are_many_different_and_explained():
    found = terms()
    assert len(found) >= 40
    assert [term for term, times in Counter(map(make_id, found)).items() if times > 1] == []
    texts = re.split(r"^### .+$", (BOOK / "glossary.md").read_text(encoding="utf-8"), flags=re.M)[1:]
    assert all(1 <= len(re.findall(r"[.:?](?:\s|$)", re.split(r"^## ", text, flags=re.M)[0])) <= 4 for text in texts)


def test_most_terms_are_used_in_a_chapter():
    texts = [("", text, False) for text in chapter_texts().values()]
    used = [term for term in terms() if place(term, texts) is not None]
    assert len(used) >= 40


def test_links_of_chapters_to_the_pages_beside_them_resolve():
    pages = {
        page: {
            make_id(heading)
            for heading in re.findall(r"^#+ (.+)$", (BOOK / f"{page}.md").read_text(encoding="utf-8"), flags=re.M)
        }
        for page in ("glossary", "bibliography", "notation")
    }
    found = [
        (name, page, anchor)
        for name, text in chapter_texts().items()
        for page, anchor in LINK.findall(text)
        if page in pages
    ]
    assert found
    assert [link for link in found if link[2] and link[2] not in pages[link[1]]] == []


def test_a_term_is_found_in_bold_before_it_is_found_in_passing():
    said = [("first", "a softmax", False), ("second", "softmax", True)]
    assert place("softmax", said) == "second"
    assert place("softmax", said[:1]) == "first"
    assert place("byte-pair encoding (BPE)", [("here", "BPE merges", False)]) == "here"
    assert place("head", [("there", "ahead of it", False)]) is None
    assert names("head") == ["head"]


def test_works_that_chapters_cite_are_in_the_bibliography():
    cited = {
        text
        for chapter in chapter_texts().values()
        for text in re.findall(r"\[([^\]]+)\]\([./]*book/bibliography\.md[^)]*\)", chapter)
    }
    listed = re.findall(r"^### (.+)$", (BOOK / "bibliography.md").read_text(encoding="utf-8"), flags=re.M)
    key = lambda work: (re.match(r"\W*(\w+)", work)[1], re.search(r"\d{4}", work)[0])
    assert cited
    assert {work for work in cited if re.search(r"\d{4}", work) and key(work) not in map(key, listed)} == set()


def test_notation_names_fields_that_the_configuration_has():
    table = (BOOK / "notation.md").read_text(encoding="utf-8").split("## Rows")[0]
    named = re.findall(r"\| `(\w{2,})` \|", table)
    assert {"d_model", "n_heads", "head_dim", "d_ff", "vocab_size", "n_layers"} == set(named)
    assert all(hasattr(GPT2Config(), name) for name in named)


def test_the_semester_has_every_chapter_once_in_order_and_reads_minutes_from_notebooks(monkeypatch):
    monkeypatch.setattr(teach_page, "written", lambda chapter: chapter["name"] == "04_attention")
    rows = teach_page.page().splitlines()[2:]
    weeks = [int(row.split("|")[1]) for row in rows]
    assert len(rows) == len(front.planned()) and weeks == sorted(weeks) and set(weeks) == set(range(1, 15))
    ready = [row for row in rows if "](" in row]
    assert len(ready) == 1 and re.search(r"04_attention\.ipynb\).*\| \d+ \| \d+ \|$", ready[0])


def test_an_error_is_reported_in_words_until_the_repository_is_known():
    assert "your teacher" in report_page.page("") and "_config.yml" in report_page.page("")
    assert "(https://example.org/book/issues/new)" in report_page.page("https://example.org/book/")


def test_every_work_of_the_bibliography_is_read_again_from_its_bibtex():
    page = (BOOK / "bibliography.md").read_text(encoding="utf-8")
    headings, found = re.findall(r"^### (.+)$", page, flags=re.M), references.works(page)
    assert list(found) == headings
    entries = parse_string(references.bibtex(), "bibtex").entries
    assert len(entries) == len(headings)
    for (name, work), entry in zip(found.items(), entries.values(), strict=True):
        year, first = entry.fields["year"], " ".join(entry.persons["author"][0].last_names)
        assert year == name[-4:] == work["year"] and first.split()[-1] in name
        assert entry.fields["title"].strip("{}") == work["title"].removesuffix(".")
        assert entry.fields.get("eprint", "") == work["arxiv"] and work["arxiv"] in work["url"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("### Cat 1999\nA. Cat, *Mats*, 1999.\n", "not of the form"),
        ("### Cat 1999\nA. Cat. *Mats.* 1999.\n\n" * 2, "stands twice"),
    ],
)
def test_an_entry_that_cannot_be_cited_is_refused(text, words):
    with pytest.raises(ValueError, match=words):
        references.works(text)
