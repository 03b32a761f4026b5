"""The JavaScript and CSS of the repository: formatted and linted by Biome, as biome.jsonc says, and checked by type by
tsc, which reads the JSDoc of the files that tsconfig.json lists.

Both are packages of Node. `package-lock.json` pins them, `npm` puts them into `_build`, once; nothing of it is shipped.
"""

import hashlib
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from labutils.places import BUILD, ROOT

LISTED = ("--reporter=github", "--max-diagnostics=none")
PACKAGES = ("package.json", "package-lock.json")
UNCHECKED = "so JavaScript and CSS were not checked."
ANNOTATION = re.compile(r"^::\w+ title=(?P<rule>[^,]*),file=(?P<file>[^,]*),line=(?P<line>\d+).*?::(?P<said>.*)$")


class NotHere(RuntimeError):
    """Biome and tsc are not here and cannot be had. One sentence."""


def problems(root: Path = ROOT) -> list[str]:
    """One line for each thing that Biome or tsc finds, and for each file that Biome would format otherwise.

    Raises NotHere without Node and npm, or where both are not installed yet and npm reaches no registry.
    """
    ran = _run(root, "@biomejs/biome/bin/biome", "check", "--error-on-warnings", *LISTED, ".")
    linted = [
        f"{os.path.relpath(match['file'], root)}:{match['line']}: {match['said']} ({match['rule']})"
        for match in map(ANNOTATION.match, ran)
        if match
    ]
    return (linted or ran) + _run(root, "typescript/bin/tsc", "--pretty", "false")


def _run(root: Path, program: str, *arguments: str) -> list[str]:
    """The lines that a program of `package.json` prints about the files below `root`; none if it is content."""
    command = [modules() / program, *arguments]
    run = subprocess.run(["node", *command], cwd=root, capture_output=True, text=True, encoding="utf-8")
    return [line for line in (run.stdout + run.stderr).splitlines() if line.strip()] if run.returncode else []


@cache
def modules() -> Path:
    """The folder `node_modules` of `package-lock.json`, filled where it is not there yet."""
    npm = shutil.which("node") and shutil.which("npm")
    if not npm:
        raise NotHere(f"Node and npm are not here, {UNCHECKED}")
    digest = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in PACKAGES)).hexdigest()[:12]
    home = BUILD / f"node-{digest}"
    if not home.exists():
        _install(npm, home)
    return home / "node_modules"


def _install(npm: str, home: Path) -> None:
    """Install beside `home` and move it there when it is whole: two tests may come at the same time."""
    home.parent.mkdir(exist_ok=True)
    beside = Path(mkdtemp(prefix="node-", dir=home.parent))
    for name in PACKAGES:
        shutil.copy(ROOT / name, beside)
    options = ("--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--fetch-retries=0")
    run = subprocess.run([npm, "ci", *options], cwd=beside, capture_output=True, text=True, encoding="utf-8")
    if run.returncode:
        shutil.rmtree(beside)
        code = re.search(r"npm error code (\w+)", run.stderr)
        why = code[1] if code else "no reason given"
        raise NotHere(f"npm did not install what package-lock.json names ({why}), {UNCHECKED}")
    try:
        beside.rename(home)
    except OSError:
        shutil.rmtree(beside)  # another was faster
