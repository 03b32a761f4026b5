"""The page of claims: the ledger book/claims.csv, each claim with its verdict, its truth and the box that proves it, or
the test that does where it has no box.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from labutils.authoring import addresses, notebooks, tests_page
from labutils.authoring.check.claims import asserted, claims
from labutils.authoring.front import FROM_BOOK, number, planned
from labutils.places import BOOK

LEDGER = BOOK / "claims.csv"
VERDICTS = ("wrong", "imprecise", "right")


@dataclass(frozen=True)
class Entry:
    """One line of the ledger. chapter is the name of a planned chapter, such as 04_attention; text says where the claim
    was read.
    """

    id: str
    claim: str
    verdict: str
    truth: str
    chapter: str
    text: str


def ledger(path: Path = LEDGER) -> list[Entry]:
    """All claims, in the order of the file.

    Raises:
        ValueError: a comma outside quotes, an empty field, a verdict or a chapter that does not exist, or an id that
            comes twice.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if split := next((row for row in rows if None in row), None):
        raise ValueError(f"Claim {split['id']} of {path.name} has too many fields: quote a text that has a comma.")
    entries = [Entry(**row) for row in rows]
    seen: set[str] = set()
    for entry in entries:
        if not all(vars(entry).values()) or entry.verdict not in VERDICTS or entry.chapter not in planned():
            raise ValueError(
                f"Claim {entry.id} of {path.name} lacks a field, or its verdict or chapter does not exist."
            )
        if entry.id in seen:
            raise ValueError(f"Claim {entry.id} stands twice in {path.name}.")
        seen.add(entry.id)
    return entries


def proved() -> dict[str, str]:
    """Claim -> the notebook, without its suffix, whose box proves it."""
    return {claim.number: path.stem for path in notebooks.chapters() for claim in claims(notebooks.read(path))}


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


def _item(entry: Entry, box: str | None, test: str | None) -> str:
    chapter = f"chapter {number(box or entry.chapter)}"
    if box:
        where = f'<a href="{FROM_BOOK}{box}.html#{entry.id.lower()}">Proved in {chapter}</a>'
    else:
        told = "The subject" if entry.verdict == "right" else "Corrected here; the subject"
        if test:
            told = f'<a href="{tests_page.address(addresses.read(test))}">Shown by a test</a>; the subject'
        where = f'{told} is in <a href="{FROM_BOOK}{entry.chapter}.html">{chapter}</a>'
    return (
        f'<li id="{entry.id.lower()}" data-chapter="{entry.chapter}" data-verdict="{entry.verdict}"'
        f' data-text="{escape(entry.text)}"><p'
        f' class="itt-claim-head"><span>{entry.id}</span><b>{entry.verdict.capitalize()}</b></p><div><p'
        f' class="itt-claim-said">{escape(entry.claim)}</p><p>{escape(entry.truth)}</p><p'
        f' class="itt-claim-where">{where}</p></div></li>'
    )
