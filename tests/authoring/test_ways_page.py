"""Ways through the book lead to chapters that are planned; every section of the texts it set out from has one."""

from collections import Counter

import pytest

from labutils.authoring import front
from labutils.authoring.front import planned
from labutils.authoring.pages import ways as ways_page
from labutils.authoring.pages.ways import courses_page, sections, sections_page, wants_page, ways

NUMBERS = {int(name[:2]) for name in planned()}


def test_every_section_of_the_five_texts_has_a_chapter():
    rows = sections()
    assert Counter(text for text, _, _ in rows) == {
        "Technical documentation of BERT and GPT-2": 33,
        "Nine steps of an encoder": 11,
        "Guide to the Transformer": 34,
        "Specification of a program that shows attention": 59,
        "Fundamentals of Transformers": 58,
    }  # as many as they have headings below their titles
    assert all(chapters and set(chapters) <= NUMBERS for _, _, chapters in rows)
    assert all(section.strip() == section and section for _, section, _ in rows)


def test_every_chapter_answers_some_section():
    treated = {n for _, _, chapters in sections() for n in chapters}
    assert NUMBERS - treated == set()


@pytest.mark.parametrize(
    "row, words", [("A text,A section,", "has no chapter"), ("A text,A section,99", "plans no chapter 99")]
)
def test_a_section_without_a_chapter_is_one_sentence(tmp_path, row, words):
    path = tmp_path / "sections.csv"
    path.write_text(f"text,section,chapters\n{row}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        sections(path)


def test_ways_lead_through_planned_chapters_in_order():
    found = ways()
    for course, weeks in zip(found["courses"], (6, 12), strict=True):
        chapters = [n for week in course["weeks"] for n in week]
        assert len(course["weeks"]) == weeks and f"{weeks} weeks" in course["title"]
        assert chapters == sorted(set(chapters)) and set(chapters) <= NUMBERS and chapters[0] == 0
    for one in found["wants"]:
        assert one["chapters"] == sorted(set(one["chapters"])) and set(one["chapters"]) <= NUMBERS
    assert len({one["want"] for one in found["wants"]}) == len(found["wants"]) >= 6


def test_a_chapter_that_is_not_planned_is_refused(tmp_path):
    path = tmp_path / "ways.yml"
    path.write_text("courses: [{title: a, text: b, weeks: [[0, 77]]}]\nwants: []\n", encoding="utf-8")
    with pytest.raises(ValueError, match="plans no chapter 77"):
        ways(path)


def test_what_is_written_is_a_link_and_the_rest_is_not(monkeypatch):
    monkeypatch.setattr(ways_page, "written", lambda chapter: chapter["name"] == "04_attention")
    for page in (courses_page(), wants_page(), sections_page()):
        assert "[4\u00a0Attention](../notebooks/04_attention.ipynb)" in page and page.count("](") == page.count(
            "04_attention"
        )
    assert courses_page().count("\n| ") == 6 + 12 + 2
    assert wants_page().count("\n| ") == len(ways()["wants"])
    assert sections_page().count("\n| ") == len(sections()) + 5


def test_a_number_stays_beside_its_title_and_no_row_has_dashes_for_a_time(monkeypatch):
    monkeypatch.setattr(ways_page, "written", lambda chapter: chapter["name"] == "04_attention")
    for page in (courses_page(), wants_page(), front.questions()):
        assert not any(f"{int(name[:2])} {one['title']}" in page for name, one in planned().items())
    assert "–" not in courses_page()
    assert "14\u00a0Variants" in front.questions()


def test_a_heading_with_signs_of_markdown_stays_as_it_was(monkeypatch):
    monkeypatch.setattr(ways_page, "sections", lambda: [("T", "a | b *c*", [0])])
    assert "| a \\| b \\*c\\* |" in sections_page()
