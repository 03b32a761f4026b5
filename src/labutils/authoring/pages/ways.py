"""Ways through the book (book/ways.yml), and where the sections of other texts are treated (book/sections.csv)."""

import csv
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from labutils.authoring.declared import declared
from labutils.authoring.front import minutes, named, number, planned, written
from labutils.places import BOOK, CHAPTERS


def ways(path: Path = BOOK / "ways.yml") -> dict:
    """The courses and the wishes. Raises ValueError for a chapter that is not planned."""
    found = declared(path)
    rows = [week for course in found["courses"] for week in course["weeks"]] + [w["chapters"] for w in found["wants"]]
    for row in rows:
        _chapters(row)
    return found


def sections(path: Path = BOOK / "sections.csv") -> list[tuple[str, str, list[int]]]:
    """(text, section, the chapters that treat it) in the order of the texts. Raises ValueError for a section without a
    chapter, or with one that is not planned.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            (row["text"], row["section"], [int(n) for n in row["chapters"].split()]) for row in csv.DictReader(file)
        ]
    for text, section, chapters in rows:
        if not chapters:
            raise ValueError(f"The section {section!r} of {text!r} has no chapter.")
        _chapters(chapters)
    return rows


def _chapters(numbers: Iterable[int]) -> list[dict]:
    known = {int(number(name)): chapter for name, chapter in planned().items()}
    if missing := [n for n in numbers if n not in known]:
        raise ValueError(f"book/chapters.yml plans no chapter {missing[0]}.")
    return [known[n] for n in numbers]


def _link(chapter: dict) -> str:
    name = named(chapter)
    return f"[{name}](../notebooks/{chapter['name']}.ipynb)" if written(chapter) else name


def courses_page() -> str:
    """A section with a table for each course, in Markdown."""
    found = []
    for course in ways()["courses"]:
        rows = [_week(i, _chapters(week)) for i, week in enumerate(course["weeks"], 1)]
        table = "| Week | Chapters | Reading |\n|--:|---|--:|\n" + "\n".join(rows)
        found.append(f"## {course['title']}\n\n{course['text']}\n\n{table}\n")
    return "\n".join(found)


def _week(i: int, chapters: list[dict]) -> str:
    times = [minutes(CHAPTERS / f"{chapter['name']}.ipynb") for chapter in chapters]
    reading = " + ".join(times) if any(map(written, chapters)) else ""
    return f"| {i} | {', '.join(map(_link, chapters))} | {reading} |"


def wants_page() -> str:
    """One line for each wish, in Markdown."""
    rows = [f"| {one['want']} | {', '.join(map(_link, _chapters(one['chapters'])))} |" for one in ways()["wants"]]
    return "| I only want to … | Read |\n|---|---|\n" + "\n".join(rows) + "\n"


def sections_page() -> str:
    """A section with a table for each text, in Markdown."""
    found = []
    for text, rows in groupby(sections(), key=lambda row: row[0]):
        lines = [
            f"| {_plain(section)} | {', '.join(map(_link, _chapters(chapters)))} |" for _, section, chapters in rows
        ]
        found.append(f"## {text}\n\n| Section | Chapters |\n|---|---|\n" + "\n".join(lines) + "\n")
    return "\n".join(found)


def _plain(words: str) -> str:
    return words.replace("|", "\\|").replace("*", "\\*")
