"""Short paragraphs, short cells.

A paragraph has at most five lines of 68 characters, a list item and a paragraph in a box counted by themselves, a
formula by its drawn signs; the task of an exercise has six. A cell before the assembled component has at most twelve
lines of code: blank lines, lines that are only a comment and docstrings do not count, nor do cells that the page hides.
"""

import ast
import textwrap

from nbformat import NotebookNode

from labutils.authoring.check.prose import blocks, hidden, tree
from labutils.authoring.sync import source_of

LINES, WIDTH = 5, 68
TASK_LINES = 6
CODE_LINES = 12
COMPONENT = "## The component"


def problems(notebook: NotebookNode, cells: bool = True) -> list[str]:
    """Paragraphs that are too long, and with `cells` also cells."""
    found, assembled = [], False
    for cell in notebook.cells:
        assembled |= cell.cell_type == "markdown" and COMPONENT in cell.source.split("\n")
        if cell.cell_type == "markdown":
            found += [f"{cell.get('id')}: {sentence}" for sentence in _paragraphs(cell.source)]
        elif cells and cell.cell_type == "code" and not (assembled or hidden(cell) or source_of(cell)):
            n = code_lines(cell)
            if n > CODE_LINES:
                found.append(f"{cell.get('id')}: {n} lines of code; at most {CODE_LINES} before the component.")
    return found


def _paragraphs(markdown: str) -> list[str]:
    found = []
    for block in blocks(markdown):
        n, most = len(textwrap.wrap(block.text, WIDTH)), TASK_LINES if block.box.startswith("{exercise}") else LINES
        if block.kind in ("paragraph", "term") and n > most:
            found.append(
                f"a paragraph of {n} lines, at most {most}: “{textwrap.shorten(block.text, 50, placeholder=' …')}”"
            )
    return found


def code_lines(cell: NotebookNode) -> int:
    """The lines of a cell that are neither blank nor a comment nor a docstring."""
    lines = {
        i for i, line in enumerate(cell.source.split("\n"), 1) if line.strip() and not line.strip().startswith("#")
    }
    for node in ast.walk(tree(cell)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)
