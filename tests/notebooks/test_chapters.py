"""Every chapter, exercise notebook and page as it is stored: whole, true to itself, in step with the package, on the
site.

`python -m labutils.authoring.check` prints the same findings.
"""

import pytest
import yaml

from labutils.authoring import check, notebooks
from labutils.authoring.check import numbers
from labutils.authoring.front import plan, published
from labutils.places import CHAPTERS, ROOT

CHAPTER_NAMES = [notebooks.name(path) for path in check.every_notebook() if check.kind(path) in ("chapter", "more")]


def test_there_are_chapters():
    assert CHAPTER_NAMES


@pytest.mark.parametrize("path", check.every_notebook(), ids=lambda path: path.relative_to(CHAPTERS).as_posix())
def test_notebook(path):
    assert check.notebook_problems(path) == []


@pytest.mark.parametrize("path", check.pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page(path):
    assert check.page_problems(path) == []


def test_the_book_as_a_whole():
    assert check.book_problems() == []


@pytest.mark.parametrize("name", CHAPTER_NAMES)
def test_every_number_is_shown_or_has_a_source(name):
    """The report `python -m labutils.authoring.check --numbers`, and book/cited_numbers.yml, which answers for it."""
    unshown = {number.text for number in numbers.unshown(notebooks.read(CHAPTERS / f"{name}.ipynb"))}
    assert unshown == set(numbers.cited(name))


def test_sources_are_given_for_chapters_that_exist():
    assert set(yaml.safe_load(numbers.CITED.read_text(encoding="utf-8")) or {}) <= set(CHAPTER_NAMES)


def test_every_chapter_is_planned_and_published():
    planned = {chapter["name"] for part in plan() for chapter in part["chapters"]}
    for path in notebooks.chapters():
        assert path.stem in planned or check.kind(path) == "page"
        assert f"notebooks/{path.stem}" in published()


def test_every_second_notebook_is_published_right_below_its_chapter():
    pages = published()
    for path in notebooks.second():
        assert pages[pages.index(f"notebooks/{path.stem}") + 1] == f"notebooks/more/{path.stem}"
