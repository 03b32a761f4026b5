"""Static figures in the house style: one drawing function, two widths, one inline SVG that follows the page's theme.

    figure(draw, "From 1,536 tokens on, comparing costs more than projecting", caption, alt)

where ``draw(ax, wide)`` plots on matplotlib axes with the colours below. An ``<img>`` could not follow the theme.
"""

import hashlib
import io
import math
import re
import warnings
from collections.abc import Callable
from html import escape

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Text
from matplotlib.ticker import Formatter, LogFormatter

TOKENS = {  # what matplotlib draws with -> the custom property that takes its place (the hex stays as the fallback)
    "#222832": "--itt-ink",
    "#48566b": "--itt-muted",
    "#d9dadb": "--itt-line",
    "#fefefe": "--itt-paper",
    "#024e9a": "--itt-c1",
    "#ba4900": "--itt-c2",
    "#067f5c": "--itt-c3",
    "#8a42be": "--itt-c4",
    "#8a7000": "--itt-c5",
    "#9f3960": "--itt-c6",
}
INK, MUTED, LINE, PAPER, *CATEGORIES = TOKENS
ON = {"#010101": "--itt-on-pale", "#020202": "--itt-on-middle", "#fdfdfd": "--itt-on-deep"}  # black, or white
DEPTHS = {CATEGORIES[0]: (0.7, 0.755), CATEGORIES[3]: (0.58, 0.88)}  # up to where a colour over paper is pale, middle
WIDE, NARROW = 7.2, 3.6  # inches; 9 pt at 7.2 in is 12.5 px in the column
LEAST = 8.4  # pt of the narrow drawing: 9 px on the smallest phone, whose column has 280
POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
WRITTEN_OUT = range(-5, 7)  # powers of ten that an axis writes as numbers, if all of its are among them

STYLE = {
    "figure.dpi": 100,
    "savefig.transparent": True,
    "svg.fonttype": "none",  # text stays text, in the page's own font
    "svg.hashsalt": "itt",  # else the ids of clip paths differ from run to run
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, and no usual font of a page is wider: labels have room
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "axes.edgecolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.linewidth": 0.7,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "xtick.major.size": 4,
    "xtick.major.width": 0.7,
    "xtick.minor.size": 0,
    "xtick.major.pad": 5,
    "ytick.major.size": 0,
    "ytick.major.pad": 6,
    "lines.linewidth": 1.6,
    "lines.solid_capstyle": "round",
    "lines.markersize": 4,
    "axes.prop_cycle": matplotlib.cycler(color=CATEGORIES),
    "axes.unicode_minus": True,
}


class Figure:
    """What `figure` returns: drawn in a page, its title in a terminal and for nbval."""

    def __init__(self, html: str, title: str):
        self.html, self.title = html, title

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"Figure: {self.title}"


def figure(
    draw: Callable[[Axes, bool], None],
    title: str,
    caption: str,
    alt: str,
    height: float = 3.4,
    narrow_height: float | None = None,
) -> Figure:
    """Draw once for each width and return both as one figure of the page.

    Args:
        draw: called with the axes and with whether they are wide; labels stand at the marks, without a legend.
        title: the finding, outside the axes.
        caption: the number in bold, then source, size and seed; may hold inline HTML such as ``<b>``.
        alt: the finding with its numbers, for those who do not see it.
        height: inches, for both widths.
        narrow_height: inches of the narrow drawing, where its parts stand below one another.

    Raises:
        ValueError: the title or the alternative text is empty.
    """
    if not title.strip() or not alt.strip():
        raise ValueError("A figure needs a title that says what to see and an alternative text that says the finding.")
    sizes = ((WIDE, height), (NARROW, narrow_height or height))
    wide, narrow = (_own_ids(_svg(draw, *size, alt), f"{title} {size[0]}") for size in sizes)
    return Figure(
        f'<figure class="itt-figure"><p class="itt-figure-title">{whole(escape(title))}</p>'
        f'<div class="itt-wide">{wide}</div><div class="itt-narrow">{narrow}</div>'
        f"<figcaption>{caption}</figcaption></figure>",
        title,
    )


def whole(words: str) -> str:
    """Names with a hyphen stay on one line, and symbols are written as in a formula.

    >>> whole("GPT-2 reads on")
    '<span class="itt-whole">GPT-2</span> reads on'
    """
    return re.sub(r"\bGPT-2\b", '<span class="itt-whole">GPT-2</span>', spelt(words))


def spelt(words: str) -> str:
    """Symbols as in a formula.

    >>> spelt("divided by √d_k"), spelt("queries × d_v"), spelt("@ W_1")
    ('divided by √dₖ', 'queries × dᵥ', '@ W₁')
    """
    for written, read in (("d_k", "dₖ"), ("d_v", "dᵥ"), ("W_1", "W₁"), ("W_2", "W₂")):
        words = words.replace(written, read)
    return words


def ink_on(colour: str, alpha: float) -> str:
    """The ink of a number on a colour that lies over paper with this alpha: a contrast of 4.5 or more in both themes.

    >>> [ON[ink_on(CATEGORIES[3], alpha)] for alpha in (0.1, 0.65, 1)]
    ['--itt-on-pale', '--itt-on-middle', '--itt-on-deep']
    """
    return list(ON)[sum(alpha > end for end in DEPTHS[colour])]


def _svg(draw: Callable[[Axes, bool], None], width: float, height: float, alt: str) -> str:
    """One drawing as SVG text that takes its colours, its font and its width from the page."""
    with plt.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the page's own fonts write the text
        canvas = Canvas(figsize=(width, height), layout="constrained")
        draw(canvas.subplots(), width == WIDE)
        _powers_in_full(canvas)
        if width == NARROW:
            _legible(canvas)
        _each_line_anchored(canvas)
        out = io.StringIO()
        canvas.savefig(out, format="svg", metadata={"Date": None})
    svg = out.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.S)
    svg = _colours_of_the_page(svg)
    svg = re.sub(r'font: ([\d.]+)px [^;"]*', r"font-size: \1px", svg)
    svg = re.sub(r' (?:width|height)="[^"]*"', "", svg[: svg.index(">")]) + svg[svg.index(">") :]
    svg = _only_ids_in_use(svg)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt)}"', 1)
    return spelt(re.sub(r"\s*\n\s*", " ", svg))


def _powers_in_full(canvas: Canvas) -> None:
    """On a logarithmic axis without names of its own, numbers instead of powers, whose exponents nobody could read."""
    for axis in _axes(canvas):
        if isinstance(axis.get_major_formatter(), LogFormatter):
            axis.set_major_formatter(_InOneNotation())


class _InOneNotation(Formatter):
    """If one number of an axis is a power of ten too long to be written out, all that are seen stand as powers."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return power(x)

    def format_ticks(self, values: list[float]) -> list[str]:
        low, high = sorted(self.axis.get_view_interval())
        seen = [x for x in values if low <= x <= high]
        long = any(_exponent(x) not in WRITTEN_OUT for x in seen)
        tens = all(math.isclose(x, 10.0 ** _exponent(x)) for x in seen)
        return [power(x, always=long and tens) for x in values]


def power(x: float, always: bool = False) -> str:
    """A power of ten as its axis writes it.

    >>> [power(x) for x in (1e-7, 0.001, 1, 100_000, 1e9)]
    ['10⁻⁷', '0.001', '1', '100,000', '10⁹']
    >>> [power(x, always=True) for x in (1e-7, 0.001, 1)]
    ['10⁻⁷', '10⁻³', '10⁰']
    """
    exponent = _exponent(x)
    if always or exponent not in WRITTEN_OUT:
        return f"10{str(exponent).translate(POWERS)}"
    return f"{x:,.{max(0, -exponent)}f}"


def _exponent(x: float) -> int:
    return math.floor(math.log10(x) + 0.5)


def _legible(canvas: Canvas) -> None:
    """No letter of a narrow drawing is smaller than `LEAST`, whatever its author asked for."""
    for axis in _axes(canvas):
        for which, ticks in (("major", axis.get_major_ticks()), ("minor", axis.get_minor_ticks())):
            if any(tick.label1.get_size() < LEAST for tick in ticks):
                axis.set_tick_params(which, labelsize=LEAST)
    for text in canvas.findobj(Text):
        text.set_size(max(LEAST, text.get_size()))


def _axes(canvas: Canvas) -> list:
    return [axis for ax in canvas.axes for axis in (ax.xaxis, ax.yaxis)]


def _each_line_anchored(canvas: Canvas) -> None:
    """Make each line of a text a text of its own, at the same place. matplotlib anchors the lines of one text on the
    left, where its own letters would begin; the page's letters are wider, and lines that end at a mark ran into it.
    """
    canvas.draw_without_rendering()
    canvas.set_layout_engine("none")
    for text in _drawn_texts(canvas):
        if "\n" not in text.get_text() or text.get_rotation() or getattr(text, "arrow_patch", None):
            continue
        box, lines, side = text.get_window_extent(), text.get_text().split("\n"), text.get_ha()
        x = {"left": box.x0, "center": (box.x0 + box.x1) / 2, "right": box.x1}[side]
        for k, words in enumerate(lines):
            place = canvas.transFigure.inverted().transform((x, box.y1 - (k + 0.5) * box.height / len(lines)))
            canvas.text(*place, words, ha=side, va="center", color=text.get_color(), fontproperties=text.get_font())
        text.set_visible(False)


def _drawn_texts(canvas: Canvas) -> list[Text]:
    found = []
    for ax in canvas.axes:
        found += [*ax.texts, ax.title]
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            found += [axis.label, *(label for tick in ticks for label in (tick.label1, tick.label2))]
    return [text for text in found if text.get_visible()]


def _colours_of_the_page(svg: str) -> str:
    for colour, name in (TOKENS | ON).items():
        svg = re.sub(colour, f"var({name}, {colour})", svg, flags=re.I)
    return svg


def _only_ids_in_use(svg: str) -> str:
    """Drop the ids that nothing refers to: matplotlib numbers every group, and two figures would share them."""
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
    names = {name for pair in used for name in pair if name}
    return re.sub(r' id="([^"]*)"', lambda m: m.group(0) if m.group(1) in names else "", svg)


def _own_ids(svg: str, drawing: str) -> str:
    """Give a drawing ids of its own; matplotlib derives them from content, so two drawings of a page share some."""
    prefix = hashlib.sha256(drawing.encode()).hexdigest()[:8]
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>f{prefix}-", svg)
