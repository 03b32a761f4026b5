"""What counting reaches: the cost of the next token for whoever knows how often tokens, pairs or triples of them occur.

A rival for the GPTs that are trained in a page, fed with the same stories. Each order is smoothed by the one below
(absolute discounting, interpolated: Ney, Essen and Kneser 1994), the discount chosen on stories that are not counted.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

DISCOUNTS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)
Rows = Sequence[Sequence[int]]  # each begins with the end sign


class Counts:
    """How often each token followed each of the contexts of up to `order` - 1 tokens."""

    def __init__(self, rows: Rows, order: int, vocabulary: int):
        self.order, self.vocabulary = order, vocabulary
        self.seen: dict[tuple[int, ...], Counter] = defaultdict(Counter)
        for row in rows:
            for context, token in _places(row, order):
                for length in range(len(context) + 1):
                    self.seen[context[len(context) - length :]][token] += 1

    def p(self, context: tuple[int, ...], token: int, discount: float) -> float:
        """The probability of a token after a context."""
        below = self.p(context[1:], token, discount) if context else 1 / self.vocabulary
        found = self.seen.get(context)
        if not found:
            return below
        total = found.total()
        return max(found[token] - discount, 0) / total + discount * len(found) / total * below

    def loss(self, rows: Rows, discount: float) -> float:
        """Nats a token."""
        costs = [
            -math.log(self.p(context, token, discount)) for row in rows for context, token in _places(row, self.order)
        ]
        return sum(costs) / len(costs)


def counting(told: Rows, fresh: Rows, order: int, vocabulary: int, aside: int = 500) -> float:
    """Nats a token on `fresh`, of counts over `told`; the last `aside` of these choose the discount."""
    counts = Counts(told[:-aside], order, vocabulary)
    best = min(DISCOUNTS, key=lambda discount: counts.loss(told[-aside:], discount))
    return Counts(told, order, vocabulary).loss(fresh, best)


def _places(row: Sequence[int], order: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each token after the first with the up to `order` - 1 tokens before it."""
    for i in range(1, len(row)):
        yield tuple(row[max(0, i - order + 1) : i]), row[i]
