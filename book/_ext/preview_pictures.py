"""Which picture a page is shared with: the one that draws what the page finds, which need not be its first."""

import json
from base64 import b64decode
from functools import reduce

from bs4 import BeautifulSoup

from labutils.controls.script import call

PICTURES = ".itt-still svg.is-wide, .itt-figure svg"
WIDGETS = 'script[type="application/vnd.jupyter.widget-state+json"]'
# page -> a control by its name, or a figure by its cell; and in which state the control is drawn, where that is not the
# one in which it opens, because it opens beside a guess, because a card has no room for all of its rows, or because it
# has stations to choose from. A page that is not here has its first picture.
CHOSEN = {
    "notebooks/00_pipeline": ("walk", {"alone": True}),
    "notebooks/01_rnn": ("cell-architecture-looking", {}),
    "notebooks/03_embeddings": ("cell-pca-figure", {}),
    "notebooks/04_attention": ("steps-4.1", {"query": 8, "few": 6}),
    "notebooks/05_multi_head": ("cell-sum-figure", {}),
    "notebooks/06_feed_forward": ("cell-where-figure", {}),
    "notebooks/08_gpt2": ("cell-copy-steps", {}),
    "notebooks/09_output_heads": ("cell-six-figure", {}),
    "notebooks/10_training": ("cell-valley-figure", {}),
    "notebooks/11_kv_cache": ("cell-filled-figure", {}),
    "notebooks/12_decoding": ("plane", {"shut": "", "until": ""}),
    "notebooks/more/02_tokenization": ("cell-figure-frequency", {}),
    "notebooks/more/04_attention": ("vectors-4.B", {}),
    "notebooks/more/06_feed_forward": ("cell-how-many", {}),
    "notebooks/more/10_training": ("cell-rates-figure", {}),
}

# pages whose control is seen from its top, as wide as the title, because whole it would be tiny; and the beginning of
# the line above which it ends in any case
CUT = {
    "book/index": "Next word",
    "notebooks/02_tokenization": "How “",
    "notebooks/play": "How “",
    "notebooks/own_gpt2": "",
}
# figures whose labels have no room in which to grow: they stand in a gap, or against something
TIGHT = {f"notebooks/{name}" for name in ("05_multi_head", "06_feed_forward", "09_output_heads")}
# what a control's picture has to be told with it
TOLD = {"notebooks/12_decoding": "60 stories each: how many the grammar accepts, and their different words"}
# exercises whose first picture is a chapter's: like the others they have their names on the card
WORDED = {f"notebooks/exercises/{name}" for name in ("03_embeddings", "04_attention", "05_multi_head")}


def chosen(name: str, soup: BeautifulSoup):
    """The drawing of a page for its card, as an element: the one that stands above, or the first; None where the page
    has none.
    """
    return (named(soup, *CHOSEN[name]) if name in CHOSEN else None) or soup.select_one(f"article :is({PICTURES})")


def named(soup: BeautifulSoup, place: str, state: dict):
    """The drawing of a control or of a figure of a page, None where the page has none of that name."""
    if place.startswith("cell-"):
        return soup.select_one(f"#{place} :is({PICTURES})")
    if state:
        return drawn(soup, place, state).select_one("svg.is-wide")
    return soup.select_one(f'.itt-still[data-name="{place}"] svg.is-wide')


def drawn(soup: BeautifulSoup, control: str, state: dict) -> BeautifulSoup:
    """A control of a page at rest, in another state than the one in which it opens."""
    saved = json.loads(soup.select_one(WIDGETS).string)["state"].values()
    record = next((one for one in saved if one["state"].get("name") == control), None)
    if record is None:
        return BeautifulSoup("", "html.parser")
    traits = record["state"]
    for kept in record.get("buffers", []):  # numbers travel as bytes beside the traits
        *way, last = kept["path"]
        reduce(lambda at, key: at[key], way, traits)[last] = b64decode(kept["data"])
    return BeautifulSoup(call(f"{traits['control']}/picture.js", "still", traits | state), "html.parser")
