"""A number on a cell can be read, whatever the colour of the cell, in both themes."""

import re

import pytest

from labutils.controls.script import call
from labutils.figures import CATEGORIES, PAPER, ink_on
from labutils.figures.map import depth
from labutils.figures.plot import DEPTHS, ON
from labutils.figures.plot import TOKENS as OF_A_PLOT
from labutils.figures.rows import STEPS, _depth
from labutils.places import ROOT

DARK = "#14181e"  # the paper of the theme
TOKENS = (ROOT / "src/labutils/controls/look/tokens.css").read_text()


def rgb(name: str, dark: bool) -> list[float]:
    found = re.findall(rf"--itt-{name}: #(\w{{6}});", TOKENS)
    return [int(found[min(dark, len(found) - 1)][i : i + 2], 16) / 255 for i in (0, 2, 4)]


def luminance(colour: list[float]) -> float:
    line = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in colour]
    return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]


def contrast(scale: str, t: float, ink: str, dark: bool) -> float:
    low, part = min(7, int(8 * t)), 8 * t - min(7, int(8 * t))
    pair = zip(rgb(f"{scale}-{low}", dark), rgb(f"{scale}-{low + 1}", dark))
    one, two = sorted((luminance([a + part * (b - a) for a, b in pair]), luminance(rgb(f"on-{ink}", dark))))
    return (two + 0.05) / (one + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_each_depth_has_an_ink_that_can_be_read(dark):
    for i in range(201):
        assert contrast("seq", i / 200, depth(i / 200), dark) >= 4.4, i
    for i in range(-STEPS // 2, STEPS // 2 + 1):
        assert contrast("div", 0.5 + i / STEPS, _depth(float(i), STEPS / 2), dark) >= 4.5, i


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("colour", DEPTHS)
def test_the_ink_on_a_colour_over_paper_too(colour, dark):
    paper = [int((DARK if dark else PAPER)[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    over = rgb(OF_A_PLOT[colour].removeprefix("--itt-"), dark)
    assert {CATEGORIES[0], CATEGORIES[3]} == set(DEPTHS)
    for i in range(101):
        cell = luminance([p + i / 100 * (c - p) for p, c in zip(paper, over)])
        one, two = sorted((cell, luminance(rgb(ON[ink_on(colour, i / 100)].removeprefix("--itt-"), dark))))
        assert (two + 0.05) / (one + 0.05) >= 4.4, i


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("scale", ["seq", "div"])
def test_the_ink_of_a_control_too(scale, dark):
    for i in range(0, 101, 2):
        ink = call("look/draw.js", "inkOn", scale, i / 100).removeprefix("var(--itt-on-").removesuffix(")")
        assert contrast(scale, i / 100, ink, dark) >= 4.4, i
