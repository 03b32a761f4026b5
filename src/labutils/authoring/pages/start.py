"""The page that JupyterLab opens with: what lies in the folder of copies and where to begin."""

# ruff: noqa: E501 (a paragraph of Markdown is one line)

from pathlib import Path

from labutils.authoring.front import number, planned

HOW = """
## How a chapter works here

1. The first time you open a chapter it is run for its pictures, which takes half a minute to a minute, more on a slow machine; a line at the top counts the seconds, and the page below it is empty until then. Then choose **Run**, then **Run All Cells**. From then on the pictures are controls that move.
2. Where “cells hidden” stands below a heading, it is folded: an aside that the path does not need, or the answer to a guess. Click to read it.
3. Change whatever you like and run it again. These files are your own copy, and **Ctrl+S** saves it. An update of the book leaves a file that you have changed as it is. When you reload the page without saving, the kernel still knows what you ran before: **Kernel**, then **Restart Kernel and Run All Cells** clears it.
4. To have a chapter back as it was, run `make reset CHAPTER=04` in a terminal. Your version stays beside it under another name, and where the chapter is open, a line above it offers to reload it.

In the exercises, write your code in place of the line that raises `NotImplementedError`, then run the check below it. **Run All Cells** stops there at the first exercise that is not written, so run the cells one by one.

[Notation](book/notation.md), [glossary](book/glossary.md) and [what to read](book/bibliography.md) lie in the folder `book`.
"""


def start_page(work: Path) -> str:
    """The page as Markdown, for the chapters that lie in `work`."""
    there = [chapter for chapter in planned().values() if (work / f"{chapter['name']}.ipynb").exists()]
    rows = [_row(chapter, work) for chapter in there]
    play = "[Play with all controls](play.ipynb) first, if you like." if (work / "play.ipynb").exists() else ""
    begin = f"Begin with {_link(there[0])}. {play}".strip() if there else ""
    table = ["| chapter | its question | |", "|---|---|---|", *rows]
    return "\n".join(["# Start here", "", begin, "", *table, HOW])


def _link(chapter: dict) -> str:
    return f"[chapter {number(chapter['name'])}, {chapter['title']}]({chapter['name']}.ipynb)"


def _row(chapter: dict, work: Path) -> str:
    beside = [folder for folder in ("exercises", "more") if (work / folder / f"{chapter['name']}.ipynb").exists()]
    links = ", ".join(f"[{folder}]({folder}/{chapter['name']}.ipynb)" for folder in beside)
    name = f"[{number(chapter['name'])} {chapter['title']}]({chapter['name']}.ipynb)"
    return f"| {name} | {chapter['question']} | {links} |"
