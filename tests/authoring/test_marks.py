"""No stylesheet of the site asks with `:has(`: what it would ask is known when the page is built."""

import sys

import pytest

from labutils.controls.style import LOOK, SITE
from labutils.places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
from marks import without_has


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        ("a{color:red}b:has(i){x:1}c{y:2}", "a{color:red}c{y:2}"),
        ("a,b:has(i, u),c>d{x:1}", "a,c>d{x:1}"),
        ("/* a */\nb:not(:has(i)) {\n  x: 1;\n}\nc {}", "/* a */c {}"),
        ("@media print{a:has(b){x:1}c{y:2}}", "@media print{c{y:2}}"),
        ("a:is(b, c){x:1}", "a:is(b, c){x:1}"),
    ],
)
def test_selectors_that_ask_go_and_nothing_else(css, kept):
    assert without_has(css).replace("\n", "") == kept.replace("\n", "")


def test_no_rule_of_ours_for_the_site_asks_so_for_it_would_be_cleared_away():
    asking = [name for name in SITE if ":has(" in (LOOK / f"{name}.css").read_text(encoding="utf-8")]
    assert asking == []
