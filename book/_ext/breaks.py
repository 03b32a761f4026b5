"""Sphinx extension: what belongs together stays on one line, in prose and never in code.

A name with a hyphen ("GPT-2"), a number with its unit or sign ("96 %", "40 minutes"), a name with its number
("layer 3"), a short product or vector, a formula with the stop or comma behind it and the bracket before it. Each is
marked, no sign is changed: what is copied or searched is the text as it was written.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

NUMBER = r"[−-]?\d(?:[\d.,]*\d)?"
UNITS = (
    "%|kB|KB|MB|GB|TB|kiB|MiB|ms|s|px|Hz|GHz|bits?|bytes?|nats?|times|seconds?|minutes?|hours?|days?|weeks?|years?"
    "|layers?|heads?|tokens?|words?|numbers?|steps?|rows?|columns?|parameters?|chapters?|stories|letters?|characters?"
)
NAMED = (
    "chapters?|Chapters?|[Ff]igures?|[Cc]ontrols?|[Ee]xercises?|[Ll]ayers?|[Hh]eads?|[Rr]ows?|[Cc]olumns?|[Ss]teps?"
    "|[Pp]ositions?|[Nn]eurons?|[Ss]tages?|[Ss]eeds?|[Pp]ages?|[Pp]arts?|[Ee]quations?|[Bb]locks?|[Tt]okens?|Python"
)
TOGETHER = re.compile(
    "|".join(
        (
            rf"{NUMBER}(?: [×·+] {NUMBER}){{1,3}}(?: = {NUMBER})?",  # 12 × 64 = 768
            rf"\({NUMBER}(?:, {NUMBER}){{1,3}}\)",  # (0.5, 1)
            r"\b[A-Za-z]+-\d[\w.]*",  # GPT-2
            rf"{NUMBER}[  ](?:{UNITS})(?![\w-])",  # 96 %, 40 minutes
            rf"\b(?:{NAMED}) {NUMBER}",  # layer 3
            r"\S+ …",  # It was …
            r"“[  ][^\s”]+”",  # “ cat”, a token with its space
            rf"[=≈<>≤≥] {NUMBER}",
        )
    )
)
LONGEST = 28  # more signs on one line would not fit a narrow column
AFTER = re.compile(r"^[.,;:?!)\]”’…]+")  # what may begin no line
BEFORE = re.compile(r"[(\[“‘]+$")
CLASS = "itt-nb"
TAG = re.compile(r"(<[^>]*>)")
PARAGRAPH = re.compile(r'<p(?: class="itt-claim-said")?>$')  # one whose parts are in no box
DRAWN = re.compile(r"<(?:svg|script|style|pre|textarea|select|summary)\b|itt-still|itt-strip")
NOT_PROSE = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw, nodes.comment, nodes.image)
BOUND = (nodes.math, nodes.literal)


def pieces(text: str) -> list[tuple[str, bool]]:
    """The text cut up, each piece with whether it has to stay on one line.

    >>> pieces("the little GPT-2 has 4 layers")
    [('the little ', False), ('GPT-2', True), (' has ', False), ('4 layers', True)]
    """
    found, at = [], 0
    for match in TOGETHER.finditer(text):
        if len(match[0]) <= LONGEST and re.search(r"[\s -]", match[0]):
            found += [(text[at : match.start()], False), (match[0], True)]
            at = match.end()
    return [piece for piece in [*found, (text[at:], False)] if piece[0]]


def kept_in_html(html: str) -> str:
    """The same for paragraphs that are HTML already; what stands in `code` stays as it is.

    >>> kept_in_html("<p>GPT-2 and <code>GPT-2</code></p>")
    '<p><span class="itt-nb">GPT-2</span> and <code>GPT-2</code></p>'
    """
    done, read, code = [], False, 0
    for part in TAG.split(html):
        if part.startswith("<"):
            read = bool(PARAGRAPH.match(part)) or (read and part != "</p>")
            code += {"<code": 1, "</cod": -1}.get(part[:5], 0)
            done.append(part)
        elif read and not code:
            done += [f'<span class="{CLASS}">{piece}</span>' if kept else piece for piece, kept in pieces(part)]
        else:
            done.append(part)
    return "".join(done)


def _bound(*children: nodes.Node) -> nodes.inline:
    return nodes.inline("", "", *children, classes=[CLASS])


class Breaks(SphinxPostTransform):
    default_priority = 870  # after links are made, before sections are taken apart into folds
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for formula in list(self.document.findall(lambda node: isinstance(node, BOUND))):
            self.hold(formula)
        for text in [one for one in self.document.findall(nodes.Text) if _prose(one)]:
            cut = pieces(text.astext())
            if any(kept for _, kept in cut):
                parts = [_bound(nodes.Text(piece)) if kept else nodes.Text(piece) for piece, kept in cut]
                text.parent.replace(text, parts)
        for raw in list(self.document.findall(nodes.raw)):
            if raw.get("format") == "html" and not DRAWN.search(raw.astext()) and _prose_around(raw):
                raw.parent.replace(raw, nodes.raw("", kept_in_html(raw.astext()), format="html"))

    def hold(self, formula: nodes.Node) -> None:
        """Put a formula, the bracket before it and the stop behind it into one piece."""
        parent = formula.parent
        at = parent.index(formula)
        before = parent[at - 1] if at else None
        behind = parent[at + 1] if at + 1 < len(parent) else None
        opens = BEFORE.search(before.astext()) if isinstance(before, nodes.Text) else None
        stops = AFTER.search(behind.astext()) if isinstance(behind, nodes.Text) else None
        if not (opens or stops):
            return
        kept: list[nodes.Node] = [formula.deepcopy()]
        if opens:
            kept.insert(0, nodes.Text(opens[0]))
            parent.replace(before, nodes.Text(before.astext()[: opens.start()]))
        if stops:
            kept.append(nodes.Text(stops[0]))
            parent.replace(behind, nodes.Text(behind.astext()[stops.end() :]))
        parent.replace(parent[at], _bound(*kept))


def _prose(text: nodes.Text) -> bool:
    """Whether a text is read, and is no part of code, of a formula, or of what is kept together already."""
    return not isinstance(text.parent, NOT_PROSE) and _prose_around(text)


def _prose_around(inner: nodes.Node) -> bool:
    node = inner.parent
    while node is not None:
        if isinstance(node, NOT_PROSE) or CLASS in getattr(node, "attributes", {}).get("classes", ()):
            return False
        if isinstance(node, nodes.container) and "cell_output" in node.get("classes", ()):
            return False
        node = node.parent
    return True


def setup(app):
    app.add_post_transform(Breaks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
