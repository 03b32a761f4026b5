"""One exercise notebook, as its instructor writes it, in the versions that others see.

In a cell, `### BEGIN SOLUTION` … `### END SOLUTION` is what a student has to write, and `### BEGIN HIDDEN TESTS` …
`### END HIDDEN TESTS` is tried only when answers are graded. Three cells belong together by their ids: `04-merge-card`
says what to do, `04-merge` holds the solution, `04-merge-check` its check. These marks, and those in the metadata of
the cells, are compatible with nbgrader; nothing here uses it.
"""

import re
from collections.abc import Mapping
from copy import deepcopy

import nbformat
from nbformat import NotebookNode

CARD, CHECK = "-card", "-check"  # how the ids of these cells end
TITLE = re.compile(r"\*\*(\d+\.\d+) (.+)\*\*")  # of a card
SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION\n(.*?)^ *### END SOLUTION *$\n?", re.M | re.S)
HIDDEN = re.compile(r"\n?^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS *$", re.M | re.S)
STUB = 'raise NotImplementedError("Your turn: write this part.")'
WHY = re.compile(r"^ *# Why: .*\n(?: *# .*\n)*", re.M)
NO_KERNEL = (
    "On this page you can read and think. To write and check, `make lab` opens the same exercises in JupyterLab, "
    "in the folder `exercises`."
)


def student(notebook: NotebookNode) -> NotebookNode:
    """The exercises as a student gets them: without solutions, hidden tests and outputs.

    Raises ValueError for a mark without its end.
    """
    notebook = deepcopy(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = HIDDEN.sub("", SOLUTION.sub(lambda found: f"{found[1]}{STUB}\n", cell.source)).rstrip("\n")
            cell.outputs, cell.execution_count = [], None
        if re.search("(BEGIN|END) (SOLUTION|HIDDEN TESTS)", cell.source):
            raise ValueError(
                f"In cell {cell.id} a solution or a hidden test does not begin and end on lines of its own."
            )
    return notebook


def self_study(notebook: NotebookNode) -> NotebookNode:
    """The student version with each solution, its reason and what the check says to it folded into the card.

    Raises ValueError for a solution without a card.
    """
    open_book = student(notebook)
    cards = {cell.id: cell for cell in open_book.cells if cell.cell_type == "markdown"}
    cells = {cell.id: cell for cell in notebook.cells}
    for cell in solutions(notebook):
        name = cell.id + CARD
        if name not in cards:
            raise ValueError(f"The solution {cell.id} has no card: a markdown cell with the id {name}.")
        card, checked = cards[name], cells.get(cell.id + CHECK)
        end = card.source.rindex("\n:::")
        card.source = f"{card.source[:end]}\n\n{folded(cell.source, said(checked))}{card.source[end:]}"
    return open_book


def solutions(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that hold a solution."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and SOLUTION.search(cell.source)]


def folded(source: str, checked: str) -> str:
    """A solution as a dropdown: the code, the reason, what its check says."""
    code = re.sub(r"^ *### (BEGIN|END) SOLUTION *\n?", "", source, flags=re.M)
    why = read(" ".join(line.strip(" #") for found in WHY.findall(code) for line in found.splitlines()))
    said = f"\n\nThe check then says:\n\n~~~text\n{checked}\n~~~" if checked else ""
    return (
        f"```{{dropdown}} Solution\n~~~python\n{WHY.sub('', code).strip()}\n~~~\n{why.removeprefix('Why: ')}{said}\n```"
    )


def read(comment: str) -> str:
    """A comment as prose: symbols as formulas, names of code as code.

    >>> read("W_O and √d_k, with is_causal=True as in `a_b`")
    '$W_O$ and $\\\\sqrt{d_k}$, with `is_causal=True` as in `a_b`'
    """
    root = lambda found: f"$\\sqrt{{{found[2]}}}$" if found[1] else f"${found[2]}$"
    parts = re.split(r"(`[^`]*`)", comment)
    for i in range(0, len(parts), 2):
        text = re.sub(r"\b[a-zA-Z]\w*_\w{2,}(?:=\w+)?\b|\b\w{2,}_\w+(?:=\w+)?\b", r"`\g<0>`", parts[i])
        parts[i] = re.sub(r"(√?)\b([a-zA-Z]_[a-zA-Z0-9])\b(?!`)", root, text)
    return "".join(parts)


def said(cell: NotebookNode | None) -> str:
    """The stored text below a cell."""
    outputs = cell.outputs if cell is not None else []
    return "".join(output.get("text", "") for output in outputs).rstrip()


def on_site(notebook: NotebookNode) -> NotebookNode:
    """The self-study version as a page: nobody has answered there, so what the checks say is left out."""
    page = self_study(notebook)
    for cell in page.cells:
        if cell.get("metadata", {}).get("nbgrader", {}).get("grade") or STUB in cell.source:
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "raises-exception", "remove-output"]
        if cell.id == "how":
            cell.source += f"\n\n{NO_KERNEL}"
    return page


def page_source(text: str) -> str:
    """A stored exercise notebook -> its page, both as the text of the file."""
    return nbformat.writes(on_site(nbformat.v4.reads(text)), version=4)


def with_private(notebook: NotebookNode, tests: Mapping[str, str]) -> NotebookNode:
    """The notebook with an instructor's own hidden tests added to its checks.

    Args:
        tests: name of an exercise, such as ``04-merge`` -> Python code; others than this notebook's are left out.

    Raises ValueError where the code is not Python.
    """
    notebook = deepcopy(notebook)
    for cell in notebook.cells:
        name = exercise_checked(cell)
        if name in tests:
            try:
                compile(tests[name], name, "exec")
            except SyntaxError as error:
                raise ValueError(f"private/{name}.py is not Python: {error.msg} in line {error.lineno}.") from None
            cell.source += f"\n### BEGIN HIDDEN TESTS\n{tests[name].rstrip()}\n### END HIDDEN TESTS"
    return notebook


def exercise_checked(cell: NotebookNode) -> str:
    """The name of the exercise that a cell checks, empty for other cells."""
    return cell.id.removesuffix(CHECK) if cell.id.endswith(CHECK) else ""
