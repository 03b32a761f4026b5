"""The ledger of claims: book/claims.csv, and what shows each: a box in a chapter, a test in tests/claims that bears its
number, or, for what is right, the address of another cell or test in the column `shown`. Until its chapter is written
that of a work in the bibliography is enough, or nothing yet.
"""

import csv
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from labutils.authoring import addresses, notebooks, references
from labutils.authoring.check.claims import claims
from labutils.authoring.front import planned, published
from labutils.places import BOOK

LEDGER = BOOK / "claims.csv"
WORKS = "book/bibliography.md"
VERDICTS = ("wrong", "imprecise", "contradicted", "right")  # contradicted: another of the texts says the opposite
KINDS = ("chapter", "test", "citation", "to come")  # of what shows a claim


@dataclass(frozen=True)
class Entry:
    """One line of the ledger. chapter is the name of a planned chapter, such as 04_attention; text says where the claim
    was read. shown is the address of a cell, a test or a work in the bibliography (see addresses.py), where neither a
    box nor a test that bears the number of the claim shows what is true.
    """

    id: str
    claim: str
    verdict: str
    truth: str
    chapter: str
    text: str
    shown: str = ""


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
    if short := next((row for row in rows if None in row.values()), None):
        raise ValueError(f"Claim {short['id']} of {path.name} has too few fields.")
    entries = [Entry(**row) for row in rows]
    seen: set[str] = set()
    for entry in entries:
        required = [text for name, text in vars(entry).items() if name != "shown"]
        if not all(required) or entry.verdict not in VERDICTS or entry.chapter not in planned():
            raise ValueError(
                f"Claim {entry.id} of {path.name} lacks a field, or its verdict or chapter does not exist."
            )
        if entry.id in seen:
            raise ValueError(f"Claim {entry.id} stands twice in {path.name}.")
        seen.add(entry.id)
    return entries


def proved() -> dict[str, str]:
    """Claim -> the notebook whose box proves it: "07_bert", or "more/07_bert" in a second notebook."""
    told = [*notebooks.chapters(), *notebooks.second()]
    return {claim.number: notebooks.name(path) for path in told for claim in claims(notebooks.read(path))}


def kind(entry: Entry, boxes: Collection[str], tests: Collection[str]) -> str:
    """One of KINDS. `boxes` and `tests`: the claims that have a box, or a test that bears their number."""
    if entry.id in boxes:
        return "chapter"
    if entry.id in tests:
        return "test"
    if not entry.shown:
        return "to come"
    return {"cell": "chapter", "page": "citation"}.get(addresses.read(entry.shown).kind, "test")


def kinds(entries: list[Entry], boxes: Collection[str], tests: Collection[str]) -> Counter[str]:
    """How many claims are shown in each way."""
    return Counter(kind(entry, boxes, tests) for entry in entries)


def ahead() -> set[str]:
    """The names of the chapters that are not written yet."""
    pages = published()
    return {name for name in planned() if f"notebooks/{name}" not in pages}


def problems(entries: list[Entry], settled: Collection[str]) -> list[str]:
    """One sentence for each claim of a written chapter that nothing shows, and for each address that is of no use.

    `settled`: the claims that have a box, or a test that bears their number.
    """
    finished = planned().keys() - ahead()
    return [f"{entry.id}: {said}" for entry in entries for said in _of_entry(entry, settled, finished)]


def _of_entry(entry: Entry, settled: Collection[str], finished: Collection[str]) -> Iterator[str]:
    if not entry.shown:
        if entry.chapter in finished and entry.id not in settled:
            yield f"{entry.chapter} is written, and no box, no test and no address shows what is true."
        return
    try:
        address = addresses.read(entry.shown)
    except ValueError as error:
        yield str(error)
        return
    cites = address.kind == "page"
    if entry.verdict != "right" and not cites:
        yield "what is not right needs a box or a test that bears its number."
    if cites and entry.chapter in finished and entry.id not in settled:
        yield f"{entry.chapter} is written, and a citation is not enough any more."
    if address.kind not in ("cell", "test", "page"):
        yield f"{entry.shown} is neither a cell nor a test."
    elif cites:
        if address.path != WORKS or address.part not in references.named():
            yield f"{entry.shown} is no work of the bibliography."
    elif reason := addresses.dead(address):
        yield reason
