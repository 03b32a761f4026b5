"""A choice between phrases: what may come next in a story, with exact probabilities."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, cached_property
from itertools import accumulate, chain
from typing import NamedTuple


class Phrase(tuple):
    """Words with their gold tags: for each (UPOS, relation, head, entity).

    `head` is an offset to another word of the phrase, "^" for the word that the teller is given as
    head, None where it becomes known later.
    """

    tags: tuple = ()

    def __add__(self, other: Phrase) -> Phrase:
        made = Phrase((*self, *other))
        made.tags = self.tags + other.tags
        return made


class Look(str):
    """A word of somebody's introduction, which another one could stand for (see ``exact.py``)."""


@cache
def phrase(spec: str) -> Phrase:
    """Words and tags from "near/ADP/case/2 the/DET/det/1 gate/NOUN/obl/^/PLACE".

    >>> phrase("at/ADP/case/1 night/NOUN/obl/^"), phrase("was/AUX/cop").tags
    (('at', 'night'), (('AUX', 'cop', None, ''),))
    """
    words, tags = [], []
    for item in spec.split(" "):
        word, upos, deprel, head, entity, *_ = item.split("/") + [None] * 3
        words.append(word)
        tags.append((upos, deprel, head if head in (None, "", "^") else int(head), entity or ""))
    made = Phrase(words)
    made.tags = tuple((u, d, h or None, e) for u, d, h, e in tags)
    return made


class Columns(NamedTuple):
    """Options of a table by their parts: words as tuples, weights above 0, payloads."""

    phrases: tuple[tuple[str, ...], ...]
    weights: tuple[float, ...]
    payloads: tuple[Hashable, ...]


def columns(options: Iterable[tuple[str | tuple[str, ...], float, Hashable]]) -> Columns:
    """Options without those of no weight."""
    options = [((words,) if isinstance(words, str) else words, p, x) for words, p, x in options if p != 0]
    return Columns(*zip(*options)) if options else Columns((), (), ())


class Table:
    """Phrases to choose from, each a tuple of words, with its probability and a payload.

    The payload is all that the rest of the story may know about the choice. Phrases may share
    their first words ("near the barn", "near the gate"), but no phrase begins another one, so
    the words that follow always say which one was chosen: a text has one derivation.

    `lump(payload)` names the group of phrases that the exact reckoning may treat as one
    (default: equal payloads); see ``exact.py``.
    """

    _kept: dict | None = None  # by `going_on`

    def __init__(
        self,
        options: Iterable[tuple[str | tuple[str, ...], float, Hashable]],
        lump: Callable[[Hashable], Hashable] | None = None,
    ):
        phrases, weights, payloads = zip(*[o for o in options if o[1] != 0])
        if min(weights) < 0:
            raise ValueError(f"{phrases[weights.index(min(weights))]} has a weight below 0: {min(weights)}.")
        self._fill([(p,) if isinstance(p, str) else p for p in phrases], weights, payloads, lump)

    def _fill(self, phrases: list, weights: Sequence[float], payloads: tuple, lump) -> None:
        total = sum(weights)
        self.phrases = phrases
        self.p = [w / total for w in weights]
        self.payloads = payloads
        self.lump = lump

    @classmethod
    def joined(cls, *parts: Columns, lump: Callable[[Hashable], Hashable] | None = None) -> Table:
        """The table of several parts, of which most were made before: a story has one for each of its sentences."""
        made, parts = cls.__new__(cls), [part for part in parts if part.weights]
        phrases, weights, payloads = map(list, map(chain.from_iterable, zip(*parts)))
        made._fill(phrases, weights, tuple(payloads), lump)
        return made

    @cached_property
    def cumulative(self) -> list[float]:
        sums = list(accumulate(self.p))
        sums[-1] = 1.0
        return sums

    @property
    def options(self) -> list[tuple]:
        """(phrase, probability, payload) of each."""
        return list(zip(self.phrases, self.p, self.payloads))

    def draw(self, uniform: float) -> int:
        """Index of the phrase that a uniform number in [0, 1) falls on."""
        return bisect_right(self.cumulative, uniform)

    @cached_property
    def entropy(self) -> float:
        """Nats."""
        return -sum(p * math.log(p) for p in self.p)

    def going_on(self, before: tuple[str, ...], word: str, left: Iterable[int]) -> tuple[list[int], float]:
        """Of the phrases that are left after the words `before` those that go on with `word`, and their probability.

        What was found is kept from the second question on: most tables are asked by every story, some by one alone.
        """
        kept = self._kept
        if kept is None:
            self._kept = {}
            return self._going_on(len(before), word, left)
        if (key := (before, word)) not in kept:
            kept[key] = self._going_on(len(before), word, left)
        return kept[key]

    def _going_on(self, depth: int, word: str, left: Iterable[int]) -> tuple[list[int], float]:
        phrases = self.phrases
        found = [i for i in left if phrases[i][depth] == word]
        return found, self.p[found[0]] if len(found) == 1 else math.fsum([self.p[i] for i in found])

    def next_words(self, candidates: Iterable[int], depth: int) -> dict[str, float]:
        """Probability mass of each word at place `depth` of the candidate phrases."""
        mass: dict[str, float] = {}
        for i in candidates:
            word = self.phrases[i][depth]
            mass[word] = mass.get(word, 0.0) + self.p[i]
        return mass

    def ambiguous(self) -> tuple[str, ...] | None:
        """A phrase that equals or begins another one, or None: what the grammar must not have."""
        ordered = sorted(self.phrases)
        for a, b in zip(ordered, ordered[1:]):
            if b[: len(a)] == a:
                return a
        return None


def zipf(n: int, rank: int = 0, exponent: float = 1.0, shift: float = 1.0) -> list[float]:
    """Zipf's weights for n items, 1/(i + shift)^exponent, started at item `rank`.

    >>> [round(w, 2) for w in zipf(4)]
    [0.48, 0.24, 0.16, 0.12]
    >>> [round(w, 2) for w in zipf(4, rank=1)]
    [0.12, 0.48, 0.24, 0.16]
    """
    weights = [1 / (((i - rank) % n) + shift) ** exponent for i in range(n)]
    total = sum(weights)
    return [w / total for w in weights]
