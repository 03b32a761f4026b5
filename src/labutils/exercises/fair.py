"""Answers that mean the same: a list for a tuple, NumPy's number for Python's, an array for a tensor, 0 and 1 for
False and True. What is equal in its plain form is as good an answer.
"""

from collections.abc import Mapping
from numbers import Integral, Real

import torch
from torch import Tensor


def plain(value):
    """A value without what it is wrapped in: tuples, tensors and arrays as lists, their numbers as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def alike(found, right, within: float = 1e-4) -> bool:
    """Whether two answers are the same. Numbers with decimals and tensors may differ by rounding, and nan is nan."""
    if isinstance(right, float | Tensor):
        found, right = (torch.as_tensor(value, dtype=torch.float64) for value in (found, right))
        fits = found.shape == right.shape
        return fits and torch.allclose(found, right, rtol=within, atol=within, equal_nan=True)
    return plain(found) == plain(right)


def number(value) -> float | None:
    """A real number of any kind, also a tensor, an array or a list of one; None for all else."""
    value = _only_one(value)
    return float(value) if isinstance(value, Real) else None


def whole(value) -> int | None:
    """A whole number of any kind, also a tensor, an array or a list of one; None for all else."""
    value = _only_one(value)
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def _only_one(value):
    value = plain(value)
    while isinstance(value, list) and len(value) == 1:
        (value,) = value
    return value


def numbers(value) -> Tensor | None:
    """A tensor, an array or nested lists of real numbers, as a tensor in float64; None for all else."""
    try:
        return torch.tensor(plain(value), dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError, OverflowError):  # what PyTorch raises depends on what it meets
        return None


def all_whole(value) -> bool:
    """Whether a tensor, an array or nested lists hold whole numbers and nothing else, neither 3.0 nor True."""
    value = plain(value)
    if isinstance(value, list):
        return all(all_whole(item) for item in value)
    return isinstance(value, Integral) and not isinstance(value, bool)


def table(value) -> Tensor | None:
    """A tensor of True and False, out of whatever holds these or 1 and 0; None for all else."""
    found = numbers(value)
    return found.bool() if found is not None and bool(((found == 0) | (found == 1)).all()) else None
