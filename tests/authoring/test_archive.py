"""The archive on the site is the whole source and nothing else, the same bytes each time, and enough to run a chapter."""

import subprocess
import sys
import zipfile

import pytest

from labutils.authoring import archive
from labutils.places import ROOT


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return archive.write(ROOT, tmp_path_factory.mktemp("archive") / archive.NAME)


def test_it_holds_all_that_the_two_commands_need_and_nothing_that_they_made(packed):
    with zipfile.ZipFile(packed) as source:
        names = {name.removeprefix(f"{archive.FOLDER}/") for name in source.namelist()}
    needed = {
        "Makefile",
        "README.md",
        "requirements.txt",
        "constraints.txt",
        "pyproject.toml",
        "_config.yml",
        ".ci/run",
    }
    assert needed | {"notebooks/04_attention.ipynb", "src/labutils/checkpoints/little-gpt2/model.safetensors"} <= names
    assert not [name for name in names if name.startswith((".venv", ".git/", "_build", "work/", "book/generated"))]
    assert packed.stat().st_size < 14_500_000


def test_the_same_source_gives_the_same_bytes(packed, tmp_path):
    assert archive.write(ROOT, tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_a_copy_without_git_packs_the_same_files(packed, tmp_path):
    with zipfile.ZipFile(packed) as source:
        source.extractall(tmp_path)
    home = tmp_path / archive.FOLDER
    for made in ("_build/html/index.html", "work/04_attention.ipynb", "src/labutils/__pycache__/a.pyc", ".venv/x"):
        (home / made).parent.mkdir(parents=True, exist_ok=True)
        (home / made).write_text("made")
    assert archive.write(home, tmp_path / "home.zip").read_bytes() == packed.read_bytes()


def test_what_is_unpacked_runs_by_itself(packed, tmp_path):
    with zipfile.ZipFile(packed) as source:
        source.extractall(tmp_path)
    code = "import labutils; from labutils.checkpoints import load; print(labutils.__file__, load('little-gpt2').tokenizer.encode('The cat').ids)"
    home = tmp_path / archive.FOLDER
    ran = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(home / "src")}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert str(home) in ran.stdout
