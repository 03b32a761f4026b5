"""Raise all pins: `python -m labutils.authoring.pins`, or `make pins`.

requirements.txt names what the book uses, constraints.txt what these packages bring along. Both get the newest versions
that fit together on Linux, macOS and Windows and on every Python that the book supports, found by uv.
What must not be raised stands in BOUNDS, with its reason.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from labutils.authoring.arguments import given
from labutils.places import ROOT

BOUNDS = {"jupyter-book": "<2"}  # 2 is another program, which builds from other sources
OLDEST = "3.11"  # Python
GPU = ("cuda-", "nvidia-", "triton")  # what only PyTorch's build for GPUs brings along, and pins by itself
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)", re.M)
HEAD = "# What the packages of requirements.txt bring along, at the versions the book was built with.\n"


def asked(requirements: str) -> str:
    """What uv is asked for: the names of requirements.txt, without versions but within their bounds."""
    return "".join(f"{name}{BOUNDS.get(name, '')}\n" for name, _ in PIN.findall(requirements))


def raised(requirements: str, found: str) -> tuple[str, str]:
    """requirements.txt and constraints.txt with the versions that uv has found.

    Raises ValueError where uv has found two versions of one package, for constraints.txt has one.
    """
    pins = [(plain(name), version) for name, version in PIN.findall(found)]
    versions = dict(pins)
    if twice := sorted({name for name, version in pins if versions[name] != version}):
        raise ValueError(f"There is no one version for all systems of: {', '.join(twice)}.")
    own = {plain(name) for name, _ in PIN.findall(requirements)}
    brought = sorted(name for name in versions if name not in own and not name.startswith(GPU))
    return (
        PIN.sub(lambda line: f"{line[1]}=={versions[plain(line[1])]}", requirements),
        HEAD + "".join(f"{name}=={versions[name]}\n" for name in brought),
    )


def plain(name: str) -> str:
    """The one way to write the name of a package: PyYAML, pyyaml and Py_YAML are the same."""
    return re.sub(r"[-_.]+", "-", name).lower()


def compiled(names: str) -> str:
    """What uv finds for these names. uv itself is installed for this moment alone."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "names.in").write_text(names, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", folder, "uv"], check=True)
        options = ["--universal", "--fork-strategy", "fewest", "--python-version", OLDEST]
        command = [sys.executable, "-m", "uv", "pip", "compile", "-q", "--no-annotate", "--no-header", *options]
        here = os.environ | {"PYTHONPATH": folder}
        return subprocess.run(
            [*command, place / "names.in"], check=True, stdout=subprocess.PIPE, env=here, text=True
        ).stdout


def main() -> None:
    """Write both files and say what follows."""
    files = [ROOT / "requirements.txt", ROOT / "constraints.txt"]
    requirements = files[0].read_text(encoding="utf-8")
    for path, text in zip(files, raised(requirements, compiled(asked(requirements)))):
        path.write_text(text, encoding="utf-8")
    print("Both files are written. Now `make test` and `make compat`, and read what `git diff` says.")


if __name__ == "__main__":
    given(__doc__)
    main()
