"""A drawing as a PNG: rasterisers know no mixed colours, no fonts of the web and no HTML."""

import re
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import resvg_py
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from matplotlib import get_data_path
from PIL import Image

from labutils.authoring.face import LATIN, signs
from labutils.authoring.face import drawn as in_text
from labutils.controls.style import light

SHADES = {"--itt-hover": "#f0f0f1", "--itt-hatch": "#ced0d2"}  # what tokens.css mixes and `light()` does not know
SPELT = {
    name.lower(): name for name in ("clipPath", "linearGradient", "gradientUnits", "patternUnits", "patternTransform")
}
CAMEL = re.compile(rf"\b(?:{'|'.join(SPELT)})(?=[\s>=])")
FACE, LETTERS = re.compile(r"font-family: ?[^;\"]*;? ?"), re.compile(r"font-size: ?([\d.]+)px")
LABEL, MOST = 22, 1.2  # px of the smallest label of a figure, as far as its letters may grow for that
MIXTURE = re.compile(r"color-mix\(in srgb,\s*(#[0-9a-f]{6})(?: ([\d.]+)%)?,\s*(#[0-9a-f]{6})\)")
FACES = [str(face) for face in sorted((Path(__file__).parent / "faces").glob("*.ttf"))]  # rasterisers read no woff2
READING = "Literata, Liberation Serif, Georgia, DejaVu Serif, serif"
OTHERS = "▁τ∞≥≤↑↓"  # signs of pictures alone
CUTS = TemporaryDirectory()


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
    sizes = [float(size) for size in LETTERS.findall(shape)] if of_figure(picture) else []
    if not (sizes and scale):
        return shape
    larger = min(MOST, max(1, LABEL / (scale * min(sizes))))
    return LETTERS.sub(lambda found: f"font-size: {larger * float(found[1]):.1f}px", shape)


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


def found_in(picture) -> str:
    """What a figure has as its title, a finding; a control's title asks."""
    figure = of_figure(picture)
    title = figure.select_one(".itt-figure-title") if figure else None
    return " ".join(title.get_text().split()) if title else ""


def of_figure(picture):
    return picture.find_parent(class_="itt-figure")
