"""The map of one attention head as a static figure: rows ask, columns answer.

Each cell is coloured on the scale of the theme, from 0 to 1 and never stretched to the data. A masked cell is hatched:
it is not a small weight, it is none.
"""

from html import escape

from jaxtyping import Bool, Float
from torch import Tensor

from labutils.figures.plot import Figure, whole

LEAST, MOST, COLUMN = 34, 46, 872  # px of one cell, as in a map that moves; px of the page that a wide map fills
LEFT, TOP, RIGHT = 70, 64, 24  # px of the drawing: room for the names of rows, of columns, and for the last of these
NARROW = 280  # px of the page in which a letter still has nine
STRIPE = 12  # px from one line of a hatch to the next
STOPS = 8  # the scale has the colours --itt-seq-0 ... --itt-seq-8


def attention_map(
    weights: Float[Tensor, "rows n"],
    tokens: list[str],
    title: str,
    caption: str,
    alt: str,
    masked: Bool[Tensor, "rows n"] | None = None,
    rows: list[str] | None = None,
    axes: tuple[str, str] = ("query", "key"),
    framed: Bool[Tensor, "rows n"] | None = None,
    frame: str = "right",
    hatched: str = "masked, not 0",
    scale: str = "Weight",
) -> Figure:
    """Draw the weights of one head.

    Args:
        weights: each row sums to 1.
        tokens: n names, written above the columns, and beside the rows unless these have their own.
        title: the finding. caption: the number in bold, then the source; may hold inline HTML such as ``<b>``.
        alt: the finding with its numbers, for those who do not see it.
        masked: True where the query of the row may not see the key of the column.
        rows: the names beside the rows, where another text asks.
        axes: what the rows are and what the columns are, where it is another table of shares.
        framed: True where the cell has a frame; `frame` is what the legend says of it.
        hatched: what the legend says of a masked cell. scale: what it calls the shares.

    Raises:
        ValueError: the weights do not fit the tokens, or are not shares between 0 and 1, or the title or `alt` is
            empty.
    """
    rows = rows or tokens
    n, m = len(tokens), len(rows)
    if weights.shape != (m, n):
        raise ValueError(f"{n} tokens need weights of the shape ({m}, {n}), and these have {tuple(weights.shape)}.")
    if not bool(((weights >= 0) & (weights <= 1.0001)).all()):
        raise ValueError("Weights are shares between 0 and 1; did you pass the scores?")
    if not title.strip() or not alt.strip():
        raise ValueError("A figure needs a title that says what to see and an alternative text that says the finding.")
    side = max(LEAST, min(MOST, (COLUMN - LEFT - RIGHT) // n))
    width, height = LEFT + n * side + RIGHT, TOP + m * side + 2
    svg = (
        f'<svg class="itt-map" role="img" aria-label="{escape(alt)}" viewBox="0 0 {width} {height}" style="max-width:'
        f' {width}px; --itt-letter: {9 * width / NARROW:.1f}px">{_axes(rows, tokens, axes, side)}'
        f"{_cells(weights.tolist(), None if masked is None else masked.tolist(), side)}"
        f"{'' if framed is None else _frames(framed.tolist(), side)}</svg>"
    )
    legend = _legend(scale, "" if masked is None else hatched, "" if framed is None else frame)
    return Figure(
        f'<figure class="itt-figure"><p class="itt-figure-title">{whole(escape(title))}</p>{svg}{legend}'
        f"<figcaption>{caption}</figcaption></figure>",
        title,
    )


def _axes(rows: list[str], tokens: list[str], axes: tuple[str, str], side: int) -> str:
    letter = 9 * (LEFT + len(tokens) * side + RIGHT) / NARROW  # the largest that a narrow page asks for
    fits = 0.6 * letter * (len(axes[0]) + 2) <= LEFT - 8  # else the name begins at the edge of the drawing
    places = ((LEFT - 8 if fits else 0, "end" if fits else "start"), (LEFT + len(tokens) * side, "end"))
    parts = [
        f'<text x="{x}" y="12" text-anchor="{anchor}" class="itt-map-axis">{escape(name)} {arrow}</text>'
        for (x, anchor), name, arrow in zip(places, axes, "↓→")
    ]
    for i, row in enumerate(rows):
        middle = TOP + side * (i + 0.5)
        parts.append(
            f'<text x="{LEFT - 8}" y="{middle:g}" text-anchor="end" dominant-baseline="central">{escape(row)}</text>'
        )
    for i, token in enumerate(tokens):
        middle = LEFT + side * (i + 0.5)
        parts.append(f'<text transform="translate({middle:g} {TOP - 9}) rotate(-40)">{escape(token)}</text>')
    return "".join(parts)


def _cells(weights: list[list[float]], masked: list[list[bool]] | None, side: int) -> str:
    parts = []
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            at = (
                f'x="{LEFT + j * side + 0.5:g}" y="{TOP + i * side + 0.5:g}" width="{side - 1}" height="{side - 1}"'
                ' rx="2"'
            )
            if masked and masked[i][j]:
                parts.append(f'<rect {at} class="itt-map-masked"/>{_hatch(LEFT + j * side, TOP + i * side, side)}')
            else:
                parts.append(f'<rect {at} style="fill: {colour(weight)}"/>')
                if weight >= 0.05:  # smaller ones are told by their colour alone
                    parts.append(
                        f'<text x="{LEFT + (j + 0.5) * side:g}" y="{TOP + (i + 0.5) * side:g}" text-anchor="middle" '
                        f'dominant-baseline="central" class="itt-map-number is-{depth(weight)}">{number(weight)}</text>'
                    )
    return "".join(parts)


def _hatch(x: float, y: float, side: int) -> str:
    """Thin lines across a cell: drawn, because a pattern would need an id of its own on every page."""
    lines = ((max(0, at - side), min(at, side)) for at in range(STRIPE, 2 * side, STRIPE))
    return "".join(
        f'<line x1="{x + a:g}" y1="{y + b:g}" x2="{x + b:g}" y2="{y + a:g}" class="itt-map-hatch"/>' for a, b in lines
    )


def _frames(framed: list[list[bool]], side: int) -> str:
    return "".join(
        f'<rect x="{LEFT + j * side:g}" y="{TOP + i * side:g}" width="{side}" height="{side}" rx="3" class="{kind}"/>'
        for i, row in enumerate(framed)
        for j, here in enumerate(row)
        if here
        for kind in ("itt-map-frame is-under", "itt-map-frame")  # paper under ink: seen on both ends of the scale
    )


def depth(share: float) -> str:
    """How deep a colour of the sequential scale is: a number on it has the ink of the same name (tokens.css).

    >>> depth(0.2), depth(0.5), depth(0.8)
    ('pale', 'middle', 'deep')
    """
    return "pale" if share < 0.46 else "middle" if share < 0.53 else "deep"


def colour(weight: float) -> str:
    """The colour of a share between 0 and 1 on the sequential scale, as CSS that follows the theme.

    >>> colour(0.5)
    'var(--itt-seq-4)'
    >>> colour(0.55)
    'color-mix(in srgb, var(--itt-seq-5) 40%, var(--itt-seq-4))'
    """
    at = min(max(weight, 0.0), 1.0) * STOPS
    low = min(int(at), STOPS - 1)
    rest = round(100 * (at - low))
    if rest in (0, 100):
        return f"var(--itt-seq-{low + rest // 100})"
    return f"color-mix(in srgb, var(--itt-seq-{low + 1}) {rest}%, var(--itt-seq-{low}))"


def number(weight: float) -> str:
    """A share as it is written into a cell.

    >>> number(0.25), number(0.998), number(1.0)
    ('.25', '&gt;.99', '1')
    """
    if weight >= 0.995:
        return "1" if weight >= 1 else "&gt;.99"  # a share that is not all is not written as all
    return f"{weight:.2f}"[1:]


def _legend(scale: str, hatched: str, frame: str) -> str:
    stops = ", ".join(f"var(--itt-seq-{i})" for i in range(STOPS + 1))
    key = "".join(
        f'<span class="itt-legend-key"><span class="itt-swatch-{kind}"></span>{escape(words)}</span>'
        for kind, words in (("masked", hatched), ("frame", frame))
        if words
    )
    return (
        f'<div class="itt-legend"><span class="itt-label">{escape(scale)}</span><span class="itt-legend-scale">'
        f'<span class="itt-legend-bar" style="background: linear-gradient(90deg, {stops})"></span>'
        f'<span class="itt-legend-ticks"><span>0</span><span>0.5</span><span>1</span></span></span>{key}</div>'
    )
