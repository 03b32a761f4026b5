"""A guess is won by thinking, not by its form: the right choice stands first as often as second or last."""

import ast
from collections import Counter

import nbformat
import pytest

from labutils.places import CHAPTERS

NAMES = [path.stem for path in sorted(CHAPTERS.glob("[0-9][0-9]_*.ipynb"))]


def places(name: str) -> list[int]:
    """Where the right choice of each question with three choices stands, in a chapter."""
    cells = nbformat.read(CHAPTERS / f"{name}.ipynb", as_version=4).cells
    asked = [cell.source for cell in cells if cell.cell_type == "code" and "predict(" in cell.source]
    calls = [node for source in asked for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    guesses = [one for one in calls if getattr(one.func, "id", "") == "predict"]
    three = [one for one in guesses if sum(isinstance(arg, ast.Tuple) for arg in one.args) == 3]
    return [ast.literal_eval(key.value) for one in three for key in one.keywords if key.arg == "right"]


def test_the_right_choice_stands_anywhere():
    counted = Counter(place for name in NAMES for place in places(name))
    assert set(counted) == {0, 1, 2}
    assert max(counted.values()) < 1.3 * min(counted.values()), counted


@pytest.mark.parametrize("name", NAMES)
def test_no_place_wins_a_chapter(name):
    found = places(name)
    assert max(Counter(found).values()) <= 0.6 * len(found), found
