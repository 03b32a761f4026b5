"""What a checker draws: all of it from one seed, so that a run that failed can be repeated."""

import random
from collections.abc import Sequence

import torch
from torch import Tensor

SEEDS = 100_000


def new_seed() -> int:
    """A seed for a run that repeats none; the reader's own generators are left alone."""
    return random.SystemRandom().randrange(SEEDS)


class Draw:
    """Random sizes, choices, numbers and masks of one seed; nobody else's generator is touched.

    Attributes:
        run: the seed of the whole run, the same for all properties of a checker.
    """

    def __init__(self, seed: int, run: int = 0):
        self.run = run
        self._random = random.Random(seed)
        self._numbers = torch.Generator().manual_seed(seed)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both possible."""
        return self._random.randint(low, high)

    def choice(self, options: Sequence):
        """One of them. The options stand in an order: that of a set differs from one session to the next."""
        return self._random.choice(options)

    def choices(self, options: Sequence, n: int) -> list:
        """n of them, each as likely every time."""
        return self._random.choices(options, k=n)

    def sample(self, options: Sequence, n: int) -> list:
        """n different ones."""
        return self._random.sample(options, n)

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """Numbers of mean 0 and variance 1."""
        return torch.randn(shape, generator=self._numbers, dtype=dtype)

    def mask(self, *shape: int, share: float = 0.5) -> Tensor:
        """True with the probability `share`, each by itself."""
        return torch.rand(shape, generator=self._numbers) < share
