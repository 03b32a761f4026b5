"""What the book declares in YAML (its plan, its contents, its settings)."""

from copy import deepcopy
from functools import lru_cache
from pathlib import Path

import yaml


def declared(path: Path) -> dict | list | None:
    """What a YAML file holds, as the caller's own copy. A text is parsed once: pages ask for it often."""
    return deepcopy(_parsed(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=32)
def _parsed(text: str) -> dict | list | None:
    return yaml.safe_load(text)
