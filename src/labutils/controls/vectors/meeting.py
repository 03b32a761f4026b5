"""How one query meets every key: direction, score, weight. `meeting.js` does the same on a page."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Meeting:
    """One query and n keys. Every array is (n,)."""

    length: float  # of the query
    lengths: np.ndarray  # of the keys
    cosine: np.ndarray  # q · k over both lengths; nan where one of them is 0 and has no direction
    score: np.ndarray  # q · k over √d_k, before any mask
    masked: np.ndarray  # true where the query may not look
    weight: np.ndarray  # 0 where masked


def meet(q: np.ndarray, k: np.ndarray, i: int, causal: bool) -> Meeting:
    """`q` and `k` are (n, d_k) of one head; `i` is the token that asks."""
    products, length, lengths = k @ q[i], float(np.linalg.norm(q[i])), np.linalg.norm(k, axis=1)
    both = length * lengths
    score = products / np.sqrt(q.shape[1])
    masked = causal & (np.arange(len(k)) > i)
    powers = np.where(masked, 0, np.exp(score - score[~masked].max()))
    cosine = np.divide(products, both, out=np.full(len(k), np.nan), where=both > 0)
    return Meeting(length, lengths, np.clip(cosine, -1, 1), score, masked, powers / powers.sum())
