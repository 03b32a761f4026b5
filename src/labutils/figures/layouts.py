"""Drawings of how models are built: the block with its norms before or after, attention, who may see whom, and whole
models from their tokens to the next one.

figure(blocks, title, caption, alt, height=4.4)
figure(attention, title, caption, alt, height=3.4)
figure(stacks, title, caption, alt, height=3.2)
figure(models, title, caption, alt, height=3.4)
figure(translator, title, caption, alt, height=5.4)
"""

from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from labutils.figures.plot import CATEGORIES, INK, MUTED, PAPER, WIDE

# What a row meets in a block, from its input on. "norm" stands on the stream itself, "(norm)" in a branch beside it.
POST_NORM = ("attention", "add", "norm", "feed-forward", "add", "norm")
PRE_NORM = ("(norm)", "attention", "add", "(norm)", "feed-forward", "add")
# What a row meets in a block of the first Transformer's decoder, which also reads the rows that its encoder ends with.
DECODER = ("attention", "add", "norm", "cross-attention", "add", "norm", "feed-forward", "add", "norm")
# What the rows meet on their way through a whole model, from below: the kind of each part, and what is written on it.
WHOLE = {
    "BERT": (
        ("tokens", "[CLS] the cat sat [SEP]"),
        ("sum", "token + segment + place"),
        ("norm", "LayerNorm"),
        ("blocks", "post-norm blocks"),
        ("head", "matrix and GELU"),
        ("norm", "LayerNorm"),
        ("table", "the table of tokens"),
    ),
    "GPT-2": (
        ("tokens", "the cat sat"),
        ("sum", "token + place"),
        ("blocks", "pre-norm blocks"),
        ("norm", "LayerNorm"),
        ("table", "the table of tokens"),
    ),
}
# What happens between queries, keys, values and the mixtures, from below; the shape of what each part hands on.
ATTENTION = {
    "compare": ("a score for each pair", "$(n_q, n_k)$"),
    "scale": ("divided by the root of the width", "$(n_q, n_k)$"),
    "mask": ("−∞ where a query may not look", "$(n_q, n_k)$"),
    "softmax": ("weights: each row sums to 1", "$(n_q, n_k)$"),
    "mix": ("the values, by their weights", "$(n_q, d_v)$"),
}
COLOURS = {"attention": CATEGORIES[3], "feed-forward": CATEGORIES[2], "norm": CATEGORIES[0],
           "cross-attention": CATEGORIES[1], "blocks": INK, "sum": MUTED, "head": MUTED, "table": MUTED}  # fmt: skip
STEP, SHAPED, BOX = 0.5, 0.56, 0.3  # inches: from part to part, the same with a shape between, the height of a part
TOKEN, LEVEL = 0.42, 0.85  # from token to token, from block to block


def blocks(ax: Axes, wide: bool) -> None:
    """Both layouts side by side, the input below and the output above."""
    ax.set(xlim=(0, WIDE if wide else WIDE / 2), ylim=(-0.35, 3.75))
    ax.set_axis_off()
    half = ax.get_xlim()[1] / 2
    _block(ax, half * (0.22 if wide else 0.32), "Post-norm: BERT", POST_NORM, wide)
    _block(ax, half * (1.22 if wide else 1.32), "Pre-norm: GPT-2", PRE_NORM, wide)


def _block(ax: Axes, x: float, title: str, parts: tuple[str, ...], wide: bool) -> None:
    ax.text(x - (0.3 if wide else 0.45), 3.6, title, weight="bold", va="center")
    ax.text(
        x,
        3.38,
        "rows to the next block" if wide else "to the next block",
        color=MUTED,
        ha="left",
        va="center",
        size=8.5,
    )
    ax.text(x, -0.25, "rows from below", color=MUTED, ha="left", va="center", size=8.5)
    ax.plot([x, x], [-0.1, 3.2], color=INK, lw=1.6, zorder=1)
    ax.annotate("", (x, 3.3), (x, 3.1), arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0})
    _parts(ax, x, 1.35 if wide else 0.66, 0.25, parts, 1.3 if wide else 0.96)


def _parts(
    ax: Axes, x: float, side: float, y: float, parts: tuple[str, ...], across: float, size: float | None = None
) -> dict[str, float]:
    """The parts of a block from y upwards, along a stream at x; `side` is how far the branches stand from it, to the
    left where it is negative. Returns the height of each part, and of the end.
    """
    begun, heights, inwards = None, {}, 0.1 if side > 0 else -0.1
    for part in parts:
        if part == "add":
            middle = y - 0.06
            _path(ax, [(x + side, begun), (x + side, middle), (x + inwards, middle)], arrow=True)
            ax.text(x, middle, "+", ha="center", va="center", zorder=4, size=10)
            ax.plot([x], [middle], marker="o", ms=12, mfc=PAPER, mec=INK, mew=1, zorder=3)
            y, begun = y + 0.42, None
        elif part == "norm":
            _part(ax, x, y, "LayerNorm", "norm", across, size)
            y += STEP
        else:
            if begun is None:  # the branch leaves the stream
                _path(ax, [(x, y - 0.2), (x + side, y - 0.2), (x + side, y)])
            else:
                _path(ax, [(x + side, begun), (x + side, y)])
            kind = part.strip("()")
            begun = heights[part] = y + 0.08
            _part(ax, x + side, begun, "LayerNorm" if kind == "norm" else kind, kind, across, size)
            y += STEP
    return heights | {"end": y}


def _part(ax: Axes, x: float, y: float, words: str, kind: str, across: float, size: float | None = None) -> None:
    box = FancyBboxPatch(
        (x - across / 2, y - BOX / 2),
        across,
        BOX,
        boxstyle="round,pad=0,rounding_size=0.05",
        fc=PAPER,
        ec=COLOURS[kind],
    )
    box.set(lw=1.4, zorder=3)
    ax.add_patch(box)
    ax.text(x, y, words, ha="center", va="center_baseline", zorder=4, color=COLOURS[kind], size=size)


def _path(ax: Axes, points: list[tuple[float, float]], arrow: bool = False) -> None:
    for (x, y), (to_x, to_y) in pairwise(points):
        ax.plot([x, to_x], [y, to_y], color=MUTED, lw=1.1, zorder=2, solid_capstyle="butt")
    if arrow:
        how = {"arrowstyle": "-|>", "color": MUTED, "shrinkA": 0, "shrinkB": 0, "lw": 1.1}
        (before, _), (x, y) = points[-2:]
        ax.annotate("", (x, y), (x + (0.12 if before > x else -0.12), y), arrowprops=how)


def attention(ax: Axes, wide: bool) -> None:
    """Scaled dot-product attention from queries, keys and values below to the mixtures above."""
    ax.set(xlim=(0, WIDE if wide else WIDE / 2), ylim=(-0.3, 3.45))
    ax.set_axis_off()
    x, beside = (3.2, 1.5) if wide else (1.3, 1.05)  # the middle of the parts, how far values run beside them
    for dx, name in ((-0.45, "queries"), (0.45, "keys"), (beside, "values")):
        ax.text(x + dx, -0.2, name, ha="center", va="center", size=8.5)
    for dx in (-0.45, 0.45):
        _path(ax, [(x + dx, -0.06), (x + dx, 0.25)])
    top = 0.35 + SHAPED * len(ATTENTION)
    ax.plot([x, x], [0.35, top], color=MUTED, lw=1.1, zorder=2)
    ax.annotate("", (x, top + 0.12), (x, top - 0.05), arrowprops={"arrowstyle": "-|>", "color": MUTED, "shrinkA": 0,
                                                                  "shrinkB": 0, "lw": 1.1})  # fmt: skip
    for i, (part, (meaning, shape)) in enumerate(ATTENTION.items()):
        y = 0.35 + SHAPED * i
        _part(ax, x, y, part, "attention", 1.3 if wide else 0.96)
        across = shape if wide else "queries × d_v" if part == "mix" else "queries × keys"
        size = 10 if wide else 8  # the letters that stand low in a shape are smaller by a third, on paper too
        ax.text(x + 0.08, y + SHAPED / 2, across, color=MUTED, size=size, va="center", zorder=4)
        if wide:
            ax.text(x - 0.8, y, meaning, color=MUTED, size=8.5, ha="right", va="center")
        if part == "mix":
            edge = x + (0.65 if wide else 0.48)  # of the part
            _path(ax, [(x + beside, -0.06), (x + beside, y), (edge + 0.12, y)])
            how = {"arrowstyle": "-|>", "color": MUTED, "shrinkA": 0, "shrinkB": 0, "lw": 1.1}
            ax.annotate("", (edge, y), (edge + 0.2, y), arrowprops=how)
    ax.text(x, top + 0.22, "mixtures, one for each query", ha="center", va="center", size=8.5)


def stacks(ax: Axes, wide: bool) -> None:
    """Three stacks of two blocks: an encoder, a decoder, and a decoder that also reads an encoder's rows."""
    ax.set(xlim=(0, WIDE if wide else WIDE / 2), ylim=(-0.4, 2.3) if wide else (-3.2, 2.3))
    ax.set_axis_off()
    low = 0.0 if wide else -2.8
    words, source = ("the", "cat", "sat"), ("die", "Katze", "saß")
    everyone, earlier = [(i, j) for i in range(3) for j in range(3)], [(i, j) for i in range(3) for j in range(i + 1)]
    _stack(ax, 0.35, 0.0, "Encoder: BERT", words, everyone)
    _stack(ax, 2.2, 0.0, "Decoder: GPT-2", words, earlier)
    left = 4.05 if wide else 0.35
    _stack(ax, left, low, "Both: a translator", source, everyone)
    beside = left + 2 * TOKEN + 0.95
    _stack(ax, beside, low, "", words, earlier)
    bend, top = beside - 0.42, low + 2 * LEVEL  # each block of the decoder reads the rows that the encoder ends with
    for x, y, to_x, to_y in ((left + 2 * TOKEN + 0.1, top, bend, top), (bend, top, bend, low + LEVEL / 2)):
        ax.plot([x, to_x], [y, to_y], color=CATEGORIES[1], lw=1.6, zorder=1)
    for height in (0.5, 1.5):
        how = {"arrowstyle": "-|>", "color": CATEGORIES[1], "shrinkA": 0, "shrinkB": 0, "lw": 1.6}
        ax.annotate("", (beside - 0.06, low + height * LEVEL), (bend, low + height * LEVEL), arrowprops=how)


def _stack(ax: Axes, x: float, y: float, title: str, words: tuple[str, ...], pairs: list[tuple[int, int]]) -> None:
    """Rows of dots, one for each token: below the embeddings, above them the rows after one block and after two. A line
    runs from each row that is read to the row that reads it.
    """
    if title:
        ax.text(x - 0.15, y + 2.1, title, weight="bold", va="center")
    for block in range(2):
        for i, j in pairs:
            start, end = (x + j * TOKEN, y + LEVEL * block), (x + i * TOKEN, y + LEVEL * (block + 1))
            ax.plot(*zip(start, end), color=COLOURS["attention"], lw=1.1, zorder=1)
    places = [x + i * TOKEN for i in range(len(words))]
    for level in range(3):
        ax.plot(places, [y + LEVEL * level] * len(words), "o", ms=7, mfc=PAPER, mec=INK, mew=1.2, zorder=3)
    for place, word in zip(places, words):
        ax.text(place, y - 0.24, word, ha="center", va="center", size=8.5)


def models(ax: Axes, wide: bool) -> None:
    """BERT and GPT-2 side by side, from the tokens below to the shares above."""
    ax.set(xlim=(0, WIDE if wide else WIDE / 2), ylim=(-0.3, 4.1))
    ax.set_axis_off()
    half, across = ax.get_xlim()[1] / 2, 2.0 if wide else 1.58
    for i, (title, parts) in enumerate(WHOLE.items()):
        x, top = half * (i + 0.5), 0.1 + STEP * (len(parts) - 1)
        ax.text(x, 3.98, title, weight="bold", ha="center", va="center")
        ax.plot([x, x], [0.12, top + 0.2], color=INK, lw=1.6, zorder=1)
        how = {"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (x, top + 0.36), (x, top + 0.2), arrowprops=how)
        ax.text(x, top + 0.44, "a share for every token", color=MUTED, ha="center", va="center", size=8.5)
        for level, (kind, words) in enumerate(parts):
            y = 0.1 + STEP * level
            if kind == "tokens":
                ax.text(x, y - 0.12, words, ha="center", va="center", size=8.5)
            else:
                _part(ax, x, y, words, kind, across, None if wide else 8)
                for back in (1, 2) if kind == "blocks" else ():  # more of the same behind it
                    box = FancyBboxPatch((x - across / 2 + 0.04 * back, y - BOX / 2 + 0.05 * back), across, BOX,
                                         boxstyle="round,pad=0,rounding_size=0.05", fc=PAPER, ec=MUTED)  # fmt: skip
                    ax.add_patch(box.set(zorder=3 - back) and box)


def translator(ax: Axes, wide: bool) -> None:
    """One block of an encoder and one of a decoder, as in the first Transformer, and the way from one to the other."""
    ax.set(xlim=(0, WIDE if wide else WIDE / 2), ylim=(-0.75, 5.1))
    ax.set_axis_off()
    left, right = (1.6, WIDE - 1.6) if wide else (0.53, WIDE / 2 - 0.53)
    side, across, size = (1.0, 1.3, None) if wide else (0.63, 1.0, 8.5)
    for x, sign, parts, title, below in (
        (left, 1, POST_NORM, "Encoder", "the text to translate"),
        (right, -1, DECODER, "Decoder", "its translation so far"),
    ):
        align = "left" if sign > 0 else "right"
        heights = _parts(ax, x, sign * side, 0.25, parts, across, size)
        end = heights["end"] - 0.15
        ax.plot([x, x], [-0.35, end], color=INK, lw=1.6, zorder=1)
        ax.text(x - sign * across / 2, 4.95, title, weight="bold", ha=align, va="center")
        ax.text(x - sign * across / 2, -0.5, below, ha=align, va="center", size=8.5)
        if sign > 0:
            from_encoder = end
            continue
        how = {"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", (x, end + 0.15), (x, end), arrowprops=how)
        ax.text(x - sign * across / 2, end + 0.25, "to the next block, at last to the next token", ha=align,
                va="center", color=MUTED, size=8.5)  # fmt: skip
        colour, reads = COLOURS["cross-attention"], heights["cross-attention"]
        bend, edge = (left + right) / 2, x - side - across / 2
        ax.plot([left, left, bend, bend], [from_encoder, from_encoder + 0.2, from_encoder + 0.2, reads], color=colour)
        ax.plot([bend, edge - 0.1], [reads, reads], color=colour)
        ax.annotate("", (edge, reads), (edge - 0.12, reads), arrowprops=how | {"color": colour})
