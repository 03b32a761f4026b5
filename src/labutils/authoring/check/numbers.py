"""Every number that a chapter states is printed, asserted, or cited.

A number of the prose is one with a decimal point, a percentage, or a whole number of four digits and more (years
apart). It is shown if the chapter prints a number that rounds to it, in an output that is stored and so compared by the
tests, or names one in an assertion that always runs (one under an `if` or a `try` may not). A whole number may also be
a setting: it stands in the code of the chapter. The rest stands in book/cited_numbers.yml, each with its source; a test
compares the two lists.
"""

import ast
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

from labutils.authoring.check.prose import name_of, read_by, tree
from labutils.authoring.declared import declared
from labutils.places import BOOK

CITED = BOOK / "cited_numbers.yml"
DIGITS = r"(?:\d{1,3}(?:[,\u202f]\d{3})+|\d+)?"  # 50,257, or 50257, or nothing before the point
STATED = re.compile(rf"(?<![\w.,/#^])({DIGITS}(?:\.\d+)?)(\s?%|\s?\bper cent\b)?(?![.,]?\d|/\d)")
PRINTED = re.compile(r"(?<![\w.])(\d+(?:[,_]\d{3})*(?:\.\d*)?|\.\d+)(e[+-]?\d+)?(?:/(\d+))?")
LABEL = re.compile(r"\b(?:[Ff]igures?|[Tt]ables?|[Ss]ections?|[Ee]xercises?|arXiv:?)\s*$")  # 4.1 is a name here
FOLD = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


@dataclass(frozen=True)
class Number:
    """A number of the prose, as it is written."""

    cell: str
    text: str  # "99.8 %"

    @property
    def percent(self) -> bool:
        return self.text.endswith(("%", "cent"))

    @property
    def value(self) -> float:
        return float(re.sub(r"[,\s%]|per cent", "", self.text))

    @property
    def decimals(self) -> int:
        return len(re.sub(r"[^\d.]", "", self.text).partition(".")[2])

    @property
    def setting(self) -> bool:
        """Whether it may be one that the code was given: a whole number that is no share."""
        return not self.percent and self.decimals == 0

    def shown_by(self, printed: float) -> bool:
        """Whether a printed number, or a share that is stated in per cent, rounds to this one."""
        half = 0.5 * 10**-self.decimals * (1 + 1e-9)
        return any(abs(abs(x) - self.value) <= half for x in ((printed, 100 * printed) if self.percent else (printed,)))


def stated(notebook: NotebookNode) -> list[Number]:
    """The numbers of the prose in order, each once a cell."""
    found = [
        Number(cell.get("id", ""), text)
        for cell in notebook.cells
        for block in read_by(cell)
        for text in _in_text(block.text)
    ]
    return list(dict.fromkeys(found))


def _in_text(text: str) -> Iterator[str]:
    for match in STATED.finditer(text):
        digits, percent = match[1], match[2] or ""
        if not re.search(r"\d", digits) or LABEL.search(text[: match.start()]):
            continue
        if "." not in digits and not percent and re.match(r"\w", text[match.end() :]):
            continue  # part of a name, as in 2048px
        whole = re.sub(r"\D", "", digits)
        if percent or "." in digits or len(whole) > 3 and not _year(digits):
            yield re.sub(r"\s", " ", digits + percent)


def _year(digits: str) -> bool:
    return bool(re.fullmatch(r"(?:19|20)\d\d", digits))


def settings(notebook: NotebookNode) -> list[float]:
    """The whole numbers that the code of a chapter is given, such as 2,000 draws."""
    nodes = [node for cell in notebook.cells if cell.cell_type == "code" for node in _always_run(tree(cell))]
    return [value for node in nodes if (value := _constant(node)) is not None and value.is_integer()]


def shown(notebook: NotebookNode) -> list[float]:
    """The numbers that stored outputs print and assertions name."""
    found: list[float] = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            found += [value for match in PRINTED.finditer("".join(text)) for value in _values(match)]
        for node in _always_run(tree(cell)):
            if isinstance(node, ast.Assert) or isinstance(node, ast.Call) and "assert" in name_of(node):
                found += [value for part in ast.walk(node) if (value := _constant(part)) is not None]
    return found


def _always_run(node: ast.AST) -> Iterator[ast.AST]:
    """All parts of a cell but those under a condition, which are not tried on every machine."""
    yield node
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.If | ast.Try):
            yield from _always_run(part)


def _values(match: re.Match) -> Iterator[float]:
    digits, power, below = match[1], match[2] or "", match[3]
    yield float(re.sub("[,_]", "", digits) + power)
    if below and int(below):
        yield float(digits.replace(",", "")) / int(below)
    if "," in digits:  # 2,300 in a list may also be 2 and 300
        yield from map(float, digits.split(","))


def _constant(node: ast.AST) -> float | None:
    """A number in code, also one that is written as a sum, product or fraction of numbers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _constant(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp) and type(node.op) in FOLD:
        left, right = _constant(node.left), _constant(node.right)
        if left is not None and right is not None:
            try:
                return float(FOLD[type(node.op)](left, right))
            except (ZeroDivisionError, OverflowError, TypeError):
                return None
    return None


def unshown(notebook: NotebookNode) -> list[Number]:
    """The numbers of the prose that neither an output nor an assertion of the same notebook shows."""
    evidence, given = shown(notebook), settings(notebook)
    return [
        number
        for number in stated(notebook)
        if not any(map(number.shown_by, evidence)) and (not number.setting or number.value not in given)
    ]


def cited(chapter: str) -> dict[str, str]:
    """The numbers of a chapter that may stand unshown -> where each comes from, by book/cited_numbers.yml."""
    entries = declared(CITED) or {}
    return {str(number): source for number, source in (entries.get(chapter) or {}).items()}


def problems(notebook: NotebookNode, listed: dict[str, str]) -> list[str]:
    """Numbers without a proof or a source, and sources without a number."""
    open_ = unshown(notebook)
    texts = {number.text for number in open_}
    found = [
        f"{n.cell}: {n.text} is neither printed nor asserted here, nor in book/cited_numbers.yml."
        for n in open_
        if n.text not in listed
    ]
    found += [
        f"book/cited_numbers.yml: {text} is shown by the chapter itself or gone from it; take it out."
        for text in listed
        if text not in texts
    ]
    return found + [
        f"book/cited_numbers.yml: {text} has no source."
        for text, source in listed.items()
        if not str(source or "").strip()
    ]
