"""Drawing so that easy rules fail: which of the items that come along are taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from labutils.world.items import Question

T = TypeVar("T")


class AtMostHalf:
    """Takes a question only if no rule is right for more than half of what is taken, or the half and one.

    A rule is a function of a question that returns the number of a candidate.
    """

    def __init__(self, rules: Sequence[Callable[[Question], int]]):
        self.rules = rules
        self.taken = 0
        self.right: Counter = Counter()

    def takes(self, item: Question) -> bool:
        """Whether the question is taken; counted if so."""
        right = [rule for rule in self.rules if rule(item) == item.gold]
        if any(2 * self.right[rule] > self.taken for rule in right):
            return False
        self.taken += 1
        self.right.update(right)
        return True


class Twins(Generic[T]):
    """Takes items with the labels True and False in twos that look the same.

    So whoever sees no more of an item than this look is right for half of them, whatever was learned.
    """

    def __init__(self):
        self.waiting: dict[tuple[Hashable, bool], list[T]] = {}

    def pair(self, item: T, look: Hashable, label: bool) -> list[T]:
        """The item with its twin, if one of the other label has waited for it; else nothing yet."""
        twins = self.waiting.get((look, not label))
        if twins:
            return [twins.pop(0), item]
        self.waiting.setdefault((look, label), []).append(item)
        return []
