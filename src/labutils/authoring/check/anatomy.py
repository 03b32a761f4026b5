"""The parts of a chapter, in their order. The headings are checked literally; book/writing.md describes each part."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from labutils import controls
from labutils.authoring.check.claims import claims
from labutils.authoring.check.figures import figure_calls
from labutils.authoring.check.prose import Block, blocks, calls, hidden
from labutils.authoring.front import plan
from labutils.authoring.sync import source_of

HEADINGS = (
    "Play first",
    "The component",
    "The check",
    "Broken on purpose",
    "Quick questions",
    "What it costs",
    "Exercises",
    "Recap",
)
CONTROLS = {name for name in controls.__all__ if name[0].isupper() and name != "STATIONS"}
FACTS = ["You will", "You need", "Time"]
QUESTIONS, GUESSES, RECAP = 4, 2, 5  # at least, at least, exactly


@dataclass(frozen=True)
class Place:
    """Where a chapter stands in the plan of the book."""

    name: str  # "04_attention"
    title: str
    onward: (
        str  # the last paragraph of its page: the link to the next chapter that is written, or "" where there is none
    )

    @property
    def number(self) -> str:
        return self.name.split("_")[0].lstrip("0") or "0"


def place_of(path: Path) -> Place:
    """The place of a chapter by the name of its file; raises ValueError where book/chapters.yml has no such name."""
    planned = [chapter for part in plan() for chapter in part["chapters"]]
    names = [chapter["name"] for chapter in planned]
    if path.stem not in names:
        raise ValueError(f"{path.name} is not in book/chapters.yml.")
    here = names.index(path.stem)
    later = [chapter for chapter in planned[here + 1 :] if path.with_name(f"{chapter['name']}.ipynb").exists()]
    return Place(path.stem, planned[here]["title"], _link(later[0]) if later else "")


def _link(chapter: dict) -> str:
    number = chapter["name"].split("_")[0].lstrip("0") or "0"
    return f"[*{number}* {chapter['title']}]({chapter['name']}.ipynb)"


@dataclass
class Section:
    """What stands under one heading of the second level."""

    title: str
    cell: str  # id of the cell of the heading
    cells: list[NotebookNode] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)  # without the heading

    def calls(self, *names: str) -> list:
        return [call for cell in self.cells if cell.cell_type == "code" for call in calls(cell, *names)]

    @property
    def controls(self) -> list:
        return self.calls(*CONTROLS)

    @property
    def figures(self) -> list:
        return [call for cell in self.cells for call in figure_calls(cell)]

    @property
    def prints(self) -> bool:
        return any(cell.cell_type == "code" and cell.outputs for cell in self.cells)


def sections(notebook: NotebookNode) -> list[Section]:
    """A notebook cut at its headings of the second level; what stands before the first is left out."""
    found: list[Section] = []
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            if found:
                found[-1].cells.append(cell)
            continue
        for block in blocks(cell.source):
            if block.kind == "heading" and block.level == 2 and not block.box:
                found.append(Section(block.text, cell.get("id", "")))
            elif found:
                found[-1].blocks.append(block)
    return found


def problems(notebook: NotebookNode, place: Place) -> list[str]:
    """One sentence for each part of a chapter that is missing, incomplete or in the wrong place."""
    parts = sections(notebook)
    found = _opening(notebook, place) + _order(parts)
    named = {heading: part for heading in HEADINGS for part in reversed(parts) if _is(part, heading)}
    for heading, rule in RULES.items():
        if heading in named:
            found += [f"{named[heading].cell}: {sentence}" for sentence in rule(named[heading], place)]
    return (
        found
        + _play(notebook, named.get("Play first"))
        + _between(parts)
        + _whole(notebook, parts)
        + _end(notebook, place)
    )


def _is(part: Section, heading: str) -> bool:
    return part.title == heading or heading == "Play first" and part.title.startswith(heading)


def _opening(notebook: NotebookNode, place: Place) -> list[str]:
    found, cells = [], [*notebook.cells, *[NotebookNode(cell_type="", source="", metadata={}, id="the end")] * 3][:3]
    title, strip, facts = cells
    expected = f"# *{place.number}* {place.title}"
    if title.source.split("\n", 1)[0] != expected:
        found.append(f"{title.get('id')}: the first line is not `{expected}`, as book/chapters.yml names the chapter.")
    question = [block for block in blocks(title.source) if block.kind == "paragraph"]
    if not question or not question[0].text.rstrip("”").endswith("?"):
        found.append(f"{title.get('id')}: the paragraph after the title does not end with a question.")
    if not (hidden(strip) and strip.source.startswith("# Run this first") and calls(strip, "you_are_here")):
        found.append(
            f"{strip.get('id')}: the second cell is not the strip: tagged remove-input, first line “# Run this first:"
            " …”, `you_are_here(…)`."
        )
    terms = (
        [block.text for block in blocks(facts.source) if block.kind == "term"] if facts.cell_type == "markdown" else []
    )
    if terms != FACTS:
        found.append(f"{facts.get('id')}: the third cell is not the definition list {', '.join(FACTS)}.")
    return found


def _order(parts: list[Section]) -> list[str]:
    found, places = [], {}
    for heading in HEADINGS:
        at = [i for i, part in enumerate(parts) if _is(part, heading)]
        if not at:
            found.append(f"There is no heading `## {heading}`.")
        elif len(at) > 1:
            found.append(f"{parts[at[1]].cell}: the heading `## {heading}` stands twice.")
        if at:
            places[heading] = at[0]
    for before, after in zip(list(places), list(places)[1:], strict=False):
        if places[before] > places[after]:
            found.append(f"{parts[places[before]].cell}: `## {before}` comes after `## {after}`; it belongs before it.")
    if {"Play first", "The component"} <= set(places) and places["The component"] - places["Play first"] == 1:
        found.append(
            f"{parts[places['The component']].cell}: nothing is built between `## Play first` and `## The component`."
        )
    return found


def _play(notebook: NotebookNode, part: Section | None) -> list[str]:
    if part is None:
        return []
    if not part.controls:
        return [f"{part.cell}: there is no control to play with."]
    first = next(cell for cell in part.cells if cell.cell_type == "code" and calls(cell, *CONTROLS))
    earlier = notebook.cells[: notebook.cells.index(first)]
    return [
        f"{cell.get('id')}: a formula comes before the first control. Play first."
        for cell in earlier
        if cell.cell_type == "markdown" and re.search(r"(?<!\\)\$", cell.source)
    ]


def _component(part: Section, place: Place) -> list[str]:
    return (
        []
        if any(source_of(cell) for cell in part.cells)
        else ["no cell is a copy of the package (first line `# labutils.module: name`)."]
    )


def _check(part: Section, place: Place) -> list[str]:
    return (
        [] if part.prints else ["no cell has a stored output that the tests compare: a table of stages or an “equal”."]
    )


def _broken(part: Section, place: Place) -> list[str]:
    found = [] if part.prints else ["no cell has a stored output that names what is broken."]
    return found + ([] if part.figures or part.controls else ["the damage is not drawn: there is no figure."])


def _questions(part: Section, place: Place) -> list[str]:
    n = len([call for call in part.calls("predict") if len(call.args) > 2])
    return [] if n >= QUESTIONS else [f"there are {n} questions with choices; {QUESTIONS} or more belong here."]


def _cost(part: Section, place: Place) -> list[str]:
    return (
        []
        if any(cell.cell_type == "code" and not hidden(cell) for cell in part.cells)
        else ["nothing is measured: there is no cell of code."]
    )


def _exercises(part: Section, place: Place) -> list[str]:
    address = f"exercises/{place.name}.ipynb"
    links = [to for block in part.blocks for to, _ in block.links()]
    return [] if address in links else [f"there is no link to {address}."]


def _recap(part: Section, place: Place) -> list[str]:
    lines = [line for cell in part.blocks for line in [cell.source]]
    read = [i for i, line in enumerate(lines) if line.startswith("**Read on.**")]
    found = []
    if len(read) != 1:
        return ["there is no paragraph that begins with **Read on.**"]
    if read[0] != RECAP:
        found.append(
            f"{read[0]} items stand before **Read on.**; a recap is a numbered list of {RECAP} and nothing else."
        )
    works = [to for to, _ in part.blocks[read[0]].links() if "bibliography.md" in to or to.startswith("https://")]
    if not 2 <= len(works) <= 3:
        found.append(
            f"**Read on.** names {len(works)} works with a link to the bibliography; two or three belong there."
        )
    if len(lines) == read[0] + 1 or lines[read[0] + 1 :] == [place.onward]:
        found.append("the last line, which makes the next chapter necessary, is missing after **Read on.**")
    return found


RULES = {
    "The component": _component,
    "The check": _check,
    "Broken on purpose": _broken,
    "Quick questions": _questions,
    "What it costs": _cost,
    "Exercises": _exercises,
    "Recap": _recap,
}


def _between(parts: list[Section]) -> list[str]:
    """A section of its own, after the break, that looks at a trained model or at data."""
    titles = [part.title for part in parts]
    if not {"Broken on purpose", "Quick questions"} <= set(titles):
        return []
    looking = parts[titles.index("Broken on purpose") + 1 : titles.index("Quick questions")]
    if any(part.controls for part in looking) and any(part.figures for part in looking):
        return []
    return [
        "No section between `## Broken on purpose` and `## Quick questions` looks at a trained model or at data, with a"
        " control and a figure."
    ]


def _whole(notebook: NotebookNode, parts: list[Section]) -> list[str]:
    found = [] if claims(notebook) else ["There is no box “What you may have read”."]
    guesses = sum(len(part.calls("predict")) for part in parts if part.title != "Quick questions")
    return found + (
        []
        if guesses >= GUESSES
        else [f"{guesses} guesses are asked for before a reveal; {GUESSES} or more belong in a chapter."]
    )


def _end(notebook: NotebookNode, place: Place) -> list[str]:
    last = notebook.cells[-1] if notebook.cells else None
    said = blocks(last.source) if last is not None and last.cell_type == "markdown" else []
    words = said[-1].source if said else ""
    if place.onward and words != place.onward:
        return [
            f"{last.get('id') if last else 'the end'}: the last paragraph is not `{place.onward}`, the link to the next"
            " chapter."
        ]
    if not place.onward and re.fullmatch(r"\[[^\]]*\]\([^)]*\)", words):
        return [f"{last.get('id')}: the last paragraph is a link, and no later chapter is written yet."]
    return []
