"""Texts that a reader may type and that must be shown as text or refused with a sentence; and scripts of a model that
are damaged.
"""

import json
import re

from controls.expected import label
from playwright.sync_api import expect

from labutils.controls.reading import read

LONGEST = 4000  # characters that a control with a model reads at all

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

OWN_IMAGE = """() => new Promise((done) => { // a stylesheet is no image: when this one has failed, one that came from a text has failed before
  const own = new Image();
  own.onerror = () => done(globalThis.hit ?? null);
  own.src = "_static/itt.css";
})"""


def type_in(control, text: str, field: str = "Your text") -> None:
    """Like typing, but for what no keyboard can give."""
    control.get_by_label(field).evaluate(
        "(el, text) => { el.value = text; el.dispatchEvent(new Event('input', { bubbles: true })) }", text
    )


def shown_or_refused(opened, control, text: str, tokens: str, cap: int) -> None:
    """Type a text into a control that shows the tokens of Little GPT-2, at most `cap`: they stand there as Python reads
    them, or a sentence does.
    """
    before, note = control.locator(tokens).all_inner_texts(), control.locator(".itt-note").first
    type_in(control, text)
    try:
        wanted = [label(token) for token in read("little-gpt2", text[:LONGEST], cap).tokens]
    except ValueError:
        expect(note).to_contain_text("lone surrogate")
        expect(control.locator(tokens)).to_have_text(before)
    else:
        expect(control.locator(tokens)).to_have_text(wanted)
        cut = "This text is very long: .* is left out\\." if len(text) > LONGEST else "(.*left out\\.)?"
        expect(note).to_have_text(re.compile(f"^{cut}( ?“.* in none of the stories that this model has read\\.)?$"))
    unharmed(opened, control)


def unharmed(opened, control) -> None:
    """Nothing that was typed became an element, and nothing of it ran."""
    assert control.locator("img, script").count() == 0 and opened.complaints == []
    assert opened.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert opened.page.evaluate(OWN_IMAGE) is None


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


DAMAGED = {
    "empty": lambda content: "",
    "cut off": lambda content: content[: len(content) // 2],
    "other bytes": swapped,
    "lying": lying,
}
