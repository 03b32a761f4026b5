"""What a student wrote: the code of each exercise, out of whatever was handed in.

Nothing is asked of a file but what grading needs of it: cells with a text, a kind and a name. So a notebook is read in
each version of its format and with whatever else in it, and what lacks a part has it empty.
"""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from IPython.core.inputtransformer2 import TransformerManager

from labutils.authoring.grading.assignment import IMPORTS, bound
from labutils.authoring.grading.texts import decoded, plain
from labutils.authoring.self_study import CHECK

MB = 1 << 20
LARGEST = 64  # MB of a notebook
LINK = "{} is a link, and links are not followed: hand in the notebook itself."
BROKEN = "{} cannot be read as a notebook: {}"
CONFLICT = re.compile(rb"^<{7} .*^={7}\s.*^>{7} ", re.M | re.S)  # in JSON no line of a text begins like that
ONE_IMPORT = re.compile(r"(import|from) [\w.]+( import [\w*, ]+| as \w+|(, [\w.]+)+)?\s*(#.*)?")
CUT_OFF = (
    "{} cannot be read as a notebook. Perhaps its end is missing: open it in JupyterLab, save it, and hand it in again."
)
OTHER = "{} is not a notebook. Hand in the notebook itself."


class NotGradable(ValueError):
    """What was handed in is no notebook, another one, or there are several. The message says which."""


@dataclass(frozen=True)
class Cell:
    """A cell.

    Attributes:
        name: the mark in its metadata, which survives copying and other programs, or its id.
        is_code: whether it runs in a notebook.
    """

    name: str
    source: str
    is_code: bool = True


Notebook = list[Cell]


def read(path: Path) -> Notebook:
    """A student's notebook in any version of the format. Raises NotGradable where there is none in the file."""
    name = plain(path.name)
    if path.is_symlink():
        raise NotGradable(LINK.format(name))
    try:
        if path.stat().st_size > LARGEST * MB:
            raise NotGradable(f"{name} is larger than {LARGEST} MB: clear its outputs and hand it in again.")
        content = path.read_bytes()
    except OSError as error:
        raise NotGradable(BROKEN.format(name, error.strerror or "the system does not let me")) from None
    if said := what_else(content):
        raise NotGradable(f"{name} is {said}, not a notebook. Hand in the notebook itself.")
    try:
        found = json.loads(decoded(content))
    except ValueError:
        begins = decoded(content[:200]).lstrip().startswith("{")
        raise NotGradable((CUT_OFF if begins else OTHER).format(name)) from None
    except RecursionError:
        raise NotGradable(BROKEN.format(name, "it is nested too deeply")) from None
    if not isinstance(found, dict) or not isinstance(cells := _cells(found), list):
        raise NotGradable(OTHER.format(name))
    return [_cell(one) for one in cells if isinstance(one, dict)]


def what_else(content: bytes) -> str:
    """What a file is that is no notebook and is often taken for one; empty for others."""
    if content.startswith(b"PK\x03\x04") or content == b"PK":
        return "a ZIP archive"
    if content.startswith(b"%PDF"):
        return "a PDF"
    if CONFLICT.search(content):
        return "two versions that git could not join (its lines begin with <<<<<<< and >>>>>>>)"
    if decoded(content[:200]).lstrip().startswith("<"):
        return "a web page"
    return "empty" if not content.strip() else ""


def _cells(notebook: dict) -> object:
    """The cells, which the format kept in worksheets up to its version 3."""
    if "cells" in notebook or not isinstance(sheets := notebook.get("worksheets"), list):
        return notebook.get("cells")
    found = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in found if isinstance(cells, list) for cell in cells]


def _cell(cell: dict) -> Cell:
    text = cell.get("source", cell.get("input", ""))
    lines = text if isinstance(text, list) else [text]
    source = "".join(line for line in lines if isinstance(line, str))
    marks = cell.get("metadata")
    marks = marks.get("nbgrader") if isinstance(marks, dict) else None
    marked = marks.get("grade_id") if isinstance(marks, dict) else None
    name = next((one for one in (marked, cell.get("id")) if isinstance(one, str) and one), "")
    return Cell(name, plain(source), cell.get("cell_type", "code") == "code")


def code_of(
    notebook: Notebook, owners: dict[str, str], handed_out: Mapping[str, str] = MappingProxyType({})
) -> dict[str, list[str]]:
    """Name of an exercise -> the student's code for it, cell by cell, in the student's own order.

    A cell that the student added belongs to the exercise above it. Of an answer that stands there twice both are
    there, so that the lower one counts, as in the notebook. Cells that were handed out with the task are left out. An
    answer is code, also where a key has turned its cell into text. Of a cell that was handed out and changed, the
    imports that were added count: there is where one writes them.

    Args:
        owners: name of each cell that was handed out -> its exercise.
        handed_out: name of each of them that holds code which students do not change -> that code.
    """
    found, current = {name: [] for name in ("", *owners.values())}, ""
    for cell in notebook:
        current = owners.get(cell.name, current)
        if cell.name == current != "" or cell.is_code and cell.name not in owners:
            found[current].append(cell.source)
        elif cell.name in handed_out and (imports := added_imports(cell.source, handed_out[cell.name])):
            found[current].append(imports)
    return found


def added_imports(written: str, before: str) -> str:
    """The imports that a cell has more than it had, whatever magics stand beside them.

    >>> added_imports("import torch\\nimport math\\nbase = 4", "import torch\\nbase = 3")
    'import math'
    >>> added_imports("%matplotlib inline\\nimport math", "")
    'import math'
    """
    try:
        lines = [
            [ast.unparse(node) for node in ast.parse(_python(code)).body if isinstance(node, IMPORTS)]
            for code in (written, before)
        ]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return "\n".join(line for line in lines[0] if line not in lines[1])


def _python(code: str) -> str:
    """A cell as it runs: its magics are calls; where it is no Python then, its first lines of imports alone."""
    code = TransformerManager().transform_cell(code)
    try:
        ast.parse(code)
    except SyntaxError:
        return "\n".join(line for line in code.splitlines() if ONE_IMPORT.fullmatch(line))
    return code


def rewritten(notebook: Notebook, owners: dict[str, str], handed_out: Mapping[str, str]) -> dict[str, list[str]]:
    """Name of an exercise -> its cells that were handed out and hold other code now: it is not run, but for its
    imports. The check below an answer is among them only where something is defined in it.
    """
    found: dict[str, list[str]] = {}
    for cell in notebook:
        before, owner = handed_out.get(cell.name, cell.source), owners.get(cell.name, "")
        more = cell.source.split() != before.split()
        if more and (not cell.name.endswith(CHECK) or bound(cell.source) - bound(before)):
            found.setdefault(owner, []).append(cell.source)
    return found
