"""How good yes-or-no answers are: counted in four boxes, and summed up in one number, in three ways.

Accuracy counts what is right. F1 looks at the yeses alone (van Rijsbergen 1979, chapter 7), and Matthews' coefficient
at all four boxes (Matthews 1975): where most answers are no, the first is high for whoever always says no.
"""

import math
from typing import NamedTuple

from jaxtyping import Bool
from torch import Tensor


class Boxes(NamedTuple):
    """How often yes was said and true, said and false, not said and true, not said and false."""

    hits: int
    alarms: int
    misses: int
    passed: int

    @property
    def accuracy(self) -> float:
        """The share of right answers.

        >>> Boxes(hits=0, alarms=0, misses=10, passed=90).accuracy
        0.9
        """
        return (self.hits + self.passed) / sum(self)

    @property
    def f1(self) -> float:
        """The harmonic mean of how many yeses were true and of how many true ones were found; 0 without a hit.

        >>> Boxes(hits=0, alarms=0, misses=10, passed=90).f1
        0.0
        """
        return 2 * self.hits / (2 * self.hits + self.alarms + self.misses) if self.hits else 0.0

    @property
    def matthews(self) -> float:
        """The correlation of what is said with what is true, from -1 to 1; 0 where one of them never changes.

        >>> Boxes(hits=10, alarms=0, misses=0, passed=90).matthews
        1.0
        """
        said, silent = self.hits + self.alarms, self.misses + self.passed
        true, false = self.hits + self.misses, self.alarms + self.passed
        spread = math.sqrt(said * silent * true * false)
        return (self.hits * self.passed - self.alarms * self.misses) / spread if spread else 0.0


def boxes(said: Bool[Tensor, "..."], true: Bool[Tensor, "..."]) -> Boxes:
    """Count the four boxes. Raises ValueError where the shapes differ or there is nothing to count."""
    if said.shape != true.shape or not said.numel():
        raise ValueError(f"Answers of shape {tuple(said.shape)} cannot be scored by labels of {tuple(true.shape)}.")
    count = lambda *both: int((both[0] & both[1]).sum())
    return Boxes(count(said, true), count(said, ~true), count(~said, true), count(~said, ~true))
