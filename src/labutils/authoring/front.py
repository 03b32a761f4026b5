"""What is planned, what is published, and the parts of the front page that follow from it."""

from collections.abc import Iterable, Iterator
from html import escape

import yaml

from labutils.controls.icons import icon
from labutils.controls.strip import CHAPTER_OF, running_shapes
from labutils.places import BOOK

FROM_BOOK = "../notebooks/"  # how a page in book/ reaches a chapter


def plan() -> list[dict]:
    """The parts of the book with their chapters, as book/chapters.yml has them."""
    return yaml.safe_load((BOOK / "chapters.yml").read_text(encoding="utf-8"))


def planned() -> dict[str, dict]:
    """All chapters in order, by name."""
    return {chapter["name"]: chapter for part in plan() for chapter in part["chapters"]}


def published() -> list[str]:
    """The pages of the table of contents as paths without a suffix, the front page first."""
    toc = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
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
    >>> number("04_attention"), number("00_pipeline")
    ('4', '0')
    """
    return name.split("_")[0].lstrip("0") or "0"


def alive() -> str:
    """The control of the front page: its still picture, its place and its state, for a page that is no notebook."""
    from ipywidgets.embed import dependency_state  # here, because torch comes with the control

    from labutils.controls import NextWord
    from labutils.controls.slim import slim
    from labutils.controls.standalone import STATE, embedded, place

    control = NextWord("One night, a small mouse", seed=3, top=5, name="front")  # whose story is worth a click
    record = {"version_major": 2, "version_minor": 0, "state": slim(dependency_state([control], drop_defaults=False))}
    return f'<div class="itt-alive">{place(control)}</div><script type="{STATE}">{embedded(record)}</script>'


def pipeline() -> str:
    """The stations of the pipeline, each with the shape of the running text there and the chapter that explains it."""
    shapes, layers = running_shapes()
    items = "".join(_station(name, shapes[name]) for name in CHAPTER_OF)
    return (
        '<nav class="itt-strip itt-strip-map" aria-label="The pipeline and its chapters"><div'
        f' class="itt-strip-track"><ol>{items}</ol><span class="itt-strip-block" aria-hidden="true"><span>block ×'
        f" {layers}</span></span></div></nav>"
    )


def _station(name: str, shape: str) -> str:
    """One station: a link to its chapter, or grey and marked where the chapter is to come."""
    chapter = planned()[CHAPTER_OF[name]]
    words = (
        f'{icon(name)}<span class="itt-strip-name">{name}</span><span class="itt-strip-shape">{escape(shape)}</span>'
    )
    told = f"chapter {number(chapter['name'])}"
    if not written(chapter):
        return (
            f'<li class="itt-ahead"><span>{words}<span class="itt-strip-chapter">{told},<br>to come</span></span></li>'
        )
    link = f"{FROM_BOOK}{chapter['name']}.html"
    label = escape(f"{name}, {' '.join(shape.split())}: {told}, {chapter['title']}")  # on a phone the words are hidden
    return f'<li><a href="{link}" aria-label="{label}">{words}<span class="itt-strip-chapter">{told}</span></a></li>'


def chapter_map() -> str:
    """The chapters that exist as links, then, folded, those to come as plain text, part by part."""
    ready = _rows(chapter for chapter in planned().values() if written(chapter))
    ahead = [(part["caption"], [one for one in part["chapters"] if not written(one)]) for part in plan()]
    count = sum(len(chapters) for _, chapters in ahead)
    folded = "".join(f"<h3>{escape(caption)}</h3>{_rows(chapters)}" for caption, chapters in ahead if chapters)
    more = f'<details class="itt-fold"><summary>{count} chapters to come</summary>{folded}</details>' if count else ""
    return f'<div class="itt-map">{ready}{more}</div>'


def _rows(chapters: Iterable[dict]) -> str:
    return f"<ol>{''.join(map(_row, chapters))}</ol>"


def _row(chapter: dict) -> str:
    title, ready = escape(chapter["title"]), written(chapter)
    name = f'<a href="{FROM_BOOK}{chapter["name"]}.html">{title}</a>' if ready else f"<span>{title}</span>"
    return (
        f'<li class="{"is-ready" if ready else "is-ahead"}"><span'
        f' class="itt-map-number">{number(chapter["name"])}</span>'
        f'<span class="itt-map-title">{name}</span><span class="itt-map-question">{escape(chapter["question"])}</span>'
        "</li>"
    )


def begin() -> str:
    """The way in: a button to the first chapter that exists, and where to play."""
    first = next(chapter for chapter in planned().values() if written(chapter))
    title = escape(f"Begin with chapter {number(first['name'])}, {first['title']}")
    return (
        f'<p class="itt-begin"><a class="itt-begin-button" href="{FROM_BOOK}{first["name"]}.html">{title}</a>'
        f'<a href="{FROM_BOOK}play.html">Play with all controls</a></p>'
    )
