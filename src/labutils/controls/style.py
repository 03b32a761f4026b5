"""The look as stylesheets: one source for the site, which links it, and for JupyterLab, which gets it with a cell."""

import os
from functools import cache
from pathlib import Path

LOOK = Path(__file__).resolve().parent / "look"
SHARED = ("tokens", "control", "strip", "figure", "check")  # then each control's own few styles
SITE = ("frame", "type", "opening", "cells", "boxes", "folds", "tables", "lists", "onward", "front", "search", "paper")
LAB = ("lab",)


def on_site() -> bool:
    """Whether the code runs for the published site, whose pages link the stylesheet (the build sets ITT_SITE)."""
    return os.environ.get("ITT_SITE") == "1"


@cache
def css(home: str) -> str:
    """All rules for one home, in order: ``"site"`` or ``"lab"``."""
    of_home = {"site": SITE, "lab": LAB}[home]
    sources = [*(LOOK / f"{name}.css" for name in SHARED), *own_styles(), *(LOOK / f"{name}.css" for name in of_home)]
    return "\n".join(path.read_text(encoding="utf-8") for path in sources)


def own_styles() -> list[Path]:
    """The stylesheets that lie beside a control, in a folder of the same name."""
    return sorted(path for path in LOOK.parent.glob("*/*.css") if path.stem == path.parent.name)


def style_element() -> str:
    """What the first cell of a chapter brings along: the styles in JupyterLab, nothing on the site."""
    return "" if on_site() else f"<style>{css('lab')}</style>"
