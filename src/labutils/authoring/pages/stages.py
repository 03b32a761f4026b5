"""The stages of a forward pass as a table of the glossary: which name, which shape, in which model."""

from labutils.models import FAMILIES
from labutils.models.stages import AFTER, BEFORE, IN_BLOCK, Stage


def page() -> str:
    """Markdown: one row for each stage that a model of the book has, in the order in which they are computed."""
    head = ["Stage", "In code", "Shape", *(family.title for family in FAMILIES.values())]
    parts = [("", BEFORE), ("in each block", IN_BLOCK), ("", AFTER)]
    known = set().union(*(family.stages for family in FAMILIES.values()))
    rows = [_row(stage, where) for where, stages in parts for stage in stages if stage.name in known]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]) + "\n"


def _row(stage: Stage, where: str) -> list[str]:
    """
    >>> from labutils.models.stages import STAGES
    >>> _row(STAGES["weights"], "in each block")[:4]
    ['weights, in each block', '`weights`', '$(H, n, n)$', 'yes']
    """
    shape = ", ".join(stage.axes)
    there = ["yes" if stage.name in family.stages else "" for family in FAMILIES.values()]
    return [
        f"{stage.title}, {where}" if where else stage.title,
        f"`{stage.name}`",
        f"$({shape}{',' if len(stage.axes) == 1 else ''})$",
        *there,
    ]
