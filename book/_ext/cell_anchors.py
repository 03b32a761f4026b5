"""Sphinx extension: each cell of a notebook has an address on its page, `#cell-` and the id of the cell.

The id stands at the first thing that the cell puts on the page, behind an id that this has already.
"""

from pathlib import Path

from docutils import nodes

from labutils.authoring import notebooks

CAN_HAVE_AN_ID = (
    nodes.section,
    nodes.paragraph,
    nodes.container,
    nodes.Admonition,
    nodes.bullet_list,
    nodes.enumerated_list,
    nodes.definition_list,
    nodes.block_quote,
)
LINES = 10_000  # myst-nb counts the lines of cell i from (i + 1) · 10,000


def anchors(app, doctree):
    path = Path(app.srcdir) / f"{app.env.docname}.ipynb"
    if not path.exists():
        return
    cells, done = notebooks.read(path).cells, set()
    for node in doctree.findall(lambda node: isinstance(node, CAN_HAVE_AN_ID)):
        i = (node.line or 0) // LINES - 1
        if 0 <= i < len(cells) and i not in done:
            done.add(i)
            node["ids"].append(f"cell-{cells[i].id}")


def setup(app):
    app.connect("doctree-read", anchors, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
