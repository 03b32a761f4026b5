"""The page of claims: each claim of the ledger with its verdict, its truth and a link to what shows it."""

from collections.abc import Mapping
from html import escape
from pathlib import Path

from labutils.authoring import addresses
from labutils.authoring.addresses import Address
from labutils.authoring.check.claims import asserted
from labutils.authoring.front import FROM_BOOK, number, planned
from labutils.authoring.ledger import VERDICTS, Entry, ledger, proved
from labutils.authoring.pages import index as index_page
from labutils.authoring.pages import tests as tests_page


def page() -> str:
    """The filter and the list as HTML. Without JavaScript the whole list stands there and the filter does not."""
    order = list(planned())
    return listed(
        sorted(ledger(), key=lambda entry: (order.index(entry.chapter), VERDICTS.index(entry.verdict))),
        proved(),
        asserted(),
    )


def listed(entries: list[Entry], boxes: Mapping[str, str], tests: Mapping[str, str]) -> str:
    """`boxes`: claim -> the notebook with its box. `tests`: claim -> the address of the test that computes it."""
    names = list(dict.fromkeys(entry.chapter for entry in entries))
    by_chapter = {name: f"{number(name)} {planned()[name]['title']}" for name in names}
    pickers = _picker("Chapter", "chapter", by_chapter) + _picker(
        "Verdict", "verdict", {name: name.capitalize() for name in VERDICTS}
    )
    texts = list(dict.fromkeys(sorted(entry.text for entry in entries)))
    pickers += _menu("Read in", "text", texts)
    items = "".join(_item(entry, boxes.get(entry.id), tests.get(entry.id)) for entry in entries)
    return (
        f'<form class="itt-filter" data-filter="itt-claims" hidden>{pickers}<p role="status"></p></form>'
        f'<ol class="itt-claims" id="itt-claims">{items}</ol><script defer src="../_static/filter.js"></script>'
    )


def _picker(title: str, name: str, options: Mapping[str, str]) -> str:
    choices = {"": "All"} | dict(options)
    radios = "".join(
        f'<label><input type="radio" name="{name}"'
        f' value="{escape(value)}"{"" if value else " checked"}><span>{escape(words)}</span></label>'
        for value, words in choices.items()
    )
    return f"<fieldset><legend>{title}</legend>{radios}</fieldset>"


def _menu(title: str, name: str, options: list[str]) -> str:
    """What has many long options is one field."""
    choices = "".join(f'<option value="{escape(value)}">{escape(value)}</option>' for value in options)
    return (
        f'<fieldset><legend id="itt-by-{name}">{title}</legend><select name="{name}" aria-labelledby="itt-by-{name}">'
        f'<option value="">All texts</option>{choices}</select></fieldset>'
    )


def _cell(address: Address) -> str:
    """A link to a cell, named by its section or its figure."""
    name = Path(address.path).stem
    said = index_page.words(address, number(name).zfill(2))
    return f'<a href="{index_page.target(address)}">Shown in chapter {number(name)}</a>: {escape(said)}'


def _item(entry: Entry, box: str | None, test: str | None) -> str:
    chapter = f"chapter {number(box or entry.chapter)}"
    proof = test or entry.shown
    if box:
        more = "more on " if box.startswith("more/") else ""
        where = f'<a href="{FROM_BOOK}{box}.html#{entry.id.lower()}">Proved in {more}{chapter}</a>'
    elif proof and addresses.read(proof).kind == "cell":
        where = _cell(addresses.read(proof))
    else:
        told = "The subject" if entry.verdict == "right" else "Corrected here; the subject"
        if proof:
            told = f'<a href="{tests_page.address(addresses.read(proof))}">Shown by a test</a>; the subject'
        where = f'{told} is in <a href="{FROM_BOOK}{entry.chapter}.html">{chapter}</a>'
    return (
        f'<li id="{entry.id.lower()}" data-chapter="{entry.chapter}" data-verdict="{entry.verdict}"'
        f' data-text="{escape(entry.text)}"><p'
        f' class="itt-claim-head"><span>{entry.id}</span><b>{entry.verdict.capitalize()}</b></p><div><p'
        f' class="itt-claim-said">{escape(entry.claim)}</p><p>{escape(entry.truth)}</p><p'
        f' class="itt-claim-where">{where}</p></div></li>'
    )
