"""Sequences of unequal length to rectangular batches, with little padding."""

import random
from collections.abc import Sequence

import torch


def by_length(lengths: Sequence[int], max_tokens: int, rng: random.Random) -> list[list[int]]:
    """Group the indices of `lengths` into batches of similar length, each at most `max_tokens` with its padding.

    The batches come back in random order (drawn from `rng`), so that the model does not see all short texts first.
    A sequence longer than `max_tokens` gets a batch of its own.

    >>> sorted(sorted(b) for b in by_length([3, 9, 4, 10], 20, random.Random(0)))
    [[0, 2], [1, 3]]
    """
    batches: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: (lengths[i], i)):
        if batches and lengths[i] * (len(batches[-1]) + 1) <= max_tokens:
            batches[-1].append(i)
        else:
            batches.append([i])
    rng.shuffle(batches)
    return batches


def pad(sequences: Sequence[Sequence[int]], value: int) -> torch.Tensor:
    """Right-pad with `value` to the length of the longest: ids (B, n), long."""
    width = max(len(s) for s in sequences)
    return torch.tensor([[*s, *[value] * (width - len(s))] for s in sequences], dtype=torch.long)
