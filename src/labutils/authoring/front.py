"""What is planned, what is published, and the parts of the front page that follow from it."""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

from labutils.authoring import notebooks
from labutils.authoring.declared import declared
from labutils.places import BOOK, CHAPTERS

FROM_BOOK = "../notebooks/"  # how a page in book/ reaches a chapter
WRITING = "being written"
# what a chapter begins with; `previews.py` draws it when the site is built
PICTURE = (
    '<img class="itt-question-picture" src="../_static/previews/small/{}.png" alt="" width="132" height="76"'
    ' loading="lazy">'
)
MINUTES = re.compile(r"^Time\n: (\d+) minutes", re.M)


def plan() -> list[dict]:
    """The parts of the book with their chapters, as book/chapters.yml has them."""
    return declared(BOOK / "chapters.yml")["parts"]


def planned() -> dict[str, dict]:
    """All chapters in order, by name."""
    return {chapter["name"]: chapter for part in plan() for chapter in part["chapters"]}


def published() -> list[str]:
    """The pages of the table of contents as paths without a suffix, the front page first."""
    toc = declared(BOOK / "_toc.yml")
    return [toc["root"], *(name for part in toc["parts"] for name in _files(part["chapters"]))]


def _files(entries: list[dict]) -> Iterator[str]:
    for entry in entries:
        yield entry["file"]
        yield from _files(entry.get("sections", []))


def written(chapter: dict) -> bool:
    """Whether a planned chapter is published: the table of contents has it."""
    return f"notebooks/{chapter['name']}" in published()


def number(name: str) -> str:
    """
    >>> number("04_attention"), number("00_pipeline"), number("more/04_attention")
    ('4', '0', '4')
    """
    return name.rsplit("/", 1)[-1].split("_")[0].lstrip("0") or "0"


def named(chapter: dict) -> str:
    """A chapter by its number and its title, which stay on one line where it begins.

    >>> named({"name": "08_gpt2", "title": "GPT-2"})
    '8\\xa0GPT-2'
    """
    return f"{number(chapter['name'])}\u00a0{chapter['title']}"


def minutes(path: Path) -> str:
    """What a notebook says under Time, or a dash where there is no such notebook or no such line."""
    if path.exists():
        for cell in notebooks.read(path).cells:
            if cell.cell_type == "markdown" and (found := MINUTES.search(cell.source)):
                return found[1]
    return "–"


def top() -> str:
    """The line above the title: what this is, and the ways on."""
    return (
        '<nav class="itt-top" aria-label="The book"><a class="itt-top-name" href="#">Inside the Transformer</a>'
        f'<a class="is-besides" href="#chapters">Chapters</a><a class="is-besides" href="{FROM_BOOK}play.html">Play</a>'
        '<a href="get.html">Get the book</a><a class="is-besides" href="../search.html">Search</a></nav>'
    )


@cache
def _alive() -> tuple:
    """The two controls of the front page. Their ids are fixed, because each is written to a file of its own."""
    from labutils.controls import Story, Way  # here, because torch comes with them

    return Way(plays=True, name="front", model_id="front-way"), Story(plays=True, name="story", model_id="front-story")


def way() -> str:
    """The first screen: its still picture, its place, and the state of both controls: the page is no notebook."""
    from ipywidgets.embed import dependency_state

    from labutils.controls.slim import slim
    from labutils.controls.standalone import STATE, embedded, place

    states = slim(dependency_state(list(_alive()), drop_defaults=False))
    record = {"version_major": 2, "version_minor": 0, "state": states}
    return f'<div class="itt-alive">{place(_alive()[0])}</div><script type="{STATE}">{embedded(record)}</script>'


def tale() -> str:
    """The story: its still picture and its place; its state stands with the first screen's."""
    from labutils.controls.standalone import place

    return f'<div class="itt-alive">{place(_alive()[1])}</div>'


def questions() -> str:
    """The questions of all chapters in order, part by part: a link and its minutes where a chapter is written, and for
    a part that nobody can read yet one line of what it will ask.
    """
    return f'<div class="itt-questions">{"".join(map(_part, plan()))}</div>'


def _part(part: dict) -> str:
    chapters = part["chapters"]
    if any(map(written, chapters)):
        return f"<h3>{escape(part['caption'])}</h3><ol>{''.join(map(_question, chapters))}</ol>"
    names = "; ".join(escape(named(chapter)) for chapter in chapters)
    return f'<h3>{escape(part["caption"])}<span>{WRITING}</span></h3><p class="is-part-ahead">{names}</p>'


def _question(chapter: dict) -> str:
    """One chapter of a part that can be read, with its picture; where it is not written itself, it says so."""
    words, title = escape(chapter["question"]), escape(chapter["title"])
    ready = written(chapter)
    link = f'<a href="{FROM_BOOK}{chapter["name"]}.html">{words}</a>' if ready else words
    takes = f"{minutes(CHAPTERS / (chapter['name'] + '.ipynb'))}\u00a0minutes" if ready else WRITING
    return (
        f'<li class="{"is-ready" if ready else "is-ahead"}"><span class="itt-question-number">{number(chapter["name"])}'
        f'</span><span class="itt-question">{link}</span><span class="itt-question-title">{title}, {takes}</span>'
        f"{PICTURE.format(chapter['name']) if ready else ''}</li>"
    )
