"""Merging by rank, fast.  Both functions give what ``merge_by_rank`` in ``bpe.py``
gives.

They merge one place at a time, the leftmost of equals.  With ranks that no training
finds this is another thing than to merge a pair everywhere, and it is what HuggingFace
does with them.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

Ranks = dict[tuple[str, str], int]

NONE = 1 << 60  # stands for "no rank" and is larger than any
LONG = 200  # symbols; from here on the heap wins


def merge_fast(symbols: Sequence[str], ranks: Ranks) -> list[str]:
    """The tokens of one word, by whichever way suits its length."""
    return (
        merge_short_word(symbols, ranks)
        if len(symbols) < LONG
        else merge_long_word(symbols, ranks)
    )


def merge_short_word(symbols: Sequence[str], ranks: Ranks) -> list[str]:
    """Keeps the rank of each pair of neighbours; a merge changes only the ranks on its
    two sides.

    >>> ranks = {("c", "a"): 0, ("ca", "t"): 1, ("a", "t"): 2, ("cat", "s"): 3}
    >>> merge_short_word("catsat", ranks)
    ['cats', 'at']
    """
    symbols = list(symbols)
    rank_of = ranks.get
    offers = [rank_of(pair, NONE) for pair in zip(symbols, symbols[1:])]
    while offers:
        rank = min(offers)
        if rank == NONE:
            break
        i = offers.index(rank)  # the leftmost of equals
        symbols[i] += symbols[i + 1]
        del symbols[i + 1], offers[i]
        if i < len(offers):
            offers[i] = rank_of((symbols[i], symbols[i + 1]), NONE)
        if i:
            offers[i - 1] = rank_of((symbols[i - 1], symbols[i]), NONE)
    return symbols


def merge_long_word(symbols: Sequence[str], ranks: Ranks) -> list[str]:
    """n log n steps instead of n².

    Symbols form a linked list; a heap offers the pair of lowest rank, leftmost
    first.  An offer is stale when its left symbol was swallowed or its pair changed.

    >>> merge_long_word("aaaaa", {("a", "a"): 0, ("aa", "aa"): 1})
    ['aaaa', 'a']
    """
    symbols = list(symbols)
    n = len(symbols)
    before, after = list(range(-1, n - 1)), list(range(1, n + 1))
    offers = [
        (ranks[pair], i)
        for i, pair in enumerate(zip(symbols, symbols[1:]))
        if pair in ranks
    ]
    heapify(offers)
    while offers:
        rank, i = heappop(offers)
        j = after[i]
        if symbols[i] is None or j == n or ranks.get((symbols[i], symbols[j])) != rank:
            continue
        symbols[i] += symbols[j]
        symbols[j] = None
        after[i] = k = after[j]
        if k < n:
            before[k] = i
            if (symbols[i], symbols[k]) in ranks:
                heappush(offers, (ranks[symbols[i], symbols[k]], i))
        h = before[i]
        if h >= 0 and (symbols[h], symbols[i]) in ranks:
            heappush(offers, (ranks[symbols[h], symbols[i]], h))
    return [symbol for symbol in symbols if symbol is not None]
