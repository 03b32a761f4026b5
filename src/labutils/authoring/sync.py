"""Copy package code into the chapters that show it: `python -m labutils.authoring.sync`.

A synced cell names its source in its first line and in its metadata:

    # labutils.layers.scaled_dot_product: softmax, attention
    {"labutils": {"source": "labutils.layers.scaled_dot_product:softmax, attention"}}

The rest of the cell is the text of these functions, classes or constants as the package has them. Readers may edit
and run it; a test fails when a cell in notebooks/ and its source differ. What a chapter does not need yet may be left
out, and the first line says so: either one parameter and its uses,

    # labutils.layers.recurrent: RNNCell, run (without see)

or all that the package marks as later, when the first line ends in " (shortened)":

    cache: Callable | None = None,  # later
    k, v = cache(k, v) if cache else (k, v)  # later
    # at first: k = split_heads(self.key(x), self.n_heads)
    k = split_heads(self.key(source), self.n_key_heads)
    # later: fewer keys than queries
    def shared(self, x): ...

`# later` after a line leaves out the statement that begins there, or the line; alone above a definition, the
definition; and above anything else, that comment to its end. `# at first: …`, once or several times, puts its own code
in place of the statement below it, or of the line that opens it if the code ends with a colon.
"""

import ast
import importlib.util
import re
import sys
from pathlib import Path

from nbformat import NotebookNode

from labutils.authoring import notebooks
from labutils.authoring.leaving_out import without

FIRST_LINE = re.compile(r"# (labutils(?:\.\w+)+): (\w+(?:, \w+)*)((?: \((?:without \w+|shortened)\))?)$")
SHORTENED = " (shortened)"
LATER, AT_FIRST = re.compile(r"(.*?)\s*# later\b"), re.compile(r"\s*# at first: (.+)")


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
    if written[3] == SHORTENED:
        found = [shortened(text) for text in found]
    elif written[3]:
        left_out = written[3].removeprefix(" (without ").removesuffix(")")
        found = [without(text, left_out) if re.search(rf"\b{left_out}\b", text) else text for text in found]
    return f"# {module}: {names}\n" + "\n\n\n".join(found)


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


def shortened(code: str) -> str:
    """A definition without what it marks as later.

    >>> print(shortened("def f(\\n    x,\\n    y=0,  # later\\n):\\n    # at first: return x\\n    return x + y"))
    def f(
        x,
    ):
        return x
    """
    lines = code.split("\n")
    statements = {}  # the line where it begins -> the line where it ends
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            statements[first] = max(node.end_lineno, statements.get(first, 0))
    kept, i = [], 1
    while i <= len(lines):
        line = lines[i - 1]
        later, instead = LATER.match(line), AT_FIRST.match(line)
        if instead:
            kept.append(line[: line.index("#")] + instead[1])
            i += 1
            if not AT_FIRST.match(lines[i - 1]):
                i = i + 1 if instead[1].endswith(":") else statements[i] + 1
        elif later and later[1].strip():
            i = statements.get(i, i) + 1
        elif later:
            i += 1
            while lines[i - 1].lstrip().startswith("#"):
                i += 1
            i = statements[i] + 1 if lines[i - 1].lstrip().startswith(("def ", "class ", "@")) else i
        else:
            kept.append(line)
            i += 1
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).rstrip()
    ast.parse(text)
    return text


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
    """Rewrite the synced cells of the given chapters, of all if none is given."""
    for path in paths or notebooks.chapters():
        notebook = notebooks.read(path)
        for source in sync(notebook):
            print(f"{path.name}: {source}")
        notebooks.write(path, notebook)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
