"""The starting position of a sweep as HTML, in the same classes as the control itself. The words are those of `words.js`."""

import re
from html import escape
from typing import Any

import numpy as np

from labutils.controls.sweep.axis import shown
from labutils.controls.words import label

WIDE, HIGH, LEFT, RIGHT, TOP, FOOT = 360, 230, 44, 14, 10, 24  # the plot, in px: between a phone and half a column


def chosen(control) -> tuple[int, ...]:
    return (control.first, control.second)[: len(control.over)]


def heights(control) -> np.ndarray:
    """The bars of the starting position."""
    return _values(control, control.bars["heights"])[chosen(control)]


def curves(control) -> np.ndarray:
    """(curves, positions along the first slider), at the starting position of the second."""
    values = _values(control, control.curves["values"], front=True)
    return values if len(control.over) == 1 else values[:, :, control.second]


def _values(control, data: bytes, front: bool = False) -> np.ndarray:
    shape = tuple(len(one["values"]) for one in control.over)
    return np.frombuffer(data, "<f4").astype(float).reshape((-1, *shape) if front else (*shape, -1))


def bold(text: str) -> str:
    """A sentence of the author as HTML: ``**word**`` is bold, everything else is text.

    >>> bold("**0.5** < 1")
    '<b>0.5</b> &lt; 1'
    """
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text, quote=False))


def sentence(control) -> str:
    """The readout of the starting position."""
    at = chosen(control)
    if control.said:
        return bold(control.said[at[0] if len(at) == 1 else at[0] * len(control.over[1]["values"]) + at[1]])
    return bold(automatic(control))


def automatic(control) -> str:
    """The numbers as a sentence, for a sweep without sentences of its own."""
    where = ", ".join(f"{one['label']} {one['values'][i]}" for one, i in zip(control.over, chosen(control)))
    parts = []
    if control.bars:
        values, names = heights(control), control.bars["labels"]
        seen = np.where(np.isfinite(values), values, -np.inf)
        best = int(seen.argmax())
        parts.append(f"the highest of {len(names)} bars is {names[best]} with **{_number(values[best], control.bars)}**" if np.isfinite(values[best])
                     else "no bar has a height here")
    if control.curves:
        named = [f"{name} is **{_number(values[control.first], control.curves)}**" for name, values in zip(control.curves["names"], curves(control))]
        parts.append(", ".join(named))
    return f"{where}: {'; '.join(parts)}."


def _number(x: float, group: dict[str, Any]) -> str:
    unit = f" {group['unit']}" if group["unit"] and group["unit"] != "probability" and np.isfinite(x) else ""
    return shown(x, group["decimals"]) + unit


def drawn(control) -> str:
    """Bars, curves, or both side by side."""
    panels = [panel(control) for panel, data in ((_bars, control.bars), (_plot, control.curves)) if data]
    sliders = "".join(f"<span>{escape(one['label'])} <b>{escape(one['values'][i])}</b></span>" for one, i in zip(control.over, chosen(control)))
    return f'<p class="sw-at">{sliders}</p><div class="sw-cols{" is-both" if len(panels) == 2 else ""}">{"".join(panels)}</div>'


def _bars(control) -> str:
    data = control.bars
    low, high = data["axis"]["low"], data["axis"]["high"]
    zero = (0 - low) / ((high - low) or 1)
    rows = "".join(_row(name, x, (x - low) / ((high - low) or 1), zero, data["decimals"]) for name, x in zip(data["labels"], heights(control)))
    longest = max(len(label(name)) for name in data["labels"])
    unit = f'<p class="itt-label">{escape(data["unit"])}</p>' if data["unit"] else ""
    return f'<div class="sw-bars" style="--names:{min(longest + 1, 16)}ch;--zero:{zero:.4f}">{unit}<div class="sw-rows">{rows}</div></div>'


def _row(name: str, x: float, place: float, zero: float, decimals: int) -> str:
    kind = " is-missing" if np.isnan(x) else " is-masked" if np.isneginf(x) else ""
    ends = "" if kind else f' style="--from:{min(place, zero):.5f};--to:{max(place, zero):.5f}"'
    return (f'<div class="sw-row"><span class="sw-name"><bdi>{escape(label(name))}</bdi></span><span class="sw-bar{kind}"{ends}></span>'
            f'<span class="sw-number">{escape(shown(x, decimals))}</span></div>')


def _plot(control) -> str:
    data, values, over = control.curves, curves(control), control.over[0]
    low, high, log = data["axis"]["low"], data["axis"]["high"], data["axis"]["log"]
    f = np.log if log else np.asarray
    xs = LEFT + np.array(over["at"]) * (WIDE - LEFT - RIGHT)
    with np.errstate(invalid="ignore", divide="ignore"):
        ys = HIGH - FOOT - (f(values) - f(low)) / (f(high) - f(low)) * (HIGH - FOOT - TOP)
    y_at = lambda place: HIGH - FOOT - place * (HIGH - FOOT - TOP)
    grid = "".join(f'<line class="sw-grid" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y_at(p):.1f}" y2="{y_at(p):.1f}"/><text class="sw-tick" x="{LEFT - 8}" y="{y_at(p):.1f}" '
                   f'text-anchor="end" dominant-baseline="central">{escape(word)}</text>' for p, word in data["axis"]["ticks"])
    at = control.first
    lines = "".join(f'<path class="sw-line" style="stroke:var(--itt-c{c + 1})" d="{path(xs, y)}"/>' + (
        f'<circle r="4" cx="{xs[at]:.1f}" cy="{y[at]:.1f}" style="fill:var(--itt-c{c + 1})"/>' if np.isfinite(y[at]) else "") for c, y in enumerate(ys))
    below = lambda x, word, cls="": f'<text class="sw-tick{cls}" x="{x:.1f}" y="{HIGH - 6}" text-anchor="middle">{escape(word)}</text>'
    ends = "".join(below(xs[i], over["values"][i]) for i in (0, -1) if abs(xs[i] - xs[at]) > 40)
    here = f'<line class="sw-here" x1="{xs[at]:.1f}" x2="{xs[at]:.1f}" y1="{TOP}" y2="{HIGH - FOOT}"/>{ends}{below(xs[at], over["values"][at], " is-on")}'
    names = "".join(f'<span style="color:var(--itt-c{c + 1})"><bdi>{escape(label(name))}</bdi> <b>{escape(shown(v[at], data["decimals"]))}</b></span>' for c, (name, v) in enumerate(zip(data["names"], values)))
    unit = f'<p class="itt-label">{escape(data["unit"])}</p>' if data["unit"] else ""
    return (f'<div class="sw-plot">{unit}<svg class="sw-svg is-still" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(" and ".join(data["names"]))} over {escape(over["label"])}">'
            f'{grid}{here}{lines}</svg><p class="sw-names">{names}</p></div>')


def path(xs: np.ndarray, ys: np.ndarray) -> str:
    """A line through all points that are there; it breaks where one is missing."""
    out, on = [], False
    for x, y in zip(xs, ys):
        if np.isfinite(y):
            out.append(f"{'L' if on else 'M'}{x:.1f} {y:.1f}")
        on = bool(np.isfinite(y))
    return "".join(out)
