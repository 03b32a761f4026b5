"""Axes of a sweep: the ends of a scale, its ticks, and where a value lies between 0 and 1."""

import math
from numbers import Real
from typing import Any

import numpy as np

NAMED = 12  # values of a slider that can all be ticks


def axis(values: np.ndarray, unit: str, log: bool, zero: bool) -> dict[str, Any]:
    """One scale for all places: {low, high, log, ticks: [[place from 0 to 1, word], …]}. With `zero` it reaches 0."""
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    if unit == "probability" and 0 <= low and high <= 1 and not log:
        low, high, marks = 0.0, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0]  # one half in the middle
    elif log:
        low, high, marks = _log_ends(low, high)
    else:
        if zero or 0 <= low <= high / 2:
            low = min(low, 0.0)
        high = max(high, 0.0) if zero else high
        step = _step(low, high)
        low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
        if high - low < 1.5 * step:
            low, high = (low if zero and low >= 0 else low - step), (high if zero and high <= 0 else high + step)
        marks = [low + step * i for i in range(round((high - low) / step) + 1)]
    return {
        "low": low,
        "high": high,
        "log": log,
        "ticks": [[_place(mark, low, high, log), word] for mark, word in zip(marks, ticked(marks))],
    }


def places(values: list, numbers: list[float] | None, log: bool, label: str) -> tuple[list[float], list]:
    """(where each value of the first slider lies on the x axis, the ticks of that axis). Words stand at equal
    distances.
    """
    if numbers is None or any(b <= a for a, b in zip(numbers, numbers[1:])) or not np.isfinite(numbers).all():
        if log:
            raise ValueError(f"A logarithmic x axis needs growing numbers, which the values of {label!r} are not.")
        at = [i / (len(values) - 1) for i in range(len(values))]
        return at, [[x, written(value)] for x, value in zip(at, values)]
    if log and numbers[0] <= 0:
        raise ValueError(f"A logarithmic x axis needs values above 0, and {label!r} begins at {numbers[0]:g}.")
    low, high = numbers[0], numbers[-1]
    at = [_place(x, low, high, log) for x in numbers]
    if len(numbers) <= NAMED:
        return at, [[x, written(value)] for x, value in zip(at, values)]
    step = _step(low, high)
    marks = (
        _log_marks(low, high)
        if log
        else [step * i for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    )
    return at, [[_place(mark, low, high, log), word] for mark, word in zip(marks, ticked(marks))]


def written(value: Any) -> str:
    """A value of a slider as it is shown.

    >>> written(0.5), written(1024.0), written(-1), written("post")
    ('0.5', '1,024', '−1', 'post')
    """
    return f"{value:,.10g}".replace("-", "−") if isinstance(value, Real) and not isinstance(value, bool) else str(value)


def _place(x: float, low: float, high: float, log: bool) -> float:
    f = math.log if log else float
    return round((f(x) - f(low)) / ((f(high) - f(low)) or 1), 6)


def _step(low: float, high: float) -> float:
    """The distance of ticks: 1, 2, 2.5 or 5 times a power of ten, so that there are 4 to 7 of them."""
    span = (high - low) or abs(high) or 1.0
    power = 10.0 ** math.floor(math.log10(span / 5) + 1e-9)
    return next(step * power for step in (1, 2, 2.5, 5, 10) if span / (step * power) <= 6)


def _log_ends(low: float, high: float) -> tuple[float, float, list[float]]:
    marks = _log_marks(10.0 ** math.floor(math.log10(low) + 1e-9), 10.0 ** math.ceil(math.log10(high) - 1e-9))
    below, above = (
        max([mark for mark in marks if mark <= low * (1 + 1e-9)], default=low),
        min([mark for mark in marks if mark >= high * (1 - 1e-9)], default=high),
    )
    if above <= below:
        above = below * 10
    return below, above, [mark for mark in marks if below <= mark <= above]


def _log_marks(low: float, high: float) -> list[float]:
    """Powers of ten, with 2 and 5 between them where there are few, and some left out where there are many."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    within = (1, 2, 5) if last - first <= 2 else (1,)
    marks = [step * 10.0**power for power in range(first, last + 1, max(1, (last - first) // 5)) for step in within]
    return [mark for mark in marks if low * (1 - 1e-9) <= mark <= high * (1 + 1e-9)]


def ticked(marks: list[float]) -> list[str]:
    """The numbers beside one axis, in one notation: if one of its powers of ten is written as a power, all are.

    >>> ticked([1e-05, 1.0, 100000.0, 1e10]), ticked([0.1, 1.0, 10.0])
    (['10⁻⁵', '10⁰', '10⁵', '10¹⁰'], ['0.1', '1', '10'])
    """
    powers = [math.floor(math.log10(mark) + 0.5) if mark > 0 else None for mark in marks]
    all_powers = all(power is not None and abs(mark / 10.0**power - 1) < 1e-9 for mark, power in zip(marks, powers))
    words = [tick(mark) for mark in marks]
    return [f"10{str(power).translate(SUPER)}" for power in powers] if all_powers and _mixed(words) else words


def _mixed(words: list[str]) -> bool:
    return any(word.startswith("10") and word[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹" for word in words)


def tick(x: float) -> str:
    """A number beside an axis: as short as it can be.

    >>> tick(0.25), tick(12000.0), tick(1e-05), tick(-2.0), tick(0.0)
    ('0.25', '12,000', '10⁻⁵', '−2', '0')
    """
    if x and not 1e-3 <= abs(x) < 1e6:
        return significant(x, 1).removeprefix("1 × ")
    text = f"{x:,.6f}".rstrip("0").rstrip(".")
    return text.replace("-", "−") if float(text.replace(",", "")) else "0"


def num(x: float, decimals: int = 2) -> str:
    """Fixed decimals and a true minus.

    >>> num(-1.234), num(-0.001), num(-math.inf)
    ('−1.23', '0.00', '−∞')
    """
    if x == -math.inf:
        return "−∞"
    return f"{0.0 if abs(x) < 0.5 * 10**-decimals else x:.{decimals}f}".replace("-", "−")


SUPER = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def significant(x: float, digits: int = 3) -> str:
    """A number with so many digits that count; very large and very small ones with a power of ten.

    >>> significant(0.012345), significant(12345.6), significant(1.2345e-7), significant(0.0)
    ('0.0123', '12,346', '1.23 × 10⁻⁷', '0')
    """
    if not x:
        return "0"
    power = math.floor(math.log10(abs(x)) + 1e-12)
    if -4 < power < 6:
        decimals = max(0, digits - 1 - power)
        return f"{x * (1 + 1e-9):,.{decimals}f}".replace("-", "−")
    return f"{num(x / 10.0**power * (1 + 1e-9), digits - 1)} × 10{str(power).translate(SUPER)}"


def decimals(values: np.ndarray, unit: str, log: bool = False) -> int:
    """How many decimals the numbers of a group are written with; −1 for three digits that count, of any size."""
    finite = np.abs(values[np.isfinite(values)])
    if unit == "probability":
        return 3
    if (finite == np.round(finite)).all() and finite.max() < 1e6:
        return 0
    if log or finite.max() >= 1e6 or finite.max() < 1e-3:
        return -1
    return max(0, 2 - math.floor(math.log10(finite.max())))
