"""The ledger of claims holds what it must, and the page made from it leads to the boxes of the chapters."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from labutils.authoring import addresses, notebooks
from labutils.authoring.check.claims import asserted, claims
from labutils.authoring.front import planned, written
from labutils.authoring.ledger import KINDS, VERDICTS, Entry, ahead, kind, kinds, ledger, problems
from labutils.authoring.pages import claims as claims_page
from labutils.authoring.pages import tests as tests_page
from labutils.authoring.pages.claims import listed
from labutils.authoring.pages.ways import sections

ENTRIES = [
    Entry("C001", "All cats are grey.", "wrong", "By night <b>they</b> look so.", "02_tokenization", "One text"),
    Entry("C002", "Cats sleep.", "right", "They do.", "04_attention", "One text"),
    Entry("C003", "Cats sit.", "imprecise", "On mats.", "04_attention", "A <b>other</b>"),
]


def test_every_claim_of_a_chapter_is_in_the_ledger_and_has_one_box_in_the_book():
    told = [*notebooks.chapters(), *notebooks.second()]
    boxes = [claim.number for path in told for claim in claims(notebooks.read(path))]
    assert len(boxes) > 8
    assert set(boxes) <= {entry.id for entry in ledger()}
    assert [claim for claim, times in Counter(boxes).items() if times > 1] == []


def test_a_box_stands_in_the_chapter_that_the_ledger_names():
    chapter = {entry.id: entry.chapter for entry in ledger()}
    found = {claim: name.removeprefix("more/") for claim, name in claims_page.proved().items()}
    assert {claim: name for claim, name in found.items() if chapter[claim] != name} == {}


def test_what_is_not_right_has_a_box_or_a_test():
    """In the chapters that are written: no claim is called wrong or loose on somebody's word."""
    finished = {name for name, chapter in planned().items() if written(chapter)}
    corrected = {entry.id for entry in ledger() if entry.verdict != "right" and entry.chapter in finished}
    boxes, tests = claims_page.proved().keys(), asserted().keys()
    assert corrected - boxes - tests == set()
    assert tests <= {entry.id for entry in ledger()}
    assert corrected - boxes and not boxes & tests


def test_every_claim_of_a_written_chapter_is_shown_somewhere():
    settled = claims_page.proved().keys() | asserted().keys()
    assert problems(ledger(), settled) == []
    shown = [addresses.read(entry.shown) for entry in ledger() if entry.shown]
    assert len(shown) > 25 and {link for link in shown if link.kind == "test"} <= set(tests_page.listed())


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("", "04_attention is written, and no box, no test and no address shows what is true."),
        ("notebooks/04_attention.ipynb#no-such-cell", "notebooks/04_attention.ipynb has no cell no-such-cell."),
        ("notebooks/04_retention.ipynb#title", "there is no file notebooks/04_retention.ipynb."),
        ("tests/layers/test_attention.py::test_no_leek", "defines no test_no_leek."),
        ("src/labutils/layers/masks.py::causal_mask", "is neither a cell nor a test."),
        ("somewhere", "'somewhere' is no address"),
        ("book/bibliography.md#clark-et-al-2019", "04_attention is written, and a citation is not enough any more."),
    ],
)
def test_a_claim_that_nothing_shows_is_named(shown, said):
    (found,) = problems([replace(ENTRIES[1], shown=shown)], {"C001", "C003"})
    assert found.startswith("C002: ") and said in found


def test_a_claim_of_a_chapter_to_come_need_not_be_shown_and_what_is_not_right_needs_more_than_an_address():
    assert problems([replace(ENTRIES[1], chapter="16_measures")], set()) == []
    (found,) = problems([replace(ENTRIES[2], shown="notebooks/04_attention.ipynb#title")], set())
    assert found == "C003: what is not right needs a box or a test that bears its number."


@pytest.mark.parametrize(
    "shown",
    [
        f"book/{name}"
        for name in ("bibliography.md", "bibliography.md#nobody-1066", "bibliography.md#to-watch", "notation.md#sizes")
    ],
)
def test_a_citation_names_a_work_of_the_bibliography(shown):
    wrong = replace(ENTRIES[0], chapter="16_measures")
    assert problems([replace(wrong, shown=shown)], set()) == [f"C001: {shown} is no work of the bibliography."]
    assert problems([replace(wrong, shown="book/bibliography.md#clark-et-al-2019")], set()) == []


def test_every_claim_has_words_a_verdict_a_truth_and_what_shows_it_or_a_chapter_that_will():
    entries = ledger()
    assert [entry.id for entry in entries] == [f"C{number:03}" for number in range(1, 415)]
    boxes, tests = claims_page.proved(), asserted()
    waiting = [entry for entry in entries if kind(entry, boxes, tests) == "to come"]
    assert {entry.chapter for entry in waiting} <= ahead() and len(waiting) < 10
    assert all(entry.claim and entry.truth and entry.verdict in VERDICTS for entry in entries)
    assert {entry.claim for entry in entries if len(entry.truth) > 420} == set()


def test_each_kind_of_proof_is_told():
    box, cited, waits = (replace(ENTRIES[0], id=f"C00{i}", chapter="16_measures") for i in (4, 5, 6))
    cited, cell = (
        replace(cited, shown="book/bibliography.md#clark-et-al-2019"),
        replace(ENTRIES[1], shown="notebooks/04_attention.ipynb#title"),
    )
    given = [box, cited, waits, cell, ENTRIES[2]]
    assert [kind(entry, {"C004"}, {"C003"}) for entry in given] == ["chapter", "citation", "to come", "chapter", "test"]
    assert list(kinds(given, {"C004"}, {"C003"}).values()) == [2, 1, 1, 1] and set(KINDS) - set(claims_page.WAYS) == {
        "to come"
    }


def test_the_page_says_how_many_claims_are_shown_in_which_way():
    told = re.search(r"<p>Of (\d+) sentences (.*?)\.</p>", claims_page.page())
    found = kinds(ledger(), claims_page.proved(), asserted())
    assert int(told[1]) == len(ledger()) == sum(found.values())
    assert [int(number) for number in re.findall(r"\d+", told[2])] == [found[each] for each in KINDS]


def test_what_another_text_contradicts_says_so():
    contradicted = [entry for entry in ledger() if entry.verdict == "contradicted"]
    assert len(contradicted) > 4
    assert [entry.id for entry in contradicted if "of these texts" not in entry.truth] == []


def test_tests_of_claims_are_found_by_their_names(tmp_path):
    (tmp_path / "test_cats.py").write_text("def test_c001_they_sleep(): ...\ndef test_others(): ...\n")
    assert asserted(tmp_path) == {"C001": "tests/claims/test_cats.py::test_c001_they_sleep"}


def test_each_claim_was_read_in_a_text_whose_sections_the_book_lists():
    assert {entry.text for entry in ledger()} == {text for text, *_ in sections()}


@pytest.mark.parametrize(
    "line",
    [
        "C001,a,wrong,,02_tokenization,t,",
        "C001,a,false,b,02_tokenization,t,",
        "C001,a,wrong,b,99_cats,t,",
        "C001,a,wrong,b,02_tokenization,,",
        "C001,a,wrong,b, and c,02_tokenization,t,,",
        "C001,a,wrong,b,02_tokenization,t",
    ],
)
def test_a_line_that_cannot_be_shown_is_refused(tmp_path, line):
    (tmp_path / "claims.csv").write_text(f"id,claim,verdict,truth,chapter,text,shown\n{line}\n")
    with pytest.raises(ValueError, match="C001"):
        ledger(tmp_path / "claims.csv")


def test_a_claim_that_stands_twice_is_refused(tmp_path):
    (tmp_path / "claims.csv").write_text(
        "id,claim,verdict,truth,chapter,text,shown\n" + 2 * "C001,a,wrong,b,02_tokenization,t,\n"
    )
    with pytest.raises(ValueError, match="twice"):
        ledger(tmp_path / "claims.csv")


def test_a_claim_leads_to_its_box_or_says_that_it_has_none():
    items = re.findall(r"<li .*?</li>", listed(ENTRIES, {"C001": "02_tokenization"}, {}))
    assert 'href="../notebooks/02_tokenization.html#c001">Proved in chapter 2</a>' in items[0]
    assert 'Corrected here; the subject is in <a href="../notebooks/04_attention.html">chapter 4</a>' in items[2]
    assert "Corrected" not in items[1]
    assert "<b>they</b>" not in items[0] and "&lt;b&gt;they" in items[0]


def test_a_claim_without_a_box_leads_to_the_test_that_shows_it():
    tests = {"C003": "tests/claims/test_attention.py::test_c003_cats_sit"}
    items = re.findall(r"<li .*?</li>", listed(ENTRIES, {}, tests))
    link = '<a href="tests_claims.html#claims-attention-c003-cats-sit">Shown by a test</a>; the subject is in <a href='
    assert link in items[2] and "Shown" not in items[0] + items[1]


def test_a_right_claim_leads_to_the_cell_or_the_test_that_shows_it():
    cell = replace(ENTRIES[1], shown="notebooks/04_attention.ipynb#title")
    test = replace(ENTRIES[1], id="C004", shown="tests/layers/test_attention.py::test_no_leak")
    items = re.findall(r"<li .*?</li>", listed([cell, test], {}, {}))
    assert '<a href="../notebooks/04_attention.html#cell-title">Shown in chapter 4</a>: Attention</p>' in items[0]
    assert '<a href="tests_layers.html#layers-attention-no-leak">Shown by a test</a>; the subject is in' in items[1]


def test_a_claim_of_a_chapter_to_come_leads_to_no_page_that_is_missing():
    waits = replace(ENTRIES[0], chapter="16_measures")
    cited = replace(waits, shown="book/bibliography.md#clark-et-al-2019")
    tests = {"C003": "tests/claims/test_attention.py::test_c003_cats_sit"}
    shown = replace(ENTRIES[2], chapter="16_measures")
    items = re.findall(r"<li .*?</li>", listed([waits, cited, shown], {}, tests))
    assert "Shown in chapter 16, to come</p>" in items[0]
    assert (
        '<a href="bibliography.html#clark-et-al-2019">Clark et al. 2019</a>; the subject is in chapter 16' in items[1]
    )
    assert "Shown by a test</a>; the subject is in chapter 16, to come</p>" in items[2]
    assert not any("16_measures.html" in item for item in items)


def test_the_filter_offers_each_chapter_and_each_verdict():
    page = listed(ENTRIES, {}, {})
    chapters = re.search(r'<select name="chapter".*?</select>', page)[0]
    assert re.findall(r'value="(\w*)"', chapters) == ["", "02_tokenization", "04_attention"]
    assert re.findall(r'name="verdict" value="(\w*)"', page) == ["", "wrong", "imprecise", "contradicted", "right"]


def test_the_page_shows_wrong_claims_first_in_each_chapter():
    keys = re.findall(r'data-chapter="(\w+)" data-verdict="(\w+)"', claims_page.page())
    order = {name: i for i, name in enumerate(claims_page.VERDICTS)}
    assert keys == sorted(keys, key=lambda key: (key[0], order[key[1]]))
