"""A chapter runs again when something that it imports changes, and for nothing else."""

import nbformat
import pytest
from jupyter_cache import get_cache

from labutils.authoring import book, needs
from labutils.controls import bundle

FILES = {
    "src/labutils/__init__.py": "",
    "src/labutils/layers/__init__.py": "from .norms import LayerNorm",
    "src/labutils/layers/norms.py": "x = 1",
    "src/labutils/layers/gates.py": "import labutils.layers.norms",
    "src/labutils/models/__init__.py": "",
    "src/labutils/models/gpt2.py": "def make():\n    from labutils.layers import gates\n",
    "src/labutils/models/gpt2.css": "a {}",
    "src/labutils/models/little/model.safetensors": "1",
    "src/labutils/other.py": "",
    "src/labutils/controls/__init__.py": "",
    "src/labutils/controls/walk/__init__.py": "",
    "src/labutils/controls/walk/walk.js": "",
    "src/labutils/controls/walk/picture.js": 'import { share } from "../steps/words.js";\n',
    "src/labutils/controls/engine/__init__.py": "",
    "src/labutils/controls/engine/linear.js": "export const linear = 1;\n",
    "src/labutils/controls/engine/backward/outside.js": 'import { linear } from "../linear.js";\n',
    "src/labutils/controls/engine/backward/session.js": "",
    "src/labutils/controls/train/__init__.py": 'from labutils.controls import engine\nOUTSIDE = "engine/backward/outside.js"\n',
    "src/labutils/controls/train/train.js": "",
    "src/labutils/controls/steps/__init__.py": "",
    "src/labutils/controls/steps/words.js": "export const share = 1;\n",
    "src/labutils/controls/steps/steps.js": "",
    "requirements.txt": "torch",
    "constraints.txt": "",
}


def forget():
    """What was read of a module: a process keeps it."""
    for kept in (needs.needed, needs._run_by, needs._drawing):
        kept.cache_clear()


@pytest.fixture
def root(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(needs, "SOURCE", tmp_path / "src")
    monkeypatch.setattr(bundle, "HERE", tmp_path / "src" / "labutils" / "controls")
    monkeypatch.setattr(needs, "PINS", (tmp_path / "requirements.txt", tmp_path / "constraints.txt"))
    forget()
    yield tmp_path
    forget()


def chapter(root, code: str):
    path = root / "notebooks" / "01_one.ipynb"
    path.parent.mkdir(exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), path)
    return path


@pytest.mark.parametrize(
    "code, expected",
    [
        ("import torch", set()),
        (
            "from labutils.controls import Walk",
            {
                "__init__.py",
                "controls/__init__.py",
                "controls/walk/__init__.py",
                "controls/walk/picture.js",
                "controls/walk/walk.js",
                "controls/steps/words.js",
            },
        ),
        (
            "from labutils.controls import Train",
            {
                "__init__.py",
                "controls/__init__.py",
                "controls/engine/__init__.py",
                "controls/train/__init__.py",
                "controls/train/train.js",
                "controls/engine/backward/outside.js",
                "controls/engine/linear.js",
            },
        ),
        (
            "%matplotlib inline\nfrom labutils.layers import LayerNorm",
            {"__init__.py", "layers/__init__.py", "layers/norms.py"},
        ),
        (
            "from labutils.layers import LayerNorm\nlate = [n for n in (1, 2) if n\n        != 2]",
            {"__init__.py", "layers/__init__.py", "layers/norms.py"},
        ),
        (
            "import labutils.models.gpt2 as package",
            {
                "__init__.py",
                "layers/__init__.py",
                "layers/norms.py",
                "layers/gates.py",
                "models/__init__.py",
                "models/gpt2.py",
                "models/little/model.safetensors",
            },
        ),
    ],
)
def test_the_files_that_a_chapter_needs(root, code, expected):
    """Imports inside functions count, data beside a module counts, a stylesheet and other modules do not."""
    found = {path.relative_to(root).as_posix() for path in needs.files(chapter(root, code))}
    assert found == {f"src/labutils/{name}" for name in expected} | {"requirements.txt", "constraints.txt"}


def test_a_benchmark_that_a_chapter_names_is_one_of_its_files(root, monkeypatch):
    (root / "benchmarks").mkdir()
    for name in ("decoding.json", "decoding_parts.json", "cache.json"):
        (root / "benchmarks" / name).write_text("{}")
    monkeypatch.setattr(needs, "BENCHMARKS", root / "benchmarks")
    found = needs.files(chapter(root, 'rows = measured("decoding_parts.json")'))
    assert [path.name for path in found if path.parent.name == "benchmarks"] == ["decoding_parts.json"]


def test_only_what_is_stale_is_forgotten(root, monkeypatch):
    for name, path in {"ROOT": "", "CHAPTERS": "notebooks", "BUILD": "_build"}.items():
        monkeypatch.setattr(book, name, root / path)
    (root / "_build").mkdir()
    path = chapter(root, "from labutils.layers import LayerNorm")
    cache = get_cache(root / "_build" / ".jupyter_cache")
    store = lambda: cache.cache_notebook_file(path, check_validity=False, overwrite=True)
    stored = lambda: len(cache.list_cache_records())
    book.forget_stale()
    store()
    for name, left in (
        ("src/labutils/other.py", 1),
        ("src/labutils/models/gpt2.css", 1),
        ("src/labutils/layers/norms.py", 0),
    ):
        (root / name).write_text("changed = True")
        needs.needed.cache_clear()
        book.forget_stale()
        assert stored() == left, name
