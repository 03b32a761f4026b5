"""What a reader does with a control that no locator of Playwright does alone, and what may happen to a page."""

import json

from playwright.sync_api import expect


def taken(opened, control, name: str) -> str:
    """The text of the file that a button gives."""
    with opened.page.expect_download() as download:
        control.get_by_role("button", name=name).click()
    return download.value.path().read_text(encoding="utf-8")


def choose(control, group: str, i: int) -> None:
    """Take the i-th choice of a group."""
    control.get_by_role("group", name=group).locator("label").nth(i).click()


def assert_a_picture(opened, text: str) -> None:
    """The text is a well-formed SVG that needs no stylesheet."""
    assert text.startswith("<svg") and "var(--" not in text and "color-mix" not in text
    parsed = "text => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')"
    assert opened.page.evaluate(parsed, text) is None


def assert_damaged_bytes_are_told(opened, name: str) -> None:
    """With four letters in place of the numbers called `name`, a sentence says so and the still picture stays."""
    index = opened.page.url.removeprefix("file://")
    with open(index, encoding="utf-8") as file:
        source = file.read()
    start = source.index(">", source.index("widget-state+json")) + 1
    end = source.index("</script>", start)
    states = json.loads(source[start:end])
    damaged = [buffer for buffer in next(iter(states["state"].values()))["buffers"] if buffer["path"][-1] == name]
    assert damaged
    for buffer in damaged:
        buffer["data"] = "AAAA"
    with open(index, "w", encoding="utf-8") as file:
        file.write(source[:start] + json.dumps(states).replace("<", "\\u003c") + source[end:])
    opened.page.reload()
    expect(opened.page.get_by_role("alert")).to_contain_text("could not be started")
    expect(opened.page.locator(".itt-still svg.is-wide")).to_be_visible()


TOUCHING = """svg => {  // words of a drawing that lie on one another, or that touch
  const written = [...svg.querySelectorAll("text")].filter((one) => one.textContent.trim());
  const all = written.map((one) => ({ words: one.textContent, box: one.getBoundingClientRect() }));
  const across = (a, b) => a.right + 1 < b.left || b.right + 1 < a.left;
  const apart = (a, b) => across(a, b) || a.bottom - 3 < b.top || b.bottom - 3 < a.top;
  const of = (one, i) => all.slice(i + 1).filter((other) => !apart(one.box, other.box));
  return all.flatMap((one, i) => of(one, i).map((other) => [one.words, other.words]));
}"""
