"""The seven small drawings of the strip: each is the shape of the data at its station, 52 by 52 units."""


def icon(station: str) -> str:
    """One drawing as SVG in the colour of the text around it; hidden from screen readers, which get the name."""
    return f'<svg viewBox="0 0 52 52" aria-hidden="true">{_DRAWINGS[station]()}</svg>'


def _filled(x: float, y: float, width: float, height: float, opacity: float = 1, radius: float = 1.5) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}"'
        f' fill="currentColor" opacity="{opacity}"/>'
    )


def _outline(x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2"'
        ' fill="none" stroke="currentColor" stroke-width="1.4"/>'
    )


def _line(path: str, width: float) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="{width}"'
        ' stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _text() -> str:
    return (
        '<text x="26" y="33" text-anchor="middle" font-size="21" fill="currentColor"'
        ' style="font-family:var(--itt-serif)">Aa</text>'
    )


def _tokens() -> str:
    return _outline(6, 20, 13, 12) + _outline(21.5, 20, 9, 12) + _outline(33, 20, 13, 12)


def _embeddings() -> str:
    shades = (0.9, 0.25, 0.8, 0.5, 0.3, 0.95, 0.4)
    cells = ((row, column) for column in range(3) for row in range(4))
    return "".join(_filled(12 + 10 * c, 12 + 7.2 * r, 8, 5.6, shades[(r + 2 * c) % 7]) for r, c in cells)


def _attention() -> str:
    triangle = ((1,), (0.5, 0.8), (0.95, 0.25, 0.4), (0.3, 1, 0.2, 0.55))
    seen = "".join(
        _filled(11.5 + 7.4 * c, 11.5 + 7.4 * r, 6.4, 6.4, weight)
        for r, row in enumerate(triangle)
        for c, weight in enumerate(row)
    )
    masked = "".join(
        f'<rect x="{12 + 7.4 * c:g}" y="{12 + 7.4 * r:g}" width="5.4" height="5.4" fill="none"'
        ' stroke="currentColor" opacity=".3" stroke-width=".9"/>'
        for r in range(4)
        for c in range(r + 1, 4)
    )
    return seen + masked


def _feed_forward() -> str:
    return _line("M18 12h16l7 14-7 14H18l-7-14z", 1.4) + _line("M17 29c5 0 6-1 8-3s3-7 10-7", 1.6)


def _logits() -> str:
    heights = (7, 12, 5, 22, 9, 15, 4)
    strongest = max(heights)
    return "".join(
        _filled(9.5 + 4.9 * i, 38 - h, 3.4, h, 1 if h == strongest else 0.5, 1) for i, h in enumerate(heights)
    )


def _next_token() -> str:
    return _outline(6, 20, 9, 12) + _outline(17.5, 20, 9, 12) + _filled(29, 20, 17, 12, 1, 2)


_DRAWINGS = {
    "text": _text,
    "tokens": _tokens,
    "embeddings": _embeddings,
    "attention": _attention,
    "feed-forward": _feed_forward,
    "logits": _logits,
    "next token": _next_token,
}
