"""The numbers behind a plane of points: principal components, nearest neighbours, and lines between two groups."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import torch

from labutils.analysis.components import principal_components
from labutils.analysis.neighbours import cosines

RIDGE = 0.01  # of the variance
FEW = 4  # words that a group needs for a line
SCORE, FAR = 1000, 32_000  # of a score as a whole number


def table(vectors, plane, of: list[int], lines: list[dict], nearest: int, before) -> dict[str, Any]:
    """One table as it travels: coordinates float32 (n, 2), the places and cosines of the nearest, scores of each line.

    `before` are the coordinates of the table before, which says where up and right are.
    """
    shares = None
    if plane is None:
        plane, shares = principal(vectors)
        if before is not None:
            plane = plane * np.where((plane * before).sum(0) < 0, -1, 1)
    near, values = neighbours(vectors, nearest)
    return {
        "coordinates": plane,
        "plane": plane.astype("<f4").tobytes(),
        "shares": shares,
        "near": near.astype("<u2").tobytes(),
        "cosines": _packed(values),
        "lines": [_line(vectors, plane, np.asarray(of), line) for line in lines],
    }


def principal(vectors: np.ndarray) -> tuple[np.ndarray, list[float]]:
    """(the first two principal components (n, 2), their shares of the variance). The largest weight of each is
    positive.

    >>> principal(np.array([[0.0, 0.0], [2.0, 0.0], [4.0, 0.0]]))[1]
    [1.0, 0.0]
    """
    if not np.ptp(vectors, axis=0).any():
        return np.zeros((len(vectors), 2)), [0.0, 0.0]
    found = principal_components(torch.from_numpy(vectors))
    return found.places.numpy(), [round(share, 6) for share in found.shares.tolist()]


def neighbours(vectors: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """For each vector the places of the k nearest others by cosine, and the cosines, the largest first: (n, k) each."""
    rows = torch.from_numpy(vectors)
    near, found = np.empty((len(vectors), k), int), np.empty((len(vectors), k))
    for i in range(len(vectors)):  # one row at a time: a square of 10,000 words would be 800 MB
        row = cosines(rows[i : i + 1], rows)[0].numpy()
        row[i] = -np.inf
        near[i] = np.argsort(-np.round(row, 12), kind="stable")[:k]  # of equals the one that comes first
        found[i] = row[near[i]]
    return near, found


def pairs(names: list[str], of: list[int], directions: Mapping[str, tuple], given: dict) -> list[dict[str, Any]]:
    """Every line that can be drawn: one for each two groups of some size, and the directions that were given."""
    size = lambda name: of.count(names.index(name))
    large = [name for name in names if size(name) >= FEW]
    lines = [
        {
            "name": f"{above} or {below}",
            "above": above,
            "below": below,
            "fitted": True,
            "ends": _ends(names, above, below),
        }
        for above, below in combinations(large, 2)
    ]
    for name, parts in directions.items():
        if len(parts) != 3 or not {*parts[1:]} <= {*names} or parts[1] == parts[2]:
            raise ValueError(
                f"The direction {name!r} takes (vector, group above, group below), two groups that there are."
            )
        vector, above, below = np.asarray(parts[0], float), *parts[1:]
        for table_, _ in given.values():
            if vector.shape != table_.shape[1:] or not vector.any():
                raise ValueError(f"The direction {name!r} needs {table_.shape[1]} numbers, not all of them 0.")
        if min(map(size, (above, below))) < 2:
            raise ValueError(f"The direction {name!r} needs two words or more in each of its groups.")
        ends = _ends(names, above, below)
        lines.append({"name": name, "above": above, "below": below, "fitted": False, "vector": vector, "ends": ends})
    return lines


def _ends(names: list[str], above: str, below: str) -> tuple[int, int]:
    return names.index(above), names.index(below)


def _line(vectors: np.ndarray, plane: np.ndarray, of: np.ndarray, line: dict) -> dict[str, Any]:
    """Scores of all words along one line, how many of each group lie on their own side, and which of the two
    coordinates says something else.
    """
    above, below = (of == end for end in line["ends"])
    scores = fitted(vectors, above, below) if line["fitted"] else along(vectors @ line["vector"], above, below)
    tilted = [_alike(scores, plane[:, axis]) for axis in (0, 1)]
    return {
        "scores": _packed(scores),
        "right": [int((scores[above] > 0).sum()), int((scores[below] < 0).sum())],
        "of": [int(above.sum()), int(below.sum())],
        "other": int(tilted[1] < tilted[0]),
    }


def _alike(a: np.ndarray, b: np.ndarray) -> float:
    """The size of a correlation; 1 where one of the two does not vary."""
    return abs(np.corrcoef(a, b)[0, 1]) if np.ptp(a) > 0 and np.ptp(b) > 0 else 1.0


def fitted(vectors: np.ndarray, above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """The score of each word, (n): above 0 on the side of the first group. Least squares to ±1 with a ridge, both
    groups counting alike; the score of a word of the two groups comes from a line that was fitted without it.

    That line need not be fitted: without row i the prediction is y_i − (y_i − ŷ_i) / (1 − h_i), where h is the diagonal
    of the hat matrix (Allen 1974, PRESS).
    """
    centred = vectors - vectors.mean(0)
    scale = np.sqrt((centred**2).sum(1).mean()) or 1.0
    x = np.hstack([centred / scale, np.ones((len(vectors), 1))])  # (n, d + 1)
    weight = np.where(above, 0.5 / above.sum(), np.where(below, 0.5 / below.sum(), 0.0))
    y, member = above.astype(float) - below, above | below
    ridge = np.diag([RIDGE] * vectors.shape[1] + [0.0])
    inverse = np.linalg.inv((x * weight[:, None]).T @ x + ridge)
    scores = x @ (inverse @ (x.T @ (weight * y)))
    hat = weight * np.einsum("ni,ij,nj->n", x, inverse, x)
    return np.where(member, y - (y - scores) / (1 - hat), scores)


def along(places: np.ndarray, above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Places on a line as scores: 0 lies halfway between the means of the two groups, which lie at 1 and −1. For a word
    of the groups the means are those of the others.
    """
    high, low = places[above].mean(), places[below].mean()
    half = abs(high - low) / 2 or 1.0
    scores = (places - (high + low) / 2) / half
    for group, mean, other in ((above, high, low), (below, low, high)):
        without = (mean * group.sum() - places[group]) / (group.sum() - 1)
        scores[group] = (places[group] - (without + other) / 2) / half
    return scores


def _packed(values: np.ndarray) -> bytes:
    """Three decimals as whole numbers of two bytes."""
    return np.clip(np.rint(values * SCORE * (1 + 1e-9)), -FAR, FAR).astype("<i2").tobytes()
