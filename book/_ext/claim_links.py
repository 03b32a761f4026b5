"""Sphinx extension: a box "What you may have read" and its entry on the page of claims lead to each other."""

from docutils import nodes
from sphinx.util.nodes import make_refnode

from labutils.authoring.check.claims import LAST_WORDS

CLAIMS = "book/claims"


def anchors(app, doctree):
    """A box gets the id of its claim, so that the page of claims can lead to it."""
    for box, claim in _boxes(doctree):
        box["ids"].append(claim.lower())


def links(app, doctree, docname):
    """The id at the end of a box becomes a link to the page of claims."""
    for box, claim in _boxes(doctree):
        words = list(box.findall(nodes.Text))[-1]
        found = LAST_WORDS.search(words)
        if found:
            entry = make_refnode(app.builder, docname, CLAIMS, claim.lower(), nodes.Text(claim))
            words.parent.replace(words, [nodes.Text(words[: found.start()] + "("), entry, nodes.Text(")")])


def _boxes(doctree):
    for box in doctree.findall(lambda node: isinstance(node, nodes.Admonition) and "claim" in node.get("classes", ())):
        if found := LAST_WORDS.search(box.astext()):
            yield box, found[1]


def setup(app):
    app.connect("doctree-read", anchors)
    app.connect("doctree-resolved", links)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
