"""Exercises for a course: `python -m labutils.authoring.assignments`, or `make assignments`.

Writes into course/, which git ignores:

    release/     what students get, by nbgrader, without solutions and hidden tests
    self-study/  the same with folded hints and solutions, as the site has it
    source/      what nbgrader grades with: solutions, hidden tests, and your own from private/

Your own hidden tests are files private/<exercise>.py, for example private/04-softmax.py: lines of Python that use
what the student has written and raise an error (an `assert`) where it is wrong. private/ is ignored by git too.

Put what students hand in under course/submitted/<student>/04_attention/04_attention.ipynb. Two commands grade it and
write course/grades.csv (what follows the module is handed to nbgrader):

    .venv/bin/python -m labutils.authoring.assignments autograde 04_attention
    .venv/bin/python -m labutils.authoring.assignments export
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from labutils.authoring import notebooks
from labutils.authoring.self_study import STUB, exercise_checked, self_study, with_private
from labutils.places import BUILD, EXERCISES, ROOT

COURSE = ROOT / "course"
PRIVATE = ROOT / "private"
REQUIREMENTS = ROOT / "requirements-course.txt"
PACKAGES = BUILD / "course-packages"  # beside .venv, so that nbgrader's panels stay out of the reader's JupyterLab
CONFIG = f"""# written by `make assignments`
import labutils.authoring.patient_nbclient  # noqa: F401  (importing it cures a hang of the notebook runner)

c = get_config()
c.CourseDirectory.course_id = "inside-the-transformer"
c.ClearSolutions.code_stub = {{"python": {STUB!r}}}
c.ExecutePreprocessor.timeout = 300
"""


def private_tests(folder: Path) -> dict[str, str]:
    """Name of an exercise -> an instructor's own tests for it; none where there is no such folder."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}


def prepare(exercises: Path = EXERCISES, course: Path = COURSE, private: Path = PRIVATE) -> list[str]:
    """Write source/, self-study/ and nbgrader's settings; returns the names of the assignments.

    Raises ValueError where a test in `private` is for no exercise, or is not Python.
    """
    tests = private_tests(private)
    sources = {path.stem: notebooks.read(path) for path in sorted(exercises.glob("*.ipynb"))}
    known = {exercise_checked(cell) for source in sources.values() for cell in source.cells} - {""}
    for unknown in set(tests) - known:
        raise ValueError(f"private/{unknown}.py is for no exercise. There are: {', '.join(sorted(known))}.")
    for name, source in sources.items():
        _put(course / "source" / name / f"{name}.ipynb", with_private(source, tests))
        _put(course / "self-study" / f"{name}.ipynb", self_study(source))
    (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    return list(sources)


def _put(path: Path, notebook) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    notebooks.write(path, notebook)


def install(packages: Path = PACKAGES) -> None:
    """Fetch what requirements-course.txt names, once; raises SystemExit where pip fails."""
    wanted, stamp = REQUIREMENTS.read_text(), packages / ".ready"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print("Fetching nbgrader (once) ...", flush=True)
    shutil.rmtree(packages, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    if subprocess.run([*pip, "--target", str(packages), "--requirement", str(REQUIREMENTS)]).returncode:
        sys.exit("nbgrader could not be fetched. Run `make assignments` again when the reason above is gone.")
    stamp.write_text(wanted)


def nbgrader(*arguments: str, course: Path = COURSE, packages: Path = PACKAGES) -> int:
    """Run one nbgrader command in the course folder; returns its status."""
    with_packages = {  # nbgrader calls alembic by its name
        "PYTHONPATH": os.pathsep.join(filter(None, [str(packages), os.environ.get("PYTHONPATH")])),
        "PATH": os.pathsep.join(filter(None, [str(packages / "bin"), os.environ.get("PATH")])),
    }
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=course, env=os.environ | with_packages).returncode


def main(arguments: list[str]) -> int:
    """Without arguments: write the assignments. With arguments: hand them to nbgrader."""
    if arguments:
        if not (COURSE / "nbgrader_config.py").exists():
            sys.exit("There is no course/ yet: run `make assignments` first.")
        install()
        return nbgrader(*arguments)
    try:
        names = prepare()
    except ValueError as error:
        sys.exit(str(error))
    install()
    for name in names:
        if status := nbgrader("generate_assignment", name, "--force", "--log-level=WARN"):
            return status
    print(f"For students:   {COURSE / 'release'}\nFor self-study: {COURSE / 'self-study'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
