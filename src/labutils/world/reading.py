"""Reading a text: the Reader follows the grammar along the words, the only way there is."""

from __future__ import annotations

import math
import re

from labutils.world import lexicon as lex
from labutils.world.annotation import Notes
from labutils.world.morphology import capital
from labutils.world.story import OutsideTheWorld
from labutils.world.tables import Table
from labutils.world.tellers import Teller, join

END = ""  # the word that ends a story
ALWAYS_CAPITAL = frozenset([*lex.NAMES, *lex.CROWD, "I"])


class NextWord(Exception):
    """A prefix is at its end here: `distribution` holds the words that may follow."""

    def __init__(self, distribution: dict[str, float]):
        self.distribution = distribution


def split(text: str) -> list[str]:
    """The words of a text; raises OutsideTheWorld unless joining them gives the text again, TypeError for no text at
    all.
    """
    if not isinstance(text, str):
        raise TypeError(f"A story of the little world is text (str), not {type(text).__name__}.")
    if not text.strip():
        raise OutsideTheWorld("The text is empty; a story has two to eight sentences.")
    words = re.findall(r'[A-Za-z]+|[.,?!]"?|"', text)
    again = join(words)
    if again == text:
        return words
    same = next((i for i, (a, b) in enumerate(zip(text, again)) if a != b), min(len(text), len(again)))
    raise OutsideTheWorld(
        f"Character {same} ({text[same : same + 1]!r}) cannot stand there: a story has English "
        'words and the marks . , ? ! ", one space between words and none at the ends.'
    )


class Reader(Teller):
    """Follows `words`; without `annotate` it keeps only the log-probability.

    With `prefix` it raises NextWord after the last word; else the words must be a whole story,
    which the last choice of every story, to end it, sees to.
    """

    def __init__(self, words: list[str], annotate: bool = False, prefix: bool = False):
        self.given = words
        self.prefix = prefix
        self.words: list[str] = []
        self.log_probs: list[float] = []
        self.end_log_prob = 0.0
        if annotate:
            self.notes = Notes(self)
            for name in Notes.LISTENS_TO:
                setattr(self, name, getattr(self.notes, name))

    @property
    def log_prob(self) -> float:
        return math.fsum(self.log_probs) + self.end_log_prob

    def choose(self, table: Table, cap: bool = False, glue: bool = False, head: int = -1):
        found, start = None, self.here + 1
        before, depth = 1.0, 0
        while found is None or depth < len(table.phrases[found[0]]):
            mass, found = self._advance(table, found, depth, cap and depth == 0, before)
            before = mass
            depth += 1
        self.tagged(table.phrases[found[0]], start, head)
        return table.payloads[found[0]]

    def _advance(self, table: Table, found, depth: int, cap: bool, before: float) -> tuple:
        """Read one word of a phrase. -> (mass of the phrases left, the phrases left)"""

        def expected() -> dict[str, float]:
            mass = table.next_words(range(len(table.p)) if found is None else found, depth)
            return {capital(w) if cap else w: p / before for w, p in mass.items()}

        given = self._given(expected)
        word = given
        if cap and given:
            word = given if given in ALWAYS_CAPITAL else given[0].lower() + given[1:]
        every = range(len(table.p)) if found is None else found
        left, mass = table.going_on(table.phrases[every[0]][:depth], word, every)
        if not left or (capital(word) if cap else word) != given:
            self._refuse(given, expected())
        self._took(given, math.log(mass / before))
        return mass, left

    def say(self, words: tuple, glue: bool = False, head: int = -1) -> None:
        start = self.here + 1
        for word in words:
            given = self._given(lambda: {word: 1.0})
            if given != word:
                self._refuse(given, {word: 1.0})
            self._took(given, 0.0)
        self.tagged(words, start, head)

    def _given(self, expected) -> str:
        place = len(self.words)
        if place < len(self.given):
            return self.given[place]
        if self.prefix:
            raise NextWord(expected())
        return END

    def _took(self, word: str, log_prob: float) -> None:
        if word == END:
            self.end_log_prob = log_prob
            return
        self.words.append(word)
        self.log_probs.append(log_prob)
        self.here += 1

    def _refuse(self, given: str, expected: dict[str, float]) -> None:
        before = join(self.words[-6:])
        after = f'after "{before}"' if before else "at the beginning"
        best = sorted(expected, key=expected.get, reverse=True)[:4]
        could = ", ".join(f'"{w}"' if w else "the end of the story" for w in best)
        more = " or others" if len(expected) > len(best) else ""
        what = f'The word "{given}" cannot stand' if given else "The story cannot end"
        raise OutsideTheWorld(f"{what} {after}: the little world has {could}{more} there.")
