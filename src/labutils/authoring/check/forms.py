"""One form for one thing: a share is a percentage, and a grid of heads has the layers as its rows.

Only what a machine can tell is found: a share that is called one in the prose, and the axes of a grid where they are
typed out.
"""

import ast
import re

from nbformat import NotebookNode

from labutils.authoring.check.prose import calls, read_by, tree

SHARE = re.compile(
    r"\b(?:probability|probabilities|chances?|shares?) (?:of |is |was |are )?(0?\.\d+)(?!\d*%)"
    r"|(?<![\w.])(0?\.\d+) of (?:the|all|its|them|their|every)\b",
    re.I,
)
GRIDS = ("imshow", "matshow", "pcolormesh", "attention_map", "Sweep")
ROWS, COLUMNS = re.compile(r"\blayers?\b", re.I), re.compile(r"\bheads?\b", re.I)


def problems(notebook: NotebookNode) -> list[str]:
    """Shares that are no percentage, grids that lie on their side."""
    found = []
    for cell in notebook.cells:
        said = [share for block in read_by(cell) for share in shares(block.words)]
        if cell.cell_type == "code" and lies_on_its_side(cell):
            said.append("layers are the rows of a grid and heads its columns, here as everywhere.")
        found += [f"{cell.get('id')}: {sentence}" for sentence in dict.fromkeys(said)]
    return found


def shares(text: str) -> list[str]:
    """
    >>> shares("The share is 0.4, a weight of 0.5 and a scale of 0.25."), shares("It keeps 0.73 of the cell.")
    (['0.4 is a share: write 40%.'], ['0.73 is a share: write 73%.'])
    """
    numbers = [match[1] or match[2] for match in SHARE.finditer(text)]
    return [f"{number} is a share: write {100 * float(number):.10g}%." for number in numbers]


def lies_on_its_side(cell: NotebookNode) -> bool:
    """Whether a cell draws a grid whose rows are called heads, or whose columns are called layers."""
    named = [(keyword.arg, keyword.value) for call in calls(cell, *GRIDS) for keyword in call.keywords]
    axes = [value.elts for name, value in named if name == "axes" and isinstance(value, ast.Tuple)]
    rows, columns = [one[0] for one in axes if len(one) == 2], [one[1] for one in axes if len(one) == 2]
    if calls(cell, "imshow", "matshow", "pcolormesh"):
        rows += _labels(cell, "y")
        columns += _labels(cell, "x")
    return any(COLUMNS.search(_words(one)) and not ROWS.search(_words(one)) for one in rows) or any(
        ROWS.search(_words(one)) and not COLUMNS.search(_words(one)) for one in columns
    )


def _labels(cell: NotebookNode, axis: str) -> list[ast.expr]:
    set_one = [call.args[0] for call in calls(cell, f"set_{axis}label") if call.args]
    return set_one + [
        keyword.value
        for node in ast.walk(tree(cell))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == f"{axis}label"
    ]


def _words(node: ast.expr) -> str:
    return " ".join(
        part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
