"""Rows of numbers as strips of colour: one cell for each number, blue above zero, brown below.

Each column of the figure has a scale of its own, unless it shares one; it is full where all but two in a hundred of its
numbers are: one that stands out would make all others pale. A row may have few numbers; then they can be written into
the cells.
"""

from dataclasses import dataclass
from html import escape

from jaxtyping import Float
from torch import Tensor

from labutils.figures.plot import Figure, whole
from labutils.figures.strips import STEPS, shade

WIDE, NARROW = 680, 330  # px of the two drawings
ROW, HEAD, GAP = 26, 40, 18  # px: a row, the words above a column, between columns
LETTER, WIDEST = 8.2, 13.0  # px: a letter, and one of “mwMW%”
CELL = 66  # px of a cell with a number in it, at most
FULL = 0.98  # the share of the numbers that the scale holds


@dataclass(frozen=True)
class Column:
    """What stands below one head of a figure: a row of numbers for each name. Without `under` it says its scale, which
    is that of `scaled_by` where columns are to be compared.
    """

    head: str
    values: Float[Tensor, "n c"]
    under: str | None = None
    scaled_by: Tensor | None = None


def rows(
    columns: list[Column],
    names: list[str],
    title: str,
    caption: str,
    alt: str,
    notes: list[str] | None = None,
    chosen: int | None = None,
    written: bool = False,
) -> Figure:
    """Draw rows of numbers, side by side where there is room and below each other where there is not.

    Args:
        columns: what is drawn; each has one row of numbers for each name.
        names: n words, to the left of the rows.
        title: the finding. caption: the number in bold, then the source; may hold inline HTML such as ``<b>``.
        alt: the finding with its numbers, for those who do not see it.
        notes: n words, to the right of the rows of the last column.
        chosen: the row with a frame, counted from 0.
        written: the numbers themselves stand in the cells.

    Raises:
        ValueError: a column whose rows do not fit the names, notes that do not, or no title or alternative text.
    """
    if not title.strip() or not alt.strip():
        raise ValueError("A figure needs a title that says what to see and an alternative text that says the finding.")
    for one in columns:
        if one.values.dim() != 2 or len(one.values) != len(names):
            raise ValueError(
                f"{len(names)} names need {len(names)} rows, and {one.head!r} has the shape {tuple(one.values.shape)}."
            )
    if notes is not None and len(notes) != len(names):
        raise ValueError(f"{len(names)} names need as many notes, not {len(notes)}.")
    drawn = (
        f'<div class="itt-{size}">{_drawing(columns, names, notes, chosen, written, alt, width)}</div>'
        for size, width in (("wide", WIDE), ("narrow", NARROW))
    )
    return Figure(
        f'<figure class="itt-figure itt-strips"><p class="itt-figure-title">{whole(escape(title))}</p>{"".join(drawn)}'
        f"<figcaption>{caption}</figcaption></figure>",
        title,
    )


def _length(word: str) -> float:
    """How much room a word takes at most, in px."""
    return sum(WIDEST if letter in "mwMW%" else LETTER for letter in word)


def _drawing(
    columns: list[Column],
    names: list[str],
    notes: list[str] | None,
    chosen: int | None,
    written: bool,
    alt: str,
    width: int,
) -> str:
    beside = width == WIDE
    left = 10 + max(map(_length, names))
    right = 10 + max(map(_length, notes)) if notes else 2  # room for a frame
    across = len(columns) if beside else 1
    each = (width - left - right - GAP * (across - 1)) / across
    high = (HEAD if columns[0].head else 0) + ROW * len(names)
    parts = []
    for k, column in enumerate(columns):
        x, y = (left + k * (each + GAP), 0) if beside else (left, k * (high + GAP))
        room = min(each, CELL * column.values.shape[1]) if written else each
        last = notes if k == len(columns) - 1 else None
        parts += _column(column, names if beside is False or k == 0 else None, last, chosen, written, x, y, room)
    total = high if beside else len(columns) * (high + GAP) - GAP
    return (
        f'<svg class="itt-map" role="img" aria-label="{escape(alt)}" viewBox="0 0 {width} {total + 4:g}">'
        f"{''.join(parts)}</svg>"
    )


def _column(
    column: Column,
    names: list[str] | None,
    notes: list[str] | None,
    chosen: int | None,
    written: bool,
    x: float,
    y: float,
    width: float,
) -> list[str]:
    n, c = column.values.shape
    far = _reach(column.values if column.scaled_by is None else column.scaled_by)
    under = f"{c} numbers to ±{far:.2g}" if column.under is None else column.under
    top = y + (HEAD if column.head else 0)
    parts = _cells(column.values, far, x, top, width / c)
    if column.head:
        parts.append(f'<text x="{x:g}" y="{y + 12:g}" style="font-weight: 650">{escape(column.head)}</text>')
        parts.append(f'<text x="{x:g}" y="{y + 29:g}" class="itt-map-axis">{escape(under)}</text>')
    for i in range(n):
        middle, bold = top + ROW * (i + 0.5), ' style="font-weight: 650"' if i == chosen else ""
        central = f'y="{middle:g}" dominant-baseline="central"{bold}'
        if names:
            parts.append(f'<text x="{x - 10:g}" {central} text-anchor="end">{escape(names[i])}</text>')
        if notes:
            parts.append(f'<text x="{x + width + 10:g}" {central}>{escape(notes[i])}</text>')
        if written:
            parts += [
                f'<text x="{x + width * (k + 0.5) / c:g}" y="{middle:g}" dominant-baseline="central"'
                f' text-anchor="middle" class="itt-map-number is-{_depth(value, far)}">'
                f"{_number(value)}</text>"
                for k, value in enumerate(column.values[i].tolist())
            ]
    if chosen is not None:
        parts.append(
            f'<rect x="{x - 1:g}" y="{top + ROW * chosen + 1:g}" width="{width + 2:g}" height="{ROW - 2}" rx="2"'
            ' class="itt-map-frame"/>'
        )
    return parts


def _reach(values: Tensor) -> float:
    """What all but a few of the numbers stay below; never 0, so that a row of zeros is drawn as one."""
    sizes = values.double().abs().flatten().sort().values
    return float(sizes[min(len(sizes) - 1, int(FULL * len(sizes)))]) or 1.0


def _cells(values: Tensor, far: float, x: float, top: float, each: float) -> list[str]:
    """Cells of one colour are one path, because a figure has hundreds."""
    paths: dict[str, str] = {}
    for i, row in enumerate((0.5 + values.double() / (2 * far)).clamp(0, 1).tolist()):
        for k, t in enumerate(row):
            fill = shade(round(STEPS * t))
            cell = f"M{x + each * k:.1f} {top + ROW * i + 2:g}h{each + 0.1:.1f}v{ROW - 4}h-{each + 0.1:.1f}z"
            paths[fill] = paths.get(fill, "") + cell
    return [f'<path style="fill: {fill}" d="{path}"/>' for fill, path in paths.items()]


def _depth(value: float, far: float) -> str:
    """How deep the colour of a cell is, by its step from the middle of the scale.

    >>> [_depth(x, 4.0) for x in (0.0, -2.0, 2.5, -4.0)]
    ['pale', 'pale', 'middle', 'deep']
    """
    step = abs(round(STEPS * min(1.0, max(0.0, 0.5 + value / (2 * far)))) - STEPS // 2)
    return "pale" if step < 5 else "middle" if step < 6 else "deep"


def _number(x: float) -> str:
    """
    >>> _number(-2.5), _number(3.0)
    ('−2.5', '3')
    """
    return f"{round(x, 2) + 0:g}".replace("-", "−")
