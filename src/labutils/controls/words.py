"""Numbers and tokens in the words of the look, as `look/kit.js` writes them."""

import math
import re
from collections.abc import Iterable
from html import escape

UNSEEN = re.compile(r"[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")


def num(x: float, decimals: int = 2) -> str:
    """Fixed decimals and a true minus.

    >>> num(-1.234), num(-0.001), num(-math.inf)
    ('−1.23', '0.00', '−∞')
    """
    if x == -math.inf:
        return "−∞"
    return f"{0.0 if abs(x) < 0.5 * 10**-decimals else x:.{decimals}f}".replace("-", "−")


def pct(x: float) -> str:
    """A share as a whole percent; what is small or nearly all is said in words.

    >>> pct(0.94), pct(0.001), pct(0.999), pct(1), pct(0)
    ('94%', 'under 1%', 'over 99%', '100%', '0%')
    """
    if x <= 0:
        return "0%"
    if x < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= x < 1 else f"{math.floor(100 * x + 0.5)}%"


def label(token: str, most: int = 24) -> str:
    """A token, as `tokenizer.pieces` writes it, as a label: no space in front, what cannot be seen is named.

    >>> label("␣cat"), label("␣"), label("a\\u202eb")
    ('cat', '␣', 'aU+202Eb')
    """
    text = token.strip("␣") or token[:4]
    seen = UNSEEN.sub(lambda match: f"U+{ord(match[0]):04X}", text)
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"


def quote(token: str) -> str:
    """A token in prose, as HTML."""
    return f"<bdi>“{escape(label(token))}”</bdi>"


def columns(values: Iterable[float], of: float, height: float, pitch: float = 10) -> str:
    """A vector as columns about a zero line, as the path of an SVG; `of` is the value that fills half the height."""
    mid, path = height / 2, []
    for i, value in enumerate(values):
        y = max(-mid + 1, min(mid - 1, value / of * (mid - 1)))
        tall = max(0.6, abs(y))
        path.append(f"M{(i + 0.15) * pitch:.1f} {mid - tall if y >= 0 else mid:.2f}h{0.7 * pitch:.1f}v{tall:.2f}h-{0.7 * pitch:.1f}z")
    return "".join(path)
