"""The matrices of a sweep, checked and packed. Every complaint is one sentence."""

import zlib
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from labutils.controls.script import call
from labutils.controls.sweep.axis import decimals as decimals_of
from labutils.controls.sweep.axis import tick, written
from labutils.controls.sweep.given import MASKED, filled

SIDE, CELLS = 128, 400_000  # rows or columns of one matrix; numbers of all of them
SCALES = {"sequential": "seq", "diverging": "div"}
CODES = {"int8": (np.int8, 125), "int16": (np.int16, 32_765)}


def given_matrix(
    matrix: tuple, shape: tuple[int, ...], start: tuple[int, int], unit: str, how: dict[str, Any]
) -> dict[str, Any]:
    """What the page needs: names of rows and columns, each list once; the scale; all numbers packed, and those of the
    first position as they are.

    A number travels with the decimals that it is shown with, as a whole number: so what is written is right to its
    last digit, and a page stays small.
    """
    if not isinstance(matrix, Sequence) or len(matrix) != 3:
        raise ValueError("matrix= takes three things: (rows, columns, values).")
    places = list(np.ndindex(shape))
    rows, columns = (_names(what, given, shape) for what, given in zip(("rows", "columns"), matrix))
    arrays = [_array(_at("matrices", matrix[2], place, shape), place, rows, columns) for place in places]
    if (size := sum(array.size for array in arrays)) > CELLS:
        raise ValueError(
            f"matrix= holds {size:,} numbers, more than a page should carry ({CELLS:,}): use fewer positions."
        )
    everything = np.concatenate([array.ravel() for array in arrays])
    finite = everything[np.isfinite(everything)]
    if not finite.size:
        raise ValueError("matrix= holds no number at all.")
    scale, low, high = _scale(finite, unit, how["scale"], how["ends"])
    decimals = decimals_of(finite, unit) if how["decimals"] is None else _decimals(how["decimals"])
    code = _code(finite, decimals)
    lists = {"rows": list(dict.fromkeys(rows.values())), "columns": list(dict.fromkeys(columns.values()))}
    shown = arrays[places.index(tuple(start)[: len(shape)])]
    return {
        "rows": [list(one) for one in lists["rows"]],
        "columns": [list(one) for one in lists["columns"]],
        "of": [[lists["rows"].index(rows[place]), lists["columns"].index(columns[place])] for place in places],
        "axes": _axes(how["axes"]),
        "scale": SCALES[scale],
        "ends": [low, high],
        "ticks": [tick(low), tick((low + high) / 2), tick(high)],
        "decimals": decimals,
        "unit": unit,
        "code": code,
        "numbers": zlib.compress(_packed(everything, code, decimals), 9),
        "shown": _packed(shown.ravel(), code, decimals),
    }


def given_cell(cell: tuple[int, int], matrix: dict[str, Any], start: tuple[int, int], shape: tuple[int, ...]):
    """The cell that is chosen first, counted from 0."""
    if len(cell) != 2:
        raise ValueError(f"cell={cell!r} is no pair (row, column).")
    r, c = matrix["of"][int(np.ravel_multi_index(tuple(start)[: len(shape)], shape))]
    sizes = len(matrix["rows"][r]), len(matrix["columns"][c])
    for what, at, size in zip(("row", "column"), cell, sizes):
        if not -size <= at < size:
            raise ValueError(f"There is no {what} {at} to choose: they go from 0 to {size - 1}.")
    return tuple(int(at) % size for at, size in zip(cell, sizes))


def _names(what: str, given: Sequence, shape: tuple[int, ...]) -> dict[tuple, tuple[str, ...]]:
    """For each position the names of its rows, or of its columns: one list for all, or one for each position."""
    given = list(given)
    if given and all(isinstance(name, str | Real) for name in given):
        lists = dict.fromkeys(np.ndindex(shape), given)
    else:
        lists = {place: _at(what, given, place, shape) for place in np.ndindex(shape)}
    for names in lists.values():
        if not 1 <= len(names) <= SIDE:
            raise ValueError(f"A matrix has {len(names)} {what}: a sweep draws 1 to {SIDE}.")
    return {place: tuple(written(name) for name in names) for place, names in lists.items()}


def _at(what: str, given: Any, place: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """What stands at one position of nested lists or of an array."""
    for at, size in zip(place, shape):
        if isinstance(given, str | Real) or len(given) != size:
            found = "one" if isinstance(given, str | Real) else len(given)
            raise ValueError(f"matrix= has {found} {what} along a slider of {size} positions: it needs one for each.")
        given = given[at]
    return given


def _array(given: Any, place: tuple, rows: dict, columns: dict) -> np.ndarray:
    values, wanted = filled("matrix", given), (len(rows[place]), len(columns[place]))
    if values.shape != wanted:
        raise ValueError(
            f"The matrix at position {', '.join(map(str, place))} has the shape {values.shape} and should have"
            f" {wanted}: its rows and columns have that many names."
        )
    return values


def _scale(finite: np.ndarray, unit: str, scale: str | None, ends: tuple | None) -> tuple[str, float, float]:
    """(which scale, its low end, its high end): one for all positions, so that colours can be compared."""
    scale = scale or ("diverging" if finite.min() < 0 else "sequential")
    if scale not in SCALES:
        raise ValueError(f'scale={scale!r} is none: choose "sequential" or "diverging".')
    least, most = float(finite.min()), float(finite.max())
    if ends is None:
        if scale == "sequential" and least < 0:
            raise ValueError("A sequential scale begins at 0, and the matrix holds numbers below: name both ends=.")
        top = (
            1.0 if unit == "probability" and most <= 1 else call("explorer/numbers.js", "ceiling", [max(most, -least)])
        )
        return scale, -top if scale == "diverging" else 0.0, float(top)
    if len(ends) != 2 or not float(ends[0]) < float(ends[1]):
        raise ValueError(f"ends={ends!r} is no pair of two numbers, the lower one first.")
    low, high = map(float, ends)
    if scale == "diverging" and low != -high:
        raise ValueError(f"A diverging scale reaches as far below 0 as above, and ends={ends!r} does not.")
    if least < low - 1e-9 or most > high + 1e-9:
        raise ValueError(
            f"The matrix holds numbers from {least:g} to {most:g}, which a scale from {low:g} to {high:g} cannot show."
        )
    return scale, low, high


def _axes(axes: Sequence[str]) -> list[str]:
    if isinstance(axes, str) or len(axes) != 2:
        raise ValueError(f"axes={axes!r} is no pair of names, of the rows and of the columns.")
    return [str(one) for one in axes]


def _decimals(given: int) -> int:
    if not isinstance(given, int) or not 0 <= given <= 6:
        raise ValueError(f"decimals={given!r}: a number can be written with 0 to 6 decimals.")
    return given


def _code(finite: np.ndarray, decimals: int) -> str:
    """The smallest whole numbers that hold every number with its decimals; float32 where none does."""
    most = np.abs(finite).max() * 10.0**decimals + 1 if decimals >= 0 else np.inf
    return next((name for name, (_, reach) in CODES.items() if most <= reach), "float32")


def _packed(values: np.ndarray, code: str, decimals: int) -> bytes:
    if code == "float32":
        return values.astype("<f4").tobytes()
    kind, reach = CODES[code]  # -reach-1 is above 0 but written as 0, -reach-2 is missing, -reach-3 is masked
    scaled = np.where(np.isfinite(values), values, 0) * 10.0**decimals * (1 + 1e-9)
    whole = np.where((scaled > 0) & (scaled < 0.5), -reach - 1, np.rint(scaled))
    whole = np.where(np.isnan(values), -reach - 2, np.where(values == MASKED, -reach - 3, whole))
    return whole.astype(np.dtype(kind).newbyteorder("<")).tobytes()
