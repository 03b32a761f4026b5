"""The finished state of the playground as HTML, in the same classes as the control itself. The words are those of `words.js`."""

import re
import unicodedata
from html import escape
from typing import Any

UNSEEN = re.compile(r"[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]")
NAMED = {" ": "·", "\n": "↵", "\t": "⇥"}
SHORT = {"bpe": "BPE", "wordpiece": "WordPiece", "words": "whole-word"}
LONG = {"bpe": "Byte-level BPE", "wordpiece": "WordPiece", "words": "Whole words"}


def visible(text: str, most: int = 24) -> str:
    """A piece on a chip: spaces are dots, what cannot be seen is named, an accent alone stands on a circle.

    >>> visible(" cat"), visible("a\\u202e"), visible("\\u0301")
    ('·cat', 'aU+202E', '◌́')
    """
    text = re.sub(r"[ \n\t]", lambda match: NAMED[match[0]], text)
    text = UNSEEN.sub(lambda match: f"U+{ord(match[0]):04X}", text)
    if text and unicodedata.category(text[0]).startswith("M"):
        text = "◌" + text
    return text if len(text) <= most else text[: most - 1] + "…"


def plural(n: int, word: str) -> str:
    return f"{n:,} {word}" + ("" if n == 1 else "s")


def sentence(lanes: list[dict[str, Any]], text: str) -> str:
    """The readout: how many tokens each lane has, and whether its ids give the text back."""
    if not text:
        added = "".join(f"{SHORT[lane['kind']]} still gives {plural(len(lane['tokens']), 'token')}, which its template adds." for lane in lanes if lane["tokens"])
        return f"No text, no pieces. {added}"
    counts = " and ".join(_count(lane) for lane in lanes)
    unknown = sum(token["unknown"] for lane in lanes for token in lane["tokens"])
    missing = f"{plural(unknown, 'word')} {'is' if unknown == 1 else 'are'} unknown. " if unknown else ""
    return f"{plural(len(text), 'character')} {'becomes' if len(text) == 1 else 'become'} {counts}. {missing}{_back(lanes, text)}"


def _count(lane: dict[str, Any]) -> str:
    own, all_ = sum(token["word"] is not None for token in lane["tokens"]), len(lane["tokens"])
    added = f" ({own} from the text, {all_ - own} that it adds)" if all_ > own else ""
    return f"<b>{plural(all_, SHORT[lane['kind']] + ' token')}</b>{added}"


def _back(lanes: list[dict[str, Any]], text: str) -> str:
    name = SHORT | {"words": "whole-word cutting"}
    lost = [name[lane["kind"]] for lane in lanes if lane["decoded"] != text]
    kept = [name[lane["kind"]] for lane in lanes if lane["decoded"] == text]
    if not lost:
        return "From the ids both give the text back."
    return f"From its ids {kept[0]} gives the text back; {lost[0]} does not." if kept else "From the ids neither gives the text back."


def source_line(lanes: list[dict[str, Any]]) -> str:
    entries = lambda lane: f"{lane['size']:,} entries" + (f", {plural(lane['merges'], 'merge')}" if lane["merges"] else "")
    return ". ".join(f"{lane['title']}: {entries(lane)}" for lane in lanes)


def chosen(lanes: list[dict[str, Any]]) -> int:
    """The token of the first lane that is explained: the first of a word that fell into pieces, else the first of a word."""
    tokens = lanes[0]["tokens"]
    for one, after in zip(tokens, tokens[1:]):
        if one["word"] is not None and one["word"] == after["word"] and not one["special"] and one["text"].strip():
            return tokens.index(one)
    return next((i for i, token in enumerate(tokens) if not token["special"]), 0)


def drawn(lanes: list[dict[str, Any]], text: str) -> str:
    """Both lanes, and below them the chosen word with the merges that made it."""
    body = "".join(_lane(lane, lanes[0]["tokens"], text) for lane in lanes)
    return f'<div class="tok-lanes">{body}</div>{_how(lanes)}'


def _lane(lane: dict[str, Any], first: list[dict[str, Any]], text: str) -> str:
    tokens = lane["tokens"]
    words = [token["word"] for token in tokens]
    chips = "".join(_chip(token, words[i - 1] if i else None, words[i + 1] if i + 1 < len(words) else None, _tint(token, lane, first)) for i, token in enumerate(tokens))
    each = f"{len(tokens) / len(text):.2f} a character" if text else ""
    return (
        f'<div class="tok-lane"><div class="tok-head"><p class="tok-name"><b>{LONG[lane["kind"]]}</b><span>of {escape(lane["title"])}</span></p>'
        f'<p class="tok-count"><b class="tok-total">{len(tokens)}</b><span>tokens</span><span class="tok-each">{each}</span></p></div>'
        f'<div class="tok-body"><div class="tok-chips">{chips}</div></div></div>'
    )


def _tint(token: dict[str, Any], lane: dict[str, Any], first: list[dict[str, Any]]) -> int:
    """1 to 6, or 0 for a special token: the colour of the word of the first lane in which the token's word begins."""
    if token["word"] is None or token["special"]:
        return 0
    start = lane["words"][token["word"]]["start"]
    home = next((one["word"] for one in first if one["start"] <= start < one["end"]), None)
    return (token["word"] if home is None else home) % 6 + 1


def _chip(token: dict[str, Any], before: int | None, after: int | None, tint: int) -> str:
    word = token["word"]
    classes = ["tok-chip", *(name for name, on in (
        ("is-special", token["special"]), ("is-unknown", token["unknown"]), ("is-bytes", token["bytes"]),
        ("has-next", word is not None and word == after), ("is-joined", word is not None and word == before)) if on)]
    style = f' style="--tint:var(--itt-s{tint})"' if tint else ""
    return f'<span class="{" ".join(classes)}"{style}><span class="tok-piece"><bdi>{escape(visible(token["text"]))}</bdi></span><small>{token["id"]}</small></span>'


def _how(lanes: list[dict[str, Any]]) -> str:
    token = lanes[0]["tokens"][chosen(lanes)] if lanes[0]["tokens"] else {"word": None}
    if token["word"] is None or lanes[0]["kind"] != "bpe":
        return ""
    word = lanes[0]["words"][token["word"]]
    rows, made = [], None
    for step in word["steps"]:
        name = "bytes" if made is None else f"no. {made[1] + 1:,}"
        boxes = "".join(f'<span class="tok-sym{" is-new" if made and i == made[0] else ""}">{escape(visible(part))}</span>' for i, part in enumerate(step["parts"]))
        rows.append(f'<li><span class="tok-rank">{name}</span><span class="tok-row">{boxes}</span></li>')
        made = (step["won"], step["ranks"][step["won"]]) if step["won"] >= 0 else None
    title = f"How <bdi>“{escape(visible(word['text'].strip() or word['text']))}”</bdi> was cut: in each line one more merge, by its place in the list"
    return f'<div class="tok-how"><p class="tok-title">{title}</p><ol class="tok-steps">{"".join(rows[-9:])}</ol></div>'
