"""How much code a path shows, and how it is laid out: never three cells in a row with nothing found between them.

Between two cells of code that are shown stands something to look at, or two sentences that say what was found. A cell
that draws is something to look at itself.
"""

import re

from nbformat import NotebookNode

from labutils.authoring.check.figures import figure_calls
from labutils.authoring.check.path import Path, in_margin, on_path
from labutils.authoring.check.prose import blocks, calls, on_request

LINES, CELLS = 120, 14  # of code that is shown on a path, at most
IN_A_ROW, BETWEEN = 2, 2  # cells, at most; sentences, at least
END = re.compile(r"[.?!]”?(?=\s|$)|:$")


def problems(notebook: NotebookNode, here: Path, controls: set[str]) -> list[str]:
    """A path with too much code, or too much of it in a row. `here` is what `path` counts on it."""
    found = []
    if here.lines > LINES or here.cells > CELLS:
        found.append(
            f"The path shows {here.lines} lines of code in {here.cells} cells, at most {LINES} in {CELLS}: hide what a"
            " reader loses nothing by, or move it to an aside, an exercise or the second notebook."
        )
    row, sentences = 0, 0
    for cell in on_path(notebook):
        if cell.cell_type == "markdown":
            sentences += sentences_of(cell)
            continue
        if not on_request(cell):
            row, sentences = (1 if sentences >= BETWEEN else row + 1), 0
            if row == IN_A_ROW + 1:
                found.append(
                    f"{cell.get('id')}: the third cell of code in a row. Show something before it, or say in two"
                    " sentences what was found."
                )
        if figure_calls(cell) or calls(cell, *controls):
            row, sentences = 0, 0
    return found


def sentences_of(cell: NotebookNode) -> int:
    """The sentences of prose in a cell, without headings, tables and notes in the margin."""
    said = [block.text for block in blocks(cell.source) if block.kind == "paragraph" and not in_margin(block)]
    return sum(len(END.findall(text.strip())) for text in said)
