"""What `make test CHAPTER=05` runs."""

from pathlib import Path

import pytest
from of_a_chapter import ROOT, chosen

FIVE = chosen("5")


@pytest.mark.parametrize("given", ["5", "05", "05_multi_head"])
def test_a_chapter_is_found_by_its_number_and_by_its_name(given):
    assert chosen(given) == FIVE and [path.parent.name for path in FIVE.notebooks][:2] == ["notebooks", "exercises"]


@pytest.mark.parametrize("given", ["99", "5_", "multi_head", "../05_multi_head"])
def test_another_is_refused_with_the_right_names(given):
    with pytest.raises(pytest.UsageError, match="There are: 00_pipeline, 01_rnn"):
        chosen(given)


@pytest.mark.parametrize(
    "nodeid",
    [
        "notebooks/05_multi_head.ipynb::Cell 3",
        "notebooks/exercises/05_multi_head.ipynb::Cell 0",
        "tests/exercises/test_answers.py::test_the_mistake_is_named[05-split: forgets the transpose]",
        "tests/exercises/test_answers.py::test_each_checker_has_the_name_of_its_exercise[05]",
        "tests/exercises/test_grading.py::test_the_books_own_solutions_get_all_points[05_multi_head]",
        "tests/site/test_pages.py::test_page_works_for_everyone_and_is_light[notebooks/exercises/05_multi_head]",
        "tests/notebooks/test_chapters.py::test_notebook[05_multi_head.ipynb]",
        "tests/notebooks/test_chapters.py::test_the_book_as_a_whole",
        "tests/lab/test_chapters.py::test_every_cell_runs[05_multi_head.ipynb]",
        "tests/claims/test_multi_head.py::test_anything",
        "tests/controls/test_explorer.py::test_anything[1]",
        "tests/site/test_links.py::test_anything",
        "tests/authoring/test_index.py::test_anything",
    ],
)
def test_what_it_adds_or_touches_is_run(nodeid):
    assert FIVE.has(nodeid) and FIVE.may_have(ROOT / nodeid.partition("::")[0])


@pytest.mark.parametrize(
    "nodeid",
    [
        "notebooks/04_attention.ipynb::Cell 3",
        "tests/exercises/test_answers.py::test_the_mistake_is_named[04-merge: 05-split]",
        "tests/exercises/test_grading.py::test_an_answer_gets_the_points_that_it_is_worth[right]",
        "tests/site/test_pages.py::test_page_works_for_everyone_and_is_light[notebooks/04_attention]",
        "tests/site/test_pages.py::test_search_shows_sections_first_and_the_sentence_with_the_words",
        "tests/claims/test_attention.py::test_anything",
        "tests/controls/test_train.py::test_anything",
        "tests/world/test_tasks.py::test_anything",
    ],
)
def test_what_is_of_others_is_not(nodeid):
    assert not FIVE.has(nodeid)


def test_files_without_a_test_of_it_are_not_read():
    left_out = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if not FIVE.may_have(path)]
    assert len(left_out) > 100 and FIVE.may_have(Path(ROOT / "tests"))


def test_a_test_that_a_row_of_the_index_names_is_run():
    assert FIVE.addresses and all(FIVE.has(address) for address in FIVE.addresses)
