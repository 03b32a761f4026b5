"""Sphinx extension: a page asks for what it uses. One stylesheet instead of ten, without the theme's rules for parts
that no page has; no script that a page does not need, and none that its first picture waits for; in code, no mark
around a token that looks like its neighbours.
"""

import hashlib
import json
import re
from pathlib import Path

import tinycss2
from pygments.formatters import HtmlFormatter
from sphinx.highlighting import PygmentsBridge

from labutils.controls.control import plain

SHEET = re.compile(r'\s*<link [^>]*href="([^"]*_static/[^"?]+\.css)[^>]*>')
IMPORT = re.compile(r"""@import\s+(?:url\()?["']?([^"')?;]+)[^;]*;""")
OUTSIDE = re.compile(r'<script (?![^>]*\bdefer\b)(?=[^>]*src=")')
# the theme's script finds out whether it is dark when the page is drawn; then it would be drawn again
THEME = 'document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";'
AT_ONCE = (
    'document.documentElement.dataset.theme = { light: "light", dark: "dark" }[localStorage.getItem("mode")]'
    ' || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");'
)
# where a reader's browser refuses to keep anything, the theme's scripts find a place for the time of the visit
MODE = "document.documentElement.dataset.mode = localStorage"
STORE = """try { localStorage } catch { const kept = {}; Object.defineProperty(window, "localStorage", { value: {
      getItem: (key) => kept[key] ?? null, setItem: (key, text) => { kept[key] = String(text); },
      removeItem: (key) => { delete kept[key]; } } }); }
    """
OPTIONS = re.compile(r'<script src="[^"]*_static/documentation_options\.js[^"]*"></script>')
MARKED = {"k", "kn", "kc", "ow", "c", "c1"}  # kinds of tokens that cells.css sets in another way
WORD = re.compile(r"[A-Za-z_][\w-]*")
ICON_FONT = "Awesome"  # `icons` has drawn them
OWN = "itt.css"  # its classes are put together by scripts, so it stays whole
# scripts that a page needs only if it holds this
NEEDED = {
    r"(?:clipboard\.min|copybutton)\.js": re.compile(r'<div class="highlight'),
    r"design-tabs\.js": re.compile(r"\bsd-tab-"),
    r"togglebutton\.js": re.compile(r'class="[^"]*\b(?:toggle|dropdown)\b'),
    r"(?:searchtools|language_data|searchindex)\.js": re.compile(r"(?!)"),  # `search.js` takes their place
}


class FewerMarks(HtmlFormatter):
    """Code with marks around keywords and comments alone, a fraction of the elements."""

    def _get_css_classes(self, ttype):
        return " ".join(MARKED & set(super()._get_css_classes(ttype).split()))


def used(out: Path) -> set[str]:
    """All words of the pages and of their scripts: what is no word of them names no class and no id."""
    scripts = (path for path in (out / "_static").rglob("*.js") if not {"vendor", "models"} & set(path.parts))
    texts = (path.read_text(encoding="utf-8", errors="ignore") for path in [*out.rglob("*.html"), *scripts])
    return {word for text in texts for word in WORD.findall(text)}


def pruned(css: str, words: set[str]) -> str:
    """A stylesheet without the selectors that name a class or an id which is not in `words`."""
    return "".join(_kept(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), words))


def _kept(rules: list, words: set[str]):
    for rule in rules:
        if rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in ("media", "supports"):
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            kept = "".join(_kept(inner, words))
            if kept:
                yield f"@{rule.at_keyword}{_text(rule.prelude, strip=False)}{{{kept}}}"
        elif ICON_FONT in rule.serialize():
            continue
        elif rule.type == "qualified-rule":
            selectors = [part for part in _parts(rule.prelude) if _names(part) <= words]
            if selectors:
                yield f"{','.join(map(_text, selectors))}{{{_text(rule.content)}}}"
        elif rule.type == "at-rule":
            yield rule.serialize()


def _parts(prelude: list) -> list[list]:
    parts = [[]]
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _names(selector: list) -> set[str]:
    """The classes and ids that a selector asks for; what stands in brackets, as in `:not(.a)`, is left out."""
    after = zip(selector, selector[1:], strict=False)
    classes = {b.value for a, b in after if a.type == "literal" and a.value == "." and b.type == "ident"}
    return classes | {token.value for token in selector if token.type == "hash"}


def _text(tokens: list, strip: bool = True) -> str:
    text = re.sub(r"\s+", " ", tinycss2.serialize([token for token in tokens if token.type != "comment"]))
    return text.strip() if strip else text


def sheets(out: Path) -> list[str]:
    """The stylesheets of a page in order, remembered for a build that writes no page anew."""
    record = out / "_static" / "sheets.json"
    named = [
        name for name in SHEET.findall((out / "search.html").read_text(encoding="utf-8")) if "site.css" not in name
    ]
    if named:
        record.write_text(json.dumps(named), encoding="utf-8")
    return json.loads(record.read_text(encoding="utf-8"))


def whole(path: Path) -> str:
    """A stylesheet with those that it imports in their places."""
    css = path.read_text(encoding="utf-8")
    return IMPORT.sub(lambda found: whole((path.parent / found[1]).resolve()), css)


def one_sheet(out: Path) -> str:
    """Write the one stylesheet of the site; returns its address."""
    words, text = used(out), []
    for address in dict.fromkeys(sheets(out)):
        path = out / address.removeprefix("../")
        css = whole(path)
        css = css if path.name == OWN else pruned(css, words)
        text.append(re.sub(r"url\((['\"]?)\.\./", r"url(\1", css) if path.parent.name == "styles" else css)
    css = plain("\n".join(text))
    (out / "_static" / "site.css").write_text(css, encoding="utf-8")
    return f"_static/site.css?v={hashlib.sha256(css.encode()).hexdigest()[:8]}"


def lightened(page: str, sheet: str, options: str) -> str:
    """A page with the one stylesheet, and with its scripts deferred or gone."""
    found = re.search(r'(?:href|src)="((?:\.\./)*)_static/', page)
    if not found:
        return page  # it leads to another page and nothing else
    up = found[1]
    page = re.sub(r"_static/site\.css\?v=\w+", sheet, page)  # a page that was not built again
    first = SHEET.search(page)
    if first and "site.css" not in first[0]:
        page = (
            page[: first.start()]
            + f'\n<link rel="stylesheet" href="{up}{sheet}">'
            + SHEET.sub(lambda found: found[0] if "site.css" in found[0] else "", page[first.start() :])
        )
    for name, needs in NEEDED.items():
        if not needs.search(page):
            page = re.sub(rf'<script [^>]*src="[^"]*{name}[^>]*></script>', "", page)
    page = page.replace(THEME, AT_ONCE)
    page = page if STORE in page else page.replace(MODE, STORE + MODE)
    page = OPTIONS.sub(lambda _: f"<script>{options}</script>", page)  # lines of the page itself go on with it
    return OUTSIDE.sub("<script defer ", page)


def lighter(app, exception):
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    options = (out / "_static" / "documentation_options.js").read_text(encoding="utf-8")
    sheet = one_sheet(out)
    for path in out.rglob("*.html"):
        if "_static" not in path.parts:
            path.write_text(lightened(path.read_text(encoding="utf-8"), sheet, options), encoding="utf-8")


def setup(app):
    PygmentsBridge.html_formatter = FewerMarks
    app.connect("build-finished", lighter, priority=900)
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
