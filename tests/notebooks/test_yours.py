"""Cells that are the reader's: after Run All they run again, and each check below notices what was changed."""

import re

import again
import pytest
from again import AGAIN, MUTANTS, cells_of

from labutils.places import CHAPTERS

INVITES = "edit-me"  # the id of the cell of text that says what to change and what to run again
# what stands below "The check" and says in its text that it is about the package's model, not about the reader's
OF_THE_PACKAGE = {"07_bert": {"bert-check", "bert-backward"}, "10_training": {"paper-check"}}

# what shows a difference and goes on: a table that marks it in colour, draws that differ a little each time
SHOWS = {"04_attention": {"paper-check"}, "12_decoding": {"check-draws"}}
PREPARE = {"by-hand", "three-caches"}  # they say nothing: the next cell compares what they have made


def checks_of(chapter: str) -> list[str]:
    """The cells of code below the heading that all chapters give their check."""
    below, found = False, []
    for name, cell in cells_of(chapter).items():
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and (headings := re.findall(r"^## .*", text, re.M)):
            below = headings[-1] == "## The check"
        elif below and cell["cell_type"] == "code":
            found.append(name)
    return found


def test_every_chapter_that_invites_a_change_is_tried():
    chapters = [path.stem for path in sorted(CHAPTERS.glob("[0-9]*.ipynb"))]
    assert [name for name in chapters if INVITES in cells_of(name) or checks_of(name)] == list(AGAIN) == list(MUTANTS)


@pytest.mark.parametrize("chapter", AGAIN)
def test_after_run_all_the_cells_run_again_and_each_check_notices_a_change(chapter):
    before, *said, after = again.said(chapter)
    assert not {name: words for name, words in before.items() if "RAISED" in words or "differs" in words}
    assert after == before
    for (cell, old, new, noticed), words in zip(MUTANTS[chapter], said, strict=True):
        unseen = [name for name in noticed if words[name] == before[name]]
        assert not unseen, f"{cell}, {new!r} in place of {old!r}: {unseen} said {[words[name] for name in unseen]}"
        ends_in_red = set(noticed) & set(checks_of(chapter)) - SHOWS.get(chapter, set())
        assert all("RAISED" in words[name] for name in ends_in_red), f"{cell}, {new!r} in place of {old!r}: {words}"


def test_each_check_is_run_again_and_has_a_mutant_that_it_notices():
    for chapter, (_, checks) in AGAIN.items():
        cells, noticed = cells_of(chapter), {name for *_, names in MUTANTS[chapter] for name in names}
        assert set(checks_of(chapter)) - set(checks) == OF_THE_PACKAGE.get(chapter, set()), chapter
        unseen = set(checks) - noticed
        assert unseen <= PREPARE and not any(cells[name]["outputs"] for name in unseen), (chapter, unseen)
