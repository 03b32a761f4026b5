"""How much of a drawing a card has room for: a figure is drawn whole, a tall control up to its last whole row."""

import re
from io import BytesIO
from math import inf

import numpy as np
from PIL import Image
from preview_paint import READING, inside, of_figure, rasterised

SIZE, EDGE = (1200, 630), 48  # px: a card, and the paper at its left and right
SEEN = 0.5  # of the height of a picture that is cut, at least
BETWEEN = 6  # px of nothing at least between two rows of a picture: one that is tall ends there
NOTE = 36  # characters of a line of a control's picture that no card has room for
LEGIBLE = 0.65  # of the width of the card that a whole picture takes, at least
FINE, PAPER, THROUGH = 12, 250, 0.75  # px of small print; the shade of paper; of the height, what no row has
UNDER = 14  # px from the end of one part of a picture to the words of the next, with the rule between them


def placed(picture, top: int, cut: str | None = None, grows: bool = True) -> str:
    """A picture in the room below `top`, or as many of its rows as there is room for. A control begins at the left,
    below its title; what a figure has there is an axis. Its labels are as large as they can be read, if it `grows`.
    """
    box, figure = viewed(picture), of_figure(picture)
    if not figure and cut is None:
        for note in picture.find_all("text", string=re.compile(f".{{{NOTE}}}")):
            if float(note.get("font-size", FINE)) <= FINE:
                note.decompose()  # nobody could read it
        box = trimmed(picture, box)
    room = SIZE[0] - 2 * EDGE, SIZE[1] - top - EDGE / 2
    whole, wide = min(room[0] / box[2], room[1] / box[3]), room[0] / box[2]
    all_of_it = figure or (cut is None and whole > LEGIBLE * wide)
    scale = whole if all_of_it else min(wide, room[1] / (SEEN * box[3]))
    high = box[3] if all_of_it else ended(picture, box, min(room[1] / scale, above(picture, cut) - box[1]))
    left = (SIZE[0] - scale * box[2]) / 2 if figure else EDGE
    return (
        f'<svg overflow="{"visible" if all_of_it else "hidden"}" x="{left:.1f}" y="{top}"'
        f' width="{scale * box[2]:.1f}" height="{scale * high:.1f}"'
        f' viewBox="{box[0]:.1f} {box[1]:.1f} {box[2]:.1f} {high:.1f}">{inside(picture, scale if grows else 0)}</svg>'
    )


def viewed(picture) -> tuple[float, ...]:
    """What a drawing shows: its left and its upper edge, how wide and how high it is."""
    return tuple(float(x) for x in picture["viewbox" if picture.get("viewbox") else "viewBox"].split())


def trimmed(picture, box: tuple[float, ...]) -> tuple[float, ...]:
    """The same without the paper around what is drawn, of which a control keeps some for other states."""
    ink = inked(picture, box)
    if not ink.any():
        return box
    down, across = ink.any(axis=1).nonzero()[0], ink.any(axis=0).nonzero()[0]
    return (box[0] + across[0], box[1] + down[0], float(across[-1] - across[0] + 1), float(down[-1] - down[0] + 1))


def above(picture, words: str | None) -> float:
    """The lowest place above the line that begins with some words; endless where there is none."""
    lines = picture.find_all("text", string=re.compile(f"^{re.escape(words)}")) if words else []
    return min((float(line["y"]) - UNDER for line in lines), default=inf)


def ended(picture, box: tuple[float, ...], room: float) -> float:
    """How much of the height of a picture is seen: as many of its rows as there is room for. A line that goes through
    all rows, an axis, belongs to none.
    """
    ink = inked(picture, box)
    ink = ink[:, ink.mean(axis=0) < THROUGH].any(axis=1)
    fits = [y for y in range(BETWEEN, min(int(room), len(ink))) if ink[:y].any() and not ink[y - BETWEEN : y].any()]
    return min(box[3], float(ink[: fits[-1]].nonzero()[0][-1] + 2) if fits else room)


def inked(picture, box: tuple[float, ...]) -> np.ndarray:
    """Which places of a drawing are not paper: [height, width], a place for each of its units."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{box[2]:.0f}"'
        f' height="{box[3]:.0f}" viewBox="{" ".join(map(str, box))}" font-family="{READING}">'
        f'<rect x="{box[0]}" y="{box[1]}" width="100%" height="100%" fill="#fff"/>{inside(picture)}</svg>'
    )
    with Image.open(BytesIO(rasterised(svg))) as drawn:
        return np.asarray(drawn.convert("L")) < PAPER
