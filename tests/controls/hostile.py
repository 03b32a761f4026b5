"""Texts that a reader may type and that must be shown as text or refused with a sentence; and scripts of a model that are damaged."""

import json

HOSTILE = {
    "image": '<img src=x onerror="globalThis.hit = 1">',
    "script": "</script><script>globalThis.hit = 1</script>",
    "bidirectional": "\u202eabc\u2066 \u200fאבג\u2069",
    "long": "a b " * 25_000,
    "one word": "x" * 100_000,
    "surrogate": "the cat \ud800 sat",
    "control characters": "a\x00b\x07\x1b[31m",
    "emoji": "👩‍👩‍👧 🇩🇪 é",
    "quotes": "\"'`&amp;${globalThis.hit=1}",
}


def swapped(content: str) -> str:
    """The script with two stretches of the weights' base64 exchanged: as long as before, and still base64."""
    at = content.index('"data":"') + 400
    return content[:at] + content[at + 40 : at + 80] + content[at : at + 40] + content[at + 80 :]


def lying(content: str) -> str:
    """The script of a model that says its feed-forward network is twice as wide as its weights are."""
    head, body = content.split(", ", 1)
    data = json.loads(body.rstrip().removesuffix(");"))
    data["config"]["ffn"] *= 2
    return f"{head}, {json.dumps(data)});"


DAMAGED = {"empty": lambda content: "", "cut off": lambda content: content[: len(content) // 2], "other bytes": swapped, "lying": lying}
