"""What makes a path a walk: few numbers in a paragraph, short listings, and no black box in the code that is shown."""

import ast
import builtins
import re

from nbformat import NotebookNode

from labutils.authoring.check.path import bound, in_margin, on_path
from labutils.authoring.check.prose import blocks, calls, hidden, tree
from labutils.authoring.sync import source_of

NUMBERS = 2  # in a paragraph of prose, at most
LISTING = 40  # lines of a cell that is shown, at most, its comments and blank lines included
NAMED = re.compile(
    r"\b(?:heads?|layers?|chapters?|figures?|controls?|exercises?|neurons?|rows?|columns?|positions?|seeds?|sections?|steps?|"
    r"blocks?|GPT-|BERT-|MLP-)\s*\d[\d.]*(?:(?:,| and| to| or|, and)\s+\d[\d.]*)*",
    re.I,
)
ROW = r"\([\d\s.,/−-]*,[\d\s.,/−-]*\)|(?<![\d/])\d+/\d+(?:,\s*\d+/\d+)+"  # (1, 0, −2), or 1/8, 1/16, 1/2
VECTOR = re.compile(rf"(?:{ROW})(?:(?:,\s*|\s+and\s+)(?:{ROW}))*")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
ONE = r"[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?:\s?%)?"
NUMBER = re.compile(rf"(?<![\w.]){ONE}(?:\s*(?:of|×|to|/|±|–|in)\s*{ONE})*(?!\w)")  # "46 of 48" is one
BLACK_BOXES = ("contest", "halves", "two_by_two")


def problems(notebook: NotebookNode) -> list[str]:
    """Paragraphs with too many numbers, listings too long to be read, code that its reader could not have written."""
    found, made_hidden, made = [], set(), set(dir(builtins))
    card = notebook.cells[2:3]
    for cell in on_path(notebook):
        if cell.cell_type == "markdown":
            said = _paragraphs(cell) if not any(cell is one for one in card) else []
        elif hidden(cell):
            made_hidden |= bound(tree(cell))
            said = []
        else:
            made |= bound(tree(cell))
            said = _long(cell)
            if not source_of(cell):
                said += [*_borrowed(cell, made_hidden - made), *_boxes(cell)]
        found += [f"{cell.get('id')}: {sentence}" for sentence in said]
    return found


def numbers(text: str) -> list[str]:
    """The numbers of a paragraph, as its reader meets them; names and years are none, a vector is one.

    >>> numbers("Head 0.6 of layer 2 gives 46 of 48, in 2017; its row is (1, 0, −2), and 3% are lost.")
    ['46 of 48', '7', '3%']
    """
    text = VECTOR.sub(" 7 ", YEAR.sub(" ", NAMED.sub(" ", text)))
    return [found[0] for found in NUMBER.finditer(text)]


def _paragraphs(cell: NotebookNode) -> list[str]:
    found = []
    for block in blocks(cell.source):
        met = numbers(block.words)
        if block.kind == "paragraph" and not in_margin(block) and len(met) > NUMBERS:
            found.append(
                f"{len(met)} numbers in a paragraph ({', '.join(met)}), at most {NUMBERS}: put them into the figure or"
                " the table beside it."
            )
    return found


def _long(cell: NotebookNode) -> list[str]:
    lines = len(cell.source.rstrip().split("\n"))
    if lines <= LISTING:
        return []
    return [f"a listing of {lines} lines, at most {LISTING}: shorten it, or cut it in two with a result between."]


def _borrowed(cell: NotebookNode, only_hidden: set[str]) -> list[str]:
    used = {n.id for n in ast.walk(tree(cell)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return [
        f"{name} comes from a cell that the page hides: define or import it where it is seen."
        for name in sorted(used & only_hidden)
    ]


def _boxes(cell: NotebookNode) -> list[str]:
    """What stands in visible code although no reader would write it."""
    code, found = tree(cell), []
    names = sorted({call.func.id for call in calls(cell, *BLACK_BOXES) if isinstance(call.func, ast.Name)})
    found += [f"{name} is a black box: say in code what it does, or hide it." for name in names]
    if any(isinstance(node, ast.Attribute) and node.attr == "__class__" for node in ast.walk(code)):
        found.append("__class__ is set on the path: build the model with the class instead, or hide it.")
    if any(
        isinstance(part, ast.NamedExpr)
        for call in ast.walk(code)
        if isinstance(call, ast.Call)
        for part in (*call.args, *(keyword.value for keyword in call.keywords))
    ):
        found.append("a name is bound inside a call: give it a line of its own.")
    if any(isinstance(node, ast.Assert) and _guards_a_page(node.test) for node in ast.walk(code)):
        found.append("this assertion guards the page, not the reader: put it into a hidden cell.")
    return found


def _guards_a_page(test: ast.expr) -> bool:
    """Whether an assertion holds several comparisons, or a rounded number: nobody writes such for themselves."""
    several = isinstance(test, ast.BoolOp) and len(test.values) > 1
    return several or any(isinstance(n, ast.Call) and getattr(n.func, "id", "") == "round" for n in ast.walk(test))
