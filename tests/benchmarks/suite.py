"""How long the tests take, by part and by chapter: `python -m tests.benchmarks.suite`, with everything installed and built
before. With the folder of another copy of the book, its tests are run as well and stand beside as "before".
"""

import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from labutils.authoring.benchmarks import record
from labutils.authoring.front import planned, written
from labutils.places import ROOT

GOAL = 25  # minutes for the whole book on two cores
PROCESSES = 2  # as in the Makefile
RESULT = re.compile(r"^(\w+): (.+) in [\d.]+ minutes of one process$", re.M)  # as conftest.py writes it
SPENT = re.compile(r"^([\d.]+)s (?:setup|call|teardown) +(\S.*)$", re.M)  # as pytest does
# A test that each new chapter brings more of: of its notebooks, its exercises, its pages, its claims. In JupyterLab one
# chapter is run, however many there are.
OF_A_CHAPTER = re.compile(r"^(?!tests/lab/)(?:tests/claims/|.*[/\[]\d\d[_-][a-z])")
PARTS = {"tests/site/": "site", "tests/lab/": "site", "notebooks/": "notebooks"}  # and all else is unit
COMMAND = (
    *("-m", "pytest", "-q", "-n", str(PROCESSES), "--dist", "loadfile"),
    *("--nbval", "--nbval-sanitize-with", "tests/notebooks/sanitize.cfg", "--durations=0", "--durations-min=0.001"),
    *("tests", "src/labutils", "notebooks"),
)


@dataclass
class Run:
    """One run of all tests: minutes on the clock; by part what came out, and minutes of one process, of them those in
    tests of single chapters.
    """

    minutes: float
    results: dict[str, str]
    spent: Counter
    of_chapters: Counter

    def with_chapters(self, now: int, then: int) -> float:
        """Minutes on the clock with `then` chapters, where these are what `now` chapters take."""
        more = sum(self.of_chapters.values()) * (then / now - 1)
        return self.minutes * (1 + more / sum(self.spent.values()))


def measured(said: str, minutes: float) -> Run:
    """A run from what pytest printed."""
    spent, of_chapters = Counter(), Counter()
    for seconds, test in SPENT.findall(said):
        part = next((name for start, name in PARTS.items() if test.startswith(start)), "unit")
        spent[part] += float(seconds) / 60
        if OF_A_CHAPTER.match(test):
            of_chapters[part] += float(seconds) / 60
    return Run(minutes, dict(RESULT.findall(said)), spent, of_chapters)


def run(folder: Path) -> Run:
    """Run all tests of a copy of the book; raises SystemExit where one fails."""
    started = time.monotonic()
    done = subprocess.run([sys.executable, *COMMAND], cwd=folder, capture_output=True, text=True)
    minutes = (time.monotonic() - started) / 60
    print(done.stdout[-6000:], flush=True)
    if done.returncode:
        sys.exit(done.returncode)
    return measured(done.stdout, minutes)


def row(part: str, now: Run, before: list[Run]) -> dict[str, str]:
    found = {"part": part, "result": now.results[part], "minutes of one process": f"{now.spent[part]:.1f}"}
    found["of these in tests of single chapters"] = f"{now.of_chapters[part]:.1f}"
    for one in before:
        found["before"] = f"{one.spent[part]:.1f}, {one.of_chapters[part]:.1f}"
    return found


def main(*others: str) -> None:
    now, before = run(ROOT), [run(Path(other).resolve()) for other in others]
    chapters = sum(map(written, planned().values()))
    each = lambda one: sum(one.of_chapters.values()) / chapters
    rows = [row(part, now, before) for part in sorted(now.results)]
    was = "".join(f"; before it took {one.minutes:.1f}, and a chapter {each(one):.2f}" for one in before)
    record(
        "tests",
        "How long the tests take",
        f"**{now.minutes:.1f} minutes** on two cores for `make test` with {chapters} chapters, once the packages were there"
        f" and the site was built; nothing else was kept from an earlier run. Each chapter brings {each(now):.2f} minutes"
        f" of one process{was}. If the {len(planned())} chapters of the plan bring as much each and all else stays,"
        f" that makes **{now.with_chapters(chapters, len(planned())):.0f} minutes**; the goal is {GOAL}. It ran"
        f" {PROCESSES} processes.",
        rows,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
