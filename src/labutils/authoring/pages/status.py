"""Where each chapter stands: what it holds, counted when the site is built, how long it ran and how it was read."""

import json
from functools import cache
from importlib import import_module

from labutils.authoring import notebooks
from labutils.authoring.check.anatomy import CONTROLS
from labutils.authoring.check.claims import claims
from labutils.authoring.check.exercises import exercises
from labutils.authoring.check.figures import figure_calls
from labutils.authoring.check.path import path
from labutils.authoring.check.prose import calls, hidden
from labutils.authoring.declared import declared
from labutils.authoring.front import named, plan, written
from labutils.places import BENCHMARKS, BOOK, CHAPTERS, EXERCISES, MORE

READINGS = BOOK / "readings.yml"
RUNS = BENCHMARKS / "chapters.json"
HEAD = (
    "| Chapter | Minutes | Code cells | Controls | Figures | Guesses | Exercises | Mistakes known | Boxes | Seconds |"
    " Clarity, pleasure, pace |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n"
)


def page() -> str:
    """A table in Markdown, one line for each published chapter, and a line with the sums."""
    chapters = [chapter for part in plan() for chapter in part["chapters"] if written(chapter)]
    seconds = ran()
    counted = [[*counts(chapter["name"]), seconds.get(chapter["name"])] for chapter in chapters]
    readings = declared(READINGS)
    lines = [
        _line(_link(chapter), each, _marks(readings, chapter["name"]))
        for chapter, each in zip(chapters, counted, strict=True)
    ]
    sums = [sum(filter(None, column)) for column in zip(*counted, strict=True)]
    return HEAD + "".join(lines) + _line("All", sums, "")


def ran() -> dict[str, int]:
    """By chapter the seconds that its cells took in the run of all tests that was recorded last."""
    return {row["chapter"]: int(row["seconds"]) for row in json.loads(RUNS.read_text(encoding="utf-8"))["rows"]}


@cache
def counts(name: str) -> list[int]:
    """Of a chapter: minutes, visible code cells, controls, figures, guesses, exercises, mistakes and boxes."""
    notebook = notebooks.read(CHAPTERS / f"{name}.ipynb")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [
        path(notebook, CONTROLS).minutes,
        sum(not hidden(cell) for cell in code),
        sum(len(calls(cell, *CONTROLS)) for cell in code),
        sum(len(figure_calls(cell)) for cell in code),
        sum(len(calls(cell, "predict")) for cell in code),
        *_exercises(name),
        len(claims(notebook)),
    ]


def _exercises(name: str) -> tuple[int, int]:
    """How many exercises there are, and how many mistakes their checkers answer in words of their own."""
    cards = exercises(notebooks.read(EXERCISES / f"{name}.ipynb"))
    modules = [
        import_module(f"labutils.exercises.ch{name[:2]}.{card.cell[3:].removesuffix('-card').replace('-', '_')}")
        for card in cards
    ]
    known = [row for module in modules for table in ("MISTAKES", "REFUSED") for row in getattr(module, table, ())]
    return len(cards), len(known)


def _link(chapter: dict) -> str:
    more = (
        f", [more](../notebooks/more/{chapter['name']}.ipynb)" if (MORE / f"{chapter['name']}.ipynb").exists() else ""
    )
    return f"[{named(chapter)}](../notebooks/{chapter['name']}.ipynb){more}"


def _marks(readings: dict[str, list[int]], name: str) -> str:
    return ", ".join(map(str, readings[name])) if name in readings else "–"


def _line(name: str, counted: list[int | None], marks: str) -> str:
    return f"| {name} | " + " | ".join("–" if n is None else f"{n:,}" for n in counted) + f" | {marks} |\n"
