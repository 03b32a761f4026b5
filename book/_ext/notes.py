"""Sphinx extension: a note in the margin, `:::{margin} Title`, is a native disclosure beside the paragraph before it.

Where the window has a margin, the stylesheet shows it there, open; on a phone it is folded under its paragraph.
"""

from html import escape

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class Notes(SphinxPostTransform):
    default_priority = 840
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for note in list(self.document.findall(lambda node: isinstance(node, nodes.sidebar))):
            if "margin" not in note["classes"]:
                continue
            parts = [part for part in note.children if not isinstance(part, nodes.title)]
            title = next((part.astext() for part in note.findall(nodes.title)), "").strip() or "Note"
            before = note.parent[note.parent.index(note) - 1] if note.parent.index(note) else None
            if isinstance(before, nodes.paragraph):
                before["classes"].append("itt-noted")
            head = f'<details class="itt-note"><summary>{escape(title)}</summary>\n'
            note.parent.replace(
                note, [nodes.raw("", head, format="html"), *parts, nodes.raw("", "</details>\n", format="html")]
            )


def setup(app):
    app.add_post_transform(Notes)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
