"""Sphinx extension: a page that is shared says what it asks and shows its first picture.

`description` and the `og:` properties (https://ogp.me) go into the head of each page. The picture is the still picture
of the page's first control, or its first figure, drawn as a PNG of 1200 × 630 px, because those who show previews draw
no SVG. A page without either has the front page's.
"""

import re
from html import escape
from pathlib import Path

import resvg_py
from bs4 import BeautifulSoup

from labutils.controls.style import light

SIZE, EDGE, HEAD = (1200, 630), 48, 132  # px
INK = "#222832"
LONGEST = 200  # characters of a description
FONTS = "Liberation Sans, Helvetica, Arial, DejaVu Sans, sans-serif"
PICTURES = ".itt-still svg.is-wide, .itt-figure svg"
FRONT = "book/index"


def described(article) -> str:
    """The first paragraph of a page that is a sentence, at most 200 characters of it."""
    words = [
        " ".join(p.get_text().split()) for p in article.select("section > p") if not p.select("a.itt-begin-button")
    ]
    first = next((text for text in words if len(text) > 40), "")
    return first if len(first) <= LONGEST else f"{first[:LONGEST].rsplit(' ', 1)[0]} …"


def card(title: str, picture) -> bytes:
    """A PNG: the title of the page over its picture, in the colours of the light theme."""
    across, high = (float(x) for x in picture["viewbox" if picture.get("viewbox") else "viewBox"].split()[2:])
    scale = min((SIZE[0] - 2 * EDGE) / across, (SIZE[1] - HEAD - EDGE) / high)
    left = (SIZE[0] - scale * across) / 2
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE[0]}" height="{SIZE[1]}" font-family="{FONTS}">'
        f'<rect width="100%" height="100%" fill="#fff"/><text x="{EDGE}" y="{EDGE + 38}" font-size="44"'
        f' font-weight="700" fill="{INK}">{escape(title)}</text>'
        f'<g transform="translate({left:.1f} {HEAD}) scale({scale:.4f})">{picture.decode_contents()}</g></svg>'
    )
    return resvg_py.svg_to_bytes(svg_string=resolved(svg))


def resolved(svg: str) -> str:
    """The same with the colours of the light theme in the place of their names."""
    return re.sub(r"var\((--[\w-]+)(?:,[^()]*)?\)", lambda found: light().get(found[1], INK), svg)


def head(title: str, description: str, image: str) -> str:
    properties = {"og:type": "article", "og:title": title, "og:description": description, "og:image": image}
    lines = [f'<meta name="description" content="{escape(description)}">']
    return "".join([*lines, *(f'<meta property="{k}" content="{escape(v)}">' for k, v in properties.items() if v)])


def previews(app, exception):
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for name in [FRONT, *sorted(app.env.found_docs - {FRONT})]:
        page = out / f"{name}.html"
        html = page.read_text(encoding="utf-8")
        if 'property="og:title"' in html:
            continue  # not built again
        soup = BeautifulSoup(html, "html.parser")
        article = soup.select_one("article")
        title, picture = " ".join(article.h1.get_text().rstrip("#").split()), article.select_one(PICTURES)
        image = f"_static/previews/{(name if picture else FRONT).replace('/', '-')}.png"
        if picture:
            (out / image).parent.mkdir(exist_ok=True)
            (out / image).write_bytes(card(title, picture))
        base = app.config.html_baseurl.rstrip("/") or "../" * name.count("/") + "."
        page.write_text(
            html.replace("</head>", head(title, described(article), f"{base}/{image}") + "</head>", 1), encoding="utf-8"
        )


def setup(app):
    app.connect("build-finished", previews)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
