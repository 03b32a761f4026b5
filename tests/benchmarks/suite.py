"""How long the tests take, by part and by chapter: `python -m tests.benchmarks.suite`, with everything installed and built
before. With `--of FILE`, what pytest wrote with `--junitxml FILE` in a run that is over is told, and nothing is run.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from labutils.authoring import notebooks
from labutils.authoring.benchmarks import record
from labutils.authoring.front import planned, written
from labutils.places import ROOT

GOAL = 25  # minutes for the whole book on two cores
PROCESSES = 2  # as in the Makefile
# A test that each new chapter brings more of: of its notebooks, its exercises, its pages, its claims. In JupyterLab one
# chapter is run, however many there are.
OF_A_CHAPTER = re.compile(r"^(?!tests\.lab\.)(?:tests\.claims\.|.*[.\[/]\d\d[_-][a-z])")
PARTS = {"tests.site.": "site", "tests.lab.": "site", "notebooks.": "notebooks"}  # and all else is unit
COMMAND = (
    *("-m", "pytest", "-q", "-n", str(PROCESSES), "--dist", "loadfile"),
    *("--nbval", "--nbval-sanitize-with", "tests/notebooks/sanitize.cfg"),
    *("tests", "src/labutils", "notebooks"),
)


@dataclass
class Run:
    """One run of all tests: minutes on the clock; by part how many passed, and minutes of one process, of them those in
    tests of single chapters; by notebook the seconds of its cells.
    """

    minutes: float
    passed: Counter
    spent: Counter
    of_chapters: Counter
    notebooks: Counter

    def with_chapters(self, now: int, then: int) -> float:
        """Minutes on the clock with `then` chapters, where these are what `now` chapters take."""
        more = sum(self.of_chapters.values()) * (then / now - 1)
        return self.minutes * (1 + more / sum(self.spent.values()))


def told(report: Path) -> Run:
    """A run from what pytest wrote of it; raises SystemExit where a test has failed."""
    suite = ElementTree.parse(report).getroot().find("testsuite")
    if bad := int(suite.get("failures")) + int(suite.get("errors")):
        sys.exit(f"{bad} tests have failed in the run of {report}; only one that is green is recorded.")
    run = Run(float(suite.get("time")) / 60, Counter(), Counter(), Counter(), Counter())
    for test in suite.iter("testcase"):
        place, seconds = test.get("classname"), float(test.get("time"))
        part = next((name for start, name in PARTS.items() if place.startswith(start)), "unit")
        run.passed[part] += test.find("skipped") is None
        run.spent[part] += seconds / 60
        if OF_A_CHAPTER.match(f"{place}.{test.get('name')}"):
            run.of_chapters[part] += seconds / 60
        if part == "notebooks":
            run.notebooks[place.removeprefix("notebooks.").removesuffix(".ipynb").replace(".", "/")] += seconds
    return run


def run() -> Run:
    """Run all tests; raises SystemExit where one fails."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        done = subprocess.run([sys.executable, *COMMAND, f"--junitxml={report}"], cwd=ROOT)
        if done.returncode:
            sys.exit(done.returncode)
        return told(report)


def record_chapters(one: Run) -> None:
    """How long the notebooks of each chapter run: what the page of states shows as seconds."""
    seconds = lambda name: f"{one.notebooks[name]:.0f}" if name in one.notebooks else "–"
    names = [name for name in map(notebooks.name, notebooks.chapters()) if name[0].isdigit()]
    longest = max(names, key=one.notebooks.__getitem__)
    record(
        "chapters",
        "How long a chapter runs",
        f"From the start of its kernel to the last cell, in seconds, {PROCESSES} notebooks at a time on two cores, as the"
        f" tests run them. The longest is chapter {longest[:2]}, with **{one.notebooks[longest]:.0f} seconds**.",
        [{"chapter": name, "seconds": seconds(name), "more on it": seconds(f"more/{name}")} for name in names],
    )


def main(one: Run) -> None:
    chapters = sum(map(written, planned().values()))
    rows = [
        {
            "part": part,
            "result": f"{one.passed[part]:,} passed",
            "minutes of one process": f"{one.spent[part]:.1f}",
            "of these in tests of single chapters": f"{one.of_chapters[part]:.1f}",
        }
        for part in sorted(one.passed)
    ]
    record(
        "tests",
        "How long the tests take",
        f"**{one.minutes:.1f} minutes** on two cores for `make test` with {chapters} chapters, once the packages were"
        f" there. Each chapter brings {sum(one.of_chapters.values()) / chapters:.2f} minutes of one process. If the"
        f" {len(planned())} chapters of the plan bring as much each and all else stays, that makes"
        f" **{one.with_chapters(chapters, len(planned())):.0f} minutes**; the goal is {GOAL}. It ran {PROCESSES}"
        " processes.",
        rows,
    )
    record_chapters(one)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", type=Path, help="what pytest wrote of a run that is over")
    report = parser.parse_args().of
    main(told(report) if report else run())
