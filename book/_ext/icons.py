"""Sphinx extension: the theme's icons are drawn where they stand when the book is built. Its script, which draws them
in the browser and restyles the whole page for it, and its fonts stay out of the site.
"""

import re
import shutil
from html import escape
from pathlib import Path

import pydata_sphinx_theme

SCRIPT = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static/scripts/fontawesome.js"
# "name":[width,height,[other names],"code point","path"]
ICON = re.compile(r'(?<=[{,])"?([\w-]+)"?:\[(\d+),(\d+),\[([^\]]*)\],"[0-9a-f]+","([^"]*)"\]')
PLACE = re.compile(
    r'<(i|span)((?=[^>]*\sclass="[^"]*(?<![\w-])(?:fa[srb]?|fa-(?:solid|regular|brands))(?![\w-]))[^>]*)>\s*</\1>'
)
LOADED = re.compile(r'\s*<script [^>]*src="[^"]*scripts/fontawesome\.js[^>]*></script>')


def icons(script: str) -> dict[str, tuple[str, str, str]]:
    """Width, height and path of every icon by its names; the solid form of those that have several."""
    found = {}
    for name, width, height, others, path in ICON.findall(script):
        for each in (name, *re.findall(r'"([\w-]+)"', others)):
            found[each] = (width, height, path)  # brands and outlines stand before the solid ones
    return found


def drawn(page: str, known: dict[str, tuple[str, str, str]]) -> str:
    """A page with each icon as a picture in the text, without words of its own: its button or link has a name.

    Raises ValueError for an icon that the theme does not have.
    """

    def picture(place: re.Match) -> str:
        classes = re.search(r'class="([^"]*)"', place[2])[1].split()
        name = next((each[3:] for each in classes if each[3:] in known), None)
        if name is None:
            raise ValueError(f"The theme has no icon for the classes {' '.join(classes)}.")
        width, height, path = known[name]
        data = "".join(f' {key}="{value}"' for key, value in re.findall(r'\s(data-[\w-]+)="([^"]*)"', place[2]))
        classes = escape(" ".join(classes))
        return (
            f'<svg class="itt-icon {classes}"{data} viewBox="0 0 {width} {height}" aria-hidden="true">'
            f'<path fill="currentColor" d="{path}"/></svg>'
        )

    return LOADED.sub("", PLACE.sub(picture, page))


def draw(app, exception):
    if exception or app.builder.format != "html":
        return
    out, known = Path(app.outdir), icons(SCRIPT.read_text(encoding="utf-8"))
    for path in out.rglob("*.html"):
        if "_static" not in path.parts:
            path.write_text(drawn(path.read_text(encoding="utf-8"), known), encoding="utf-8")
    for path in (out / "_static/scripts").glob("fontawesome.js*"):
        path.unlink()
    shutil.rmtree(out / "_static/vendor/fontawesome", ignore_errors=True)


def setup(app):
    app.connect("build-finished", draw)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
