"""Sphinx extension: below each term of the glossary stand the sections of the chapters that explain it."""

from docutils import nodes
from sphinx.util.nodes import make_refnode

from labutils.authoring.front import number, published
from labutils.authoring.glossary import place

GLOSSARY = "book/glossary"


def outdated(app, env, added, changed, removed):
    """The places move with the chapters, so the glossary is made again in each build."""
    return [GLOSSARY] if GLOSSARY in env.found_docs else []


def places(app, doctree, docname):
    if docname != GLOSSARY:
        return
    chapters = {name: list(_paragraphs(app.env.get_doctree(name))) for name in published() if _is_chapter(name)}
    for section in list(doctree.findall(nodes.section)):
        if isinstance(section.parent, nodes.section) and isinstance(section.parent.parent, nodes.section):
            section["classes"].append("itt-term")
            section += _line(app, section[0].astext(), chapters)


def _is_chapter(name: str) -> bool:
    return name.startswith("notebooks/") and name.split("/")[1][0].isdigit()


def _paragraphs(doctree):
    """(section, text, bold) of all that is read in a chapter: bold words first, each paragraph after its own."""
    for part in doctree.findall(lambda node: isinstance(node, (nodes.paragraph, nodes.title))):
        section = next((up for up in _parents(part) if isinstance(up, nodes.section)), None)
        if section is not None:
            yield from ((section, strong.astext(), True) for strong in part.findall(nodes.strong))
            yield section, part.astext(), False


def _parents(node):
    while node.parent is not None:
        node = node.parent
        yield node


def _line(app, term: str, chapters: dict) -> nodes.paragraph:
    """“Chapter 4: From scores to shares”, a link for each chapter that explains the term."""
    line = nodes.paragraph(classes=["itt-where"])
    for name, paragraphs in chapters.items():
        section = place(term, paragraphs)
        if section is not None:
            title = f"Chapter {number(name.split('/')[1])}: {section[0].astext()}"
            line += make_refnode(app.builder, GLOSSARY, name, section["ids"][0], nodes.Text(title))
    return line


def setup(app):
    app.connect("env-get-outdated", outdated)
    app.connect("doctree-resolved", places)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
