"""Rows of numbers as strips, one cell a number: a row of the stream above, below it what several heads make of it.

Blue is above zero and brown below, as in the controls; all numbers of one kind share their scale. Weights have the
scale of the maps.
"""

from collections import defaultdict
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from jaxtyping import Float
from torch import Tensor

from labutils.figures.map import colour
from labutils.figures.plot import Figure, whole

STEPS = 16  # colours of a strip, besides the middle: half of a stop of --itt-div-0 ... --itt-div-8
HIGH, GAP = 22, 12  # px of the drawing: a strip, the space between two heads
WIDE, NARROW = 720, 360
NOTE = {WIDE: 11, NARROW: 12}  # px of the drawing: the letters of a note, which a phone shrinks
LETTER = 7.2  # px of a letter of the words between them
FOLDED = 4  # rows of the long strip in the narrow drawing


@dataclass(frozen=True)
class Made:
    """What one head makes of a row: its numbers, one word and a note below them, and where it looks."""

    numbers: Float[Tensor, " d_k"]
    word: str
    note: str
    weights: Float[Tensor, " n"]
    strong: bool = False


def strips(row: Float[Tensor, " d"], heads: list[Made], between: str, title: str, caption: str, alt: str) -> Figure:
    """Draw a row and below it what each head makes of it.

    Args:
        row: the numbers above; their count is a multiple of four.
        heads: what stands below, from left to right; in a narrow column four beside each other.
        between: what happens between the two, in at most nine words.
        title: the finding. caption: the number in bold, then the source; may hold inline HTML such as ``<b>``.
        alt: the finding with its numbers, for those who do not see it.

    Raises:
        ValueError: there are no heads, or the title or the alternative text is empty.
    """
    if not heads:
        raise ValueError("There are no heads to draw below the row.")
    if not title.strip() or not alt.strip():
        raise ValueError("A figure needs a title that says what to see and an alternative text that says the finding.")
    wide, narrow = (_drawing(row, heads, between, width, alt) for width in (WIDE, NARROW))
    return Figure(
        f'<figure class="itt-figure"><p class="itt-figure-title">{whole(escape(title))}</p>'
        f'<div class="itt-wide">{wide}</div><div class="itt-narrow">{narrow}</div>'
        f"<figcaption>{caption}</figcaption></figure>",
        title,
    )


def _drawing(row: Tensor, heads: list[Made], between: str, width: int, alt: str) -> str:
    is_wide = width == WIDE
    folds = 1 if is_wide else FOLDED
    parts = [_strip(row.reshape(folds, -1), 0, 0, width, HIGH * (1 if is_wide else 3), _reach([row]))]
    y = HIGH * (1 if is_wide else 3) + 4
    for line in wrap(between, int(width / LETTER)):
        y += 16
        parts.append(_text(width / 2, y, line, 12, "muted"))
    y += 12
    across = len(heads) if is_wide else 4
    wide = (width - GAP * (across - 1)) / across
    reach = _reach([head.numbers for head in heads])
    for start in range(0, len(heads), across):
        some = heads[start : start + across]
        middles = [i * (wide + GAP) + wide / 2 for i in range(len(some))]
        ticks = "".join(f"M{x:g} {y}v8" for x in middles)
        parts.append(f'<path d="M0 {y}H{width}{ticks}" style="fill: none; stroke: var(--itt-line)"/>')
        for middle, head in zip(middles, some):
            parts.append(_head(head, middle - wide / 2, y + 10, wide, reach, NOTE[width]))
        y += 122
    height = y - 8
    return f'<svg role="img" aria-label="{escape(alt)}" viewBox="0 0 {width} {height:g}">{"".join(parts)}</svg>'


def _reach(rows: list[Tensor]) -> float:
    """The size that has the full colour; zeros alone have the middle one."""
    return max(float(row.abs().max()) for row in rows) or 1.0


def _head(head: Made, x: float, y: float, wide: float, reach: float, note: int) -> str:
    n = len(head.weights)
    cells = "".join(
        f'<rect x="{x + j * wide / n:.2f}" y="{y + 72}" width="{wide / n - 1:.2f}" height="{HIGH - 4}" rx="1"'
        f' style="fill: {colour(weight)}"/>'
        for j, weight in enumerate(head.weights.tolist())
    )
    return (
        _strip(head.numbers[None], x, y, wide, HIGH, reach)
        + _text(x, y + 44, head.word, 16, "ink", "start", 650 if head.strong else 400)
        + _text(x, y + 61, head.note, note, "muted", "start")
        + cells
    )


def _strip(numbers: Float[Tensor, "rows m"], x: float, y: float, width: float, height: float, reach: float) -> str:
    """All cells of one colour are one path: a page has many."""
    rows, m = numbers.shape
    wide, high = width / m, height / rows
    paths = defaultdict(list)
    for i, line in enumerate(numbers.tolist()):
        for j, number in enumerate(line):
            at = f"M{x + j * wide:.2f} {y + i * high:.2f}h{wide:.2f}v{high:.2f}h-{wide:.2f}z"
            paths[round((0.5 + number / reach / 2) * STEPS)].append(at)
    return "".join(
        f'<path d="{"".join(paths[step])}" style="fill: {shade(step)}" shape-rendering="crispEdges"/>'
        for step in sorted(paths)
    )


def shade(step: int) -> str:
    """A colour of the diverging scale, from 0 to 16, as CSS that follows the theme.

    >>> shade(8), shade(3)
    ('var(--itt-div-4)', 'color-mix(in srgb, var(--itt-div-1), var(--itt-div-2))')
    """
    low, between = divmod(step, 2)
    return f"color-mix(in srgb, var(--itt-div-{low}), var(--itt-div-{low + 1}))" if between else f"var(--itt-div-{low})"


def _text(x: float, y: float, words: str, size: int, ink: str, anchor: str = "middle", weight: int = 400) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="font-size: {size}px; font-weight: {weight};'
        f' fill: var(--itt-{ink})">{escape(words)}</text>'
    )
