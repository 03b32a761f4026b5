"""The Python of the repository, formatted and linted by ruff with the settings of pyproject.toml."""

import subprocess
import sys
from pathlib import Path

from labutils.places import ROOT


def problems(root: Path = ROOT) -> list[str]:
    """One line for each thing that ruff finds, and for each file that it would format otherwise."""
    found = []
    for command in (("check", "--output-format", "concise"), ("format", "--check")):
        command_line = [sys.executable, "-m", "ruff", *command, "--quiet", "."]
        run = subprocess.run(command_line, cwd=root, capture_output=True, text=True)
        if run.returncode:
            said = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
            found += said or [f"ruff {command[0]} ended with {run.returncode} and said nothing."]
    return found
