"""Sweep: results that were computed before, laid out along one or two sliders. It needs no model, so it is the same in
both homes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets as t

from labutils.controls.control import Control, widget
from labutils.controls.sweep.given import given_bars, given_curves, given_over, given_said, given_start


class Sweep(Control):
    """Bars, curves, or both, for each position of one or two sliders.

    Args: title, lede: what there is to see, and one sentence that says what to do. over: one pair (label, values) for
        one slider, or a list of two such pairs. Values are numbers or short words; they are shown as they are. bars:
        (labels, heights); heights has the shape (positions, bars), with two sliders (positions, positions, bars).
        curves: name -> heights of the shape (positions,), with two sliders (positions, positions), drawn along the
        first. said: one sentence for each position (with two sliders a list of lists). ``**word**`` is bold. Without
        it, the numbers make the sentence. unit: what the heights count; "probability" sets the scale from 0 to 1. A
        pair (of the bars, of the curves) if they differ. start: the position shown first, counted from 0 (from the end
        if negative); with two sliders a pair. log: axes of the curves that are logarithmic: ("x",), ("y",) or ("x",
        "y"). number: the number before the title, such as "4.3". name: what the page's address calls it; once a page.

    Raises:
        ValueError: shapes that do not fit, or a value that cannot be drawn; one sentence.

    A height that is nan is missing and drawn as an empty outline; a masked entry of a numpy masked array, or −inf, is
    drawn as masked. What the reader changes is in the traits ``first`` and ``second``, the positions of the sliders.

    >>> weights = ["a", "b"], [[0.9, 0.1], [0.6, 0.4]]
    >>> Sweep("One weight", "Move the slider.", ("τ", [1, 2]), bars=weights, unit="probability")
    Sweep('One weight', over τ (2), bars)
    """

    _esm = widget("sweep")
    control = t.Unicode("sweep").tag(sync=True)
    title, lede = t.Unicode().tag(sync=True), t.Unicode().tag(sync=True)
    over = t.List(help="for each slider its label, its values as words, and their places on the axis from 0 to 1").tag(
        sync=True
    )
    first, second = t.Int(0).tag(sync=True), t.Int(0).tag(sync=True)
    bars, curves = t.Dict(help="empty, or names, axis and float32 numbers").tag(sync=True), t.Dict().tag(sync=True)
    source = t.Unicode("Computed beforehand in Python").tag(sync=True)
    said = t.List(help="one sentence a position, or nothing").tag(sync=True)
    settings = t.Dict(help="what a cell needs to make this control again").tag(sync=True)

    def __init__(
        self,
        title: str,
        lede: str,
        over: Sequence,
        bars: tuple[Sequence[str], Any] | None = None,
        curves: Mapping[str, Any] | None = None,
        said: Sequence | None = None,
        *,
        unit: str | tuple[str, str] = "",
        start: int | tuple[int, int] = 0,
        log: Sequence[str] = (),
        number: str = "",
        name: str = "",
        **more,
    ):
        if not bars and not curves:
            raise ValueError("There is nothing to draw: give bars=, curves=, or both.")
        sliders, shape = given_over(over, log)
        units = (unit, unit) if isinstance(unit, str) else tuple(unit)
        first, second = given_start(start, shape)
        super().__init__(
            title=title,
            lede=lede,
            over=sliders,
            first=first,
            second=second,
            bars=given_bars(bars, shape, units[0]) if bars else {},
            curves=given_curves(curves, shape, units[-1], log) if curves else {},
            said=given_said(said, shape),
            number=number,
            name=name,
            settings={"unit": list(units), "log": list(log)},
            **more,
        )

    def __repr__(self) -> str:
        over = " and ".join(f"{one['label']} ({len(one['values'])})" for one in self.over)
        return (
            f"Sweep({self.title!r}, over {over},"
            f" {' and '.join(what for what in ('bars', 'curves') if getattr(self, what))})"
        )
