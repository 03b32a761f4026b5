"""The look as stylesheets: one source for the site, which links it, and for JupyterLab, which gets it with a cell."""

import os
import re
from functools import cache
from pathlib import Path

LOOK = Path(__file__).resolve().parent / "look"
SHARED = ("tokens", "control", "strip", "figure", "check")  # then each control's own few styles
SITE = (
    "face",
    "frame",
    "focus",
    "type",
    "notes",
    "opening",
    "cells",
    "boxes",
    "folds",
    "tables",
    "lists",
    "onward",
    "front",
    "search",
    "paper",
)
LAB = ("lab",)
# what tokens.css mixes of ink #222832 and white paper
MIXED = {
    "--itt-ink": "#222832",
    "--itt-paper": "#ffffff",
    "--itt-line": "#dedfe0",
    "--itt-edge": "#7f8288",
    "--itt-ghost": "#abadb1",
}


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


@cache
def light() -> dict[str, str]:
    """The colours of the light theme by name, for pictures that stand outside of any page.

    >>> light()["--itt-q"], light()["--itt-muted"]
    ('#024e9a', '#48566b')
    """
    tokens = (LOOK / "tokens.css").read_text(encoding="utf-8").partition("data-theme")[0]
    return dict(re.findall(r"(--itt-[\w-]+):\s*(?:var\([\w-]+, )?(#[0-9a-f]{6})\)?;", tokens)) | MIXED


def style_element() -> str:
    """What the first cell of a chapter brings along: the styles in JupyterLab, nothing on the site."""
    return "" if on_site() else f"<style>{css('lab')}</style>"
