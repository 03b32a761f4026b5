"""Every figure says in words what it shows, and the figures of a chapter are counted in the order of its page."""

import ast
import inspect
import re
from functools import cache

from nbformat import NotebookNode

from labutils import figures
from labutils.authoring.check.prose import blocks, calls

AXES = re.compile(r"\b(?:against|vs\.?|versus|as a function of)\b", re.I)
COUNT = r"\d+\.(?:\d+|[A-Z])"  # 7.2, or 7.B in a second notebook
NUMBERED = re.compile(rf"<b>Figure {COUNT}\.</b> ")
NUMBER = re.compile(rf"<b>Figure ({COUNT})\.</b>|\bnumber=\"({COUNT})\"")  # of a figure, of a control
DRAWN_BY_HAND = ("show", "subplots", "imshow", "Image", "SVG")  # pictures that nobody could describe


@cache
def drawing() -> dict[str, list[str]]:
    """The functions of `labutils.figures` that take an alternative text, with their parameters in order."""
    functions = {name: getattr(figures, name) for name in figures.__all__ if inspect.isfunction(getattr(figures, name))}
    parameters = {name: list(inspect.signature(function).parameters) for name, function in functions.items()}
    return {name: names for name, names in parameters.items() if "alt" in names}


def figure_calls(cell: NotebookNode) -> list[ast.Call]:
    """The calls in a cell that draw a static figure."""
    return calls(cell, *drawing()) if cell.cell_type == "code" else []


def problems(notebook: NotebookNode) -> list[str]:
    """Figures and images without an alternative text that says the finding."""
    found = []
    for cell in notebook.cells:
        found += [
            f"{cell.get('id')}: {sentence}"
            for sentence in (_code(cell) if cell.cell_type == "code" else _markdown(cell))
        ]
    return found


def out_of_order(notebook: NotebookNode, chapter: str, letters: bool = False) -> list[str]:
    """Figures and controls that are not numbered in the order in which they stand, asides included.

    letters: whether this is a second notebook, whose figures are 7.A, 7.B: none has the number of one in the chapter.
    """
    found, last, where = [], f"{int(chapter)}.0", None
    for cell in notebook.cells:
        for number in [a or b for a, b in NUMBER.findall(cell.source if cell.cell_type == "code" else "")]:
            here, before = _place(number), _place(last)
            if number[-1].isalpha() != letters:
                form = f"{int(chapter)}.{'A' if letters else '1'}"
                found.append(f"{cell.get('id')}: figure {number} is numbered like {form} in this notebook.")
            elif here[0] != int(chapter) or here < before or here == before and cell is not where:
                found.append(f"{cell.get('id')}: figure {number} stands after {last}; number them as they stand.")
            last, where = number, cell
    return found


def _place(number: str) -> tuple[int, int]:
    chapter, _, at = number.partition(".")
    return int(chapter), ord(at) - ord("A") + 1 if at.isalpha() else int(at)


def _code(cell: NotebookNode) -> list[str]:
    found = []
    for call in figure_calls(cell):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
        alt, title = (_argument(call, drawing()[name], word) for word in ("alt", "title"))
        if alt is None or _text(alt).strip() == "":
            found.append("a figure has no alternative text.")
        elif title is not None and _text(alt) == _text(title):
            found.append("the alternative text of a figure repeats its title. Say the finding with its numbers.")
        elif isinstance(alt, ast.Constant) and not re.search(r"\d", alt.value):
            found.append("the alternative text of a figure has no number in it. Say the finding with its numbers.")
        found += _said(call, name)
    if any(call for call in calls(cell, *DRAWN_BY_HAND)):
        found.append("a picture is drawn past `labutils.figures`, so it has no alternative text. Use `figure(…)`.")
    return found


def _said(call: ast.Call, name: str) -> list[str]:
    """What is wrong with the words of a figure: its title is a finding, its caption begins with its number."""
    title, caption = (_argument(call, drawing()[name], word) for word in ("title", "caption"))
    found, words = [], _first_text(title)
    if isinstance(title, ast.Constant) and (len(words.split()) < 4 or AXES.search(words)):
        found.append(f"the title “{words}” names what is drawn. Say the finding, in a sentence that could be refuted.")
    if caption is not None and _first_text(caption) and not NUMBERED.match(_first_text(caption)):
        found.append("the caption does not begin with the number of the figure, as in `<b>Figure 4.2.</b>`.")
    return found


def _first_text(node: ast.expr | None) -> str:
    """The words that a text begins with, also where numbers are put into it; "" where they are computed elsewhere."""
    node = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else node
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _argument(call: ast.Call, parameters: list[str], name: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    at = parameters.index(name)
    return call.args[at] if at < len(call.args) else None


def _text(node: ast.expr) -> str:
    """The source of a text, or the text itself where it is typed out; what is computed elsewhere counts as there."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)


def _markdown(cell: NotebookNode) -> list[str]:
    return [
        f"the image {address} has no alternative text."
        for block in blocks(cell.source)
        for address, words in block.links()
        if re.search(rf"!\[\s*\]\({re.escape(address)}", block.source) and not words.strip()
    ]
