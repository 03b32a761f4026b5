"""Which sections of a chapter are folded until a reader opens them. Their headings say so, in every program that shows
a notebook.
"""

from typing import Any

ASIDE, ANSWER = "Aside: ", "Answer"
COLLAPSED = "jp-MarkdownHeadingCollapsed"  # by this entry JupyterLab folds what stands below a heading


def kind_of(title: str) -> str | None:
    """What a section with this title is: "aside", which the path of a chapter does not need, "answer" to a guess, or
    None.

    >>> kind_of("Aside: the third family"), kind_of("Answer"), kind_of("Answers in general")
    ('aside', 'answer', None)
    """
    return "aside" if title.startswith(ASIDE) else "answer" if title.strip() == ANSWER else None


def heading(cell: dict[str, Any]) -> tuple[int, str] | None:
    """Level and title of a cell that begins with a heading.

    >>> heading({"cell_type": "markdown", "source": "## Aside: costs"})
    (2, 'Aside: costs')
    """
    first = cell["source"].lstrip().split("\n", 1)[0]
    marks = len(first) - len(first.lstrip("#"))
    return (
        (marks, first[marks:].strip())
        if cell["cell_type"] == "markdown" and 0 < marks < 7 and first[marks : marks + 1] == " "
        else None
    )


def folded(cells: list[dict[str, Any]]) -> list[str | None]:
    """For each cell, in which kind of fold it stands; the heading of an answer belongs to it.

    >>> cells = ["## Aside: a", "text", "### b", "## c", "### Answer", "42", "### d"]
    >>> folded([{"cell_type": "markdown", "source": text} for text in cells])
    ['aside', 'aside', 'aside', None, 'answer', 'answer', None]
    """
    found, level, kind = [], 7, None
    for cell in cells:
        at = heading(cell)
        if at and at[0] <= level:
            kind = kind_of(at[1])
            level = at[0] if kind else 7
        found.append(kind)
    return found


def fold(cells: list[dict[str, Any]]) -> None:
    """Set the entry by which JupyterLab folds a section, where it belongs and nowhere else."""
    for cell in cells:
        at = heading(cell)
        if at and kind_of(at[1]):
            cell["metadata"][COLLAPSED] = True
        else:
            cell["metadata"].pop(COLLAPSED, None)
