"""The small pictures beside the questions of the front page: one heavy motif a chapter, drawn for the size of a thumb,
at which a figure of the chapter is dust. A chapter without one shows its picture.
"""

from collections.abc import Callable

WIDE, HIGH = 132, 76
BLUE, RUST, GREEN, PURPLE = (f"var(--itt-{name})" for name in ("q", "k", "v", "w"))
PALE, DARK = "#c9ccd3", "#222832"


def box(x: float, y: float, wide: float, high: float, fill: str, edge: str = "none") -> str:
    line = f' stroke="{edge}" stroke-width="2.5"' if edge != "none" else ""
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="3" fill="{fill}"{line}/>'


def dot(x: float, y: float, fill: str, r: float = 5) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>'


def line(way: str, colour: str, wide: float = 4) -> str:
    return f'<path d="{way}" fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linecap="round"/>'


def pipeline() -> str:
    """Words go in, chances come out."""
    chips = [box(4, 6 + 24 * i, 26, 16, PALE) for i in range(3)]
    bars = [box(92, 6 + 24 * i, wide, 16, PURPLE) for i, wide in enumerate((36, 18, 8))]
    return "".join([*chips, box(46, 6, 30, 64, BLUE), *bars])


def chain() -> str:
    """One state after the other, each with less of the first."""
    boxes = [
        f'<g opacity="{share}">{box(6 + 33 * i, 26, 22, 24, BLUE)}</g>' for i, share in enumerate((1, 0.6, 0.35, 0.18))
    ]
    return "".join([*boxes, *(line(f"M{30.5 + 33 * i} 38h6", DARK, 3) for i in range(3))])


def chips() -> str:
    """Three pieces of a word."""
    return box(4, 24, 52, 28, BLUE) + box(60, 24, 36, 28, RUST) + box(100, 24, 28, 28, GREEN)


def clouds() -> str:
    """Words of two kinds, far apart."""
    near = ((20, 22), (36, 14), (32, 34), (16, 42), (46, 28))
    far = ((92, 44), (108, 34), (104, 56), (86, 62), (118, 50))
    return "".join([*(dot(x, y, BLUE, 6) for x, y in near), *(dot(x, y, RUST, 6) for x, y in far)])


def weights() -> str:
    """One row gets nearly all."""
    return "".join(box(4, 5 + 14 * i, *((124, 10, PURPLE) if i == 1 else (14, 10, PALE))) for i in range(5))


def heads() -> str:
    """Four heads, each with an answer of its own."""
    rows = []
    for head, found in enumerate(((0, 0), (1, 0), (0, 1), (1, 1))):
        rows += [
            box(3 + 33 * head + 14 * i, 24 + 14 * j, 13, 13, PURPLE if (i, j) == found else PALE)
            for i in range(2)
            for j in range(2)
        ]
    return "".join(rows)


def wider() -> str:
    """A row, four times as wide, and a row again."""
    few, many = [14, 38, 62], [8 + 12 * i for i in range(6)]
    lines = [line(f"M22 {a}L110 {b}", PALE, 1.5) for a in few for b in many]
    return "".join([*lines, *(dot(22, y, BLUE, 8) for y in few), *(dot(110, y, RUST) for y in many)])


def masked() -> str:
    """A word that is hidden, known from both sides."""
    boxes = [box(4 + 26 * i, 44, 20, 20, "none" if i == 2 else BLUE, PURPLE if i == 2 else "none") for i in range(5)]
    return "".join([*boxes, line("M14 38Q38 8 62 36", PURPLE), line("M118 38Q94 8 70 36", PURPLE)])


def longer() -> str:
    """Each row has one word more."""
    return "".join(
        box(4 + 26 * i, 8 + 22 * j, 20, 16, PURPLE if i == j + 2 else BLUE) for j in range(3) for i in range(j + 3)
    )


def uses() -> str:
    """One body, three heads."""
    ends = (13, 38, 63)
    lines = [line(f"M44 38L96 {y}", PALE) for y in ends]
    boxes = [box(96, y - 9, 30, 18, colour) for y, colour in zip(ends, (RUST, PURPLE, GREEN), strict=True)]
    return "".join([*lines, box(6, 10, 40, 56, BLUE), *boxes])


def falling() -> str:
    """The loss over a run."""
    return line("M8 6V68H126", PALE, 3) + line("M16 10C26 54 50 56 124 60", BLUE, 5)


def kept() -> str:
    """What is kept, and the one row that is new."""
    return "".join(
        box(7 + 30 * i, 5 + 17 * j, 27, 13, PURPLE if i == j else BLUE if i < j else PALE)
        for j in range(4)
        for i in range(4)
    )


def cut() -> str:
    """Chances in order, and where the tail is cut off."""
    bars = [
        box(6 + 21 * i, 68 - high, 15, high, PURPLE if i < 3 else PALE) for i, high in enumerate((58, 38, 26, 14, 9, 6))
    ]
    return "".join([*bars, line("M66 6V70", DARK, 2.5)])


MOTIFS: dict[str, Callable[[], str]] = {
    "00_pipeline": pipeline,
    "01_rnn": chain,
    "02_tokenization": chips,
    "03_embeddings": clouds,
    "04_attention": weights,
    "05_multi_head": heads,
    "06_feed_forward": wider,
    "07_bert": masked,
    "08_gpt2": longer,
    "09_output_heads": uses,
    "10_training": falling,
    "11_kv_cache": kept,
    "12_decoding": cut,
}


def motif(chapter: str) -> str | None:
    """The motif of a chapter as the inside of a drawing of `WIDE` by `HIGH`, None where it has none."""
    return MOTIFS[chapter]() if chapter in MOTIFS else None
