"""What the author of a sweep gives, checked and packed. Every complaint is one sentence that names the argument."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from labutils.controls.sweep.axis import axis, decimals, places, tick, written

MOST = {"positions": 200, "bars": 32, "curves": 6, "numbers": 100_000}
MASKED = -np.inf


def given_over(over: Sequence, log: Sequence[str]) -> tuple[list[dict[str, Any]], tuple[int, ...]]:
    """(what the sliders show, the number of positions of each)."""
    if not set(log) <= {"x", "y"}:
        raise ValueError(f'log= takes the axes "x" and "y", not {log!r}.')
    pairs = [over] if len(over) == 2 and isinstance(over[0], str) else list(over)
    if not 1 <= len(pairs) <= 2 or not all(
        isinstance(pair, Sequence) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs
    ):
        raise ValueError("over= takes one pair (label, values), or a list of two such pairs.")
    sliders = [_slider(label, list(values), "x" in log and not i) for i, (label, values) in enumerate(pairs)]
    return sliders, tuple(len(slider["values"]) for slider in sliders)


def _slider(label: str, values: list, log: bool) -> dict[str, Any]:
    if not 2 <= len(values) <= MOST["positions"]:
        raise ValueError(f"The slider {label!r} has {len(values)} positions: it needs 2 to {MOST['positions']}.")
    numbers = [float(value) for value in values if isinstance(value, Real) and not isinstance(value, bool)]
    at, ticks = places(values, numbers if len(numbers) == len(values) else None, log, label)
    return {
        "label": label,
        "values": [written(value) for value in values],
        "at": at,
        "ticks": ticks,
        "numbers": len(numbers) == len(values),
    }


def given_start(start: int | tuple[int, int], shape: tuple[int, ...]) -> tuple[int, int]:
    wanted = tuple(start) if isinstance(start, Sequence) else (start,) + (0,) * (len(shape) - 1)
    if len(wanted) != len(shape):
        raise ValueError(f"start={start!r} does not fit {len(shape)} slider{'s' * (len(shape) > 1)}.")
    for at, size in zip(wanted, shape):
        if not -size <= at < size:
            raise ValueError(f"There is no position {at} to start from: they go from 0 to {size - 1}.")
    return (*(int(at) % size for at, size in zip(wanted, shape)), 0)[:2]


def given_bars(bars: tuple[Sequence[str], Any], shape: tuple[int, ...], unit: str) -> dict[str, Any]:
    if len(bars) != 2:
        raise ValueError("bars= takes a pair (labels, heights).")
    labels, heights = list(map(str, bars[0])), numbers("bars", bars[1], (*shape, len(bars[0])))
    if not 1 <= len(labels) <= MOST["bars"]:
        raise ValueError(f"bars= has {len(labels)} labels: a sweep draws 1 to {MOST['bars']} bars.")
    scale = axis(heights, unit, log=False, zero=True)
    return {
        "labels": labels,
        "heights": heights.astype("<f4").tobytes(),
        "axis": scale,
        "decimals": decimals(heights, unit),
        "unit": unit,
    }


def given_curves(
    curves: Mapping[str, Any], shape: tuple[int, ...], unit: str, log: Sequence[str], frame: Mapping[str, Any]
) -> dict[str, Any]:
    """`frame` may have `levels` and a `floor`, which stand still, and the `top` and the `bottom` of the axis."""
    if not 1 <= len(curves) <= MOST["curves"]:
        raise ValueError(f"curves= has {len(curves)} names: a sweep draws 1 to {MOST['curves']} curves.")
    values = np.stack([numbers(f"curves[{name!r}]", given, shape) for name, given in curves.items()])
    levels = given_levels(frame)
    inside = np.append(values[np.isfinite(values)], [height for _, height, _ in levels])
    if (bottom := frame.get("bottom")) is not None:
        inside = np.append(inside[inside >= bottom], bottom)
    if "y" in log and (inside <= 0).any():
        raise ValueError("A logarithmic y axis needs heights above 0: use nan for what is missing.")
    if (top := frame.get("top")) is not None:
        values, inside = np.where(values > top, np.inf, values), np.append(inside[inside <= top], top)
        if not np.isfinite(values).any():
            raise ValueError(f"top={top:g} lies below every curve: nothing could be drawn.")
    return {
        "names": list(map(str, curves)),
        "values": values.astype("<f4").tobytes(),
        "axis": axis(inside, unit, log="y" in log, zero=False),
        "decimals": decimals(values, unit, "y" in log),
        "unit": unit,
        "levels": levels,
        "bottom": [] if bottom is None else [float(bottom), tick(float(bottom))],
    }


def given_levels(frame: Mapping[str, Any]) -> list[list]:
    """Name, height, and whether it is the floor, from the highest on."""
    found = [[str(name), height, False] for name, height in (frame.get("levels") or {}).items()]
    if "floor" in frame:
        found.append(["floor", frame["floor"], True])
    for name, height, _ in found:
        if not isinstance(height, Real) or not np.isfinite(height):
            raise ValueError(f"The level {name!r} stands at {height!r}, which is no height.")
    return sorted(([name, float(height), floor] for name, height, floor in found), key=lambda one: -one[1])


def numbers(name: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """`given` as float64 of this shape; what is masked becomes −inf.

    Raises:
        ValueError: another shape, no numbers, a number that is infinite, or too many of them.
    """
    values = filled(name, given)
    if values.shape != shape:
        raise ValueError(
            f"{name} has the shape {values.shape} and should have {shape}: one entry for each position of the"
            f" slider{'s' * (len(shape) > 1)}."
        )
    if values.size > MOST["numbers"]:
        raise ValueError(
            f"{name} holds {values.size:,} numbers, more than a page should carry ({MOST['numbers']:,}): use fewer"
            " positions."
        )
    if not np.isfinite(values).any():
        raise ValueError(f"{name} holds no number at all.")
    return values


def filled(name: str, given: Any) -> np.ndarray:
    """`given` as float64; what is masked becomes −inf.

    Raises:
        ValueError: no numbers, or a number that is infinite.
    """
    try:
        values = np.ma.filled(np.ma.asarray(given).astype(np.float64), MASKED)
    except (TypeError, ValueError):
        raise ValueError(f"{name} does not hold numbers in rows of one length.") from None
    if np.isposinf(values).any():
        raise ValueError(f"{name} holds an infinite number, which cannot be drawn: use nan for what is missing.")
    return values


def given_units(unit: str | Sequence[str], given: dict[str, bool]) -> dict[str, str]:
    """What the heights of each part count; one name for all of them, or one for each part that is given."""
    parts = [name for name, there in given.items() if there]
    units = [unit] * len(parts) if isinstance(unit, str) else list(unit)
    if len(units) != len(parts):
        raise ValueError(f"unit={unit!r} has {len(units)} names for {' and '.join(parts)}: it needs one for each.")
    return dict(zip(parts, units))


def given_said(said: Sequence | None, shape: tuple[int, ...]) -> list[str]:
    """All sentences in one row, the last slider fastest."""
    if said is None:
        return []
    rows = [said] if len(shape) == 1 else list(said)
    if (len(shape) == 2 and len(rows) != shape[0]) or any(
        isinstance(row, str) or len(row) != shape[-1] for row in rows
    ):
        raise ValueError(f"said= needs one sentence for each of the {' × '.join(map(str, shape))} positions.")
    return [str(sentence) for row in rows for sentence in row]
