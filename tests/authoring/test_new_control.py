"""A new control works at once, beside all others; a name that cannot be is one sentence, and writes nothing."""

import ast
import re
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest
import torch

from labutils.authoring.check import scripts
from labutils.authoring.new_control import start
from labutils.controls import bundle, script
from labutils.places import ROOT

NAME = "our_new_one"


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A repository with a copy of the controls, which the linker and V8 read in place of the package's."""
    shutil.copytree(bundle.HERE, tmp_path / "src/labutils/controls", ignore=shutil.ignore_patterns("__pycache__"))
    for reader in (bundle, script):
        monkeypatch.setattr(reader, "HERE", tmp_path / "src/labutils/controls")
    monkeypatch.setenv("ITT_SITE", "1")
    return tmp_path


@pytest.fixture
def control(copy, monkeypatch):
    """The class of a new control in it."""
    spec = spec_from_file_location(f"labutils.controls.{NAME}", start(NAME, copy)[0])
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module.OurNewOne


def test_its_still_picture_shows_the_numbers_of_torch(control):
    still = control(2.0, number="9.9").still()
    for word, share in zip(("mat", "floor", "moon", "quickly"), torch.tensor([2.5, 2.0, 0.5, -1.0]).div(2).softmax(0)):
        assert word in still and f">{share:.0%}<" in still
    assert "At a temperature of <b>2.00</b>" in still and f'data-name="{NAME}-9.9"' in still
    with pytest.raises(ValueError, match="temperature=9.0 is outside 0.25 to 4"):
        control(9)


def test_the_linker_takes_it_for_the_site_and_for_jupyterlab(control):
    assert bundle.homes()["OurNewOne"] == NAME
    assert f"{NAME}: $our_new_one_our_new_one" in bundle.site.__wrapped__()
    assert "render" in bundle.widget.__wrapped__(NAME)


def test_its_test_is_python_and_names_it(copy):
    test = start(NAME, copy)[-1]
    assert test.relative_to(copy).as_posix() == f"tests/controls/test_{NAME}.py"
    named = {name.id for name in ast.walk(ast.parse(test.read_text(encoding="utf-8"))) if isinstance(name, ast.Name)}
    assert "OurNewOne" in named


def test_nothing_of_the_pattern_is_left_open_and_what_is_to_write_says_so(copy):
    texts = [path.read_text(encoding="utf-8") for path in start(NAME, copy)]
    assert not [found for text in texts for found in re.findall(r"\{(?:folder|class|css)\}", text)]
    assert sum(text.count("WRITE: ") for text in texts) == 6


def test_its_javascript_and_css_are_as_the_project_writes_them(copy):
    for name in ("biome.jsonc", "tsconfig.json", "package.json"):
        shutil.copy(ROOT / name, copy)
    start(NAME, copy)
    try:
        assert [found for found in scripts.problems(copy) if NAME in found] == []
    except scripts.NotHere as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("name", ["TwoWords", "two-words", "2words", "", "../two", "two_", "class"])
def test_a_name_that_is_none_is_one_sentence(name, tmp_path):
    with pytest.raises(ValueError, match=f"^{re.escape(repr(name))} is no name for a control: [^.]*[.]$"):
        start(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name, there",
    [
        ("steps", "src/labutils/controls/steps"),
        ("kernel", "src/labutils/controls/kernel.py"),
        ("strip", "src/labutils/controls/strip.py"),
    ],
)
def test_a_name_that_is_taken_is_one_sentence(name, there, copy):
    before = sorted(copy.rglob("*"))
    with pytest.raises(ValueError, match=f"^{re.escape(there)} is there already: choose another name[.]$"):
        start(name, copy)
    assert sorted(copy.rglob("*")) == before
