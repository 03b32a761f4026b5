"""Sweep: results that were computed before, laid out along one or two sliders: bars, curves, matrices. It needs no
model, so it is the same in both homes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets as t

from labutils.controls.control import Control, fixed, setting
from labutils.controls.sweep.given import given_bars, given_curves, given_over, given_said, given_start, given_units
from labutils.controls.sweep.matrices import given_cell, given_matrix

FRAME = ("levels", "floor", "top", "bottom")  # what stands still around the curves


class Sweep(Control):
    """Bars, curves, a matrix, or several of them, for each position of one or two sliders.

    Args:
        title, lede: what there is to see, and one sentence that says what to do.
        over: one pair (label, values) for one slider, or a list of two such pairs. Values are numbers or short words;
            they are shown as they are.
        bars: (labels, heights); heights has the shape (positions, bars), with two sliders (positions, positions, bars).
        curves: name -> heights of the shape (positions,), with two sliders (positions, positions), drawn along the
            first.
        said: one sentence for each position (with two sliders a list of lists). ``**word**`` is bold. Without it, the
            numbers make the sentence.
        matrix: (rows, columns, values), drawn as a heat map. Rows and columns are names or numbers; values has the
            shape (positions, rows, columns), with two sliders (positions, positions, rows, columns). Where the names
            differ from position to position, rows and columns are lists of lists, and values a list of matrices.
        axes: what the rows and the columns of the matrix are, such as ("output", "input").
        scale: "sequential" (from 0 up) or "diverging" (as far below 0 as above); without it, what the numbers need.
        ends: the two ends of that scale; without them, 0 to 1 for a probability, else the next round number.
        decimals: with how many the matrix is written and stored; without it, three digits that count.
        cell: (row, column) of the matrix that is chosen first.
        unit: what the heights count; "probability" sets the scale from 0 to 1. If they differ, one for each of bars,
            curves and matrix that is given, in this order.
        start: the position shown first, counted from 0 (from the end if negative); with two sliders a pair.
        paper: the position shown in print, where nothing moves; without it, the one shown first.
        log: axes of the curves that are logarithmic: ("x",), ("y",) or ("x", "y").
        levels: name -> a height that the curves are compared with, drawn as a dashed line. floor: one below which
            nothing can stay, in the colour that floors have.
        top: where the axis of the curves ends; a curve leaves the drawing above it, and its number says so.
        bottom: where the axis of the curves begins; a height below it, 0 on a logarithmic axis too, stands on the axis,
            and its number says so.
        number: the number before the title, such as "4.3".
        name: what the page's address calls it; once a page.

    Raises:
        ValueError: shapes that do not fit, or a value that cannot be drawn; one sentence.

    A height that is nan is missing and drawn as an empty outline; a masked entry of a numpy masked array, or −inf, is
    drawn as masked. What the reader changes is in the traits ``first`` and ``second``, the positions of the sliders,
    and ``row`` and ``column``, the chosen cell.

    >>> weights = ["a", "b"], [[0.9, 0.1], [0.6, 0.4]]
    >>> Sweep("One weight", "Move the slider.", ("τ", [1, 2]), bars=weights, unit="probability")
    Sweep('One weight', over τ (2), bars)
    >>> matrices = ["a", "b"], [0, 1], [[[0, 1], [2, 3]], [[1, 1], [0, 0]]]
    >>> Sweep("Two by two", "Move it.", ("n", [1, 2]), matrix=matrices)
    Sweep('Two by two', over n (2), matrix)
    """

    title: str = fixed()
    lede: str = fixed()
    over: Sequence = fixed(kept=t.List(help="of each slider its label, its values as words, and their places, 0 to 1"))
    bars: tuple[Sequence[str], Any] | None = fixed(
        default=None, kept=t.Dict(help="empty, or names, axis and float32 numbers")
    )
    curves: Mapping[str, Any] | None = fixed(default=None, kept=t.Dict())
    said: Sequence | None = fixed(default=None, kept=t.List(help="one sentence a position, or nothing"))
    matrix: tuple[Sequence, Sequence, Any] | None = fixed(
        default=None, kept=t.Dict(help="empty, or names, scale and packed numbers"), kw_only=True
    )
    axes: tuple[str, str] = fixed(default=("row", "column"), kw_only=True)
    scale: str | None = fixed(default=None, kept=False, kw_only=True)
    ends: tuple[float, float] | None = fixed(default=None, kw_only=True)
    decimals: int | None = fixed(default=None, kept=False, kw_only=True)
    cell: tuple[int, int] = fixed(default=(0, 0), kw_only=True)
    unit: str | Sequence[str] = fixed(default="", kw_only=True)
    start: int | tuple[int, int] = fixed(default=0, kw_only=True)
    paper: int | tuple[int, int] | None = fixed(
        default=None, kept=t.List(help="the positions shown in print, or nothing"), kw_only=True
    )
    log: Sequence[str] = fixed(default=(), kw_only=True)
    levels: Mapping[str, float] | None = fixed(default=None, kept=False, kw_only=True)
    floor: float | None = fixed(default=None, kept=False, kw_only=True)
    top: float | None = fixed(default=None, kept=False, kw_only=True)
    bottom: float | None = fixed(default=None, kept=False, kw_only=True)

    first: int = setting(default=0, init=False)
    second: int = setting(default=0, init=False)
    row: int = setting(default=0, init=False)
    column: int = setting(default=0, init=False)

    source = t.Unicode("Computed beforehand in Python").tag(sync=True)
    again = t.Dict(help="what a cell needs to make this control again").tag(sync=True)

    def made(self, said):
        bars, curves, matrix = said.bars, said.curves, said.matrix
        if not bars and not curves and matrix is None:
            raise ValueError("There is nothing to draw: give bars=, curves= or matrix=, or several of them.")
        sliders, shape = given_over(said.over, said.log)
        units = given_units(said.unit, {"bars": bool(bars), "curves": bool(curves), "matrix": matrix is not None})
        at, drawn, chosen = given_start(said.start, shape), {}, (0, 0)
        frame = {name: value for name in FRAME if (value := getattr(said, name)) is not None}
        if matrix is not None and said.paper is not None:
            raise ValueError("paper= is for bars and curves: a matrix is printed where it starts.")
        if matrix is not None:
            how = {name: getattr(said, name) for name in ("axes", "scale", "ends", "decimals")}
            drawn = given_matrix(matrix, shape, at, units["matrix"], how)
            chosen = given_cell(said.cell, drawn, at, shape)
        return {
            "over": sliders,
            "first": at[0],
            "second": at[1],
            "paper": [] if said.paper is None else list(given_start(said.paper, shape)),
            "bars": given_bars(bars, shape, units["bars"]) if bars else {},
            "curves": given_curves(curves, shape, units["curves"], said.log, frame) if curves else {},
            "matrix": drawn,
            "row": chosen[0],
            "column": chosen[1],
            "said": given_said(said.said, shape),
            "again": {"unit": list(units.values()), "log": list(said.log), **frame},
        }

    def __repr__(self) -> str:
        over = " and ".join(f"{one['label']} ({len(one['values'])})" for one in self.over)
        return (
            f"Sweep({self.title!r}, over {over},"
            f" {' and '.join(what for what in ('bars', 'curves', 'matrix') if getattr(self, what))})"
        )
