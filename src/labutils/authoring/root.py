"""Who runs this: as root, whatever goes wrong or is meant badly reaches the whole machine."""

import os
import sys


def is_root() -> bool:
    """Whether this process may do everything on the machine; never on Windows."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def refuse_root(said: str, allowed: bool) -> None:
    """End the program with what is said where it runs as root, unless that is allowed."""
    if is_root() and not allowed:
        sys.exit(said)
