"""Attention of all heads in few bytes: one byte a number, nothing for what is masked, packed by zlib.

A byte is enough to draw by (256 steps of colour) but not to read by: what a control writes as a number travels as
float32. `explorer/numbers.js` reads both.
"""

import zlib

import numpy as np


def pack(values: np.ndarray, top: float, causal: bool) -> bytes:
    """`values` (L, H, n, n), from 0 to `top`, as one byte each, packed. Of a causal model only the keys up to the query
    are kept.

    >>> a = np.tril(np.full((1, 1, 2, 2), 0.5)); len(zlib.decompress(pack(a, 1.0, causal=True)))
    3
    """
    steps = np.rint(np.clip(values / (top or 1), 0, 1) * 255).astype(np.uint8)
    return zlib.compress(seen(steps, causal).tobytes(), 9)


def exact(values: np.ndarray, causal: bool) -> bytes:
    """One head (n, n) as float32, the masked part left out."""
    return seen(values, causal).astype("<f4").tobytes()


def seen(values: np.ndarray, causal: bool) -> np.ndarray:
    """What is not masked: (…, n, n) -> (…, n(n+1)/2) row by row in a causal model, otherwise (…, n·n)."""
    n = values.shape[-1]
    rows, columns = np.tril_indices(n) if causal else np.indices((n, n)).reshape(2, -1)
    return values[..., rows, columns]
