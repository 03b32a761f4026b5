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

HEADINGS = ("The component", "The check", "Broken on purpose", "Quick questions", "What it costs", "Exercises", "Recap")
WALK = ("Quick questions", "Exercises", "Recap")  # of chapter 0, which builds nothing
OPTIONAL = {"Broken on purpose"}
CONTROLS = {name for name in controls.__all__ if name[0].isupper() and name != "STATIONS"}
FACTS = ["You will", "You need", "Time"]
QUESTIONS, GUESSES, RECAP, BOXES = 4, 2, 5, 3  # at least, at least, exactly, at most


@dataclass(frozen=True)
class Place:
    """Where a chapter stands in the plan of the book."""

    name: str  # "04_attention"
    title: str
    question: str
    onward: (
        str  # the last paragraph of its page: the link to the next chapter that is written, or "" where there is none
    )

    @property
    def number(self) -> str:
        return self.name.split("_")[0].lstrip("0") or "0"

    @property
    def walk(self) -> bool:
        """Whether this is the walk through the whole model, chapter 0."""
        return self.number == "0"

    @property
    def headings(self) -> tuple[str, ...]:
        return WALK if self.walk else HEADINGS


def place_of(path: Path) -> Place:
    """The place of a chapter by the name of its file; raises ValueError where book/chapters.yml has no such name."""
    planned = [chapter for part in plan() for chapter in part["chapters"]]
    names = [chapter["name"] for chapter in planned]
    if path.stem not in names:
        raise ValueError(f"{path.name} is not in book/chapters.yml.")
    here = names.index(path.stem)
    later = [chapter for chapter in planned[here + 1 :] if path.with_name(f"{chapter['name']}.ipynb").exists()]
    onward = _link(later[0]) if later else ""
    return Place(path.stem, planned[here]["title"], planned[here]["question"], onward)


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
    found = _opening(notebook, place) + _order(parts, place)
    named = {heading: part for heading in HEADINGS for part in reversed(parts) if part.title == heading}
    for heading, rule in RULES.items():
        if heading in named:
            found += [f"{named[heading].cell}: {sentence}" for sentence in rule(named[heading], place)]
    return (
        found + _play(notebook, parts) + _looking(parts, place) + _whole(notebook, parts, place) + _end(notebook, place)
    )


def _opening(notebook: NotebookNode, place: Place) -> list[str]:
    found, cells = [], [*notebook.cells, *[NotebookNode(cell_type="", source="", metadata={}, id="the end")] * 3][:3]
    title, strip, facts = cells
    expected = f"# *{place.number}* {place.title}"
    if title.source.split("\n", 1)[0] != expected:
        found.append(f"{title.get('id')}: the first line is not `{expected}`, as book/chapters.yml names the chapter.")
    question = [block for block in blocks(title.source) if block.kind == "paragraph"]
    if [block.text for block in question] != [place.question]:
        found.append(
            f"{title.get('id')}: after the title stands the question of the chapter and nothing else, as"
            f" book/chapters.yml has it: “{place.question}”"
        )
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


def _order(parts: list[Section], place: Place) -> list[str]:
    found, places = [], {}
    for heading in place.headings:
        at = [i for i, part in enumerate(parts) if part.title == heading]
        if not at and heading not in OPTIONAL:
            found.append(f"There is no heading `## {heading}`.")
        elif len(at) > 1:
            found.append(f"{parts[at[1]].cell}: the heading `## {heading}` stands twice.")
        if at:
            places[heading] = at[0]
    for before, after in zip(list(places), list(places)[1:], strict=False):
        if places[before] > places[after]:
            found.append(f"{parts[places[before]].cell}: `## {before}` comes after `## {after}`; it belongs before it.")
    if places.get("The component") == 0:
        found.append(f"{parts[0].cell}: nothing is built before `## The component`.")
    return found


def _play(notebook: NotebookNode, parts: list[Section]) -> list[str]:
    """The first control stands open before the second section, and before any formula."""
    second = next((i for i, cell in enumerate(notebook.cells) if parts[1:] and cell.get("id") == parts[1].cell), None)
    first = next((cell for cell in notebook.cells[:second] if calls_a_control(cell)), None)
    if first is None:
        return [f"{parts[0].cell if parts else 'the end'}: no control stands in the first section, to be played with."]
    return [
        f"{cell.get('id')}: a formula comes before the first control. Play first."
        for cell in notebook.cells[: notebook.cells.index(first)]
        if cell.cell_type == "markdown" and re.search(r"(?<!\\)\$", cell.source)
    ]


def calls_a_control(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and bool(calls(cell, *CONTROLS))


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
    return [] if part.prints else ["no cell has a stored output that names what is broken."]


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


def _looking(parts: list[Section], place: Place) -> list[str]:
    """A section of its own, after the check, that looks at a trained model or at data."""
    titles = [part.title for part in parts]
    if not {"The check", "Quick questions"} <= set(titles):
        return []
    after = parts[titles.index("The check") + 1 : titles.index("Quick questions")]
    if any(part.controls or part.figures for part in after if part.title not in HEADINGS):
        return []
    return [
        "No section between `## The check` and `## Quick questions` looks at a trained model or at data, with a control"
        " or a figure."
    ]


def _whole(notebook: NotebookNode, parts: list[Section], place: Place) -> list[str]:
    most, n = 0 if place.walk else BOXES, len(claims(notebook))
    found = [f"There are {n} boxes “What you may have read”, at most {most}."] if n > most else []
    before = next((i for i, c in enumerate(notebook.cells) if c.source.startswith("## Quick questions")), None)
    guesses = sum(len(calls(cell, "predict")) for cell in notebook.cells[:before] if cell.cell_type == "code")
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
