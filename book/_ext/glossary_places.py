"""Sphinx extension: below each term of the glossary stand the sections of the chapters that explain it."""

from docutils import nodes
from sphinx.util.nodes import make_refnode

from labutils.authoring.folds import kind_of
from labutils.authoring.front import number, published
from labutils.authoring.glossary import place, use

GLOSSARY = "book/glossary"
MOST = 3  # chapters that are named at once


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
            section.extend(_line(app, section[0].astext(), chapters))


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


def _line(app, term: str, chapters: dict) -> list[nodes.Node]:
    """“Chapter 4: From scores to shares”, a link for each chapter that explains the term: those with most of it, and
    the others folded.
    """
    found = {name: where for name, paragraphs in chapters.items() if (where := place(term, paragraphs)) is not None}
    most = sorted(found, key=lambda name: use(term, chapters[name]), reverse=True)[:MOST]
    links = {name: _link(app, name, _told(section)) for name, section in found.items()}
    line = nodes.paragraph("", "", *(link for name, link in links.items() if name in most), classes=["itt-where"])
    rest = nodes.paragraph("", "", *(link for name, link in links.items() if name not in most), classes=["itt-where"])
    if not rest.children:
        return [line]
    more = f"<summary>In {len(rest)} more {'chapter' if len(rest) == 1 else 'chapters'}</summary>"
    return [
        line,
        nodes.raw("", f'<details class="itt-where-more">{more}', format="html"),
        rest,
        nodes.raw("", "</details>", format="html"),
    ]


def _told(section: nodes.section) -> nodes.section:
    """The section, and for an answer the one whose guess it answers."""
    while kind_of(section[0].astext()) == "answer" and isinstance(section.parent, nodes.section):
        around = section.parent
        before = [one for one in around.children[: around.index(section)] if isinstance(one, nodes.section)]
        section = before[-1] if before else around
    return section


def _link(app, name: str, section: nodes.section) -> nodes.reference:
    own = number(name.split("/")[1])
    title = section[0].astext().removeprefix(f"{own} ")  # of the chapter itself
    return make_refnode(app.builder, GLOSSARY, name, section["ids"][0], nodes.Text(f"Chapter {own}: {title}"))


def setup(app):
    app.connect("env-get-outdated", outdated)
    app.connect("doctree-resolved", places)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
