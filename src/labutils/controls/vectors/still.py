"""The finished state of the vectors as HTML, in the same classes as the control itself. The words are those of `words.js`."""

from html import escape

import numpy as np

from labutils.controls.vectors.meeting import Meeting, meet
from labutils.controls.words import label, num, pct, quote

PAGE = 16
ROLES = {"q": "what it seeks", "k": "what it offers", "v": "what it hands over"}


def head_of(finished: dict) -> tuple[np.ndarray, ...]:
    """q, k and v, (n, d_k) each, from the bytes of the finished state."""
    _, _, n, d = finished["shape"]
    return tuple(np.frombuffer(finished[name], "<f4").reshape(n, d).astype(float) for name in "qkv")


def met(finished: dict, query: int) -> Meeting:
    q, k, _ = head_of(finished)
    return meet(q, k, query, finished["info"]["kind"] != "bert")


def sentence(finished: dict, query: int) -> str:
    """The readout: the key of nearest direction, and the key with the largest weight."""
    m, tokens = met(finished, query), finished["tokens"]
    where = f"Layer {finished['layer']}, head {finished['head']}: "
    asks, seen = quote(tokens[query]), np.where(m.masked | np.isnan(m.cosine), -np.inf, m.cosine)
    near, best = int(seen.argmax()), int(m.weight.argmax())
    if not np.isfinite(seen).any():
        zero = f"the query of {asks} is 0 and points nowhere" if m.length == 0 else f"no key that {asks} may see has a direction"
        return f"{where}{zero}, so every score is 0 and the weights are equal, <b>{pct(m.weight[best])}</b> each."
    first = f"{where}of all keys that of {quote(tokens[near])} points most nearly the way of the query of {asks}, cosine <b>{num(m.cosine[near])}</b>. "
    if near == best:
        return f"{first}It also gets the largest weight, <b>{pct(m.weight[best])}</b>."
    return (f"{first}The largest weight, <b>{pct(m.weight[best])}</b>, goes to {quote(tokens[best])} (cosine {num(m.cosine[best])}): "
            f"a score also counts the length of a key, {num(m.lengths[best])} against {num(m.lengths[near])}.")


def drawn(finished: dict, query: int, page: int) -> str:
    """The three maps, and the table below them."""
    matrices, tokens, m = head_of(finished), finished["tokens"], met(finished, query)
    maps = "".join(_map(name, matrix, tokens, query, page) for name, matrix in zip("qkv", matrices))
    far, root = max(np.abs(m.score).max(), 1e-12), matrices[0].shape[1]
    rows = "".join(_row(token, j, m, far) for j, token in enumerate(tokens))
    heads = "".join(f'<div class="{cls}">{words}</div>' for cls, words in (
        ("vc-name", "key"), ("vc-cos", "cosine of q and k"), ("vc-len", "length of k"), ("vc-score", f"score q · k ÷ √{root}"), ("vc-w", "weight w")))
    return f'<div class="vc-maps">{maps}</div><div class="vc-meet"><div class="vc-table"><div class="vc-row vc-heads">{heads}</div>{rows}</div></div>'


def _map(name: str, matrix: np.ndarray, tokens: list[str], query: int, page: int) -> str:
    shown, far = matrix[:, page * PAGE : (page + 1) * PAGE], float(np.abs(matrix).max()) or 1.0
    cells = "".join(f'<rect x="{c}" y="{r}" width="1" height="1" style="fill:{_fill(x / far)}"/>' for r, row in enumerate(shown) for c, x in enumerate(row))
    names = "".join(f'<span class="vc-token{" is-query" if j == query else ""}"><bdi>{escape(label(token, 12))}</bdi><sub class="itt-pos">{j}</sub></span>' for j, token in enumerate(tokens))
    return (f'<div class="vc-map is-{name}"><p class="vc-role"><b>{name}</b> {ROLES[name]}</p><div class="vc-plot"><div class="vc-tokens">{names}</div>'
            f'<svg class="vc-cells" viewBox="0 0 {shown.shape[1]} {len(tokens)}" preserveAspectRatio="none" style="--rows:{len(tokens)}" role="img" aria-label="{name} of every token">{cells}</svg></div>'
            f'<div class="vc-ends"><span>{num(-far, 1)}</span><span>0</span><span>{num(far, 1)}</span></div></div>')


def _fill(t: float) -> str:
    """A colour of the diverging scale for −1 to 1."""
    x = max(0.0, min(8.0, 4 + 4 * t))
    low = min(7, int(x))
    return f"color-mix(in srgb, var(--itt-div-{low + 1}) {round(100 * (x - low))}%, var(--itt-div-{low}))"


def _row(token: str, j: int, m: Meeting, far: float) -> str:
    off, none = bool(m.masked[j]), np.isnan(m.cosine[j])
    bar = lambda t: f'<span class="vc-bar is-signed" style="--from:{min(0.5, 0.5 + t / 2):.4f};--to:{max(0.5, 0.5 + t / 2):.4f}"></span>'
    cosine = '<span class="vc-bar is-missing"></span><b class="vc-num">none</b>' if none else f'{bar(m.cosine[j])}<b class="vc-num">{num(m.cosine[j])}</b>'
    weight = ('<span class="vc-bar is-masked"></span><b class="vc-num">masked</b>' if off
              else f'<span class="vc-bar is-w" style="--from:0;--to:{m.weight[j]:.4f}"></span><b class="vc-num">{num(m.weight[j], 3)}</b>')
    return (f'<div class="vc-row{" is-off" if off else ""}"><div class="vc-name"><bdi>{escape(label(token))}</bdi><sub class="itt-pos">{j}</sub></div><div class="vc-cos">{cosine}</div>'
            f'<div class="vc-len">{num(m.lengths[j])}</div><div class="vc-score">{bar(m.score[j] / far)}<b class="vc-num">{num(m.score[j])}</b></div><div class="vc-w">{weight}</div></div>')
