"""Copy package code into the chapters that show it: `python -m labutils.authoring.sync`.

A synced cell names its source in its first line and in its metadata:

    # labutils.layers.scaled_dot_product: softmax, attention
    {"labutils": {"source": "labutils.layers.scaled_dot_product:softmax, attention"}}

The rest of the cell is the text of these functions, classes or constants as the package has them. Readers may edit
and run it; a test fails when a cell in notebooks/ and its source differ. What a chapter does not need yet may be left
out, and the first line says so: a parameter and its uses or the types of all (`labutils.authoring.leaving_out`), all
but the essence (`labutils.authoring.shortening`), or several of these:

    # labutils.layers.recurrent: RNNCell, run (without see)
    # labutils.layers.blocks: PreNormBlock (shortened)
    # labutils.layers.recurrent: LSTMCell (shortened, without see)
"""

import ast
import importlib.util
import re
from pathlib import Path

from nbformat import NotebookNode

from labutils.authoring import notebooks
from labutils.authoring.arguments import given
from labutils.authoring.leaving_out import untyped, without
from labutils.authoring.shortening import shortened

FIRST_LINE = re.compile(
    r"# (labutils(?:\.\w+)+): (\w+(?:, \w+)*)"
    r"((?: \((?:shortened|untyped|without \w+)(?:, (?:untyped|without \w+))*\))?)$"
)


def cell_text(source: str) -> str:
    """The whole text of the cell for ``"module:name, name"``.

    Raises:
        ValueError: the source is written differently, or there is no such module or name.
    """
    module, _, names = source.partition(":")
    written = FIRST_LINE.match(f"# {module}: {names}")
    if not written:
        raise ValueError(
            f"{source!r} does not name a source. Write it as 'labutils.layers.scaled_dot_product:attention'."
        )
    path = _file_of(module)
    code = path.read_text(encoding="utf-8")
    found = [_definition(code, name, module) for name in written[2].split(", ")]
    for less in re.findall(r"shortened|untyped|without \w+", written[3]):
        found = [_less(text, less) for text in found]
    return f"# {module}: {names}\n" + "\n\n\n".join(found)


def _less(code: str, less: str) -> str:
    """A definition with what one word of the first line leaves of it."""
    if less == "shortened":
        return shortened(code)
    if less == "untyped":
        return untyped(code)
    name = less.removeprefix("without ")
    return without(code, name) if re.search(rf"\b{name}\b", code) else code


def _file_of(module: str) -> Path:
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        raise ValueError(f"There is no module {module}.")
    return Path(spec.origin)


def _definition(code: str, name: str, module: str) -> str:
    """The lines of one top-level function, class or constant, its decorators included."""
    for node in ast.parse(code).body:
        if name in _names(node):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            return "\n".join(code.splitlines()[first - 1 : node.end_lineno])
    raise ValueError(f"{module} defines no {name} at its top level.")


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def source_of(cell: NotebookNode) -> str | None:
    """What a cell is a copy of, by its metadata or else by its first line; None for an ordinary cell."""
    named = cell.metadata.get("labutils", {}).get("source")
    if named or cell.cell_type != "code":
        return named
    first = FIRST_LINE.match(cell.source.split("\n", 1)[0])
    return f"{first[1]}:{first[2]}{first[3]}" if first else None


def sync(notebook: NotebookNode) -> list[str]:
    """Bring the synced cells of a notebook up to date in place; returns the sources of those that were not."""
    stale = []
    for cell in notebook.cells:
        source = source_of(cell)
        if source is None:
            continue
        text, metadata = cell_text(source), {"source": source}
        if cell.source != text or cell.metadata.get("labutils") != metadata:
            cell.source = text
            cell.metadata["labutils"] = metadata
            stale.append(source)
    return stale


def main(paths: list[Path]) -> None:
    """Rewrite the synced cells of the given notebooks; of all chapters and second notebooks if none is given."""
    for path in paths or [*notebooks.chapters(), *notebooks.second()]:
        notebook = notebooks.read(path)
        for source in sync(notebook):
            print(f"{notebooks.name(path)}.ipynb: {source}")
        notebooks.write(path, notebook)


if __name__ == "__main__":
    main(given(__doc__, paths=True))
