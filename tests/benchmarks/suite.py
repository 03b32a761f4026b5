"""How long the tests take, by part: `python -m tests.benchmarks.suite`, with everything installed and built before."""

import resource
import subprocess
import sys
import time

from labutils.authoring.benchmarks import record
from labutils.places import ROOT

GOAL = 6  # minutes, for two chapters on two cores
PARTS = {
    "unit": ["--ignore", "tests/site", "--ignore", "tests/lab"],
    "notebooks": ["--nbval", "--nbval-sanitize-with", "tests/notebooks/sanitize.cfg", "notebooks"],
    "site and JupyterLab": ["tests/site", "tests/lab"],
}


def main() -> int:
    rows, minutes, busy, failed = [], 0.0, 0.0, False
    for name, arguments in PARTS.items():
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", *arguments]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        spent, after = (time.monotonic() - started) / 60, resource.getrusage(resource.RUSAGE_CHILDREN)
        worked = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 60
        said = run.stdout.strip().splitlines()[-1].strip("= ")
        print(f"{name}: {spent:.1f} min, {said}", flush=True)
        if run.returncode:
            print(run.stdout[-12000:], flush=True)
            failed = True
        rows.append(
            {"part": name, "minutes": f"{spent:.1f}", "of them at work": f"{worked / 2 / spent:.0%}", "result": said}
        )
        minutes, busy = minutes + spent, busy + worked
    summary = (
        f"**{minutes:.1f} minutes** on two cores, one part after the other, once the packages were there and the site was"
        f" built; the goal is {GOAL}. The processors were at work in {busy / 2 / minutes:.0%} of the time."
    )
    if failed:
        return 1
    record("tests", "How long the tests take", summary, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
