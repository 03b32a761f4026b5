"""A chapter is a path of at most 45 minutes, chapter 0 one of 20, and asides that the path does not need.

How long a reader takes is an estimate, by one formula fitted to readers: 150 words a minute, eight seconds for each
line of code that is shown, half a minute for each guess, a minute and a half for each control, rounded up to five
minutes. What is folded as an aside or stands in the margin is not counted; an answer to a guess is.
"""

import ast
import math
import re
from dataclasses import dataclass

from nbformat import NotebookNode

from labutils.authoring import folds
from labutils.authoring.check.figures import figure_calls
from labutils.authoring.check.lengths import code_lines
from labutils.authoring.check.prose import Block, blocks, calls, on_request, tree

MOST, WALK = 45, 20  # minutes of a chapter's path; of chapter 0, the walk
WORDS, LINE = 150, 8  # words a minute, seconds for a line of code
GUESS, CONTROL = 0.5, 1.5  # minutes each
STEP = 5  # minutes are stated in steps of
ASIDES, ASIDE_WORDS = 6, 1200  # at most, in a chapter
NOTE = 60  # words of a note in the margin, at most
ONWARD = re.compile(r"\[[^\]]*\]\([^)]*\)")  # a paragraph that is a link and nothing else
TIME = re.compile(r"\d+(?= minutes)")


@dataclass(frozen=True)
class Path:
    """What a reader of the path reads, runs, guesses and moves; `cells` are those of code that are shown."""

    words: int
    lines: int
    guesses: int
    controls: int
    cells: int = 0

    @property
    def minutes(self) -> int:
        """The estimate.

        >>> Path(words=2000, lines=120, guesses=8, controls=6).minutes
        45
        """
        reading = self.words / WORDS + self.lines * LINE / 60
        return STEP * math.ceil((reading + self.guesses * GUESS + self.controls * CONTROL) / STEP)


def path(notebook: NotebookNode, controls: set[str]) -> Path:
    """What of a chapter stands outside its asides; `controls` are the names of the classes of controls."""
    on = on_path(notebook)
    code = [cell for cell in on if cell.cell_type == "code"]
    count = lambda *names: sum(len(calls(cell, *names)) for cell in code)
    shown = [cell for cell in code if not on_request(cell)]
    return Path(_words(on), sum(map(code_lines, shown)), count("predict"), count(*controls), len(shown))


def on_path(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells outside asides."""
    return [cell for cell, kind in zip(notebook.cells, folds.folded(notebook.cells), strict=True) if kind != "aside"]


def in_margin(block: Block) -> bool:
    """Whether a block is a side note."""
    return block.box.startswith("{margin}")


def _words(cells: list[NotebookNode]) -> int:
    """Without side notes and the way on: a chapter takes as long as before when another one is written after it."""
    read = [block for cell in cells if cell.cell_type == "markdown" for block in blocks(cell.source)]
    return sum(len(block.text.split()) for block in read if not in_margin(block) and not ONWARD.fullmatch(block.source))


def problems(notebook: NotebookNode, controls: set[str], walk: bool = False) -> list[str]:
    """A path that is too long, a time that is not the formula's, asides that outgrow it, a fold that JupyterLab does
    not know, that hides its own text or something drawn. `walk`: whether this is chapter 0.
    """
    found, here, most = [], path(notebook, controls), WALK if walk else MOST
    if here.minutes > most:
        found.append(
            f"The path takes {here.minutes} minutes, at most {most}: it has {here.words:,} words, {here.lines} lines of"
            f" code, {here.guesses} guesses and {here.controls} controls. Cut."
        )
    facts = notebook.cells[2] if len(notebook.cells) > 2 else NotebookNode(source="")
    stated = TIME.search(facts.source)
    if stated and int(stated[0]) != here.minutes:
        found.append(
            f"{facts.get('id')}: Time says {stated[0]} minutes; by the formula of the writer’s guide the path takes"
            f" {here.minutes}."
        )
    return found + _asides(notebook) + folds_of(notebook, controls)


def folds_of(notebook: NotebookNode, controls: set[str]) -> list[str]:
    """What is wrong with the folds and the margin of any notebook."""
    found = [f"{cell.get('id')}: {sentence}" for cell in notebook.cells for sentence in _fold(cell)]
    return found + _notes(notebook) + _drawn_in_folds(notebook, controls) + _needed(notebook)


def _asides(notebook: NotebookNode) -> list[str]:
    inside = [cell for cell, kind in zip(notebook.cells, folds.folded(notebook.cells), strict=True) if kind == "aside"]
    titles = [at for cell in inside if (at := folds.heading(cell)) and folds.kind_of(at[1]) == "aside"]
    found, words = [], _words(inside)
    if len(titles) > ASIDES:
        found.append(f"There are {len(titles)} asides, at most {ASIDES}: let some of them go.")
    if words > ASIDE_WORDS:
        found.append(f"The asides have {words:,} words, at most {ASIDE_WORDS:,}: cut.")
    return found


def _notes(notebook: NotebookNode) -> list[str]:
    found = []
    for cell in notebook.cells:
        said = [block for block in blocks(cell.source) if in_margin(block)] if cell.cell_type == "markdown" else []
        words = sum(len(block.text.split()) for block in said)
        if words > NOTE:
            found.append(f"{cell.get('id')}: a note in the margin has {words} words, at most {NOTE}: make it an aside.")
    return found


def _drawn_in_folds(notebook: NotebookNode, controls: set[str]) -> list[str]:
    """Nothing that is drawn or moves waits behind a guess: only words and numbers do."""
    return [
        f"{cell.get('id')}: a figure or a control is folded under “{folds.ANSWER}”. Let it stand open, in a state that"
        " does not tell, and fold the words that answer."
        for cell, kind in zip(notebook.cells, folds.folded(notebook.cells), strict=True)
        if kind == "answer" and cell.cell_type == "code" and (figure_calls(cell) or calls(cell, *controls))
    ]


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
