"""The recipes for a hub and for grading on many machines: each step that needs no cluster is taken here."""

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
import yaml

from labutils.authoring.grading import __main__ as grading
from labutils.places import MORE, ROOT

HUB = ROOT / "hub"
DOCKERFILE = (HUB / "Dockerfile").read_text(encoding="utf-8")
JOB = yaml.safe_load((HUB / "grade.yaml").read_text(encoding="utf-8"))
CONFIG = yaml.safe_load((HUB / "config.yaml").read_text(encoding="utf-8"))


def test_what_the_images_copy_is_in_the_book():
    copied = [source for line in re.findall(r"^COPY (.+)$", DOCKERFILE, re.M) for source in line.split()[:-1]]
    made = {".", "course/release"}  # by `make assignments`, which the comment on top asks for
    assert made <= set(copied) and "make assignments" in DOCKERFILE
    made |= {"notebooks/more/*.ipynb"} if not MORE.exists() else set()
    assert [source for source in copied if source not in made and not list(ROOT.glob(source.removeprefix("./")))] == []


def test_no_solution_and_no_test_goes_into_the_image_of_the_students():
    lab = DOCKERFILE[DOCKERFILE.index("AS lab") :]
    copied = [source for line in re.findall(r"^COPY (.+)$", lab, re.M) for source in line.split()[:-1]]
    assert "." not in copied and not [
        source for source in copied if source.startswith(("tests", "private", "notebooks/ex"))
    ]
    assert "course/source" not in lab and "course/self-study" not in lab


def test_what_the_images_install_has_an_exact_version():
    """By the book's own pins, and JupyterHub, which is not among them, by one within these."""
    installs = re.findall(r"pip install ([^&\n]+)", DOCKERFILE)
    options = (
        "--no-cache-dir ",
        "--no-deps ",
        "--editable . ",
        "--extra-index-url https://download.pytorch.org/whl/cpu ",
    )
    left = []
    for install in installs:
        given = install.replace("\\", "").strip() + " "
        for option in (*options, "-r requirements.txt ", "-c constraints.txt "):
            given = given.replace(option, "")
        left += given.split()
    assert len(installs) == 4 and len(left) == 1 and re.fullmatch(r'"jupyterhub==5\.\d+\.\d+"', left[0])
    assert all("-c constraints.txt" in install for install in installs if "==" in install)


def test_the_commands_of_the_images_exist():
    commands = re.findall(r'"-m", "([\w.]+)"', DOCKERFILE) + re.findall(r"python -m ([\w.]+)", DOCKERFILE)
    assert "labutils.authoring.grading" in commands and all(find_spec(name) for name in commands)
    assert CONFIG["singleuser"]["image"]["name"].split("/")[-1] in DOCKERFILE
    assert JOB["spec"]["template"]["spec"]["containers"][0]["image"].split("/")[-1] in DOCKERFILE


def test_the_image_of_the_students_is_at_home_where_the_chart_mounts_their_volume():
    """`values.yaml` of Zero to JupyterHub: singleuser.uid 1000, fsGid 100, storage.homeMountPath /home/jovyan. What
    runs after a start runs in the image's home, and without a user of its own that would be /.
    """
    lab = DOCKERFILE[DOCKERFILE.index("AS lab") :]
    assert re.findall(r"^(ENV|WORKDIR|USER) (.+)$", lab, re.M) == [
        ("ENV", "HOME=/home/jovyan"),
        ("WORKDIR", "/home/jovyan"),
        ("USER", "1000"),
    ]
    assert "useradd --create-home --uid 1000 --gid 100 " in lab and lab.index("pip install") < lab.index("USER 1000")
    assert not {"uid", "fsGid"} & CONFIG["singleuser"].keys() and "homeMountPath" not in CONFIG["singleuser"]["storage"]
    assert CONFIG["singleuser"]["lifecycleHooks"]["postStart"]["exec"]["command"] == ["sh", "/book/hub/begin.sh"]


def test_the_job_has_as_many_pods_as_the_class_has_parts():
    spec = JOB["spec"]
    container = spec["template"]["spec"]["containers"][0]
    assert spec["completionMode"] == "Indexed"
    part = container["args"][1].replace("$(JOB_COMPLETION_INDEX)", str(spec["completions"] - 1))
    assert grading._part(part) == (spec["completions"] - 1, spec["completions"])
    assert container["volumeMounts"] == [{"name": "course", "mountPath": "/book/course"}]


@pytest.mark.skipif(sys.platform == "win32", reason="a script for the shell of the image")
def test_a_student_gets_the_book_once_and_keeps_what_was_changed(tmp_path):
    book, home = tmp_path / "book", tmp_path / "home"
    (book / "notebooks/more").mkdir(parents=True)
    (book / "release/04_attention").mkdir(parents=True)
    (book / "notebooks/04_attention.ipynb").write_text("chapter")
    (book / "release/04_attention/04_attention.ipynb").write_text("exercises")
    begin = [str(HUB / "begin.sh")]
    started = {"HOME": str(home), "BOOK": str(book), "PATH": "/usr/bin:/bin"}
    subprocess.run(["sh", *begin], env=started, check=True)
    answer = home / "exercises/04_attention/04_attention.ipynb"
    assert answer.read_text() == "exercises" and (home / "chapters/04_attention.ipynb").read_text() == "chapter"
    answer.write_text("mine")
    (book / "notebooks/05_new.ipynb").write_text("later")
    (book / "notebooks/more/05_new.ipynb").write_text("more")
    subprocess.run(["sh", *begin], env=started, check=True)
    assert answer.read_text() == "mine" and (home / "chapters/05_new.ipynb").read_text() == "later"
    assert (home / "chapters/more/05_new.ipynb").read_text() == "more"
