"""One word of a story exchanged for another one, and what every later word depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from labutils.world.tellers import join


class Reckons(Protocol):
    """What a swap asks of its World."""

    def log_prob(self, text: str) -> float: ...

    def next_word(self, prefix: str) -> dict[str, float]: ...


class Odds(NamedTuple):
    """What may follow the word at `place`, in the story as it was and with the other word: "" is the story's end."""

    place: int
    before: dict[str, float]
    after: dict[str, float]


@dataclass(frozen=True)
class Swap:
    """A minimal pair: two stories of the world that differ in the word at `place`.

    >>> from labutils.world import RUNNING_TEXT, World
    >>> pair = World().swap(RUNNING_TEXT, 1, "puppy")
    >>> pair.before, pair.after
    ('The cat sat on the mat. It was tired.', 'The puppy sat on the mat. It was tired.')
    >>> odds = pair.odds(8)
    >>> round(odds.before["tired"], 3), round(odds.after["tired"], 3)
    (0.238, 0.119)
    """

    world: Reckons
    words: tuple[str, ...]
    place: int
    word: str

    @property
    def before(self) -> str:
        """The text as it was."""
        return join([*self.words])

    @property
    def after(self) -> str:
        """The text with the other word."""
        return join([*self._swapped])

    @property
    def log_odds(self) -> float:
        """Nats by which the text with the other word is more probable."""
        return self.world.log_prob(self.after) - self.world.log_prob(self.before)

    def odds(self, place: int) -> Odds:
        """The exact distributions of the word that follows the one at `place`, which is not before the swap."""
        if not self.place <= place < len(self.words):
            raise ValueError(
                f"The two texts differ from word {self.place} to word {len(self.words) - 1}: "
                f"word {place} is not among them."
            )
        return Odds(place, _next(self.world, self.words[: place + 1]), _next(self.world, self._swapped[: place + 1]))

    def __iter__(self) -> Iterator[Odds]:
        """The odds at every place from the swap to the end, each worked out when it is asked for."""
        return map(self.odds, range(self.place, len(self.words)))

    @property
    def _swapped(self) -> tuple[str, ...]:
        return (*self.words[: self.place], self.word, *self.words[self.place + 1 :])


def _next(world: Reckons, words: tuple[str, ...]) -> dict[str, float]:
    return world.next_word(join([*words]))
