"""What a notebook's outputs depend on besides its own cells: the modules that it imports and what these read, and the
benchmarks that it names.

A chapter runs again when one of them changes, and not when another module or a stylesheet does.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat

from labutils.controls import bundle
from labutils.controls.bundle import homes as _homes
from labutils.controls.bundle import modules as scripts
from labutils.places import BENCHMARKS, ROOT

SOURCE = ROOT / "src"
PINS = (ROOT / "requirements.txt", ROOT / "constraints.txt")
READ = {".json", ".safetensors", ".txt", ".csv"}  # data beside a module: models, lists


def files(notebook: Path) -> list[Path]:
    """The files that the outputs of `notebook` depend on, the pins among them, in a fixed order."""
    cells = nbformat.read(notebook, as_version=4).cells
    code = "\n".join(_plain(cell.source) for cell in cells if cell.cell_type == "code")
    found, waiting = set(), list(_imports(ast.parse(code), ""))
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += needed(module)
    modules = {_file(module) for module in found}
    data = {file for folder in {path.parent for path in modules} for file in _data(folder)}
    told = {path for path in BENCHMARKS.glob("*.json") if path.name in code}
    return sorted({*modules, *data, *_scripts(modules), *told, *PINS})


def _plain(source: str) -> str:
    """The code of a cell, without IPython's own lines where it has some; Python's too may begin with a "!="."""
    try:
        ast.parse(source)
    except SyntaxError:
        lines = source.splitlines()
        return "\n".join("" if line.lstrip().startswith(("%", "!", "?")) else line for line in lines)
    return source


@cache
def needed(module: str) -> frozenset[str]:
    """The modules of the package that importing or using `module` imports."""
    path = _file(module)
    return frozenset(
        _imports(
            ast.parse(path.read_text(encoding="utf-8")),
            module if path.name == "__init__.py" else module.rpartition(".")[0],
        )
    )


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """Names of modules of the package, each with the packages that it lies in."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            homes = _homes() if base == "labutils.controls" else {}  # a control is imported when it is first asked for
            names = [base, *(f"{base}.{homes.get(alias.name, alias.name)}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[0] == "labutils":
                yield from (".".join(parts[:n]) for n in range(1, len(parts) + 1) if _file(".".join(parts[:n])))


def _file(module: str) -> Path | None:
    path = SOURCE.joinpath(*module.split("."))
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.exists()), None)


def _scripts(modules: set[Path]) -> Iterator[Path]:
    """The scripts of each control, with all that draws its still picture, and those that Python runs by their names;
    of other folders, such as the engine's, what none of these needs may change.
    """
    for folder in {path.parent for path in modules}:
        yield from _drawing(folder)
    for path in modules:
        yield from _run_by(path)


@cache
def _drawing(folder: Path) -> tuple[Path, ...]:
    """The scripts of the control in a folder, where there is one."""
    if not (folder / f"{folder.name}.js").is_file():
        return ()
    picture = folder / "picture.js"
    return (*folder.glob("*.js"), *(scripts(picture) if picture.is_file() else ()))


@cache
def _run_by(path: Path) -> tuple[Path, ...]:
    """The scripts that a module runs by their names, each with what it needs."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        asked = node.value if isinstance(node, ast.Constant) else None
        if isinstance(asked, str) and re.fullmatch(r"[\w/]+/\w+\.js", asked) and (bundle.HERE / asked).is_file():
            found += scripts(bundle.HERE / asked)
    return tuple(found)


def _data(folder: Path) -> Iterator[Path]:
    """Data beside a module and in folders that are no packages, as those of the models."""
    for path in sorted(folder.iterdir()):
        if path.suffix in READ:
            yield path
        elif path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").exists():
            yield from (file for file in sorted(path.rglob("*")) if file.suffix in READ)
