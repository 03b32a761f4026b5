"""The house: which module imports which. Rooms stand in the order of the pipeline, and no module needs one above it."""

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from labutils.authoring.check import code

SOURCE = Path(__file__).parents[1] / "src"
# A room may import from the rooms before it in this list, and from no other.
ROOMS = (
    "places",
    "exchanged",
    "text",
    "layers",
    "models",
    "generation",
    "training",
    "trace",
    "parity",
    "world",
    "analysis",
    "checkpoints",
    "making",
    "controls",
    "figures",
    "exercises",
    "authoring",
)
WITHOUT_HUGGINGFACE = ("text", "layers", "models", "training", "world", "figures", "exercises")


def modules() -> dict[str, Path]:
    """Every module of the package by its full name; a package stands for its __init__."""
    found = {}
    for path in sorted((SOURCE / "labutils").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str, path: Path, known: dict, inside_functions: bool) -> set[str]:
    """The modules of the package that `name` imports: at the top, or anywhere."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = ast.walk(tree) if inside_functions else iter(tree.body)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join(
                    [*package.split(".")[: len(package.split(".")) - node.level + 1], *filter(None, [node.module])]
                )
            found |= {f"{base}.{alias.name}" if f"{base}.{alias.name}" in known else base for alias in node.names}
    return {module for module in found if module in known} - {name}


@pytest.fixture(scope="module")
def house():
    known = modules()
    return {name: imported(name, path, known, inside_functions=True) for name, path in known.items()}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_every_room_is_in_the_list():
    assert {room(module) for module in modules()} - {""} == set(ROOMS)


def test_no_room_imports_from_one_above_it(house):
    upwards = sorted(
        f"{module} imports {other}"
        for module, others in house.items()
        for other in others
        if room(module) and room(other) and ROOMS.index(room(other)) > ROOMS.index(room(module))
    )
    assert not upwards, "\n".join(upwards)


def test_no_module_comes_round_to_itself(house):
    """A package's own list of names is left out: importing a part runs it, and it imports the parts."""
    graph = defaultdict(set)
    for module, others in house.items():
        graph[module] = {other for other in others if not module.startswith(f"{other}.")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_only_some_rooms_know_huggingface():
    knowing = {
        name
        for name, path in modules().items()
        if room(name) in WITHOUT_HUGGINGFACE
        and any(
            isinstance(node, ast.Import | ast.ImportFrom) and "transformers" in ast.unparse(node)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    }
    assert not knowing


def test_chapters_and_the_site_load_neither_checkers_nor_grading(house):
    """Readers should not wait for them: a check is loaded by its own cell, and all of them by the process that grades."""
    for home, needed_by in (
        ("labutils.exercises", {f"labutils.authoring.grading.{name}" for name in ("trial", "judging", "reading")}),
        ("labutils.authoring.grading", {"labutils.authoring.assignments"}),  # an instructor’s
    ):
        needing = {
            name for name, others in house.items() if any(f"{other}.".startswith(f"{home}.") for other in others)
        }
        assert {name for name in needing if not f"{name}.".startswith(f"{home}.")} == needed_by


def test_python_is_formatted_and_linted():
    """`.venv/bin/python -m ruff format .` and `ruff check --fix .` mend most of it."""
    assert code.problems() == []


def test_bad_python_is_named(tmp_path):
    (tmp_path / "bad.py").write_text("import os\nx = {  'a':1 }\n")
    found = code.problems(tmp_path)
    assert any("bad.py:1:8: F401" in line for line in found) and any(
        "bad.py" in line and "F401" not in line for line in found
    )
