"""JavaScript and CSS are held to biome.jsonc and tsconfig.json; without Node one sentence says that they were not."""

import re
import shutil
import subprocess
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import pytest

from labutils.authoring.check import __main__ as command
from labutils.authoring.check import scripts
from labutils.places import BUILD, ROOT

OFFLINE = "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\n"


@pytest.fixture(autouse=True)
def forgotten():
    """Each test looks for Biome anew."""
    scripts.modules.cache_clear()
    yield
    scripts.modules.cache_clear()


@pytest.fixture
def biome():
    """Biome, or one line that says why nothing was checked."""
    try:
        scripts.modules()
    except scripts.NotHere as reason:
        pytest.skip(str(reason))


def test_javascript_and_css_are_formatted_linted_and_of_the_types_they_state(biome):
    """`node _build/node-*/node_modules/@biomejs/biome/bin/biome check --write .` mends most of it."""
    assert scripts.problems() == []


def test_bad_javascript_and_css_are_named(biome, tmp_path):
    controls = tmp_path / "src/labutils/controls"
    controls.mkdir(parents=True)
    (controls / "bad.js").write_text("export function f(x) {\n  return x == 1;\n}\n")
    (controls / "bad.css").write_text(".a {color: red}\n")
    (controls / "good.js").write_text("export const one = 1;\n")
    (controls / "look").mkdir()
    (controls / "look/words.js").write_text("/** @param {number} x */\nexport const half = (x) => x / 2;\nhalf([]);\n")
    for name in ("biome.jsonc", "tsconfig.json"):
        copy(ROOT / name, tmp_path)
    found = scripts.problems(tmp_path)
    assert any("bad.js:2: " in line and "noDoubleEquals" in line for line in found)
    assert any("bad.css:1: " in line and "(format)" in line for line in found)
    assert any(line.startswith("src/labutils/controls/look/words.js(3,6): error TS2345: ") for line in found)
    assert not any("good.js" in line for line in found)


def test_each_file_that_is_listed_for_types_is_there():
    listed = re.findall(r'"(src/.*)"', (ROOT / "tsconfig.json").read_text(encoding="utf-8"))
    assert listed and [path for path in listed if not (ROOT / path).is_file()] == []


def test_the_packages_of_the_environment_run_as_their_own_authors_wrote_them():
    """A package.json decides for all scripts below it, those of JupyterLab in `.venv` too: `"type": "module"` made each
    start of JupyterLab print the trace of an error.
    """
    node = shutil.which("node")
    if not node:
        pytest.skip("no Node here, so no script of JupyterLab was run")
    BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=BUILD) as below:
        script = Path(below) / "of-another-package.js"
        script.write_text("require('fs');\n")
        run = subprocess.run([node, script], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_without_node_one_sentence_says_so(monkeypatch):
    monkeypatch.setattr(scripts.shutil, "which", lambda name: None)
    with pytest.raises(scripts.NotHere, match=r"^Node and npm are not here, so JavaScript and CSS were not checked\.$"):
        scripts.problems()


def test_offline_one_sentence_says_so_and_nothing_half_done_is_left(monkeypatch, tmp_path):
    monkeypatch.setattr(scripts, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(scripts.shutil, "which", lambda name: name)
    monkeypatch.setattr(
        scripts.subprocess, "run", lambda *_, **__: scripts.subprocess.CompletedProcess([], 1, "", OFFLINE)
    )
    with pytest.raises(scripts.NotHere, match=r"names \(EAI_AGAIN\), so JavaScript and CSS were not checked"):
        scripts.modules()
    assert list((tmp_path / "_build").iterdir()) == []


def test_the_check_says_what_it_left_out_and_goes_on(monkeypatch, capsys):
    def none():
        raise scripts.NotHere("Node and npm are not here, so JavaScript and CSS were not checked.")

    monkeypatch.setattr(command.scripts, "problems", none)
    monkeypatch.setattr(command.code, "problems", lambda: ["bad.py: a finding"])
    assert command.code_problems() == ["bad.py: a finding"]
    assert capsys.readouterr().out == "Node and npm are not here, so JavaScript and CSS were not checked.\n"
