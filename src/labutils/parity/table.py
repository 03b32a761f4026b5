"""The table of a comparison: a row for each stage, and the first one at which two tellings part."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import NamedTuple

_WORDS = {
    "same": "equal",
    "unclear": "cannot tell: rounding may be as large",
    "after": "differs after it",
    "first": "first stage that differs",
}
ORDER = tuple(_WORDS)  # from what is no news to what is


class Row(NamedTuple):
    """difference: the largest |a - b|; inf where one is masked and the other not, or the shapes differ.

    state: "same", "first" (the first stage that differs), "after" (differs, after another one did) or "unclear": so
    much may be rounding there that a difference of a tenth would not show. layer: "layer 3" or "decoder layer 3", or ""
    outside the layers. excused: the largest difference that is none.
    """

    stage: str
    difference: float
    state: str
    layer: str = ""
    excused: float = 0.0


@dataclass(frozen=True, repr=False)
class StageTable:
    """One row for each stage, and the `criterion` by which they are called equal, in words.

    Printed, the difference of equal stages is rounded up to a power of ten, and never below `floor`: smaller ones
    differ from machine to machine, and the text is to be the same everywhere. `first` names the first stage that
    differs, or is None; `equal` says that none does, and `unclear` names those of which it cannot tell: there the table
    shows below what size a difference would be excused. A long table is shown folded: one layer in full (the one that
    differs first, else layer 0), the others in one line. `brief()` folds each run of equal stages as well, `detail()`
    shows every row, `layer(i)` the rows of one layer.
    """

    rows: tuple[Row, ...]
    criterion: str
    floor: float
    folded: bool = True
    equal_folded: bool = False

    @property
    def first(self) -> str | None:
        return next((row.stage for row in self.rows if row.state == "first"), None)

    @property
    def equal(self) -> bool:
        return self.first is None

    @property
    def unclear(self) -> tuple[str, ...]:
        return tuple(row.stage for row in self.rows if row.state == "unclear")

    def brief(self) -> "StageTable":
        """The same rows, of which stages that agree one after the other are shown in one line."""
        return replace(self, equal_folded=True)

    def detail(self) -> "StageTable":
        return replace(self, folded=False, equal_folded=False)

    def layer(self, i: int, stack: str = "") -> "StageTable":
        """The rows of one layer, in a model with two stacks of "encoder" or "decoder", say."""
        name = f"{stack} layer {i}".strip()
        rows = tuple(row for row in self.rows if row.layer == name)
        if not rows:
            there = [layer for layer in _layers_of(self.rows) if layer.rpartition("layer ")[0].strip() == stack]
            raise ValueError(f"This table has no {name}; it has {len(there)}, counted from 0.")
        return replace(self, rows=rows, folded=False, equal_folded=False)

    def __repr__(self) -> str:
        cells = [("stage", "difference", "state")] + [
            (r.stage, self._number(r), _WORDS[r.state]) for r in self._shown()
        ]
        wide = max(len(stage) for stage, _, _ in cells)
        return (
            "\n".join(f"{stage:<{wide}}  {number:>12}  {words}" for stage, number, words in cells)
            + f"\n{self.criterion}"
        )

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr class="is-{row.state}"><th scope="row">{escape(row.stage)}</th><td>{escape(self._number(row))}</td>'
            f'<td><i aria-hidden="true"></i>{_WORDS[row.state]}</td></tr>'
            for row in self._shown()
        )
        head = "".join(f'<th scope="col">{title}</th>' for title in ("Stage", "Largest difference", "State"))
        return (
            f'<table class="itt-check"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
            f"<caption>{escape(self.criterion)}</caption></table>"
        )

    def _number(self, row: Row) -> str:
        if row.state in ("same", "unclear"):
            size = row.difference if row.state == "same" else row.excused
            return f"below {10 ** math.ceil(math.log10(max(size, self.floor)) - 1e-9):.0e}"
        x = float(f"{row.difference:.5g}")  # so that 0.12500001 and 0.12499999 are printed alike
        return f"{x:.2f}" if not x < 0.01 else f"{x:.0e}"

    def _shown(self) -> list[Row]:
        """A row for each line of the table: one stage, or several that are folded."""
        lines = self._by_layer() if self.folded else [(row.stage, [row]) for row in self.rows]
        return [_fold(*line) for line in (_equals_joined(lines) if self.equal_folded else lines)]

    def _by_layer(self) -> list[tuple[str, list[Row]]]:
        """(name, rows) of each line: one row, or a run of layers that is not looked at."""
        layers = _layers_of(self.rows)
        differing = next((row.layer for row in self.rows if row.state == "first" and row.layer), None)
        looked_at = differing or next(iter(layers), "")
        folds = lambda row: "" if len(layers) < 2 or row.layer in ("", looked_at) else row.layer.rpartition(" ")[0]
        place = {layer: i for i, layer in enumerate(["", *layers])}
        side = lambda row: (folds(row), bool(folds(row)) and place[row.layer] > place[looked_at])
        lines: list[tuple[str, list[Row]]] = []
        for (folded, _), group in groupby(self.rows, key=side):
            rows = list(group)
            lines += [(_layers(rows), rows)] if folded else [(row.stage, [row]) for row in rows]
        return lines


def _layers_of(rows: Iterable[Row]) -> list[str]:
    """The layers of a table, in their order."""
    return list(dict.fromkeys(row.layer for row in rows if row.layer))


def _layers(rows: list[Row]) -> str:
    """What stands for all of these: "layer 1", "decoder layers 1 to 3"."""
    first, *_, last = [rows[0].layer, *_layers_of(rows)]
    stack, number = first.rsplit(" ", 1)
    return first if first == last else f"{stack}s {number} to {last.rsplit(' ', 1)[1]}"


def _equals_joined(lines: list[tuple[str, list[Row]]]) -> list[tuple[str, list[Row]]]:
    """Lines that follow one another and in which every stage is equal become one line."""
    joined: list[tuple[str, list[Row]]] = []
    for equal, run in groupby(lines, key=lambda line: all(row.state == "same" for row in line[1])):
        run = list(run)
        rows = [row for _, its in run for row in its]
        joined += [(f"{rows[0].stage} to {rows[-1].stage}", rows)] if equal and len(run) > 1 else run
    return joined


def _fold(name: str, rows: list[Row]) -> Row:
    if name == rows[0].stage:
        return rows[0]
    worst = max(rows, key=lambda row: (ORDER.index(row.state), row.excused * (row.state == "unclear"), row.difference))
    return worst._replace(stage=f"{name}, {len(rows)} stages")
