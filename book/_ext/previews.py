"""Sphinx extension: a page that is shared says what it asks and shows its first picture.

`description`, the `og:` properties (https://ogp.me) and the size of the card go into the head of each page, with
absolute addresses where `html.baseurl` is set. The picture is the still picture of a control, or a figure, drawn as a
PNG of 1200 × 630 px, because those who show previews draw no SVG; the book's name and sign stand above it.
`preview_pictures` says which it is. A page without one has its first sentence there, and one of its entries
(`preview_words`). The list of chapters on the front page has the same pictures, small.
"""

import re
import textwrap
from html import escape
from io import BytesIO
from pathlib import Path

from bs4 import BeautifulSoup
from motifs import HIGH, WIDE, motif
from PIL import Image, ImageChops, ImageOps
from preview_paint import READING, found_in, inside, rasterised, small
from preview_pictures import CUT, TIGHT, TOLD, WORDED, chosen
from preview_room import EDGE, SIZE, placed, viewed
from preview_words import entry

from labutils.authoring.front import planned

HEAD = 140  # px: where the title ends
SMALL = (264, 152)  # px: twice as many as it is wide and high on the front page
DRAWN, STRONGER = 4, 1.3  # times as large as it is shown; the power by which its colours grow darker
INK, QUIET = "#222832", "#48566b"
BOOK = "Inside the Transformer"
SQUARES = ((1, 1, 1), (1, 6, 0.55), (6, 6, 1), (1, 11, 0.35), (6, 11, 0.7), (11, 11, 1))  # the favicon: x, y, opacity
SIGN = "".join(f'<rect x="{x}" y="{y}" width="4" height="4" rx="1" opacity="{o}"/>' for x, y, o in SQUARES)
QUESTION, FINDING = 46, 44  # px: the lines of the question and the finding
TURN = 34  # px from one line of the finding to the next
LINE, LETTER = 28, 0.5  # px of a letter of the finding, and how much of it a letter takes on average across
LONGEST, FEWEST, ASKED = 200, 80, 78  # characters of a description, of one that is cut, of a question
COLOURS = 192  # of a card: what is left out between two shades nobody sees
FRONT = "book/index"
LINES = 5  # of words on a card without a picture
ENTRY, LISTED, BESIDE = 46, 32, 56  # px from line to line of an entry below them and of its letters; letters of a line
SEARCH = "Find a word, a term or a question in all chapters, exercises and pages of an executable book on Transformers."
HOME = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Refresh" content="0; url={root}.html">{said}</head>
<body><p><a href="{root}.html">{title}</a></p></body></html>
"""


def described(article) -> str:
    """The first paragraph of a page that is a sentence, at most 200 characters of it."""
    words = [
        " ".join(p.get_text().split()) for p in article.select("section > p") if not p.select("a.itt-begin-button")
    ]
    first = next((text for text in words if len(text) > 40), "")
    if (question := asked(article)) and (will := article.select_one("dl dd")):  # a chapter says what the reader does
        first = f"{question} You will {' '.join(will.get_text().split())}"
    return shortened(first)


def shortened(words: str) -> str:
    """At most 200 characters of a text: whole sentences, unless they would be few words.

    >>> shortened("It is so. " * 30)[-10:]
    ' It is so.'
    """
    if len(words) <= LONGEST:
        return words
    whole = re.match(rf".{{{FEWEST},{LONGEST - 1}}}[.?!](?= )", words)
    return whole[0] if whole else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"


def asked(article) -> str:
    """The question of a chapter, which stands below its title; "" where a page asks none."""
    first = article.select_one("h1 + p, h1 ~ p")
    words = " ".join(first.get_text().split()) if first else ""
    return words if words.rstrip("”").endswith("?") and len(words) <= ASKED else ""


def card(title: str, question: str, picture, finding: str = "", cut: str | None = None, grows: bool = True) -> bytes:
    """A PNG: the title of the page, its question, what its picture shows and the picture, in the colours of the light
    theme.

    A control that is tall is not made tiny: it ends with its last whole row, and above the line of words that begins
    with `cut`. A figure is drawn whole: it has its axis there.
    """
    top = HEAD + (QUESTION if question else 0)
    lines = balanced(finding)
    said = "".join(
        f'<text x="{EDGE}" y="{top + 16 + TURN * i}" font-size="{LINE}" fill="{QUIET}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    if lines:
        top += FINDING + TURN * (len(lines) - 1)
    return framed(title, question, said + placed(picture, top, cut, grows))


def balanced(finding: str) -> list[str]:
    """A finding in lines of about the same length, none wider than a card.

    >>> balanced("A finding in one line"), len(balanced(30 * "words "))
    (['A finding in one line'], 3)
    """
    widest = int((SIZE[0] - 2 * EDGE) / (LETTER * LINE))
    count = len(textwrap.wrap(finding, widest))
    return next(
        (lines for width in range(1, widest + 1) if len(lines := textwrap.wrap(finding, width)) == count and count), []
    )


def worded(title: str, words: str, more: list[str] = ()) -> bytes:
    """The same with the words of a page that has no picture, and below them what it has, as far as there is room."""
    lines = textwrap.wrap(words, 52, max_lines=LINES, placeholder=" …")
    text = "".join(
        f'<text x="{EDGE}" y="{HEAD + 62 + 62 * i}" font-size="42" fill="{QUIET}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    top = HEAD + 62 * (len(lines) + 1) + 10
    below = [part for one in more for part in textwrap.wrap(one, BESIDE)][: (SIZE[1] - EDGE - top) // ENTRY + 1]
    if below:
        text += f'<rect x="{EDGE}" y="{top - 28}" width="5" height="{ENTRY * len(below)}" rx="2" fill="#8a42be"/>'
    text += "".join(
        f'<text x="{EDGE + 26}" y="{top + 4 + ENTRY * i}" font-size="{LISTED}" fill="{INK}">{escape(line)}</text>'
        for i, line in enumerate(below)
    )
    sign = f'<g transform="translate({SIZE[0] - 200} {SIZE[1] - 200}) scale(10)" fill="#8a42be">{SIGN}</g>'
    return framed(title, "", text + sign, colours=16)


def framed(title: str, question: str, shape: str, colours: int = COLOURS) -> bytes:
    """A card around what is drawn on it."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' width="{SIZE[0]}" height="{SIZE[1]}" font-family="{READING}">'
        '<rect width="100%" height="100%" fill="#fff"/>'
        f'<g transform="translate({EDGE} 30) scale(1.7)" fill="#8a42be">{SIGN}</g>'
        f'<g fill="{INK}">'
        f'<text x="{EDGE + 38}" y="53" font-size="26" fill="{QUIET}">{BOOK}</text>'
        f'<text x="{EDGE}" y="{HEAD - 30}" font-size="50" font-weight="700">'
        f'{escape(title)}</text><text x="{EDGE}" y="{HEAD + 18}" font-size="32" font-style="italic">{escape(question)}'
        f"</text></g>{shape}</svg>"
    )
    return small(rasterised(svg), colours)


def thumb(picture) -> bytes:
    """A PNG of the picture alone, as large as there is room. Its words, which nobody could read, are left out: what is
    left is its shape.
    """
    _, _, across, high = viewed(picture)
    wide = DRAWN * SMALL[0]
    shape = BeautifulSoup(picture.decode_contents(), "html.parser")
    for words in shape.find_all("text"):
        words.decompose()
    shape = inside(shape)
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' width="{wide}" height="{wide * high / across:.0f}"><rect width="100%" height="100%" fill="#fff"/>'
        f'<g transform="scale({wide / across:.4f})">{shape}</g></svg>'
    )
    made = BytesIO()
    with Image.open(BytesIO(rasterised(svg))) as picture:
        filled(picture.convert("RGB")).save(made, "PNG")
    return small(made.getvalue(), 64)


def drawn_small(shape: str) -> bytes:
    """A PNG of a motif, in the size of a small picture."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SMALL[0]}" height="{SMALL[1]}" viewBox="0 0 {WIDE} {HIGH}">'
        f'<rect width="100%" height="100%" fill="#fff"/>{shape}</svg>'
    )
    return small(rasterised(svg), 64)


def filled(drawn: Image.Image) -> Image.Image:
    """What is drawn, without the paper around it, in the size of a small picture, and stronger in its pale colours."""
    shape = ImageOps.contain(drawn.crop(ImageChops.invert(drawn).getbbox()), SMALL, Image.Resampling.LANCZOS)
    stronger = shape.point(lambda shade: round(255 * (shade / 255) ** STRONGER))
    return ImageOps.pad(stronger, SMALL, color="white")


def head(title: str, description: str, image: str, alt: str, address: str = "") -> str:
    """The lines for the head of a page, of what is known."""
    properties = {
        "og:type": "article",
        "og:site_name": BOOK,
        "og:title": title,
        "og:description": description,
        "og:image": image,
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
        "og:image:alt": alt,
        "og:url": address,
    }
    lines = [
        f'<meta name="description" content="{escape(description)}">',
        '<meta name="twitter:card" content="summary_large_image">',
    ]
    return "".join([*lines, *(f'<meta property="{k}" content="{escape(v)}">' for k, v in properties.items() if v)])


def said_of(picture) -> str:
    """What a picture shows, in the words of its label or of its title."""
    inner = picture.find("title")
    return picture.get("aria-label") or (inner.get_text() if inner else "")


def shared(name: str, article, picture) -> bytes:
    """The card of a page, as a PNG."""
    title = titled(article)
    if picture is None:
        return worded(title, described(article), entry(article))
    for tiny in picture.find_all("text", string=re.compile("±")) if name == FRONT else ():
        tiny.decompose()  # what its colours reach
    finding = TOLD.get(name) or found_in(picture)
    return card(title, asked(article), picture, finding, CUT.get(name), grows=name not in TIGHT)


def titled(article) -> str:
    return " ".join(article.h1.get_text().rstrip("#").split())


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
        title = titled(article)
        picture = None if name in WORDED else chosen(name, soup)
        image, words = f"_static/previews/{name.replace('/', '-')}.png", described(article)
        (out / image).parent.mkdir(exist_ok=True)
        (out / image).write_bytes(shared(name, article, picture))
        if picture and name in map("notebooks/{}".format, planned()):
            beside = (out / image).parent / "small" / f"{name.rsplit('/', 1)[-1]}.png"
            beside.parent.mkdir(exist_ok=True)
            shape = motif(beside.stem)
            beside.write_bytes(drawn_small(shape) if shape else thumb(picture))
        root = app.config.html_baseurl.rstrip("/")
        address = f"{root}/{name}.html" if root else ""
        alt = " – ".join(filter(None, [title, asked(article), said_of(picture)])) if picture else f"{title}. {words}"
        said = head(title, words, f"{root or '../' * name.count('/') + '.'}/{image}", alt, address)
        page.write_text(html.replace("</head>", f"{said}</head>", 1), encoding="utf-8")
    without_source(app, out)


def without_source(app, out: Path) -> None:
    """The same for the two pages that no source has: the search, and the address of the whole site, which leads on."""
    root = app.config.html_baseurl.rstrip("/")
    image = f"{root or '.'}/_static/previews/{FRONT.replace('/', '-')}.png"
    search, home = out / "search.html", out / "index.html"
    html = search.read_text(encoding="utf-8") if search.exists() else ""
    if html and 'property="og:title"' not in html:
        said = head(f"Search {BOOK}", SEARCH, image, BOOK, f"{root}/search.html" if root else "")
        search.write_text(html.replace("</head>", f"{said}</head>", 1), encoding="utf-8")
    if app.config.root_doc == FRONT:
        front = BeautifulSoup((out / f"{FRONT}.html").read_text(encoding="utf-8"), "html.parser")
        said = head(BOOK, described(front.select_one("article")), image, BOOK, f"{root}/" if root else "")
        home.write_text(HOME.format(title=BOOK, root=FRONT, said=said), encoding="utf-8")


def setup(app):
    app.connect("build-finished", previews)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
