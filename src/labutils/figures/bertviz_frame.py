"""Bertviz's views in a frame of their own: no script of them comes from another host, and none runs in our page.

Bertviz (Vig 2019) fetches require.js, d3 and jQuery from a CDN, so behind a firewall it stays blank. Here they lie
beside this file. In a notebook the frame holds everything. On the site it is a page of its own, which the browser loads
when the reader comes near; the two libraries are files that all such pages share.
"""

import re
from html import escape
from importlib.metadata import distribution
from importlib.resources import files

from jaxtyping import Float
from torch import Tensor

from labutils.controls.style import on_site
from labutils.figures.plot import Figure, whole
from labutils.places import GENERATED

LIBRARIES = ("jquery.min.js", "d3.min.js")
LICENCES = ("LICENSE-jquery.txt", "LICENSE-d3.txt")
ROW, REST = 22.5, 96  # px: the head view's height of one token, and of what stands above and below them
HEAD_WIDE, MODEL_WIDE, LEAST_WIDE = 392, 1004, 600  # px; a model view narrower than the last would be too small to read
QUIETLY = {"prettify_tokens": False, "html_action": "return"}
LOADER = "window.require = { config() {} };\nwindow.requirejs = (names, run) => run(window.jQuery, window.d3);"
LOOK = (
    "body { margin: 12px 16px; background: #fff; color: #222832; font: 14px sans-serif } select { font: inherit;"
    " margin: 0 0 10px 4px } #vis { overflow-x: auto }"
)
FITTED = (  # the drawing, as large as its frame; on a phone it scrolls
    "<script>{ const svg = document.querySelector('#vis svg'), [w, h] = ['width', 'height'].map((of) =>"
    " svg.getAttribute(of)); svg.setAttribute('viewBox', `0 0 ${w} ${h}`); svg.style.cssText ="
    f" 'width: 100%; height: auto; min-width: {LEAST_WIDE}px'; }}</script>"
)
FRAME = """<style>
.itt-bertviz {
  display: block; width: 100%;
  border: 1px solid var(--itt-line, #d9dadb); border-radius: 6px; background: #fff
}
html[data-theme="dark"] .itt-bertviz, body[data-jp-theme-light="false"] .itt-bertviz {
  filter: invert(.92) hue-rotate(180deg); border-color: #c4c4c4
}
</style>"""


def bertviz_head_view(
    weights: Float[Tensor, "L H n n"],
    tokens: list[str],
    title: str,
    caption: str,
    alt: str,
    name: str,
    layer: int = 0,
    heads: list[int] | None = None,
) -> Figure:
    """The weights of one layer as bertviz draws them: a line from each query on the left to each key on the right.

    Args:
        weights: of all layers and heads; they are rounded to four decimals.
        tokens: n names.
        title, caption: as of every figure; the caption may hold inline HTML.
        alt: what the frame is called for those who do not see it: the finding with its numbers.
        name: what its page on the site is called, once a book: letters, digits and hyphens.
        layer, heads: what is shown first; all heads without `heads`.

    Raises:
        ValueError: the weights do not fit the tokens, there is no such layer, or the title, `alt` or `name` cannot be
            used.
    """
    refuse(weights, tokens, title, alt, name)
    drawn = head_view(weights, tokens, layer, heads)
    return framed(drawn, title, caption, alt, name, HEAD_WIDE, round(ROW * len(tokens) + REST))


def bertviz_model_view(
    weights: Float[Tensor, "L H n n"], tokens: list[str], title: str, caption: str, alt: str, name: str
) -> Figure:
    """The weights of all layers and heads as bertviz draws them, layers as rows and heads as columns; a click makes one
    of them large. What is given and raised is as in `bertviz_head_view`.
    """
    refuse(weights, tokens, title, alt, name)
    L, H, n, _ = weights.shape
    high = max(L * (n * 84 / H + 10) + 38, 18 * n + 55)  # as model_view.js adds it up
    return framed(model_view(weights, tokens), title, caption, alt, name, MODEL_WIDE, round(high) + 50, LEAST_WIDE)


def refuse(weights: Tensor, tokens: list[str], title: str, alt: str, name: str) -> None:
    """Raise ValueError for what cannot be drawn."""
    if weights.ndim != 4 or weights.shape[-2:] != (len(tokens), len(tokens)):
        raise ValueError(
            f"{len(tokens)} tokens need weights of the shape (L, H, {len(tokens)}, {len(tokens)}), not"
            f" {tuple(weights.shape)}."
        )
    if not title.strip() or not alt.strip():
        raise ValueError("A figure needs a title that says what to see and an alternative text that says the finding.")
    if not re.fullmatch(r"[a-z0-9-]+", name):
        raise ValueError(f"{name!r} cannot name a page: use small letters, digits and hyphens.")


def framed(
    drawn: str, title: str, caption: str, alt: str, name: str, wide: int, high: int, least: int | None = None
) -> Figure:
    """least: the width down to which the drawing shrinks with its frame; without it it keeps its size."""
    tall = f"height: {high}px"
    if least:
        tall = f"aspect-ratio: {wide} / {high}; min-height: {round(least * high / wide)}px"
    source = (
        f'src="{written(name, page(drawn, title, linked()))}"'
        if on_site()
        else f'srcdoc="{escape(page(drawn, title, inlined()))}"'
    )
    return Figure(
        f'<figure class="itt-figure">{FRAME}<p class="itt-figure-title">{whole(escape(title))}</p>'
        f'<iframe class="itt-bertviz" loading="lazy" title="{escape(alt)}" style="max-width: {wide}px; {tall}"'
        f" {source}></iframe><figcaption>{caption}</figcaption></figure>",
        title,
    )


def head_view(weights: Tensor, tokens: list[str], layer: int, heads: list[int] | None) -> str:
    from bertviz import head_view as draw  # here, because only this figure needs it

    return safe(draw(_rounded(weights), list(tokens), layer=layer, heads=heads, **QUIETLY).data)


def model_view(weights: Tensor, tokens: list[str]) -> str:
    from bertviz import model_view as draw

    html = safe(draw(_rounded(weights), list(tokens), display_mode="light", **QUIETLY).data)
    # wider than a phone: it scrolls, with the keyboard too
    return html.replace("<div id='vis'>", "<div id='vis' tabindex='0' role='group' aria-label='All heads'>") + FITTED


def _rounded(weights: Tensor) -> list[Tensor]:
    return [one[None].double().round(decimals=4) for one in weights]  # (1, H, n, n) each


def safe(html: str) -> str:
    """What bertviz returns, such that it can stand in a page: no foreign script, a name for its menu, tokens that stay
    text.
    """
    html = re.sub(r'<script src="https:[^"]*"></script>', "", html)
    html = re.sub(r"https://cdnjs[^']*/", "", html)  # addresses that our loader never asks for
    html = re.sub(r"bertviz-[0-9a-f]{32}", "bertviz", html)  # a new number in each run; the frame has only one
    html = html.replace('<select id="layer">', '<select id="layer" aria-label="Layer">')
    # the comment at the end of that line repeats all numbers
    return re.sub(r"(const params = .*;) // HACK.*", lambda line: line[1].replace("<", "\\u003c"), html)


def page(drawn: str, title: str, libraries: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta'
        f' charset="utf-8"><title>{escape(title)}</title><style>{LOOK}</style>'
        f"{libraries}<script>{LOADER}</script></head><body>{drawn}</body></html>"
    )


def inlined() -> str:
    return "".join(f"<script>{library(name)}</script>" for name in LIBRARIES)


def linked() -> str:
    return "".join(f'<script src="{name}"></script>' for name in LIBRARIES)


def library(name: str) -> str:
    return (files("labutils.figures") / "bertviz_parts" / name).read_text(encoding="utf-8")


def written(name: str, text: str) -> str:
    """Put the page, the libraries and their licences among the site's own files; returns the address as seen from a
    chapter.
    """
    folder = GENERATED / "static" / "bertviz"
    folder.mkdir(parents=True, exist_ok=True)
    own = distribution("bertviz").read_text("licenses/LICENSE")
    parts = {each: library(each) for each in (*LIBRARIES, *LICENCES)}
    for file, content in {f"{name}.html": text, "LICENSE-bertviz.txt": own, **parts}.items():
        (folder / file).write_text(content, encoding="utf-8")
    return f"../_static/bertviz/{name}.html"
