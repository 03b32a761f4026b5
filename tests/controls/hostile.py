"""Texts that a reader may type and that must be shown as text or refused with a sentence."""

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
