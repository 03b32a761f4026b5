"""Names: cells that say what they are, guesses that are kept apart."""

import re
from collections.abc import Iterable

from nbformat import NotebookNode

from labutils.authoring.check.prose import calls

SPEAKING = re.compile(r"(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")
DRAWN_BY_LOT = re.compile(r"[0-9a-f]{8}(?:-.*)?|(?:cell|untitled|markdown|code)-?\d*")


def problems(notebook: NotebookNode) -> list[str]:
    """Cell ids that were drawn by lot or cannot be spoken."""
    return [
        f"{name}: the id of a cell says what it is, in small letters and hyphens, like `mask-late`."
        for name in (cell.get("id") or "" for cell in notebook.cells)
        if name and (not SPEAKING.fullmatch(name) or DRAWN_BY_LOT.fullmatch(name))
    ]


def guesses(name: str, notebook: NotebookNode) -> list[tuple[str, str]]:
    """(cell, name of the guess) of each predict box."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            found += [
                (f"{name}: {cell.get('id')}", call.args[0].value)
                for call in calls(cell, "predict")
                if call.args and hasattr(call.args[0], "value")
            ]
    return found


def misnamed(notebook: NotebookNode, chapter: str) -> list[str]:
    """Guesses of a chapter ("04") whose names do not begin with its number, or cannot be spoken."""
    return [
        f"{cell.removeprefix(': ')}: a guess is named like `{chapter}-mask-late`: the chapter, then what it asks; not"
        f" {guess!r}."
        for cell, guess in guesses("", notebook)
        if not (str(guess).startswith(f"{chapter}-") and SPEAKING.fullmatch(str(guess)))
    ]


def repeated(of_notebook: Iterable[tuple[str, NotebookNode]]) -> list[str]:
    """Guesses of one name: a browser would keep them in one place. Given (name, notebook) of all."""
    first: dict[str, str] = {}
    found = []
    for name, notebook in of_notebook:
        for cell, guess in guesses(name, notebook):
            if guess in first:
                found.append(f"{cell}: a predict box has the name {guess!r}, and so has {first[guess]}.")
            first.setdefault(guess, cell)
    return found
