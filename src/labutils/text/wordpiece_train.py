"""Learning the pieces of WordPiece: merge the pair whose parts belong together most.

The score of a pair is f(ab) / (f(a) f(b)): how often the two stand together, against
how often each occurs at all.  Google never released the trainer of BERT's vocabulary;
this score is the usual reconstruction (Schuster and Nakajima 2012 describe the
criterion as likelihood).  It loves rare pairs: two symbols seen once, together, score
1.  So pairs below a floor of frequency are left out, and the best floor is the highest
that still fills the vocabulary.

>>> words = {"cat": 6, "car": 2, "cats": 3, "sat": 4, "sun": 2, "ox": 1}
>>> for (left, right), count, score in learn_pieces(words, 4):
...     print(join_pieces(left, right), count, round(score, 4))
ox 1 1.0
##un 2 0.5
sun 2 0.1667
##ts 3 0.0769
"""

from collections import Counter, defaultdict

from labutils.text.bpe_train import Pair, count_pairs, merge_pair


def split_word(word: str) -> list[str]:
    """The first character as it is, all others marked as continuations.

    >>> split_word("cats")
    ['c', '##a', '##t', '##s']
    """
    return [word[0]] + ["##" + char for char in word[1:]]


def join_pieces(left: str, right: str) -> str:
    """Two neighbours as one piece.

    >>> join_pieces("##t", "##s"), join_pieces("o", "##x")
    ('##ts', 'ox')
    """
    return left + right[2:]


class Counts:
    """Frequencies of pieces and of pairs of neighbours.

    Attributes:
        pieces, pairs: Counters.
        candidates: pairs that have been as frequent as ``floor`` at some time.
    """

    def __init__(self, floor: int):
        self.floor, self.candidates = max(1, floor), set()
        self.pieces, self.pairs = Counter(), Counter()

    def add(self, symbols: list[str], count: int) -> None:
        """Add one word's pieces and pairs, or take them away with a negative count."""
        for symbol in symbols:
            self.pieces[symbol] += count
        for pair in zip(symbols, symbols[1:]):
            self.pairs[pair] += count
            if self.pairs[pair] >= self.floor:
                self.candidates.add(pair)

    def score(self, pair: Pair) -> float:
        """f(ab) / (f(a) f(b))."""
        return self.pairs[pair] / (self.pieces[pair[0]] * self.pieces[pair[1]])

    def best(self) -> Pair | None:
        """The pair of highest score, or None when no pair is frequent enough."""
        self.candidates = {p for p in self.candidates if self.pairs[p] >= self.floor}
        rank = lambda pair: (-self.score(pair), -self.pairs[pair], pair)
        return min(self.candidates, key=rank, default=None)


def learn_pieces(
    words: dict[str, int], n_merges: int, min_frequency: int = 1
) -> list[tuple[Pair, int, float]]:
    """Score all pairs, merge the best, repeat.

    Args:
        words: word -> count.
        n_merges: stop after so many new pieces, or when no pair is left.
        min_frequency: leave out pairs that occur less often.

    Returns:
        List of ((left, right), count, score).  Of equal scores the pair that occurs
        more often wins, then the one that is first in string order.
    """
    words = [(split_word(word), count) for word, count in words.items()]
    counts, where = Counts(min_frequency), defaultdict(set)
    for i, (symbols, count) in enumerate(words):
        counts.add(symbols, count)
        for pair in zip(symbols, symbols[1:]):
            where[pair].add(i)
    merges = []
    while len(merges) < n_merges and (best := counts.best()):
        merges.append((best, counts.pairs[best], counts.score(best)))
        for i in where.pop(best):
            symbols, count = words[i]
            merged = merge_pair(symbols, best, join_pieces(*best))
            counts.add(symbols, -count)
            counts.add(merged, count)
            words[i] = merged, count
            for pair in zip(merged, merged[1:]):
                where[pair].add(i)
    return merges


def learn_frequent_pieces(
    words: dict[str, int], n_merges: int
) -> list[tuple[Pair, int, float]]:
    """``learn_pieces`` with the highest ``min_frequency`` that still finds ``n_merges``
    pieces, if any does.

    The floor is found by halving the range from 1 to the count of the commonest pair.

    >>> words = {"cat": 6, "car": 2, "cats": 3, "sat": 4, "sun": 2, "ox": 1}
    >>> [join_pieces(*pair) for pair, _, _ in learn_frequent_pieces(words, 2)]
    ['##at', 'cat']
    """
    merges = learn_pieces(words, n_merges)
    low = 1
    high = max(
        count_pairs(
            [(split_word(word), count) for word, count in words.items()]
        ).values(),
        default=1,
    )
    while low < high:
        floor = (low + high + 1) // 2
        found = learn_pieces(words, n_merges, floor)
        if len(found) == n_merges:
            merges, low = found, floor
        else:
            high = floor - 1
    return merges
