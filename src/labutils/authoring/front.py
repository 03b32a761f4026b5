"""What is planned, what is published, and the parts of the front page that follow from it."""

from html import escape

import yaml

from labutils.authoring.places import BOOK, CHAPTERS
from labutils.controls.strip import chapters_in, draw, running_shapes

FROM_BOOK = "../notebooks/"  # how a page in book/ reaches a chapter


def plan() -> list[dict]:
    """The parts of the book with their chapters, as book/chapters.yml has them."""
    return yaml.safe_load((BOOK / "chapters.yml").read_text(encoding="utf-8"))


def published() -> list[str]:
    """The pages of the table of contents as paths without a suffix, the front page first."""
    toc = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    return [toc["root"], *(chapter["file"] for part in toc["parts"] for chapter in part["chapters"])]


def written(chapter: dict) -> bool:
    """Whether a planned chapter exists."""
    return (CHAPTERS / f"{chapter['name']}.ipynb").exists()


def strip() -> str:
    """The pipeline with the shapes of the running text in the shipped GPT-2."""
    shapes, layers = running_shapes()
    links = {name: f"{FROM_BOOK}{chapter}.html" for name, chapter in chapters_in(CHAPTERS).items()}
    return draw(None, "", shapes, layers, links)


def chapter_map() -> str:
    """All chapters in order, those that exist as links, those to come as plain text."""
    parts = "".join(
        f'<h3>{escape(part["caption"])}</h3><ol>{"".join(_row(chapter) for chapter in part["chapters"])}</ol>'
        for part in plan()
    )
    return f'<div class="itt-map">{parts}</div>'


def _row(chapter: dict) -> str:
    number, title = chapter["name"].split("_")[0].lstrip("0") or "0", escape(chapter["title"])
    ready = written(chapter)
    name = f'<a href="{FROM_BOOK}{chapter["name"]}.html">{title}</a>' if ready else f"<span>{title}</span>"
    return (
        f'<li class="{"is-ready" if ready else "is-ahead"}"><span class="itt-map-number">{number}</span>'
        f'<span class="itt-map-title">{name}</span><span class="itt-map-question">{escape(chapter["question"])}</span>'
        f"{'' if ready else '<small>to come</small>'}</li>"
    )
