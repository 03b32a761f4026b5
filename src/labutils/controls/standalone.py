"""A page that holds nothing but controls: the same files as the site's pages, without the site. Tests and pictures use
it.
"""

import json
import shutil
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ipywidgets.embed import dependency_state

from labutils.checkpoints.facts import SHIPPED
from labutils.controls.bundle import site
from labutils.controls.control import VIEW, Control, mark
from labutils.controls.engine.export import export
from labutils.controls.slim import slim
from labutils.controls.style import css
from labutils.places import STATIC

FACE = STATIC / "vendor/literata"  # the typeface that the stylesheet asks for
STATE = "application/vnd.jupyter.widget-state+json"
THEME = """
html { --pst-font-family-base: -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
html[data-theme="light"] {
  --pst-color-background: #fff; --pst-color-text-base: #222832; --pst-color-text-muted: #48566b;
}
html[data-theme="dark"] {
  --pst-color-background: #14181e; --pst-color-text-base: #ced6dd; --pst-color-text-muted: #9ca4af;
}
body {
  margin: 0; background: var(--pst-color-background); color: var(--pst-color-text-base);
  font-family: var(--pst-font-family-base);
}
main { max-width: 46rem; margin: 0 auto; padding: 0 .5rem; }
"""


def page(controls: Sequence[Control], theme: str = "light") -> str:
    """The HTML of a page with these controls, one below the other; its files lie beside it, as `write` puts them."""
    states = {
        "version_major": 2,
        "version_minor": 0,
        "state": slim(dependency_state(list(controls), drop_defaults=False)),
    }
    return (
        f'<!doctype html><html lang="en" data-theme="{escape(theme)}"><head><meta'
        ' charset="utf-8"><title>Controls</title><meta name="viewport" content="width=device-width,'
        ' initial-scale=1"><link rel="icon" href="data:,"><link rel="stylesheet" href="_static/itt.css"><script defer'
        ' src="_static/itt-controls.js"></script></head><body><main><h1'
        f' class="itt-sr">Controls</h1>{"".join(map(place, controls))}</main><script'
        f' type="{STATE}">{embedded(states)}</script></body></html>'
    )


def place(control: Control) -> str:
    """One control as a page holds it: the still picture, then the mark that the host looks for."""
    still = mark(
        control.picture(), control.name, "<noscript>This is a picture: it moves where JavaScript is allowed.</noscript>"
    )
    return (
        f'<div class="cell_output" data-name="{escape(control.name)}">{still}<script'
        f' type="{VIEW}">{embedded({"model_id": control.model_id})}</script></div>'
    )


def embedded(value) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def write(
    folder: Path, controls: Sequence[Control], theme: str = "light", models: Sequence[str] = tuple(SHIPPED)
) -> Path:
    """Write the page, its files and the weights of `models` into `folder`. Returns its index.html, which opens from
    disk too.
    """
    static = folder / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / "itt.css").write_text(THEME + css("site"), encoding="utf-8")
    if FACE.is_dir():  # in a copy of the book; the installed package has no site, and its pages the host's own face
        shutil.copytree(FACE, static / "vendor/literata", dirs_exist_ok=True)
    (static / "itt-controls.js").write_text(site(), encoding="utf-8")
    if models:
        export(static / "models", models)
    (folder / "index.html").write_text(page(controls, theme), encoding="utf-8")
    return folder / "index.html"
