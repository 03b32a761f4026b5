"""A unigram model of words: each piece has a probability, and a word falls into its
most probable pieces (Kudo 2018).

BPE keeps an order of merges, WordPiece a list of pieces; this keeps a list with a score
a piece, ln p.  The probability of a cut is the product over its pieces, so its score is
their sum, and the best cut is a best path through the word.

>>> seen = {"cat": 2, "cats": 1, "sat": 2, "at": 1, "s": 1, "c": 1}
>>> scores = {piece: -math.log2(8 / n) for piece, n in seen.items()}
>>> best_path("catsat", scores)
(['cat', 'sat'], -4.0)

Training starts with too many pieces and takes away those that are missed least.
"""

import math
from collections import Counter, defaultdict

Scores = dict[str, float]


def best_path(word: str, scores: Scores) -> tuple[list[str], float]:
    """The cut of a word with the highest sum of scores (Viterbi's algorithm).

    Args:
        word: any string.
        scores: piece -> ln p; higher is better.

    Returns:
        The pieces and their sum.  Of equal cuts the one whose last piece is longest.

    Raises:
        ValueError: when no sequence of pieces makes up the word.
    """
    n = len(word)
    best = [0.0] + [-math.inf] * n  # (n + 1,): the best sum up to each place
    begins = [0] * (n + 1)  # (n + 1,): where the last piece on it begins
    for end in range(1, n + 1):
        for start in range(end):
            total = best[start] + scores.get(word[start:end], -math.inf)
            if total > best[end]:
                best[end], begins[end] = total, start
    if best[n] == -math.inf:
        raise ValueError(f"No pieces make up {word!r}: a part is in none.")
    pieces, end = [], n
    while end:
        pieces.append(word[begins[end] : end])
        end = begins[end]
    return pieces[::-1], best[n]


def expected_counts(word: str, p: dict[str, float]) -> Counter:
    """How often each piece is expected in a word when every cut counts as much as it is
    probable.

    Args:
        p: piece -> probability.

    The sums over all cuts that end, or begin, at a place are carried along, as in
    Viterbi's algorithm with a sum in place of the maximum.  Meant for words: the
    product of a hundred probabilities is no longer a float.

    >>> counts = expected_counts("ab", {"a": 0.5, "b": 0.5, "ab": 0.25})
    >>> dict(sorted(counts.items()))
    {'a': 0.5, 'ab': 0.5, 'b': 0.5}
    """
    n = len(word)
    spans = [(i, j) for i in range(n) for j in range(i + 1, n + 1) if word[i:j] in p]
    # (n + 1,) each: all cuts up to a place, from a place on
    before, after = [1.0] + [0.0] * n, [0.0] * n + [1.0]
    for i, j in sorted(spans, key=lambda span: span[1]):
        before[j] += before[i] * p[word[i:j]]
    for i, j in reversed(spans):
        after[i] += p[word[i:j]] * after[j]
    counts = Counter()
    for i, j in spans:
        if after[0]:
            counts[word[i:j]] += before[i] * p[word[i:j]] * after[j] / after[0]
    return counts


def fit(words: dict[str, int], scores: Scores) -> Scores:
    """One step of expectation and maximisation: count pieces under the scores, turn
    counts into scores.

    Single characters stay even where they are no longer used, so that every word can
    still be spelled.
    """
    p = {piece: math.exp(score) for piece, score in scores.items()}
    counts = Counter()
    for word, times in words.items():
        for piece, expected in expected_counts(word, p).items():
            counts[piece] += times * expected
    kept = {
        piece: max(counts[piece], 1e-3)
        for piece in scores
        if len(piece) == 1 or counts[piece] > 1e-3
    }
    total = sum(kept.values())
    return {piece: math.log(count / total) for piece, count in kept.items()}


def prune(words: dict[str, int], scores: Scores, size: int) -> Scores:
    """Take pieces away until ``size`` are left: those first whose best replacement
    costs the words least.
    """
    used = Counter()
    for word, times in words.items():
        for piece in best_path(word, scores)[0]:
            used[piece] += times
    costs = {}
    for piece in (piece for piece in scores if len(piece) > 1):
        others = {
            part: scores[part]
            for part in _parts(piece)
            if part in scores and part != piece
        }
        costs[piece] = used[piece] * (scores[piece] - best_path(piece, others)[1])
    missed_least = sorted(costs, key=lambda piece: (costs[piece], piece))
    gone = set(missed_least[: max(0, len(scores) - size)])
    return {piece: score for piece, score in scores.items() if piece not in gone}


def learn_pieces(
    words: dict[str, int], size: int, longest: int = 10, keep: float = 0.75
) -> Scores:
    """Start from every part of a word that occurs at least twice, then fit and prune in
    turns.

    Args:
        words: word -> count.
        size: how many pieces to end with, at most; the single characters always stay.
        longest: characters of a piece, at most.
        keep: the share that survives a round.

    Returns:
        piece -> ln p.
    """
    seeds = defaultdict(int)
    for word, times in words.items():
        for part in _parts(word):
            seeds[part] += times * (len(part) <= longest)
    seeds = {
        part: count for part, count in seeds.items() if len(part) == 1 or count > 1
    }
    total = sum(seeds.values())
    scores = {part: math.log(count / total) for part, count in seeds.items()}
    while True:
        scores = fit(words, fit(words, scores))
        if len(scores) <= size or not any(len(piece) > 1 for piece in scores):
            return scores
        scores = prune(words, scores, max(size, int(keep * len(scores))))


def _parts(word: str) -> list[str]:
    """Every run of characters of a word.

    >>> _parts("cat")
    ['c', 'ca', 'cat', 'a', 'at', 't']
    """
    return [word[i:j] for i in range(len(word)) for j in range(i + 1, len(word) + 1)]
