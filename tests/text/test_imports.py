"""The modules of labutils.text in an order in which each one imports only those before it."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import labutils.text


def test_no_circle_of_imports():
    """Imports inside functions count: they are where circles hide."""
    folder, imports = Path(labutils.text.__file__).parent, {}
    for path in folder.glob("*.py"):
        found = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
        names = {node.module.rpartition(".")[2] for node in found if (node.module or "").startswith("labutils.text.")}
        imports[path.stem] = names
    assert imports["bpe"] >= {"added", "tokenizer"}
    order = list(TopologicalSorter(imports).static_order())  # raises CycleError
    assert order.index("bpe") < order.index("files") and order[-1] == "__init__"
