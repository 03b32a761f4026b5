"""The ledger of claims: book/claims.csv, and what shows each: a box in a chapter, a test in tests/claims that bears its
number, or, for what is right, the address of another cell or test in the column `shown`.
"""

import csv
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from labutils.authoring import addresses, notebooks
from labutils.authoring.check.claims import claims
from labutils.authoring.front import planned, written
from labutils.places import BOOK

LEDGER = BOOK / "claims.csv"
VERDICTS = ("wrong", "imprecise", "contradicted", "right")  # contradicted: another of the texts says the opposite


@dataclass(frozen=True)
class Entry:
    """One line of the ledger. chapter is the name of a planned chapter, such as 04_attention; text says where the claim
    was read. shown is the address of a cell or a test (see addresses.py), where neither a box nor a test that bears the
    number of the claim shows what is true.
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


def problems(entries: list[Entry], settled: Collection[str]) -> list[str]:
    """One sentence for each claim of a written chapter that nothing shows, and for each address that is of no use.

    `settled`: the claims that have a box, or a test that bears their number.
    """
    finished = {name for name, chapter in planned().items() if written(chapter)}
    return [f"{entry.id}: {said}" for entry in entries for said in _of_entry(entry, settled, finished)]


def _of_entry(entry: Entry, settled: Collection[str], finished: Collection[str]) -> Iterator[str]:
    if not entry.shown:
        if entry.chapter in finished and entry.id not in settled:
            yield f"{entry.chapter} is written, and no box, no test and no address shows what is true."
        return
    if entry.verdict != "right":
        yield "what is not right needs a box or a test that bears its number."
    try:
        address = addresses.read(entry.shown)
    except ValueError as error:
        yield str(error)
        return
    if address.kind not in ("cell", "test"):
        yield f"{entry.shown} is neither a cell nor a test."
    elif reason := addresses.dead(address):
        yield reason
