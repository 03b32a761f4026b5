"""Learning merges without counting again: the merges of ``learn_merges_naively``, many
times faster.

Three ideas.  An index says which words hold a pair, so that a merge touches only
those.  A merge changes no counts but those of the pairs to its left and right.  And
a heap offers the commonest pair; its entries may be out of date, which is noticed
when they come up (counts only fall after a pair's first appearance).

Inside, a word is a string with one character per symbol, ``chr(id)``: a pair is then
a string of two characters, which Python finds and replaces at the speed of C, and
whose order is the order of ids.
"""

from collections import Counter, defaultdict
from heapq import heapify, heappop, heappush, heapreplace


def learn_merges(
    words: dict[str, int],
    n_merges: int,
    alphabet: list[str] | None = None,
    min_frequency: int = 1,
) -> list[tuple[tuple[str, str], int]]:
    """See ``learn_merges_naively``: the same arguments, the same result.

    >>> learn_merges({"cat": 6, "car": 2, "cats": 3, "sat": 4}, 2)
    [(('a', 't'), 13), (('c', 'at'), 9)]
    """
    spelling = list(alphabet or sorted(set("".join(words))))
    to_id = {ord(symbol): chr(i) for i, symbol in enumerate(spelling)}
    counts = list(words.values())
    words = [word.translate(to_id) for word in words]
    pairs, where = _index(words, counts)
    heap = [(-count, pair) for pair, count in pairs.items()]
    heapify(heap)
    merges = []
    while heap and len(merges) < n_merges:
        count, pair = -heap[0][0], heap[0][1]
        if count != pairs[pair]:  # out of date: put it back with what is left
            heapreplace(heap, (-pairs[pair], pair)) if pairs[pair] else heappop(heap)
            continue
        if count < min_frequency:
            break
        heappop(heap)
        left, right = spelling[ord(pair[0])], spelling[ord(pair[1])]
        merges.append(((left, right), count))
        new = chr(len(spelling))
        spelling.append(left + right)
        for fresh in _merge(pair, new, words, counts, pairs, where):
            heappush(heap, (-pairs[fresh], fresh))
    return merges


def _index(words: list[str], counts: list[int]) -> tuple[Counter, defaultdict]:
    """How often each pair occurs, and in which words."""
    pairs, where = Counter(), defaultdict(list)
    for i, (word, count) in enumerate(zip(words, counts)):
        for pair in map("".join, zip(word, word[1:])):
            pairs[pair] += count
            where[pair].append(i)
    return pairs, where


def _merge(
    pair: str,
    new: str,
    words: list[str],
    counts: list[int],
    pairs: Counter,
    where: defaultdict,
) -> list[str]:
    """Merge one pair in all words; returns the pairs that this made."""
    left, right = pair
    fresh = Counter()
    for i in set(where.pop(pair)):
        word, count = words[i], counts[i]
        rest = word.split(pair)  # what stands before, between and after the occurrences
        words[i] = new.join(rest)
        for k in range(1, len(rest)):
            before = rest[k - 1][-1:] or (new if k > 1 else "")
            after = rest[k][:1]
            if before:
                pairs[(right if before == new else before) + left] -= count
                fresh[before + new] += count
                where[before + new].append(i)
            if after:
                pairs[right + after] -= count
                fresh[new + after] += count
                where[new + after].append(i)
    for made, count in fresh.items():
        pairs[made] += count
    pairs[pair] = 0
    return [made for made in fresh if pairs[made] > 0]
