"""How long the tests take, by part: `python -m tests.benchmarks.suite`, with everything installed and built before."""

import re
import subprocess
import sys
import time

from labutils.authoring.benchmarks import record
from labutils.places import ROOT

GOAL = 20  # minutes for the whole book on two cores
PROCESSES = 2  # as in the Makefile
LINE = re.compile(r"^(\w+): (.+) in ([\d.]+) minutes of one process$", re.M)  # as conftest.py writes it
COMMAND = (
    *("-m", "pytest", "-q", "-n", str(PROCESSES), "--dist", "loadfile"),
    *("--nbval", "--nbval-sanitize-with", "tests/notebooks/sanitize.cfg", "--durations=40"),
    *("tests", "src/labutils", "notebooks"),
)


def main() -> int:
    started = time.monotonic()
    run = subprocess.run([sys.executable, *COMMAND], cwd=ROOT, capture_output=True, text=True)
    minutes = (time.monotonic() - started) / 60
    print(run.stdout[-12000:], flush=True)
    if run.returncode:
        return 1
    rows = [
        {"part": part, "result": outcomes, "minutes of one process": spent}
        for part, outcomes, spent in LINE.findall(run.stdout)
    ]
    record(
        "tests",
        "How long the tests take",
        f"**{minutes:.1f} minutes** on two cores for `make test`, once the packages were there and the site was built;"
        f" the goal is {GOAL} for the whole book. It ran {PROCESSES} processes.",
        rows,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
