"""The index of the book: book/index.csv says where each thing is shown, and what of it is still owed.

A row has a number of its own (`id`), the name under which a reader looks it up, the chapter that it belongs to ("book"
for what belongs to all), the addresses that show it (`where`, see `addresses.py`), and what is `owed`: nothing, if all
of it is there.

`python -m labutils.authoring.index` follows every link. With `--owed` it lists what is owed in the chapters that are
written and in the book as a whole, with `--all` in the planned chapters too.
"""

import argparse
import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from labutils.authoring import addresses
from labutils.authoring.addresses import Address
from labutils.authoring.front import planned, written
from labutils.places import BOOK, ROOT

INDEX = BOOK / "index.csv"
ID = re.compile(r"[A-Z]{2}\d{2}")
WHOLE = "book"  # stands for a chapter where all chapters are meant


@dataclass(frozen=True)
class Row:
    """One thing that a reader may look for. chapter: two digits, or "book"."""

    id: str
    name: str
    chapter: str
    where: str
    owed: str

    def addresses(self) -> list[Address]:
        """Raises ValueError for one of no known form."""
        return [addresses.read(text) for text in self.where.split()]

    @property
    def state(self) -> str:
        """`"there"`, `"begun"` (some of it is there) or `"planned"`."""
        return "there" if not self.owed else "begun" if self.where else "planned"


def rows(path: Path = INDEX) -> list[Row]:
    """All rows, in the order of the file.

    Raises:
        ValueError: a line that has not the five fields of a row.
    """
    with path.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file, strict=True)
    if any(len(line) != len(head) for line in lines) or head != [field.name for field in fields(Row)]:
        raise ValueError(f"A line of {path.name} has not the fields id, name, chapter, where, owed.")
    return [Row(*line) for line in lines]


@cache
def chapters() -> dict[str, dict]:
    """The planned chapters by their two digits."""
    return {name[:2]: chapter for name, chapter in planned().items()}


@cache
def finished() -> set[str]:
    """The two digits of the chapters that are written, and "book"."""
    return {number for number, chapter in chapters().items() if written(chapter)} | {WHOLE}


def problems(listed: list[Row], root: Path = ROOT) -> list[str]:
    """One sentence for each link that leads nowhere, and for each row that cannot be right."""
    found = [f"{one} stands twice." for one, times in Counter(row.id for row in listed).items() if times > 1]
    found += [f"Two rows have the name “{one}”." for one, n in Counter(row.name for row in listed).items() if n > 1]
    ids = [row.id for row in listed]
    found += [f"{b} stands behind {a}: rows are sorted by their ids." for a, b in zip(ids, ids[1:]) if b < a]
    return found + [f"{row.id}: {sentence}" for row in listed for sentence in _of_row(row, root)]


def _of_row(row: Row, root: Path) -> Iterator[str]:
    if not ID.fullmatch(row.id):
        yield "an id is two capitals and two digits."
    if not row.name.strip() or any("\n" in field for field in vars(row).values()):
        yield "a row has a name, and takes one line."
    if row.chapter not in chapters().keys() | {WHOLE}:
        yield f"chapter {row.chapter!r} is not in chapters.yml."
    try:
        links = row.addresses()
    except ValueError as error:
        yield str(error)
        return
    yield from (sentence for link in links if (sentence := addresses.dead(link, root)))
    if len(links) > len(set(links)):
        yield "an address stands twice."
    yield from _promises(row, links)


def _promises(row: Row, links: list[Address]) -> Iterator[str]:
    """What is there has to be shown; what a chapter will show is owed until that chapter is written."""
    shown = [link for link in links if row.chapter == WHOLE or link.path.startswith("notebooks/")]
    if not row.owed and not shown:
        yield "nothing is owed, and nothing in a chapter shows it."
    if row.owed and row.chapter not in finished() and not row.owed.startswith(f"chapter {row.chapter}"):
        yield f"chapter {row.chapter} is not written, so what is owed is “chapter {row.chapter}”."
    if row.chapter in finished() and row.owed == f"chapter {row.chapter}":
        yield f"chapter {row.chapter} is written: say what is owed there."


def owed(listed: list[Row], everything: bool = False) -> list[Row]:
    """The rows that are not complete, of the chapters that are written; with `everything` of all."""
    return [row for row in listed if row.owed and (everything or row.chapter in finished())]


def summary(listed: list[Row]) -> str:
    """
    >>> summary([Row("AB01", "a cat", "book", "", "all of it"), Row("AB02", "a mat", "99", "", "chapter 99")])
    'Index: 2 things, 0 complete, 1 with something owed in the chapters that are written, 1 of chapters to come.'
    """
    here = [row for row in listed if row.chapter in finished()]
    later = sum(bool(row.owed) for row in listed if row not in here)
    return (
        f"Index: {len(listed)} things, {sum(not row.owed for row in listed)} complete, {len(owed(listed))} with"
        f" something owed in the chapters that are written, {later} of chapters to come."
    )


def main() -> int:
    """The command; 1 if a link leads nowhere."""
    parser = argparse.ArgumentParser(
        prog="python -m labutils.authoring.index", description="Follow every link of the index of the book."
    )
    parser.add_argument("--owed", action="store_true", help="list what is owed in the chapters that are written")
    parser.add_argument("--all", action="store_true", help="list what is owed in all chapters")
    options = parser.parse_args()
    listed = rows()
    found = problems(listed)
    if options.owed or options.all:
        found = []
        print(*(f"{row.id} {row.chapter:<4} {row.name}: {row.owed}." for row in owed(listed, options.all)), sep="\n")
    print(*found, summary(listed), sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
