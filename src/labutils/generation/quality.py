"""Quality: what can be counted in texts that a model wrote.

Repetition as in Welleck et al. 2020, distinct-n as in Li et al. 2016.
"""

from collections.abc import Sequence


def ngrams(items: Sequence, n: int) -> list[tuple]:
    """All runs of n items.

    >>> ngrams("abc", 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [tuple(items[i : i + n]) for i in range(len(items) - n + 1)]


def distinct(texts: Sequence[Sequence], n: int) -> float:
    """Of all runs of n items in these texts, the share that are different: 1 if no two
    are the same, near 0 if one is said for ever. Raises ValueError without any run.

    >>> distinct(["abab"], 2)
    0.6666666666666666
    """
    runs = [run for text in texts for run in ngrams(text, n)]
    if not runs:
        raise ValueError(f"No text has a run of {n}.")
    return len(set(runs)) / len(runs)


def repetition(text: Sequence, n: int) -> float:
    """The share of runs of n items that stood in the same text before; 0 without any.

    >>> repetition("abab", 2)
    0.33333333333333337
    """
    return 1 - distinct([text], n) if len(text) >= n else 0.0
