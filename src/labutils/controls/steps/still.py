"""The finished state of the steps control as HTML, in the same classes as the control itself."""

from html import escape

import numpy as np

from labutils.controls.words import columns, label, num, pct, quote


def attend(finished: dict, query: int) -> tuple[np.ndarray, ...]:
    """q, K, V, the products q·k, the masked scores and the weights of one query, from the bytes of the finished state."""
    _, _, n, d = finished["shape"]
    q, k, v = (np.frombuffer(finished[name], "<f4").reshape(n, d).astype(float) for name in "qkv")
    raw = k @ q[query]
    scores = raw / np.sqrt(d)
    if finished["info"]["kind"] != "bert":
        scores[query + 1 :] = -np.inf
    powers = np.exp(scores - scores.max())
    return q[query], k, v, raw, scores, powers / powers.sum()


def sentence(finished: dict, query: int) -> str:
    """The readout of the last step."""
    *_, scores, weights = attend(finished, query)
    best, seen = int(weights.argmax()), int(np.isfinite(scores).sum())
    tokens = finished["tokens"]
    vectors = "value vector" if seen == 1 else "value vectors"
    return (f"{quote(tokens[query])} gives <b>{pct(weights[best])}</b> of its weight to {quote(tokens[best])}. "
            f"The output z is the sum of {seen} {vectors}, each times its weight.")


def drawn(finished: dict, query: int) -> str:
    """The table at the last step: a row for each key."""
    q, k, v, raw, scores, weights = attend(finished, query)
    far, wide = max(abs(q).max(), abs(k).max()) or 1, abs(v).max() or 1
    best, longest = int(weights.argmax()), max(len(label(token)) for token in finished["tokens"])
    rows = "".join(
        _row(token, j, (raw[j], raw[j] / np.sqrt(len(q)), scores[j]), weights[j], _bars(k[j], far, "k"), _bars(v[j] * weights[j], wide, "v", ghost=v[j]), j == best)
        for j, token in enumerate(finished["tokens"])
    )
    heads = "".join(f'<div class="st-h {cls}">{text}</div>' for text, cls in
                    [("", "is-tok"), ("key k", "is-k"), ("q · k", "is-num"), (f"÷ √{len(q)}", "is-num"), ("+ mask", "is-num"), ("weight w", "is-w"), ("w · value v", "is-v is-on")])
    return (
        f'<div class="st-grid" data-step="4" style="--token:{min(8.5, max(5.25, 2.4 + 0.5 * longest))}rem"><div class="st-query"><div class="is-tok"><span><b>{escape(label(finished["tokens"][query]))}</b>'
        f'<sub class="itt-pos">{query}</sub><i>asks</i></span></div><div class="is-k">{_bars(q, far, "q", 40)}</div>'
        f'<div class="is-rest"><b>q</b> the query, {len(q)} numbers</div></div><div class="st-table"><div class="st-row st-heads">{heads}</div>{rows}</div>'
        f'<div class="st-sum"><div class="is-rest">the weights add up to</div><div class="is-w"><span class="st-bar is-sum"></span><b class="st-wnum">1.000</b></div>'
        f'<div class="is-v">{_bars(weights @ v, wide, "ink", 40)}<span class="st-zname"><b>z</b> the output</span></div></div></div>'
    )


def _row(token: str, j: int, scores: tuple[float, float, float], weight: float, key: str, value: str, chosen: bool) -> str:
    off = not np.isfinite(scores[2])
    bar = '<span class="st-barmask"></span>' if off else f'<span class="st-bar" style="--w:{weight:.4f}"></span>'
    return (
        f'<div class="st-row{" is-sel" if chosen else ""}{" is-off" if off else ""}"><div class="is-tok"><span><span class="st-name"><bdi>{escape(label(token))}</bdi></span>'
        f'<sub class="itt-pos">{j}</sub></span></div><div class="is-k">{key}</div><div class="is-num">{num(scores[0])}</div><div class="is-num">{num(scores[1])}</div>'
        f'<div class="is-num is-mask"><span class="{"st-masked" if off else ""}">{num(scores[2])}</span></div><div class="is-w">{bar}'
        f'<span class="st-wnum">{"masked" if off else num(weight, 3)}</span></div><div class="is-v is-on{" is-masked" if off else ""}">{value}</div></div>'
    )


def _bars(values: np.ndarray, of: float, role: str, height: int = 28, ghost: np.ndarray | None = None) -> str:
    colour = f"var(--itt-{role})"
    behind = f'<path d="{columns(ghost, of, height)}" fill="{colour}" opacity=".22"/>' if ghost is not None else ""
    width = len(values) * 10
    return (f'<svg class="itt-bars" viewBox="0 0 {width} {height}" preserveAspectRatio="none" style="height:{height}px" aria-hidden="true">{behind}'
            f'<path d="{columns(values, of, height)}" fill="{colour}"/><line x1="0" x2="{width}" y1="{height / 2}" y2="{height / 2}" class="itt-zero"/></svg>')
