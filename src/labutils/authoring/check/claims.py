"""The boxes "What you may have read": which claims a notebook corrects, and where.

A box corrects one claim of the ledger, ends with its number in brackets, and follows the cell that proves it:

    :::{admonition} What you may have read
    :class: claim

    “Add log M to the scores, where M holds 0 and −∞.”

    The logarithm of 0 is −∞, … They are the same matrix. (C135)
    :::
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from labutils.authoring.check.prose import blocks, calls
from labutils.places import ROOT

TESTS = ROOT / "tests/claims"  # of the claims that have no box
NUMBER = re.compile(r"\bC\d{3}\b")
LAST_WORDS = re.compile(r"\((C\d{3})\)\.?$")


@dataclass(frozen=True)
class Claim:
    """One box: the number of the claim, what is claimed, what is true, and the cell that the box follows."""

    number: str  # "C135"
    claim: str  # markdown of the first paragraph
    truth: str  # markdown of the others, without the number
    cell: str  # id of the cell of the box
    proof: str  # id of the code cell before it; "" if there is none


def claims(notebook: NotebookNode) -> list[Claim]:
    """The claims that a notebook corrects, in order; boxes without a number are left out."""
    found = []
    for before, cell in zip([None, *notebook.cells], notebook.cells, strict=False):
        proves = before is not None and before.cell_type == "code" and not calls(before, "predict")
        proof = before.get("id", "") if proves else ""
        for box in _boxes(cell):
            last = LAST_WORDS.search(box[-1])
            if last:
                truth = "\n\n".join([*box[1:-1], box[-1][: last.start()].rstrip()])
                found.append(Claim(last[1], box[0], truth, cell.get("id", ""), proof))
    return found


def _boxes(cell: NotebookNode) -> list[list[str]]:
    """The paragraphs of each claim box of a cell."""
    if cell.cell_type != "markdown":
        return []
    found: list[list[str]] = []
    for block in blocks(cell.source):
        if block.box.split()[-1:] == ["claim"]:
            if not found or block.source.startswith("“"):
                found.append([])
            found[-1].append(block.source)
    return found


def asserted(folder: Path = TESTS) -> dict[str, str]:
    """Claim -> the address of its test: the names of tests in `tests/claims` begin with the number of a claim."""
    return {
        found[1].upper(): f"tests/claims/{path.name}::{node.name}"
        for path in sorted(folder.glob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and (found := re.match(r"test_(c\d{3})_", node.name))
    }


def problems(notebook: NotebookNode) -> list[str]:
    """Boxes without a number or a proof, numbers outside boxes."""
    named, found = {claim.cell: claim for claim in claims(notebook)}, []
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        boxes, place = _boxes(cell), f"{cell.get('id')}:"
        if len(boxes) > 1:
            found.append(
                f"{place} two claims stand in one cell. Give each a cell of its own, after the cell that proves it."
            )
        elif boxes and cell.get("id") not in named:
            found.append(f"{place} the box of a claim does not end with the number of the claim, as in (C135).")
        elif boxes and not named[cell.id].proof:
            found.append(f"{place} the box of {named[cell.id].number} does not follow the code cell that proves it.")
        elif boxes and not cell.source.lstrip().startswith(":::"):
            found.append(f"{place} text stands between the box of {named[cell.id].number} and the cell that proves it.")
        outside = {
            n
            for block in blocks(cell.source)
            if block.box.split()[-1:] != ["claim"]
            for n in NUMBER.findall(block.text)
        }
        found += [
            f"{place} {number} is named outside a box “What you may have read” of the class claim."
            for number in sorted(outside)
        ]
    return found


def repeated(of_notebook: Iterable[tuple[str, NotebookNode]]) -> list[str]:
    """Claims that the book corrects more than once, given (name, notebook) of all."""
    first: dict[str, str] = {}
    found = []
    for name, notebook in of_notebook:
        for claim in claims(notebook):
            here = f"{name}: {claim.cell}"
            if claim.number in first:
                found.append(
                    f"{here}: {claim.number} is corrected a second time; the first is in {first[claim.number]}."
                )
            first.setdefault(claim.number, here)
    return found


def unlisted(notebook: NotebookNode, listed: set[str]) -> list[str]:
    """Boxes whose number is not among the claims of book/claims.csv."""
    return [
        f"{claim.cell}: {claim.number} is no row of book/claims.csv."
        for claim in claims(notebook)
        if claim.number not in listed | {"C000"}  # the pattern's own, which is counted with its instructions
    ]
