"""The semester as a table: the week of each planned chapter, and for those that exist their minutes."""

import re
from pathlib import Path

from labutils.authoring import notebooks
from labutils.authoring.front import number, plan, written
from labutils.places import CHAPTERS

MINUTES = re.compile(r"^Time\n: (\d+) minutes", re.M)


def minutes(path: Path) -> str:
    """What a notebook says under Time, or a dash where there is no such notebook or no such line."""
    if path.exists():
        for cell in notebooks.read(path).cells:
            if cell.cell_type == "markdown" and (found := MINUTES.search(cell.source)):
                return found[1]
    return "–"


def page() -> str:
    """A table in Markdown, one line a chapter."""
    rows = [_row(chapter) for part in plan() for chapter in part["chapters"]]
    return "| Week | Chapter | Its question | Reading | Exercises |\n|--:|---|---|--:|--:|\n" + "".join(rows)


def _row(chapter: dict) -> str:
    name = f"{number(chapter['name'])} {chapter['title']}"
    title = f"[{name}](../notebooks/{chapter['name']}.ipynb)" if written(chapter) else name
    times = [minutes(folder / f"{chapter['name']}.ipynb") for folder in (CHAPTERS, CHAPTERS / "exercises")]
    return f"| {chapter['week']} | {title} | {chapter['question']} | {times[0]} | {times[1]} |\n"
