"""A command that takes no options: `--help` tells what it does, and a slip of the keyboard does nothing."""

import argparse
from pathlib import Path


def given(doc: str | None, paths: bool = False) -> list[Path]:
    """The paths that were given; none where the command takes none. `doc` is what the module says of itself.

    Ends the program after `--help`, and after an option or a word that the command does not take.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if paths:
        parser.add_argument("paths", nargs="*", type=Path, help="notebooks; all of the book if none is given")
    return getattr(parser.parse_args(), "paths", [])
