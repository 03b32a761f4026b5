"""Print what is wrong: `python -m labutils.authoring.check`, or `make check`; with paths, of these files alone.
What the index of the book still owes is counted below the findings, and is none of them.

`--numbers` prints instead each number of the prose that its chapter neither prints nor asserts, with its source.
"""

import argparse
import sys
from pathlib import Path

from labutils.authoring import check, index, notebooks
from labutils.authoring.check import code, numbers, scripts


def findings(paths: list[Path]) -> list[str]:
    """All findings of the given files; of the whole book if none is given."""
    found = [] if paths else check.book_problems() + code_problems() + index.problems(index.rows())
    for path in paths or [*check.every_notebook(), *check.pages()]:
        rules = check.notebook_problems if path.suffix == ".ipynb" else check.page_problems
        found += [f"{named(path)}: {sentence}" for sentence in rules(path)]
    return found


def named(path: Path) -> str:
    """A file as a finding names it."""
    return f"{notebooks.name(path)}{path.suffix}"


def code_problems() -> list[str]:
    """All findings in Python, JavaScript and CSS; where the last two cannot be checked, a printed sentence says so."""
    found = code.problems()
    try:
        return found + scripts.problems()
    except scripts.NotHere as reason:
        print(reason)
        return found


def report(paths: list[Path]) -> list[str]:
    """One line for each number that a chapter takes from elsewhere or leaves without a proof."""
    lines = []
    for path in paths or check.every_notebook():
        if check.kind(path) in ("chapter", "more"):
            listed = numbers.cited(notebooks.name(path))
            for number in numbers.unshown(notebooks.read(path)):
                lines.append(
                    f"{notebooks.name(path)}: {number.cell}: {number.text}: {listed.get(number.text, 'NOT SHOWN')}"
                )
    return lines


def main() -> int:
    """The command; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m labutils.authoring.check", description="Check the chapters and pages of the book."
    )
    parser.add_argument("paths", nargs="*", type=Path, help="notebooks or pages; all if none is given")
    parser.add_argument("--numbers", action="store_true", help="list the numbers that are cited or not shown")
    options = parser.parse_args()
    paths = [path.resolve() for path in options.paths]
    if options.numbers:
        print("\n".join(report(paths)) or "Every number is printed or asserted by its chapter.")
        return 0
    found = findings(paths)
    print("\n".join(found) or "Everything is as it must be.")
    if not paths:
        print(index.summary(index.rows()))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
