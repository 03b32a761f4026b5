"""What a chapter and an exercise notebook say about the exercises agrees with the exercises themselves."""

import re
from dataclasses import dataclass

from nbformat import NotebookNode

from labutils.authoring.check.prose import blocks
from labutils.authoring.self_study import CARD, CHECK, TITLE

MINUTES = re.compile(r"(\d+) minutes")
AT_LEAST = 5


@dataclass(frozen=True)
class Exercise:
    """One card: `2.1`, its title, its dots and its minutes."""

    cell: str
    number: str
    title: str
    dots: str
    minutes: int


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """The exercises of a notebook in order; cards without a title or minutes are left out."""
    found = []
    for cell in notebook.cells:
        if cell.get("id", "").endswith(CARD):
            title, minutes = TITLE.search(cell.source), MINUTES.search(cell.source)
            dots = re.search("[●○]{3}", cell.source)
            if title and minutes and dots:
                found.append(Exercise(cell.id, title[1], title[2], dots[0], int(minutes[1])))
    return found


def problems(notebook: NotebookNode, number: str) -> list[str]:
    """What is wrong with the cards of the exercises of one chapter."""
    cells = {cell.get("id", ""): cell for cell in notebook.cells}
    cards = [name for name in cells if name.endswith(CARD)]
    found, known = [], exercises(notebook)
    for name in cards:
        stem = name.removesuffix(CARD)
        if name not in {exercise.cell for exercise in known}:
            found.append(f"{name}: the card lacks its title (**{number}.1 …**), three dots or its minutes.")
        found += [f"{name}: there is no cell {other}." for other in (stem, stem + CHECK) if other not in cells]
        hints = cells[name].source.count("{dropdown} Hint")
        if hints < 2:
            found.append(f"{name}: {hints} hints; a first and a second belong on a card.")
    expected = [f"{number}.{i}" for i in range(1, len(known) + 1)]
    if [exercise.number for exercise in known] != expected:
        found.append(f"The exercises are numbered {', '.join(e.number for e in known)}, not {', '.join(expected)}.")
    total = sum(exercise.minutes for exercise in known)
    stated = MINUTES.search(cells["facts"].source) if "facts" in cells else None
    if stated and int(stated[1]) != total:
        found.append(f"facts: {stated[1]} minutes are stated, and the exercises take {total}.")
    return found + (
        [] if len(known) >= AT_LEAST else [f"There are {len(known)} exercises; a chapter has {AT_LEAST} or more."]
    )


def listed(chapter: NotebookNode, known: list[Exercise]) -> list[str]:
    """The list under `## Exercises` names each exercise with its minutes and its dots."""
    cell = next(
        (cell for cell in chapter.cells if cell.cell_type == "markdown" and "## Exercises" in cell.source.split("\n")),
        None,
    )
    if cell is None:
        return []
    lines = [block.text for block in blocks(cell.source)]
    found = []
    for exercise in known:
        title = next((block.text for block in blocks(exercise.title)), "")
        line = next((line for line in lines if title in line), None)
        if line is None:
            found.append(f"{cell.id}: the list lacks “{title}”, exercise {exercise.number}.")
        elif f"{exercise.minutes} minutes" not in line or exercise.dots not in line:
            found.append(f"{cell.id}: “{title}” takes {exercise.minutes} minutes and has {exercise.dots} on its card.")
    return found
