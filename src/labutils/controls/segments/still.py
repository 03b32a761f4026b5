"""The finished state of the segments as HTML, in the same classes as the control itself. The words are those of `words.js`."""

from html import escape
from typing import Any

from labutils.controls.tokenizer.still import plural, visible

ROWS = ("id", "type id", "mask", "position")
HIGH = 5  # lines of a card
NAMES = {"A": "first text", "B": "second text"}
KEYS = {"is-a": "first text", "is-b": "second text", "is-special": "special: put in by the template", "is-pad": "padding: the mask is 0", "is-lost": "lost: cut off to fit"}


def sentence(lanes: list[dict[str, Any]], length: int) -> str:
    """The readout: how many positions hold tokens, how many are padding, and what was lost."""
    return " ".join(_told(lane, length) for lane in lanes)


def _told(lane: dict[str, Any], length: int) -> str:
    padded = sum(token["mask"] == 0 for token in lane["tokens"])
    first, second = map(len, lane["lost"])
    if first or second:
        where = f"{first} of the first text" if not second else f"{second} of the second" if not first else f"{first} of the first text and {second} of the second"
        return f"For {lane['title']} <b>{plural(first + second, 'token')}</b> found no room: {where}."
    if padded:
        pad = escape(lane["tokens"][-1]["text"])
        return f"For {lane['title']} {length - padded} of {length} positions hold tokens; <b>{padded}</b> {'is' if padded == 1 else 'are'} {pad}, where the mask is 0."
    return f"For {lane['title']} all {length} positions are taken and nothing is lost."


def source_line(lanes: list[dict[str, Any]]) -> str:
    return ". ".join(f"{lane['title']}: {lane['size']:,} entries" for lane in lanes)


def drawn(lanes: list[dict[str, Any]]) -> str:
    kinds = {kind_of(one) for lane in lanes for one in laid_out(lane)}
    keys = "".join(f'<span class="itt-legend-key"><span class="sg-key {kind}"></span><span>{words}</span></span>' for kind, words in KEYS.items() if kind in kinds)
    return f'<div class="sg-lanes">{"".join(map(_lane, lanes))}<p class="sg-keys">{keys}</p></div>'


def two(lane: dict[str, Any]) -> bool:
    """Whether there is a second text at all."""
    return bool(lane["lost"][1]) or any(token["from"] == 1 for token in lane["tokens"])


def template(lane: dict[str, Any]) -> str:
    """The order that the tokenizer puts the texts in, as words."""
    slots = "  ".join(NAMES.get(slot, slot) for slot, _ in lane["pair" if two(lane) else "single"])
    return f"{slots}. {lane['note']}" if lane["note"] else slots


def _lane(lane: dict[str, Any]) -> str:
    names = "".join(f"<span>{name}</span>" for name in ROWS)
    cards = "".join(card(one) for one in laid_out(lane))
    return (f'<div class="sg-lane"><p class="sg-title"><b>{escape(lane["title"])}</b><span>{escape(template(lane))}</span></p><div class="sg-lines"><div class="sg-line">'
            f'<div class="sg-names" aria-hidden="true"><span></span>{names}</div><div class="sg-cards">{cards}</div></div></div></div>')


def laid_out(lane: dict[str, Any]) -> list[dict[str, Any]]:
    """Every card in order: the positions, and after the last token of each text those it lost, five on a card."""
    out = []
    tokens, at = lane["tokens"], 0
    for slot, _ in lane["pair" if two(lane) else "single"]:
        if slot in ("A", "B"):
            which = "AB".index(slot)
            while at < len(tokens) and tokens[at]["from"] == which:
                out.append(tokens[at] | {"position": at})
                at += 1
            out += [{"lost": lane["lost"][which][i : i + HIGH], "from": which} for i in range(0, len(lane["lost"][which]), HIGH)]
        else:
            out.append(tokens[at] | {"position": at})
            at += 1
    return out + [token | {"position": i} for i, token in enumerate(tokens) if i >= at]


def kind_of(one: dict[str, Any]) -> str:
    """How a card is drawn."""
    if one.get("lost"):
        return "is-lost"
    return "is-pad" if one["mask"] == 0 else "is-special" if one["special"] else f"is-{'ab'[one['from']]}"


def card(one: dict[str, Any]) -> str:
    piece = lambda text: f'<span class="sg-piece"><bdi>{escape(visible(text))}</bdi></span>'
    if one.get("lost"):
        return f'<div class="sg-card is-lost">{"".join(map(piece, one["lost"]))}</div>'
    cells = "".join(f"<span>{number}</span>" for number in (one["id"], one["type"], one["mask"], one["position"]))
    return f'<div class="sg-card {kind_of(one)}">{piece(one["text"])}{cells}</div>'
