"""A guess is not told: its answer does not stand above it in its section, nor in what is drawn beside it.

Read are headings, paragraphs and tables above the guess, and the words of figures and controls above it, around it
(`guess=predict(…)`) and below it up to the next heading. An answer is found where it cannot be there by chance: the
right choice word for word, if it has three words or more, or a number of it that is a share, has a decimal point, or
three digits. A number of the question or of a wrong choice tells nothing, nor does a place that names a wrong choice.
"""

import ast
import re
from collections.abc import Iterator

from nbformat import NotebookNode

from labutils.authoring.check.figures import drawing
from labutils.authoring.check.prose import blocks, calls, name_of

FEW = 3  # words of a choice that stands somewhere by chance
MARKS = re.compile(r"[*_`“”‘’'\"()]")
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?:\s?%)?(?!\w|[.,]\d)")


def problems(notebook: NotebookNode, controls: set[str]) -> list[str]:
    """One sentence for each guess whose answer stands beside it; `controls` are the names of their classes."""
    found, above = [], []
    drawn = {*drawing(), *controls}
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            for block in blocks(cell.source):
                if block.kind == "heading" and block.level <= 2:
                    above = []
                above.append(plain(block.text))
            continue
        around = [*above, *_said(cell, drawn)]
        for call in calls(cell, "predict"):
            beside = [*around, *_below(notebook.cells[i + 1 :], drawn)]
            told = next((one for one in answers(call) for text in beside if _tells(text, one, call)), None)
            if told:
                found.append(
                    f"{cell.get('id')}: the answer, “{told}”, stands in the same section, before or beside its guess."
                )
        above = around
    return found


def plain(text: str) -> str:
    """Words and numbers in small letters.

    >>> plain("It falls to *less* than 3 %.")
    'it falls to less than 3%.'
    """
    return re.sub(r"(?<=\d) (?=%)", "", " ".join(MARKS.sub("", text).split())).lower()


def answers(call: ast.Call) -> list[str]:
    """What of the right answer of a guess is found where it stands: its words, its numbers."""
    choices, right = choices_of(call)
    if right is None:
        return []
    others = " ".join([plain(_text(call.args[1])), *(one for one in choices if one != right)])
    numbers = [n for n in numbers_of(right) if n not in numbers_of(others)]
    words = [right] if len(right.split()) >= FEW and choices else []
    return [*words, *(n for n in numbers if n.endswith("%") or "." in n or len(re.sub(r"\D", "", n)) >= 3)]


def choices_of(call: ast.Call) -> tuple[list[str], str | None]:
    """The choices of a guess and the right one; for a number that is typed, no choices and the number.

    None stands for a right answer that is computed.
    """
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    tuples = [arg.elts[0] if isinstance(arg, ast.Tuple) and arg.elts else arg for arg in call.args[2:]]
    choices = [plain(_text(one)).strip(" .") for one in tuples]
    right, answer = (getattr(named.get(name), "value", None) for name in ("right", "answer"))
    if isinstance(right, int) and right < len(choices):
        return choices, choices[right] or None
    return [], f"{answer:,}" if isinstance(answer, int | float) else None


def numbers_of(text: str) -> list[str]:
    return [re.sub(r"\s", "", found[0]) for found in NUMBER.finditer(text)]


def _tells(text: str, answer: str, call: ast.Call) -> bool:
    choices, right = choices_of(call)
    others = {part for one in choices if one != right for part in (one, _head(one))}
    if any(_stands(text, one) for one in others if one not in answer):
        return False
    if NUMBER.fullmatch(answer):
        return answer.replace(",", "") in {one.replace(",", "") for one in numbers_of(text)}
    return _stands(text, answer)


def _head(choice: str) -> str:
    """What a choice says before it says why, if that is more than a word."""
    head = re.split("[,:;]", choice)[0]
    return head if " " in head else ""


def _stands(text: str, words: str) -> bool:
    return bool(words) and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _said(cell: NotebookNode, drawn: set[str]) -> list[str]:
    """The words of each figure and control of a cell, those of a guess that one asks left out."""
    return [plain(" · ".join(_words(call))) for call in calls(cell, *drawn)]


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and name_of(node) == "predict":
        return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
        return
    for part in ast.iter_child_nodes(node):
        yield from _words(part)


def _below(cells: list[NotebookNode], drawn: set[str]) -> Iterator[str]:
    """What is drawn below a guess and seen with it: up to the next heading or the next guess."""
    for cell in cells:
        if cell.cell_type == "markdown":
            if any(block.kind == "heading" for block in blocks(cell.source)):
                return
        elif calls(cell, "predict"):
            return
        else:
            yield from _said(cell, drawn)


def _text(node: ast.expr) -> str:
    """The words of an argument, also where numbers are put into them."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else ""
