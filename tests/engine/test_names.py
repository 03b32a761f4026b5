"""The engine's files bear the names of the Python modules that they mirror, and no line of the controls is too long to
read.
"""

from pathlib import Path

import labutils
from labutils.controls import engine

ENGINE = Path(engine.__file__).parent
CONTROLS = ENGINE.parent
MIRRORED = ("text", "layers", "models", "trace", "checkpoints")  # rooms of the package
# What only a page needs: where its numbers come from, what torch has, and `labutils.checkpoints.facts` in JavaScript.
OWN = {
    "whole_words",
    "source",
    "page_source",
    "kernel_source",
    "insistently",
    "loops",
    "room",
    "liveness",
    "model_file",
    "linear",
    "contributions",
} | {
    "transformer",  # one for all models of Python
    "outside",  # what Python asks
}


def test_a_file_of_the_engine_is_found_under_the_name_of_its_twin():
    room = Path(labutils.__file__).parent
    known = {path.stem for name in MIRRORED for path in (room / name).glob("*.py")} | set(MIRRORED)
    files = {path.stem for path in ENGINE.glob("*.js")}
    assert files - known == OWN


def test_no_style_of_the_site_asks_with_has():
    """The build takes such rules out, because one of them makes a slider slow in WebKit; see book/_ext/marks.py."""
    asking = [path.name for path in sorted(CONTROLS.rglob("*.css")) if ":has(" in path.read_text(encoding="utf-8")]
    assert asking == ["lab.css"]


def test_a_line_of_javascript_has_at_most_120_characters():
    long = [
        f"{path.relative_to(CONTROLS)}, line {n}: {len(line)}"
        for path in sorted(CONTROLS.rglob("*.js"))
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert not long, "\n".join(long)
