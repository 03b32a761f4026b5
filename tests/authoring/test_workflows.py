"""What other machines run, as far as it can be seen from here: the files parse, and name what exists."""

import re
import subprocess
import sys

import pytest
import yaml

from labutils.authoring.pages.report import repository
from labutils.authoring.readme import written
from labutils.places import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(path):
    return [step for job in load(path)["jobs"].values() for step in job.get("steps", ())]


def test_there_is_one_to_test_one_to_publish_and_one_for_a_semester():
    assert [path.stem for path in WORKFLOWS] == ["publish", "semester", "test"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_jobs_end(path):
    for job in load(path)["jobs"].values():
        assert "timeout-minutes" in job or "uses" in job or "deploy-pages" in str(job["steps"])
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert used and all(re.fullmatch(r"actions/[\w-]+@v\d+", action) for action in used)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_commands_name_files_and_targets_that_exist(path):
    for command in filter(None, (step.get("run") for step in steps(path))):
        for name in re.findall(r"[\w./-]+/[\w./-]+\.(?:py|cfg)\b|tests/\w+|\bnotebooks\b", command):
            assert (ROOT / name).exists(), name
        for target in " ".join(re.findall(r"^make (.+)$", command, re.M)).split():
            assert re.search(rf"^{target}:", MAKEFILE, re.M), target


def test_the_tests_are_those_of_the_makefile():
    (there,) = [
        step["run"].strip() for step in steps(ROOT / ".github/workflows/test.yml") if "pytest" in step.get("run", "")
    ]
    here = re.search(r"^test:.*\n\t(.+)$", MAKEFILE, re.M)[1].replace("$(if $(CHAPTER),--chapter $(CHAPTER) )", "")
    for name in ("TEST", "STORED"):
        here = here.replace(f"$({name})", re.search(rf"^{name} := (.+)$", MAKEFILE, re.M)[1])
    assert there == here.replace("$(PY)", "$PY")


def test_what_is_published_was_tested():
    published, tested = load(ROOT / ".github/workflows/publish.yml"), load(ROOT / ".github/workflows/test.yml")
    runs_tests = {name for name, job in published["jobs"].items() if job.get("uses") == "./.github/workflows/test.yml"}
    assert runs_tests and runs_tests < set(published["jobs"]["publish"]["needs"])
    assert {"workflow_call", "pull_request"} == set(
        tested[True]
    )  # yaml reads the key `on` as True; main is tested once


def test_a_semester_is_a_tag_like_the_ones_the_book_names():
    (pattern,) = load(ROOT / ".github/workflows/semester.yml")[True]["push"]["tags"]  # yaml reads the key `on` as True
    expression = pattern.replace("*", "[^/]*")
    named = re.findall(
        r"git tag ([\w-]+)",
        "".join((ROOT / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", "book/teach.md")),
    )
    assert named and all(re.fullmatch(expression, tag) for tag in named)
    assert not re.fullmatch(expression, "v0.1.0")


def test_binder_installs_what_the_book_pins():
    lines = (ROOT / "binder/requirements.txt").read_text().split("\n")
    assert "-r ../requirements.txt" in lines
    assert re.fullmatch(r"python-3\.1[1-4]\n", (ROOT / "binder/runtime.txt").read_text())


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_binder_has_a_script_that_a_shell_can_read():
    script = ROOT / "binder/postBuild"
    assert script.stat().st_mode & 0o100
    assert subprocess.run(["bash", "-n", str(script)]).returncode == 0


def test_readme_links_to_binder_and_colab_where_the_repository_has_an_address_and_only_there():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == written(readme, repository())
    nowhere, somewhere = written(readme, ""), written(readme, "https://github.com/ada/book/")
    assert "mybinder" not in nowhere and "colab" not in nowhere.lower()
    named = re.findall(r"(?:v2/gh|google\.com/github|git\+https://github\.com)/([\w.-]+/[\w.-]+)", somewhere)
    assert len(named) == 3 and set(named) == {"ada/book"}
    assert written(somewhere, "") == nowhere
    with pytest.raises(ValueError, match="an address on GitHub"):
        written(readme, "https://example.org/book")
    with pytest.raises(ValueError, match="no lines"):
        written("# A book", "")
