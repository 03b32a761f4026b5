"""Put `.venv` in the state that requirements.txt describes, and do nothing when it is in it already.

Run by `make` with whatever Python the machine has, so it imports the standard library alone:

    python3 src/labutils/authoring/environment.py
"""

import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[3]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / ".ready"
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
DESCRIBED_BY = ("requirements.txt", "constraints.txt", "pyproject.toml", "src/labutils/authoring/environment.py")


def fingerprint(root: Path = ROOT) -> str:
    """Hash of the files that describe the environment, of the machine and of the folder that `.venv` belongs to."""
    digest = hashlib.sha256(f"{sys.platform} {platform.machine()}\n{root}\n".encode())
    for name in DESCRIBED_BY:
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def unsupported(version: tuple[int, ...]) -> str:
    """A sentence when this Python cannot run the book, else the empty string."""
    if (3, 11) <= version[:2] <= (3, 14):
        return ""
    found = ".".join(map(str, version[:2]))
    return f"The book needs Python 3.11 to 3.14 and this is {found}. Name another one: make PYTHON=python3.12 book"


def cpu_wheels_answer(seconds: float = 4.0) -> bool:
    """Whether PyTorch's own index of CPU builds can be reached quickly."""
    try:
        with urlopen(f"{CPU_WHEELS}/torch/", timeout=seconds) as page:
            return page.status == 200
    except (URLError, OSError):
        return False


def torch_index() -> list[str]:
    """Extra pip options for torch: on Linux the plain wheel brings gigabytes that only a GPU can use."""
    if sys.platform != "linux" or shutil.which("nvidia-smi") or not cpu_wheels_answer():
        return []
    return ["--index-url", CPU_WHEELS, "--extra-index-url", "https://pypi.org/simple"]


def pip(*arguments: str) -> None:
    """Run pip of `.venv`; stop with its own message where it fails."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", *arguments]
    if subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(f"This did not work: {' '.join(command)}\nRun make again when the reason above is gone.")


def install() -> None:
    """Create `.venv`, install the pinned requirements and the package itself, check that they fit."""
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    pinned = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if line.startswith("torch==")]
    pip("install", "--quiet", *torch_index(), *pinned, "--constraint", "constraints.txt")
    pip("install", "--quiet", "--requirement", "requirements.txt")
    pip("install", "--quiet", "--no-deps", "--editable", ".")
    pip("check")


def quiet_kernels() -> None:
    """Kernels of this `.venv` write errors to the console and no warnings: each start warns that it talks over TCP, and
    a reader on one machine can neither use nor change that.
    """
    config = VENV / "etc" / "ipython" / "ipython_kernel_config.json"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('{"IPKernelApp": {"log_level": 40}}\n')


def main() -> None:
    """Bring `.venv` up to date, or stop with one sentence."""
    wanted = fingerprint()
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text() == wanted:
        return
    if problem := unsupported(sys.version_info):
        sys.exit(problem)
    print("Setting up .venv from requirements.txt (once; a few minutes) ...", flush=True)
    install()
    quiet_kernels()
    STAMP.write_text(wanted)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C ends it without a traceback; pip says a word of its own
    main()
