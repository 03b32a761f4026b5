"""Sphinx extension: no stylesheet asks with `:has(`. What such a rule asks is known when the page is built, so a class
says it.

One such rule anywhere on a page makes WebKit work out the styles of the whole page again at each move of a slider.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

SHORT = 18  # lines of code that stay on one page of paper
LEADS = 200  # characters, three lines on paper: a longer paragraph may stay behind when what it leads to goes overleaf
# what the output of a cell is, and the class that says so
DRAWN = {
    "itt-pictured": re.compile(r'class="itt-figure\b|class="itt-still" [^>]*><section'),
    "itt-guesses": re.compile(r'class="itt guess\b'),
}
CHECKED = re.compile(r'class="itt-check"')  # a table of up to a page, which may end anywhere
RULE = re.compile(r"(?<=[{};/])\s*(?P<names>[^{};/]*:has\([^{};/]*)\{(?P<body>[^{}]*)\}")


class Marks(SphinxPostTransform):
    default_priority = 850  # before sections are taken apart into folds
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for table in self.document.findall(nodes.table):
            if all(not head.astext().strip() for head in table.findall(nodes.thead)):
                table["classes"].append("itt-headless")
        for question in self.document.findall(_opening_question):
            question["classes"].append("itt-asks")
        for cell in self.document.findall(_cell):
            drawn = "".join(raw.astext() for raw in cell.findall(nodes.raw))
            cell["classes"] += [name for name, what in DRAWN.items() if what.search(drawn)]
            code = next(iter(cell.findall(nodes.literal_block)), None)
            if code is not None and _shown_cell(cell) and _short(code) and not CHECKED.search(drawn):
                cell["classes"].append("itt-short-cell")
        for cell in self.document.findall(_leads_to):
            at = cell.parent.index(cell)
            before = cell.parent[at - 1] if at else None
            first = at > 1 and isinstance(cell.parent[at - 2], nodes.title)  # it would stay behind with its heading
            if isinstance(before, nodes.paragraph) and len(before.astext()) <= LEADS * (1 + first):
                before["classes"].append("itt-leads")
        for listing in self.document.findall(_list):
            at = listing.parent.index(listing)
            if (
                at > 1
                and isinstance(listing.parent[at - 2], nodes.title)
                and isinstance(listing.parent[at - 1], nodes.paragraph)
            ):
                listing.parent[at - 1]["classes"].append("itt-leads")
        for block in self.document.findall(nodes.literal_block):
            if _short(block):
                block["classes"].append("itt-short")
        for dropdown in self.document.findall(_dropdown):
            if not any(dropdown.findall(nodes.literal_block)):
                dropdown["classes"].append("itt-hint")


def _opening_question(node: nodes.Node) -> bool:
    """The paragraph below the title of a page, if it asks."""
    return (
        isinstance(node, nodes.paragraph)
        and node.astext().rstrip().endswith("?")
        and isinstance(node.parent, nodes.section)
        and isinstance(node.parent.parent, nodes.document)
        and node.parent.index(node) == 1
    )


def _classes(node: nodes.Node) -> list[str]:
    return node["classes"] if isinstance(node, nodes.Element) and not isinstance(node, nodes.document) else []


def _cell(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and "cell" in _classes(node)


def _shown_cell(node: nodes.Node) -> bool:
    return _cell(node) and "tag_remove-input" not in _classes(node)


def _leads_to(node: nodes.Node) -> bool:
    """What stands on one page with the paragraph before it: code, a figure, a control, a guess."""
    if isinstance(node, nodes.raw):
        return 'class="itt-alive"' in node.astext()
    return _shown_cell(node) or (_cell(node) and not set(DRAWN).isdisjoint(_classes(node)))


def _list(node: nodes.Node) -> bool:
    return isinstance(node, nodes.bullet_list | nodes.enumerated_list)


def _dropdown(node: nodes.Node) -> bool:
    return "sd-dropdown" in _classes(node)


def _short(block: nodes.literal_block) -> bool:
    return len(block.astext().strip().split("\n")) <= SHORT


def without_has(css: str) -> str:
    """The stylesheet without the selectors that ask with `:has(`."""

    def kept(rule: re.Match) -> str:
        names = [name for name in re.split(r",(?![^(]*\))", rule["names"]) if ":has(" not in name]
        return f"{','.join(names)}{{{rule['body']}}}" if names else ""

    return RULE.sub(kept, "}" + css)[1:]


def cleared(app, exception):
    """The theme's rules of that kind are about parts that the book has not, or does itself."""
    for path in [] if exception else (Path(app.outdir) / "_static").rglob("*.css"):
        css = path.read_text(encoding="utf-8")
        if ":has(" in css:
            path.write_text(without_has(css), encoding="utf-8")


def setup(app):
    app.add_post_transform(Marks)
    app.connect("build-finished", cleared)
    return {"version": "5", "parallel_read_safe": True, "parallel_write_safe": True}
