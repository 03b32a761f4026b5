"""Sphinx extension: a page that is shared says what it asks and shows its first picture.

`description`, the `og:` properties (https://ogp.me) and the size of the card go into the head of each page, with
absolute addresses where `html.baseurl` is set. The picture is the still picture of a control, or a figure, drawn as a
PNG of 1200 × 630 px, because those who show previews draw no SVG; the book's name and sign stand above it.
`preview_pictures` says which it is. A page without one has its first sentence there. The list of chapters on the front
page has the same pictures, small.
"""

import re
import textwrap
from functools import cache
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import resvg_py
from bs4 import BeautifulSoup
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from matplotlib import get_data_path
from motifs import HIGH, WIDE, motif
from PIL import Image, ImageChops, ImageOps
from preview_pictures import CUT, WORDED, chosen

from labutils.authoring.face import LATIN, signs
from labutils.authoring.face import drawn as in_text
from labutils.authoring.front import planned
from labutils.controls.style import light

SIZE, EDGE, HEAD = (1200, 630), 48, 140  # px
SMALL = (264, 152)  # px: twice as many as it is wide and high on the front page
DRAWN, STRONGER = 4, 1.3  # times as large as it is shown; the power by which its colours grow darker
INK, QUIET = "#222832", "#48566b"
SHADES = {"--itt-hover": "#f0f0f1", "--itt-hatch": "#ced0d2"}  # what tokens.css mixes and `light()` does not know
BOOK = "Inside the Transformer"
SPELT = {
    name.lower(): name for name in ("clipPath", "linearGradient", "gradientUnits", "patternUnits", "patternTransform")
}
CAMEL = re.compile(rf"\b(?:{'|'.join(SPELT)})(?=[\s>=])")
FACE, LETTERS = re.compile(r"font-family: ?[^;\"]*;? ?"), re.compile(r"font-size: ?([\d.]+)px")
SQUARES = ((1, 1, 1), (1, 6, 0.55), (6, 6, 1), (1, 11, 0.35), (6, 11, 0.7), (11, 11, 1))  # the favicon: x, y, opacity
SIGN = "".join(f'<rect x="{x}" y="{y}" width="4" height="4" rx="1" opacity="{o}"/>' for x, y, o in SQUARES)
QUESTION, FINDING, FADE = 46, 44, 90  # px: the lines of the question and the finding; where a tall picture fades out
TURN = 34  # px from one line of the finding to the next
LABEL, MOST = 20, 1.15  # px of the smallest label of a figure, as far as its letters may grow for that
LINE, LETTER = 28, 0.5  # px of a letter of the finding, and how much of it a letter takes on average across
SEEN = 0.5  # of the height of a picture that is cut, at least
LEGIBLE = 0.65  # of the width of the card that a whole picture takes, at least
LONGEST, FEWEST, ASKED = 200, 80, 78  # characters of a description, of one that is cut, of a question
MIXTURE = re.compile(r"color-mix\(in srgb,\s*(#[0-9a-f]{6})(?: ([\d.]+)%)?,\s*(#[0-9a-f]{6})\)")
FACES = [str(face) for face in sorted((Path(__file__).parent / "faces").glob("*.ttf"))]  # rasterisers read no woff2
READING = "Literata, Liberation Serif, Georgia, DejaVu Serif, serif"
OTHERS = "▁τ∞≥≤"  # signs of pictures alone
CUTS = TemporaryDirectory()
COLOURS = 192  # of a card: what is left out between two shades nobody sees
FRONT = "book/index"
LINES = 5  # of words on a card without a picture
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


def card(title: str, question: str, picture, finding: str = "", cut: bool = False) -> bytes:
    """A PNG: the title of the page, its question, what its picture shows and the picture, in the colours of the light
    theme.

    A control that is tall is not made tiny: it fades out at the lower edge of the card. A figure is drawn whole: it has
    its axis there.
    """
    top = HEAD + (QUESTION if question else 0)
    lines = balanced(finding)
    said = "".join(
        f'<text x="{EDGE}" y="{top + 16 + TURN * i}" font-size="{LINE}" fill="{QUIET}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    if lines:
        top += FINDING + TURN * (len(lines) - 1)
    shape, fades = placed(picture, top, cut)
    return framed(title, question, said + shape, fades)


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


def found_in(picture) -> str:
    """What a figure has as its title, a finding; a control's title asks."""
    figure = _of_figure(picture)
    title = figure.select_one(".itt-figure-title") if figure else None
    return " ".join(title.get_text().split()) if title else ""


def _of_figure(picture):
    return picture.find_parent(class_="itt-figure")


def worded(title: str, words: str) -> bytes:
    """The same with the words of a page that has no picture."""
    lines = textwrap.wrap(words, 52, max_lines=LINES, placeholder=" …")
    text = "".join(
        f'<text x="{EDGE}" y="{HEAD + 62 + 62 * i}" font-size="42" fill="{QUIET}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    sign = f'<g transform="translate({SIZE[0] - 200} {SIZE[1] - 200}) scale(10)" fill="#8a42be">{SIGN}</g>'
    return framed(title, "", text + sign, colours=16)


def placed(picture, top: int, cut: bool = False) -> tuple[str, bool]:
    """A picture in the room below `top`, and whether it is cut there. A control begins below its title; what a figure
    has at its left is an axis.
    """
    across, high = (float(x) for x in picture["viewbox" if picture.get("viewbox") else "viewBox"].split()[2:])
    room = SIZE[0] - 2 * EDGE, SIZE[1] - top - EDGE / 2
    whole, wide = min(room[0] / across, room[1] / high), room[0] / across
    least = not cut and whole > LEGIBLE * wide
    scale = whole if least or _of_figure(picture) else min(wide, room[1] / (SEEN * high))
    left = (SIZE[0] - scale * across) / 2 if _of_figure(picture) else EDGE
    shape = f'<g transform="translate({left:.1f} {top}) scale({scale:.4f})">{inside(picture, scale)}</g>'
    return shape, scale * high > room[1] + 1


def inside(picture, scale: float = 0) -> str:
    """What a picture consists of, as SVG and in the face of all cards; the labels of a figure as large as they can be
    read when it is drawn at this scale.

    >>> inside(BeautifulSoup('<svg><clippath/><text style="font-family: X; x: 8px">a</text></svg>', "html.parser").svg)
    '<clipPath></clipPath><text style="x: 8px">a</text>'
    """
    shape = CAMEL.sub(
        lambda found: SPELT[found[0].lower()], picture.decode_contents()
    )  # a parser of HTML writes them small
    shape = FACE.sub("", shape).replace('font-weight="650"', 'font-weight="700"')
    sizes = [float(size) for size in LETTERS.findall(shape)] if _of_figure(picture) else []
    if not (sizes and scale):
        return shape
    larger = min(MOST, max(1, LABEL / (scale * min(sizes))))
    return LETTERS.sub(lambda found: f"font-size: {larger * float(found[1]):.1f}px", shape)


def framed(title: str, question: str, shape: str, fades: bool = False, colours: int = COLOURS) -> bytes:
    """A card around what is drawn on it."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' width="{SIZE[0]}" height="{SIZE[1]}" font-family="{READING}">'
        '<defs><linearGradient id="fade" x2="0" y2="1"><stop stop-color="#fff" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#fff"/></linearGradient></defs><rect width="100%" height="100%" fill="#fff"/>'
        f'<g transform="translate({EDGE} 30) scale(1.7)" fill="#8a42be">{SIGN}</g>'
        f'<g fill="{INK}">'
        f'<text x="{EDGE + 38}" y="53" font-size="26" fill="{QUIET}">{BOOK}</text>'
        f'<text x="{EDGE}" y="{HEAD - 30}" font-size="50" font-weight="700">'
        f'{escape(title)}</text><text x="{EDGE}" y="{HEAD + 18}" font-size="32" font-style="italic">{escape(question)}'
        f"</text></g>{shape}"
        + (f'<rect y="{SIZE[1] - FADE}" width="100%" height="{FADE}" fill="url(#fade)"/>' if fades else "")
        + "</svg>"
    )
    return small(rasterised(svg), colours)


def rasterised(svg: str) -> bytes:
    """An SVG as a PNG, in faces that come with the book and with matplotlib: the same on every machine."""
    mono = Path(get_data_path(), "fonts/ttf/DejaVuSansMono.ttf")
    return resvg_py.svg_to_bytes(
        svg_string=resolved(svg),
        skip_system_fonts=True,
        font_files=[*FACES, _signs(), str(mono)],
        monospace_family="DejaVu Sans Mono",
    )


@cache
def _signs() -> str:
    """A file with the arrows, roots and Greek letters that the face of the cards lacks, and nothing else: a rasteriser
    sets a whole label in a face that has all of its signs.
    """
    font, how = TTFont(Path(get_data_path(), "fonts/ttf/DejaVuSerif.ttf")), Options()
    how.drop_tables += ["FFTM"]
    cutter = Subsetter(how)
    cutter.populate(unicodes=set(map(ord, in_text() | {*OTHERS})) - signs(LATIN))
    cutter.subset(font)
    font.save(Path(CUTS.name, "signs.ttf"))
    return str(Path(CUTS.name, "signs.ttf"))


def thumb(picture) -> bytes:
    """A PNG of the picture alone, as large as there is room. Its words, which nobody could read, are left out: what is
    left is its shape.
    """
    across, high = (float(x) for x in picture["viewbox" if picture.get("viewbox") else "viewBox"].split()[2:])
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


def small(png: bytes, colours: int) -> bytes:
    """The same picture with few colours: half of the bytes, and no shade that anyone would miss."""
    made = BytesIO()
    with Image.open(BytesIO(png)) as drawn:
        method = Image.Quantize.MEDIANCUT if colours <= 16 else Image.Quantize.MAXCOVERAGE  # of few the common ones
        few = drawn.convert("RGB").quantize(colours, method=method, dither=Image.Dither.NONE)
    few.save(made, "PNG", optimize=True)
    return made.getvalue()


def resolved(svg: str) -> str:
    """The same with the colours of the light theme in the place of their names and mixtures, which rasterisers know as
    little as `color-mix()`: what they do not know they paint black. Raises KeyError for a name without a colour.

    >>> resolved("color-mix(in srgb, var(--itt-q) 50%, #ffffff)")
    '#81a7cd'
    >>> resolved("color-mix(in srgb, var(--itt-q), #ffffff)")  # equal parts
    '#81a7cd'
    """
    svg = re.sub(r"var\((--[\w-]+)(?:,[^()]*)?\)", lambda found: (light() | SHADES)[found[1]], svg)
    return MIXTURE.sub(lambda found: _mixed(found[1], float(found[2] or 50) / 100, found[3]), svg)


def _mixed(one: str, share: float, other: str) -> str:
    channels = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (one, other)]
    return "#" + "".join(f"{int(share * a + (1 - share) * b + 0.5):02x}" for a, b in zip(*channels, strict=True))


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
        title = " ".join(article.h1.get_text().rstrip("#").split())
        picture = None if name in WORDED else chosen(name, soup)
        image, words = f"_static/previews/{name.replace('/', '-')}.png", described(article)
        (out / image).parent.mkdir(exist_ok=True)
        for tiny in picture.find_all("text", string=re.compile("±")) if picture and name == FRONT else ():
            tiny.decompose()  # what its colours reach
        drawn = (
            card(title, asked(article), picture, found_in(picture), name in CUT) if picture else worded(title, words)
        )
        (out / image).write_bytes(drawn)
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
