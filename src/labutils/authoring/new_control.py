"""Start a control from the pattern: `make new-control NAME=two_words`.

Without make: `python -m labutils.authoring.new_control two_words`. Written are the folder of the control and its test.
It works at once: one setting, a drawing, a sentence, a table, a still picture. What is left to write begins with
`WRITE:`.
"""

import argparse
import keyword
import re
import sys
from pathlib import Path

from labutils.authoring import pattern
from labutils.controls.bundle import class_of
from labutils.places import ROOT

NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")


def start(name: str, root: Path = ROOT) -> list[Path]:
    """Write all that a new control consists of; returns the files.

    Raises:
        ValueError: the name is none that a folder and a class can bear, or it is taken. Nothing is written then.
    """
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ValueError(
            f"{name!r} is no name for a control: write small letters and digits, with _ between words: two_words."
        )
    controls = root / "src/labutils/controls"
    folder, test = controls / name, root / f"tests/controls/test_{name}.py"
    for path in (folder, controls / f"{name}.py", test):
        if path.exists():
            raise ValueError(f"{path.relative_to(root).as_posix()} is there already: choose another name.")
    words = {"folder": name, "class": class_of(name), "css": name.replace("_", "-")}
    files = {
        folder / "__init__.py": "class",
        folder / "numbers.js": "numbers",
        folder / "words.js": "words",
        folder / "picture.js": "picture",
        folder / f"{name}.js": "render",
        folder / f"{name}.css": "style",
        test: "test",
    }
    for path, part in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pattern.filled(f"control/{part}", words), encoding="utf-8")
    return list(files)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m labutils.authoring.new_control", description="Start a control from the pattern."
    )
    parser.add_argument("name", help="its folder: small letters, with _ between words, such as two_words")
    options = parser.parse_args()
    try:
        files = start(options.name)
    except ValueError as error:
        sys.exit(str(error))
    print("\n".join(path.relative_to(ROOT).as_posix() for path in files))
    print(f"It works already: .venv/bin/python -m pytest -q {files[-1].relative_to(ROOT).as_posix()}")
    print("book/writing.md says what belongs into it; what is left to write begins with WRITE and a colon.")


if __name__ == "__main__":
    main()
