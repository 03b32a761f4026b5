"""A second notebook, `notebooks/more/07_bert.ipynb`: what a chapter covers and its path cannot hold.

It begins with `# More on …`, one or two sentences with a link back to its chapter, and a list of its own headings. The
chapter leads to it from where it belongs and from its recap.
"""

import re

from docutils.nodes import make_id
from nbformat import NotebookNode

from labutils.authoring.check.links import slug
from labutils.authoring.check.prose import Block, blocks

TITLE = re.compile(r"# More on \S.*")
SENTENCES = 2  # below the title, at most
END = re.compile(r"[.?!]”?(?=\s|$)")


def problems(notebook: NotebookNode, name: str) -> list[str]:
    """What is missing where the second notebook of a chapter ("07_bert") begins."""
    read = [(cell, block) for cell in notebook.cells if cell.cell_type == "markdown" for block in blocks(cell.source)]
    found, first = [], notebook.cells[0] if notebook.cells else NotebookNode(source="", id="the beginning")
    if not TITLE.fullmatch(first.source.split("\n", 1)[0]):
        found.append(f"{first.get('id')}: a second notebook begins with a title like `# More on BERT`.")
    opening = []
    for _, block in read[1:]:
        if block.kind == "heading":
            break
        opening.append(block)
    links = [to for block in opening for to, _ in block.links()]
    back, said = f"../{name}.ipynb", opening[0].text if opening else ""
    if not 1 <= len(END.findall(said)) <= SENTENCES or back not in {to.split("#")[0] for to, _ in _links(opening[:1])}:
        found.append(
            f"{first.get('id')}: below the title stand one or two sentences that say what is here, with a link to"
            f" {back}."
        )
    titles = [block for _, block in read if block.kind == "heading" and block.level == 2 and not block.box]
    listed = [to.removeprefix("#") for to in links if to.startswith("#")]
    if len(listed) != len(titles) or any(to not in (slug(b), make_id(b.text)) for to, b in zip(listed, titles)):
        wanted = ", ".join(f"#{slug(block)}" for block in titles)
        found.append(
            f"{first.get('id')}: before the first heading stands a list with a link to each heading, in their order:"
            f" {wanted or 'there is none yet'}."
        )
    return found


def _links(read: list[Block]) -> list[tuple[str, str]]:
    return [link for block in read for link in block.links()]


def unlinked(chapter: NotebookNode, name: str) -> list[str]:
    """Where a chapter that has a second notebook does not lead to it: from where it belongs, and from its recap."""
    address, in_recap, places = f"more/{name}.ipynb", False, set()
    for cell in chapter.cells:
        for block in blocks(cell.source) if cell.cell_type == "markdown" else ():
            if block.kind == "heading" and block.level == 2:
                in_recap = block.text == "Recap"
            if address in {to.split("#")[0] for to, _ in block.links()}:
                places.add(in_recap)
    found = [] if False in places else [f"No section before the recap leads to {address}, where it belongs."]
    return found + ([] if True in places else [f"recap: **Read on.** does not lead to {address}."])
