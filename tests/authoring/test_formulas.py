"""Formulas and icons stand in the pages as they are built, and no script has to draw them."""

import re
import sys

import pytest
from bs4 import BeautifulSoup

from labutils.places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
from formulas import FONTS, as_html, styles
from icons import SCRIPT, drawn, icons


def test_a_formula_comes_with_mathml_that_is_read_aloud():
    page = BeautifulSoup(as_html(r"\frac{a<b}{\sqrt{d_k}}", True), "html.parser")
    read, seen = page.select_one("mjx-assistive-mml math"), page.select_one("mjx-container > mjx-math")
    assert read["display"] == "block" and page.select_one("mjx-container")["display"] == "true"
    assert seen["aria-hidden"] == "true" and read.parent.get("aria-hidden") is None
    assert read.find("mfrac").find("msqrt").find("msub").get_text() == "dk"
    assert [part.get_text() for part in read.find("mfrac").find("mrow").find_all(re.compile("^m[io]$"))] == list("a<b")


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\frac{a}", "Missing argument for \\frac"),
        (r"\nothing x", "Undefined control sequence \\nothing"),
        ("{a", "Extra open brace or missing close brace"),
    ],
)
def test_what_is_no_tex_is_refused_with_the_formula_and_the_reason(tex, said):
    with pytest.raises(ValueError) as error:
        as_html(tex, False)
    assert str(error.value) == f"The formula {tex} cannot be set: {said}."


def test_the_stylesheet_knows_every_letter_and_names_fonts_that_the_site_has():
    css = styles()
    for tex in (r"\alpha\in\mathbb{R}^{n\times d}", r"\mathcal{L}", r"\mathbf{W}", r"\text{softmax}", r"\Bigl(\sum_i"):
        letters = re.findall(r'<mjx-c class="(mjx-c\w+)', as_html(tex.replace(r"\Bigl(", r"\Bigl(\Bigr)"), True))
        assert letters and all(f".{letter}" in css for letter in letters)
    fonts = {path.name for path in (ROOT / "book/_static" / FONTS).iterdir()}
    named = set(re.findall(rf'url\("{re.escape(FONTS)}/([^"]+)"\)', css))
    assert named and named <= fonts


KNOWN = {"moon": ("384", "512", "M1"), "list": ("512", "512", "M2")}


def test_an_icon_is_drawn_where_it_stands_and_keeps_what_styles_and_scripts_ask_for():
    page = (
        '<script defer src="../_static/scripts/fontawesome.js?digest=1"></script><i>word</i>'
        '<button aria-label="Colour mode"><i class="theme-switch fa-solid fa-moon   fa-lg" data-mode="dark"  title="Dark"></i>'
        '</button><span class="fas fa-list"></span><span class="far-away"></span>'
    )
    done = drawn(page, KNOWN)
    moon, rows = BeautifulSoup(done, "html.parser").select("svg")
    assert moon["class"] == ["itt-icon", "theme-switch", "fa-solid", "fa-moon", "fa-lg"] and moon["data-mode"] == "dark"
    assert moon["viewbox"] == "0 0 384 512" and moon.path["d"] == "M1" and rows.path["d"] == "M2"
    assert moon["aria-hidden"] == "true" and "title" not in moon.attrs
    assert "fontawesome" not in done and "<i>word</i>" in done and '<span class="far-away"></span>' in done
    assert drawn(done, KNOWN) == done


def test_an_icon_that_the_theme_does_not_have_is_named():
    with pytest.raises(ValueError, match=r"^The theme has no icon for the classes fa-solid fa-unicorn\.$"):
        drawn('<i class="fa-solid fa-unicorn"></i>', KNOWN)


def test_of_icons_in_several_forms_the_solid_one_is_taken():
    script = 'a={"sun":[512,512,[9728],"f185","M-outline"]},b={"sun":[512,512,[9728],"f185","M-solid"],bars:[448,512,["navicon"],"f0c9","M3"]}'
    assert icons(script) == {
        "sun": ("512", "512", "M-solid"),
        "bars": ("448", "512", "M3"),
        "navicon": ("448", "512", "M3"),
    }
    assert {"chevron-down", "magnifying-glass", "circle-half-stroke"} <= set(icons(SCRIPT.read_text(encoding="utf-8")))
