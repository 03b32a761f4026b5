"""A mean and its standard error: no number on a model card stands without one."""

import math
import statistics
from collections.abc import Sequence

import torch


def share(right: Sequence[float]) -> tuple[float, float]:
    """The share of `right` (1 or 0 each) and its standard error.

    The error is taken at (k + 1/2) / (n + 1), k of n being right, so that 1000 of 1000 are not stated to be without
    error.

    >>> [round(x, 4) for x in share([1, 1, 1, 0])]
    [0.75, 0.2291]
    """
    n, k = len(right), sum(right)
    shrunk = (k + 0.5) / (n + 1)
    return k / n, math.sqrt(shrunk * (1 - shrunk) / n)


def share_by(right: Sequence[float], stories: Sequence[int]) -> tuple[float, float]:
    """The share of `right` (1 or 0 each) and its standard error, several coming from one of the `stories`: what one
    story has in common is no new evidence. At least the error of `share`.
    """
    value, error = share(right)
    return value, max(error, mean_by(right, stories)[1])


def mean_by(values: Sequence[float], stories: Sequence[int]) -> tuple[float, float]:
    """The mean of `values` and its standard error, of which several come from one of the `stories`.

    >>> [round(x, 3) for x in mean_by([1, 1, 0, 0], [7, 7, 8, 8])]  # two things are known, not four
    [0.5, 0.5]
    """
    sums: dict[int, list[float]] = {}
    for value, story in zip(values, stories):
        sums.setdefault(story, []).append(value)
    return ratio([sum(mine) for mine in sums.values()], [len(mine) for mine in sums.values()])


def mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean of independent `values` and its standard error."""
    return statistics.fmean(values), (statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0)


def ratio(above: Sequence[float], below: Sequence[float]) -> tuple[float, float]:
    """sum(above) / sum(below) and its standard error, one entry a story: what the two have in common cancels.

    The linear approximation of Cochran 1977, "Sampling Techniques", section 6.4.
    """
    r, n = sum(above) / sum(below), len(above)
    left = [a - r * b for a, b in zip(above, below)]
    return r, (statistics.stdev(left) / math.sqrt(n) / abs(statistics.fmean(below)) if n > 1 else 0.0)


def largest(values: torch.Tensor) -> dict[str, float]:
    """The head with the largest mean among values (n, L, H): {"layer", "head", "weight", "error"}, counted from 0."""
    layer, head = divmod(int(values.mean(0).argmax()), values.shape[2])
    weight, error = mean(values[:, layer, head].tolist())
    return {"layer": layer, "head": head, "weight": round(weight, 4), "error": round(error, 4)}
