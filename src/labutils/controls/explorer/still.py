"""The finished state of the explorer as HTML: the map of the head shown first, and what is said of one cell."""

from html import escape

import numpy as np

from labutils.controls.words import label, num, pct

SIDE, LEFT, TOP = 34, 84, 64


def weights(finished: dict) -> np.ndarray:
    """The weights of the head shown first, (n, n), from the bytes of the finished state."""
    n = finished["shape"][2]
    values = np.frombuffer(finished["exact_weights"], "<f4")
    if not finished["causal"]:
        return values.reshape(n, n)
    full = np.zeros((n, n), np.float32)
    full[np.tril_indices(n)] = values
    return full


def sentence(finished: dict, i: int, j: int) -> str:
    w, tokens = weights(finished), finished["tokens"]
    where = f"Layer {finished['layer']}, head {finished['head']}: "
    name = lambda k: f"<b><bdi>{escape(label(tokens[k]))}</bdi></b>"
    if finished["causal"] and j > i:
        return f"{where}{name(j)} comes after {name(i)} and is masked: its weight is 0 by construction, not by choice."
    row = w[i, : i + 1] if finished["causal"] else w[i]
    best = int(row.argmax())
    share = ", the largest share of its row. " if best == j else f"; its largest share, {pct(row[best])}, goes to {escape(label(tokens[best]))}. "
    entropy = -sum(float(x) * np.log2(x) for x in row if x > 0)
    bits = f"Row entropy {num(entropy, 1)} of at most {num(np.log2(len(row)), 1)} bits." if len(row) > 1 else "It can look only at itself."
    return f"{where}{name(i)} gives <b>{pct(w[i, j])}</b> of its weight to {name(j)}{share}{bits}"


def drawn(finished: dict, i: int, j: int) -> str:
    """The map as an SVG; colours are the theme's, so it is right in light and dark."""
    w, tokens, n = weights(finished), finished["tokens"], finished["shape"][2]
    side = min(SIDE, 560 / n)
    at = lambda k: k * side
    cells = "".join(
        f'<rect x="{LEFT + at(c) + 0.5:.1f}" y="{TOP + at(r) + 0.5:.1f}" width="{side - 1:.1f}" height="{side - 1:.1f}" {_fill(w[r, c], finished["causal"] and c > r)}/>'
        for r in range(n) for c in range(n))
    shown = range(n) if side >= 14 else ()
    names = "".join(
        f'<text x="{LEFT - 8}" y="{TOP + at(k) + side / 2:.1f}" text-anchor="end" dominant-baseline="central">{escape(label(tokens[k], 12))}</text>'
        f'<text transform="translate({LEFT + at(k) + side / 2 + 3:.1f} {TOP - 8}) rotate(-40)">{escape(label(tokens[k], 12))}</text>' for k in shown)
    chosen = f'<rect class="ex-cell" x="{LEFT + at(j) - 1:.1f}" y="{TOP + at(i) - 1:.1f}" width="{side + 2:.1f}" height="{side + 2:.1f}" rx="3"/>'
    width, height = LEFT + at(n) + 40, TOP + at(n) + 3
    return (
        f'<svg class="ex-map ex-stillmap" viewBox="0 0 {width:.0f} {height:.0f}" style="width:{width:.0f}px" role="img" aria-label="The weights of one head as a map">'
        f'<defs><pattern id="itt-still-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="1" height="5" fill="var(--itt-hatch, #bbb)"/></pattern></defs>'
        f"{names}{cells}{chosen}</svg>"
    )


def _fill(weight: float, masked: bool) -> str:
    if masked:
        return 'fill="url(#itt-still-hatch)"'
    low = min(7, int(weight * 8))
    part = round(100 * (float(weight) * 8 - low))
    return f'style="fill:color-mix(in srgb, var(--itt-seq-{low + 1}) {part}%, var(--itt-seq-{low}))"'
