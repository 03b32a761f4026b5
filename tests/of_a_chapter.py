"""Which tests tell whether a chapter holds: all that it adds or touches.

Its notebooks, exercises and mistakes; every test that is run once for each chapter, page or exercise, where it is run
for this one; the tests that its rows of the index and of the claims name, and those of its claims; the tests of the
controls that it shows; and the few that look at the book as a whole and that a new cell, link or row can break.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
# What is run for each page or exercise stands in these.
FOR_EACH = (
    "tests/notebooks/",
    "tests/site/test_look.py",
    "tests/site/test_pages.py",
    "tests/site/test_rhythm.py",
    "tests/exercises/test_answers.py",
    "tests/exercises/test_grading.py",
    "tests/exercises/test_versions.py",
    "tests/lab/test_chapters.py",
)
# What can be broken by a cell, a link, a row or a term of any chapter.
OF_ALL = (
    "tests/notebooks/",
    "tests/authoring/test_claims_page.py",
    "tests/authoring/test_index.py",
    "tests/site/test_links.py",
    "tests/site/test_index.py",
    "tests/site/test_claims.py",
    "tests/lab/test_chapters.py",
)


@dataclass(frozen=True)
class OfAChapter:
    """The tests of one chapter: "07" is the number, "07_bert" the name of its notebook without the ending."""

    name: str

    @property
    def number(self) -> str:
        return self.name[:2]

    @cached_property
    def notebooks(self) -> list[Path]:
        """The chapter, its exercises, its second notebook, where there is one."""
        paths = [NOTEBOOKS / folder / f"{self.name}.ipynb" for folder in ("", "exercises", "more")]
        return [path for path in paths if path.exists()]

    @cached_property
    def addresses(self) -> frozenset[str]:
        """The tests that the rows of the index and of the claims name: a file, or a file and a test in it."""
        from labutils.authoring import index
        from labutils.authoring.pages.claims import ledger

        shown = [row.where for row in index.rows() if row.chapter == self.number]
        shown += [row.shown for row in ledger() if row.chapter == self.name]
        return frozenset(text for row in shown for text in row.split() if text.startswith("tests/"))

    @cached_property
    def controls(self) -> frozenset[str]:
        """The beginnings of the files that test the controls of the notebooks."""
        from labutils.authoring import notebooks
        from labutils.authoring.check.anatomy import CONTROLS
        from labutils.authoring.check.prose import calls

        cells = [cell for path in self.notebooks for cell in notebooks.read(path).cells if cell.cell_type == "code"]
        used = {name for cell in cells for name in CONTROLS if calls(cell, name)}
        return frozenset(f"tests/controls/test_{re.sub('(?<!^)(?=[A-Z])', '_', name).lower()}" for name in used)

    def whole(self, nodeid: str) -> bool:
        """Whether a test is wanted whatever it is run for."""
        file, _, test = nodeid.partition("::")
        wanted = {f"tests/claims/test_{self.name[3:]}.py"}
        bare = f"{file}::{test.partition('[')[0]}"
        return (
            file in wanted
            or any(file == path.relative_to(ROOT).as_posix() for path in self.notebooks)
            or any(file.startswith(start) and file[len(start) :] in (".py", *ENDINGS) for start in self.controls)
            or bool({file, bare, nodeid} & self.addresses)
            or any(file.startswith(start) for start in OF_ALL)
            and "[" not in test
        )

    def has(self, nodeid: str) -> bool:
        """Whether a test belongs to the chapter."""
        if self.whole(nodeid):
            return True
        if not nodeid.startswith(FOR_EACH):
            return False
        asked = nodeid.partition("[")[2].removesuffix("]")
        return self.name in asked or bool(re.match(rf"{self.number}(?![\d_])", asked))

    def may_have(self, path: Path) -> bool:
        """Whether a file can hold a test of the chapter."""
        if path.is_dir():
            return True
        file = path.relative_to(ROOT).as_posix()
        named = any(address.partition("::")[0] == file for address in self.addresses)
        return named or file.startswith((*FOR_EACH, *OF_ALL)) or self.whole(file)


ENDINGS = ("_homes.py", "_matrices.py", "_tuned.py", "_chosen.py", "_hole.py")  # a control with several files of tests


def chosen(given: str) -> OfAChapter:
    """The chapter that was asked for: "07", "7" or "07_bert". Raises UsageError, which names all, for another."""
    names = [path.stem for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))]
    found = [name for name in names if given in (name, name[:2], str(int(name[:2])))]
    if not found:
        raise pytest.UsageError(f"There is no chapter {given!r}. There are: {', '.join(names)}.")
    return OfAChapter(found[0])
