"""A chapter is a path of 45 minutes, and asides that the path does not need.

How long a reader takes is an estimate, by one formula for all chapters: 180 words a minute, half a minute for each cell
of code that is shown and for each guess, a minute and a half for each control, rounded up to five minutes. Nobody's
reading was timed for it. What is folded as an aside is not counted; an answer to a guess is.
"""

import ast
import math
import re
from dataclasses import dataclass

from nbformat import NotebookNode

from labutils.authoring import folds
from labutils.authoring.check.prose import blocks, calls, hidden, tree

WORDS, CELLS = 2600, 35  # at most, on the path
A_MINUTE, CELL, GUESS, CONTROL = 180, 0.5, 0.5, 1.5  # words; minutes each
STEP = 5  # minutes are stated in steps of
TIME = re.compile(r"\d+(?= minutes)")


@dataclass(frozen=True)
class Path:
    """What a reader of the path reads, runs, guesses and moves."""

    words: int
    cells: int
    guesses: int
    controls: int

    @property
    def minutes(self) -> int:
        """The estimate.

        >>> Path(words=2600, cells=35, guesses=11, controls=5).minutes
        45
        """
        exact = self.words / A_MINUTE + self.cells * CELL + self.guesses * GUESS + self.controls * CONTROL
        return STEP * math.ceil(exact / STEP)


def path(notebook: NotebookNode, controls: set[str]) -> Path:
    """What of a chapter stands outside its asides; `controls` are the names of the classes of controls."""
    on = [cell for cell, kind in zip(notebook.cells, folds.folded(notebook.cells), strict=True) if kind != "aside"]
    words = sum(len(block.text.split()) for cell in on if cell.cell_type == "markdown" for block in blocks(cell.source))
    code = [cell for cell in on if cell.cell_type == "code"]
    count = lambda *names: sum(len(calls(cell, *names)) for cell in code)
    return Path(words, sum(not hidden(cell) for cell in code), count("predict"), count(*controls))


def problems(notebook: NotebookNode, controls: set[str]) -> list[str]:
    """A path that is too long, a time that is not the formula's, a fold that JupyterLab does not know or that hides its
    own text.
    """
    found, here = [], path(notebook, controls)
    if here.words > WORDS:
        found.append(
            f"The path has {here.words:,} words, at most {WORDS:,}: cut, or move a section into an aside (`##"
            f" {folds.ASIDE}…`)."
        )
    if here.cells > CELLS:
        found.append(
            f"The path shows {here.cells} cells of code, at most {CELLS}: hide what only draws, or move a section into"
            " an aside."
        )
    facts = notebook.cells[2] if len(notebook.cells) > 2 else NotebookNode(source="")
    stated = TIME.search(facts.source)
    if stated and int(stated[0]) != here.minutes:
        found.append(
            f"{facts.get('id')}: Time says {stated[0]} minutes; by the formula of the writer’s guide the path takes"
            f" {here.minutes}."
        )
    found += [f"{cell.get('id')}: {sentence}" for cell in notebook.cells for sentence in _fold(cell)]
    return found + _needed(notebook)


def _needed(notebook: NotebookNode) -> list[str]:
    """Names that only an aside defines, used outside it: whoever leaves the aside out has an error there."""
    found, on_path, in_asides, aside = [], set(), {}, 0
    for cell, kind in zip(notebook.cells, folds.folded(notebook.cells), strict=True):
        at = folds.heading(cell)
        aside += kind == "aside" and at is not None and folds.kind_of(at[1]) == "aside"
        if cell.cell_type != "code":
            continue
        here = aside if kind == "aside" else 0
        made, used = bound(tree(cell)), _loaded(tree(cell))
        known = on_path | made | {name for name, where in in_asides.items() if here in where}
        found += [
            f"{cell.get('id')}: {name} comes from an aside that a reader may leave out: define or import it here."
            for name in sorted(used - known)
            if name in in_asides
        ]
        if here:
            for name in made:
                in_asides.setdefault(name, set()).add(here)
        else:
            on_path |= made
    return found


def bound(code: ast.AST) -> set[str]:
    """All names that a cell binds, at any depth."""
    names = {node.id for node in ast.walk(code) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    names |= {node.name for node in ast.walk(code) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(code)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return names | {node.arg for node in ast.walk(code) if isinstance(node, ast.arg)}


def _loaded(code: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(code) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _fold(cell: NotebookNode) -> list[str]:
    at = folds.heading(cell)
    if not at or not folds.kind_of(at[1]):
        return []
    found = (
        []
        if len(cell.source.strip().split("\n")) == 1
        else ["the heading of a fold stands in a cell of its own, else JupyterLab leaves its text outside."]
    )
    return (
        found
        if cell.metadata.get(folds.COLLAPSED)
        else [*found, "JupyterLab does not fold this section: run `make refresh`."]
    )
