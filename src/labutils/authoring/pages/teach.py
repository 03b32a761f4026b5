"""The semester as a table: the week of each planned chapter, and for those that exist their minutes."""

from labutils.authoring.front import minutes, named, plan, written
from labutils.places import CHAPTERS


def page() -> str:
    """A table in Markdown, one line a chapter."""
    rows = [_row(chapter) for part in plan() for chapter in part["chapters"]]
    return "| Week | Chapter | Its question | Reading | Exercises |\n|--:|---|---|--:|--:|\n" + "".join(rows)


def _row(chapter: dict) -> str:
    name = named(chapter)
    title = f"[{name}](../notebooks/{chapter['name']}.ipynb)" if written(chapter) else name
    times = [minutes(folder / f"{chapter['name']}.ipynb") for folder in (CHAPTERS, CHAPTERS / "exercises")]
    return f"| {chapter['week']} | {title} | {chapter['question']} | {times[0]} | {times[1]} |\n"
