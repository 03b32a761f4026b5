"""A page asks for what it uses, and looks as it did."""

import re
import sys
from html import unescape
from pathlib import Path

import pydata_sphinx_theme
import pytest
from pygments import highlight
from pygments.lexers import PythonLexer

from labutils.places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
from lighter import AT_ONCE, MARKED, THEME, FewerMarks, lightened, pruned, whole

WORDS = {"used", "also", "here"}


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        (".used{a:b} .gone{a:b}", ".used{a:b}"),
        (".used, .gone > p, #here { a: b }", ".used,#here{a: b}"),
        (".used.gone{a:b}p .also::before{a:b}", "p .also::before{a:b}"),
        (".used:not(.gone){a:b}", ".used:not(.gone){a:b}"),
        ("@media print{.gone{a:b}}@media (min-width:1px){.used{a:b}}", "@media (min-width:1px){.used{a:b}}"),
        ("@font-face{src:url(a.woff)}:root{--x:1}/* .used */", "@font-face{src:url(a.woff)}:root{--x:1}"),
        ('a[href=".gone"]{a:b}', 'a[href=".gone"]{a:b}'),
        (
            '@font-face{font-family:"Font Awesome 6 Free"}.used::after{font-family:Font Awesome\\ 6 Free}p{a:b}',
            "p{a:b}",
        ),
        ('@supports (a:b){.used{font-family:"Font Awesome 6 Free"}p{a:b}}', "@supports (a:b){p{a:b}}"),
    ],
)
def test_selectors_that_name_what_no_page_has_go(css, kept):
    assert pruned(css, WORDS) == kept


def test_an_imported_sheet_stands_in_its_place(tmp_path):
    (tmp_path / "styles").mkdir()
    (tmp_path / "basic.css").write_text("a{}")
    sheet = tmp_path / "styles/theme.css"
    sheet.write_text('@import "../basic.css"; b{}')
    assert whole(sheet) == "a{} b{}"


PAGE = """<head><link href="../_static/a.css?v=1" rel="stylesheet" />
<link rel="stylesheet" type="text/css" href="../_static/b.css" />
<script src="../_static/documentation_options.js?v=2"></script>
<script src="../_static/doctools.js"></script>
<script defer="defer" src="../_static/design-tabs.js"></script>
<script src="../_static/copybutton.js"></script><script>const own = 1;</script></head>"""


def test_a_page_has_one_sheet_and_no_script_that_it_does_not_need():
    page = lightened(PAGE, "_static/site.css?v=abc", "const OPTIONS = 1;")
    assert page.count("stylesheet") == 1 and '<link rel="stylesheet" href="../_static/site.css?v=abc">' in page
    assert "<script>const OPTIONS = 1;</script>" in page and "<script>const own = 1;</script>" in page
    assert '<script defer src="../_static/doctools.js"></script>' in page
    assert "design-tabs" not in page and "copybutton" not in page
    again = lightened(page, "_static/site.css?v=def", "const OPTIONS = 1;")
    assert again == page.replace("abc", "def")
    needs = PAGE + '<div class="sd-tab-set"></div><div class="highlight-python"><div class="highlight">'
    assert "design-tabs" in lightened(needs, "_static/site.css?v=abc", "") and "copybutton" in lightened(needs, "", "")


def test_the_theme_is_known_before_the_page_is_drawn():
    layout = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/layout.html"
    head = layout.read_text(encoding="utf-8").replace("{{ default_mode }}", "auto")
    assert THEME in head
    assert AT_ONCE in lightened(PAGE + f"<script>{THEME}</script>", "_static/site.css?v=abc", "")


def test_code_marks_what_the_stylesheet_sets_in_another_way_and_nothing_else():
    css = (ROOT / "src/labutils/controls/look/cells.css").read_text(encoding="utf-8")
    assert {
        kind for kinds in re.findall(r"\.highlight :is\((.*?)\) \{", css) for kind in re.findall(r"\w+", kinds)
    } == MARKED
    code = "for x in y:  # <b>\n    z = x is not 'a'\n"
    html = highlight(code, PythonLexer(), FewerMarks())
    assert re.findall(r'<span class="(\w+)">(.*?)</span>', html) == [
        ("k", "for"),
        ("ow", "in"),
        ("c1", "# &lt;b&gt;"),
        ("ow", "is"),
        ("ow", "not"),
    ]
    assert unescape(re.sub(r"<[^>]*>", "", html)).strip() == code.strip()
