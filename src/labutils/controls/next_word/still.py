"""The finished state of the next word as HTML, in the same classes as the control itself. The words are those of `words.js`."""

import math
from html import escape
from typing import Any

from labutils.controls.words import label, num, pct, quote

END = "<|endoftext|>"


def chip(token: str) -> str:
    """A token on a chip: a space is a dot."""
    return label(token.replace("␣", "·"))


def share(p: float) -> str:
    """A probability with three decimals; nothing that can happen is written as 0.

    >>> share(0.5), share(0.0001), share(0.9999), share(0.0)
    ('0.500', '< 0.001', '> 0.999', '0.000')
    """
    if 0 < p < 0.0005:
        return "< 0.001"
    return "> 0.999" if 0.9995 <= p < 1 else _up(p, 3)


def _up(x: float, decimals: int) -> str:
    """1/16 and 15/8 are written alike, whether their last bit fell or not."""
    return num(x * (1 + 1e-9), decimals)


def likely(bits: float) -> str:
    """How many equally likely tokens have the same entropy.

    >>> likely(1), likely(8)
    ('2.0', '256')
    """
    n = 2**bits
    return num(n, 1) if n < 9.95 else f"{math.floor(n + 0.5):,}"


def sentence(seen: dict[str, Any]) -> str:
    """The readout: what was taken last, and what the model gives to the next token."""
    vocab, best = seen["info"]["vocab"], seen["top"][0]
    next_ = (f"gives {_named(best['token'])} <b>{pct(best['p'])}</b>, the largest share of {vocab:,} tokens. The entropy is "
             f"<b>{_up(seen['entropy'], 2)} bits</b>, as with {likely(seen['entropy'])} equally likely tokens.")
    if not seen["steps"]:
        return f"After {seen['read']} token{'' if seen['read'] == 1 else 's'} the model {next_}"
    last = seen["steps"][-1]
    who = "You chose" if last["seed"] is None else f"Seed {last['seed']} drew"
    said = f"{who} {_named(last['token'])}, which had <b>{pct(last['p'])}</b>. "
    return said + (stopped(seen) or f"Now the model {next_}")


def stopped(seen: dict[str, Any]) -> str:
    """Why the text cannot go on, or nothing."""
    if seen["steps"] and seen["steps"][-1]["token"] == END:
        return "The text has ended. Step back, or start again."
    most = seen["info"]["maxTokens"]
    return f"All {most} positions of the model are taken. Step back, or start again." if seen["read"] + len(seen["steps"]) >= most else ""


def _named(token: str) -> str:
    return "the end of the text" if token == END else quote(token)


def drawn(seen: dict[str, Any], top: int) -> str:
    """The text with its trail, the bars, and the entropy beside them."""
    shown, vocab = seen["top"][:top], seen["info"]["vocab"]
    rows = "".join(_row(escape("end of text" if one["token"] == END else chip(one["token"])), one["p"]) for one in shown)
    left = vocab - len(shown)
    rest = _row(f"{left:,} other{'' if left == 1 else 's'}", max(0.0, 1 - sum(one["p"] for one in shown)), " nw-rest") if left else ""
    steps = "".join(_step(step, "chosen" if step["seed"] is None else "drawn") for step in seen["steps"])
    means = f"as uncertain as {likely(seen['entropy'])} equally likely tokens; at most {num(math.log2(vocab))}, if all {vocab:,} were"
    return (
        f'<p class="nw-story" dir="auto"><bdi class="nw-text">{escape(label(seen["text"], 400))}</bdi>{steps}</p><div class="nw-cols"><div class="nw-list">'
        f'<div class="nw-rows">{rows}</div>{rest}<div class="nw-axis"><span class="nw-ticks"><span>0</span><span>0.5</span><span>1</span></span></div></div>'
        f'<div class="nw-side"><p class="itt-label">Entropy</p><p class="nw-count"><b class="nw-bits">{_up(seen["entropy"], 2)}</b><span>bits</span></p>'
        f'<p class="nw-means">{means}</p></div></div>'
    )


def _step(step: dict[str, Any], how: str) -> str:
    name = "end" if step["token"] == END else chip(step["token"])
    return f'<span class="nw-step is-{how}"><bdi>{escape(name)}</bdi><small>{pct(step["p"])} {how}</small></span>'


def _row(name: str, p: float, more: str = "") -> str:
    return (f'<div class="nw-row{more}"><span class="nw-token"><bdi>{name}</bdi></span><span class="nw-bar" style="--p:{p:.6f}"></span>'
            f'<span class="nw-p">{escape(share(p))}</span></div>')
