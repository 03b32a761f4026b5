"""Every chapter as it is stored: plain, complete, in step with the package, and on the site."""

import pytest

from labutils.authoring import notebooks
from labutils.authoring.check import problems
from labutils.authoring.front import plan, published


def test_there_are_chapters():
    assert notebooks.chapters()


@pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)
def test_chapter(path):
    assert problems(notebooks.read(path)) == []


def test_every_chapter_is_planned_and_published():
    planned = {chapter["name"] for part in plan() for chapter in part["chapters"]}
    for path in notebooks.chapters():
        assert path.stem in planned or path.stem == "play"
        assert f"notebooks/{path.stem}" in published()
