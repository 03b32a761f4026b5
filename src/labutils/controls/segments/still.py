"""The finished state of the segments as HTML, in the same classes as the control itself. The words are those of `words.js`."""

from html import escape
from typing import Any

from labutils.controls.tokenizer.still import plural, visible

ROWS = ("token", "id", "type id", "mask", "position")


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
    return f'<div class="sg-lanes">{"".join(map(_lane, lanes))}</div>'


def _lane(lane: dict[str, Any]) -> str:
    names = "".join(f"<span>{name}</span>" for name in ROWS[1:])
    cards = "".join(card(one) for one in laid_out(lane))
    return (f'<div class="sg-lane"><p class="sg-title"><b>{escape(lane["title"])}</b></p><div class="sg-lines"><div class="sg-line">'
            f'<div class="sg-names" aria-hidden="true"><span></span>{names}</div><div class="sg-cards">{cards}</div></div></div></div>')


def laid_out(lane: dict[str, Any]) -> list[dict[str, Any]]:
    """Every card in order: the positions, and after the last token of each text those it lost."""
    out, lanes_lost = [], [list(lost) for lost in lane["lost"]]
    slots = [slot for slot, _ in (lane["pair"] if any(token["from"] == 1 for token in lane["tokens"]) or lane["lost"][1] else lane["single"])]
    at = 0
    tokens = lane["tokens"]
    for slot in slots:
        if slot in ("A", "B"):
            which = "AB".index(slot)
            while at < len(tokens) and tokens[at]["from"] == which:
                out.append(tokens[at] | {"position": at})
                at += 1
            out += [{"text": text, "lost": True, "from": which} for text in lanes_lost[which]]
        else:
            out.append(tokens[at] | {"position": at})
            at += 1
    return out + [token | {"position": i} for i, token in enumerate(tokens) if i >= at]


def card(one: dict[str, Any]) -> str:
    lost = one.get("lost", False)
    kind = " is-lost" if lost else " is-pad" if one["mask"] == 0 else " is-special" if one["special"] else f" is-{'ab'[one['from']]}"
    numbers = ["lost", "", "", ""] if lost else [one["id"], one["type"], one["mask"], one["position"]]
    cells = "".join(f'<span class="sg-n is-{name}">{number}</span>' for name, number in zip(("id", "type", "mask", "pos"), numbers))
    return f'<div class="sg-card{kind}"><span class="sg-piece"><bdi>{escape(visible(one["text"]))}</bdi></span>{cells}</div>'
