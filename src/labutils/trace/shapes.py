"""The shape tracker: every value of a forward pass with its shape, its type and what it means.

What a chapter shows of it has at most 86 characters in a line.
"""

from dataclasses import dataclass, replace
from html import escape
from typing import NamedTuple

from labutils.models import family_of
from labutils.models.stages import STAGES, Place, in_order, titled

from .values import Trace


class Tracked(NamedTuple):
    """One value: its full name, such as "layer 0 weights"; its shape in each trace, None where a model has no such
    stage; its type; its meaning.
    """

    stage: str
    shapes: tuple[tuple[int, ...] | None, ...]
    dtype: str
    meaning: str


def shapes(*traces: Trace) -> "ShapeTable":
    """What one model, or several side by side, computed on the way to its answer.

    Raises ValueError where there is no trace.
    """
    if not traces:
        raise ValueError("There is nothing to show: give at least one trace.")
    found, rows = [trace.stages() for trace in traces], []
    stacks = dict.fromkeys(stack for trace in traces for stack in family_of(trace.kind).stacks)
    for name in in_order({name for stages in found for name in stages}, tuple(stacks)):
        values = [stages.get(name) for stages in found]  # None: it has no such stage
        known = next(value for value in values if value is not None)
        sizes = tuple(None if one is None else tuple(one.shape) for one in values)
        meaning = STAGES[Place.of(name).stage].meaning
        rows.append(Tracked(name, sizes, str(known.dtype)[len("torch.") :], meaning))
    titles = tuple(family_of(trace.kind).title for trace in traces)
    return ShapeTable(titles, tuple(rows))


@dataclass(frozen=True, repr=False)
class ShapeTable:
    """A row for each value: printed as text, drawn as a table in a page. Layers of a stack after its first, whose
    shapes are the same, are one line; `detail()` has them all.
    """

    models: tuple[str, ...]
    rows: tuple[Tracked, ...]
    folded: bool = True

    def detail(self) -> "ShapeTable":
        return replace(self, folded=False)

    def lines(self) -> list[tuple[str, ...]]:
        """The cells of each line, below the names of the columns."""
        found = [("stage", *self.models, "type", "meaning")]
        for row in self.rows:
            place = Place.of(row.stage)
            layer = place.layer or 0
            if not (self.folded and layer):
                found.append((titled(row.stage), *map(_written, row.shapes), row.dtype, row.meaning))
            elif (layer, place.stage) == (1, "input"):
                last = self._last(place.stack)
                more = "layer 1" if max(last) == 1 else f"layers 1 to {max(last)}"
                more = f"{place.stack} {more}".strip()
                same = ("the same" if one == max(last) else f"to layer {one}" if one > 0 else "–" for one in last)
                found.append((more, *same, row.dtype, "again, with weights of their own"))
        return found

    def _last(self, stack: str) -> list[int]:
        """The last layer of a stack in each trace, −1 where a model has no such stack."""
        inputs = [row for row in self.rows if (at := Place.of(row.stage)).stack == stack and at.stage == "input"]
        return [sum(row.shapes[i] is not None for row in inputs) - 1 for i in range(len(self.models))]

    def __repr__(self) -> str:
        lines = self.lines()
        wide = [max(map(len, column)) for column in zip(*lines)]
        return "\n".join("  ".join(map(str.ljust, line, wide)).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        head, *body = self.lines()
        cells = lambda tag, words: "".join(f"<{tag}>{escape(one)}</{tag}>" for one in words)
        rows = "".join(f'<tr><th scope="row">{escape(name)}</th>{cells("td", rest)}</tr>' for name, *rest in body)
        titles = "".join(f'<th scope="col">{escape(one[0].upper() + one[1:])}</th>' for one in head)
        return f'<table class="itt-shapes"><thead><tr>{titles}</tr></thead><tbody>{rows}</tbody></table>'


def _written(shape: tuple[int, ...] | None) -> str:
    return "–" if shape is None else f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
