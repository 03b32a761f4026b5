"""Sphinx extension: no stylesheet asks with `:has(`. What such a rule asks is known when the page is built, so a class
says it.

One such rule anywhere on a page makes WebKit work out the styles of the whole page again at each move of a slider.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

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
        for cell in self.document.findall(_shown_cell):
            before = cell.parent[cell.parent.index(cell) - 1] if cell.parent.index(cell) else None
            if isinstance(before, nodes.paragraph):
                before["classes"].append("itt-leads")


def _opening_question(node: nodes.Node) -> bool:
    """The paragraph below the title of a page, if it asks."""
    return (
        isinstance(node, nodes.paragraph)
        and node.astext().rstrip().endswith("?")
        and isinstance(node.parent, nodes.section)
        and isinstance(node.parent.parent, nodes.document)
        and node.parent.index(node) == 1
    )


def _shown_cell(node: nodes.Node) -> bool:
    classes = node.get("classes", ()) if isinstance(node, nodes.container) else ()
    return "cell" in classes and "tag_remove-input" not in classes


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
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
