"""Where the parts of the project lie."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "notebooks"
EXERCISES = CHAPTERS / "exercises"
MORE = CHAPTERS / "more"  # second notebooks
BOOK = ROOT / "book"
STATIC = BOOK / "_static"
GENERATED = BOOK / "generated"  # pages that a command writes, ignored by git
BENCHMARKS = ROOT / "benchmarks"
BUILD = ROOT / "_build"
SITE = BUILD / "html"
WORK = ROOT / "work"  # the reader's own copies, ignored by git
