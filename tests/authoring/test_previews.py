"""The card of a page shows its first picture, whatever drew it."""

import sys

from bs4 import BeautifulSoup

from labutils.places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))

import previews


def test_a_picture_with_links_of_its_own_is_drawn():
    """A figure of Matplotlib points to its letters with `xlink:href`, whose meaning the card has to know."""
    figure = '<svg viewBox="0 0 9 9"><defs><path id="a" d="M0 0h9v9z"/></defs><use xlink:href="#a"/></svg>'
    assert previews.card("More on BERT", "", BeautifulSoup(figure, "html.parser").svg).startswith(b"\x89PNG")
