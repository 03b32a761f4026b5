"""The page of claims: each claim of the ledger with its verdict, its truth and a link to what shows it."""

from collections.abc import Mapping
from html import escape
from pathlib import Path

from labutils.authoring import addresses, references
from labutils.authoring.addresses import Address
from labutils.authoring.check.claims import asserted
from labutils.authoring.front import FROM_BOOK, number, planned
from labutils.authoring.ledger import VERDICTS, Entry, ahead, kinds, ledger, proved
from labutils.authoring.pages import index as index_page
from labutils.authoring.pages import tests as tests_page

WAYS = {"chapter": "are shown in a chapter", "test": "by a test", "citation": "by a work of the literature"}


def page() -> str:
    """The filter and the list as HTML. Without JavaScript the whole list stands there and the filter does not."""
    order, boxes, tests = list(planned()), proved(), asserted()
    entries = sorted(ledger(), key=lambda entry: (order.index(entry.chapter), VERDICTS.index(entry.verdict)))
    return opening(entries, boxes, tests) + listed(entries, boxes, tests)


def opening(entries: list[Entry], boxes: Mapping[str, str], tests: Mapping[str, str]) -> str:
    """How many of the sentences are shown in which way, as a paragraph."""
    found = kinds(entries, boxes, tests)
    told = ", ".join(f"{found[kind]:,} {words}" for kind, words in WAYS.items() if found[kind])
    waits = f"; {found['to come']:,} wait for a chapter that is not written yet" if found["to come"] else ""
    return f"<p>Of {len(entries):,} sentences {told}{waits}.</p>"


def listed(entries: list[Entry], boxes: Mapping[str, str], tests: Mapping[str, str]) -> str:
    """`boxes`: claim -> the notebook with its box. `tests`: claim -> the address of the test that computes it."""
    names = list(dict.fromkeys(entry.chapter for entry in entries))
    by_chapter = {name: f"{number(name)} {planned()[name]['title']}" for name in names}
    texts = dict.fromkeys(sorted(entry.text for entry in entries))
    pickers = _menu("Chapter", "chapter", "All chapters", by_chapter)
    pickers += _picker("Verdict", "verdict", {name: name.capitalize() for name in VERDICTS})
    pickers += _menu("Read in", "text", "All texts", {text: text for text in texts})
    coming = ahead()
    items = "".join(
        _item(entry, boxes.get(entry.id), tests.get(entry.id), entry.chapter in coming) for entry in entries
    )
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
    return f'<fieldset><legend>{title}</legend><div class="itt-filter-row">{radios}</div></fieldset>'


def _menu(title: str, name: str, all_: str, options: Mapping[str, str]) -> str:
    """What has many options is one field."""
    choices = "".join(
        f'<option value="{escape(value)}">{escape(words)}</option>' for value, words in ({"": all_} | options).items()
    )
    return (
        f'<fieldset><legend id="itt-by-{name}">{title}</legend><select name="{name}" aria-labelledby="itt-by-{name}">'
        f"{choices}</select></fieldset>"
    )


def _cell(address: Address) -> str:
    """A link to a cell, named by its section or its figure."""
    name = Path(address.path).stem
    said = index_page.words(address, number(name).zfill(2))
    return f'<a href="{index_page.target(address)}">Shown in chapter {number(name)}</a>: {escape(said)}'


def _where(entry: Entry, box: str | None, test: str | None, to_come: bool) -> str:
    """What shows the claim, as links; a chapter that is not written yet has none."""
    if box:
        more = "more on " if box.startswith("more/") else ""
        return f'<a href="{FROM_BOOK}{box}.html#{entry.id.lower()}">Proved in {more}chapter {number(box)}</a>'
    subject = f"chapter {number(entry.chapter)}"
    subject = f"{subject}, to come" if to_come else f'<a href="{FROM_BOOK}{entry.chapter}.html">{subject}</a>'
    if not (proof := test or entry.shown):
        if to_come:
            return f"Shown in {subject}"
        return f"{'The' if entry.verdict == 'right' else 'Corrected here; the'} subject is in {subject}"
    address = addresses.read(proof)
    if address.kind == "cell":
        return _cell(address)
    if address.kind == "page":
        work = escape(references.named()[address.part])
        return f'<a href="bibliography.html#{address.part}">{work}</a>; the subject is in {subject}'
    return f'<a href="{tests_page.address(address)}">Shown by a test</a>; the subject is in {subject}'


def _item(entry: Entry, box: str | None, test: str | None, to_come: bool) -> str:
    return (
        f'<li id="{entry.id.lower()}" data-chapter="{entry.chapter}" data-verdict="{entry.verdict}"'
        f' data-text="{escape(entry.text)}"><p'
        f' class="itt-claim-head"><span>{entry.id}</span><b>{entry.verdict.capitalize()}</b></p><div><p'
        f' class="itt-claim-said">{escape(entry.claim)}</p><p>{escape(entry.truth)}</p><p'
        f' class="itt-claim-where">{_where(entry, box, test, to_come)}</p></div></li>'
    )
