"""Tellers: who decides the grammar's choices. Here the silent base and the Sampler."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping
from itertools import accumulate

from labutils.world.morphology import capital
from labutils.world.tables import Table

QUOTE = '"'  # opens a speech; the mark that closes it belongs to the full stop or comma before it
MARKS = frozenset([".", ",", "?", "!", '."', ',"', '?"', '!"'])


def glued(before: str, word: str) -> bool:
    """No space stands between these two words."""
    return word in MARKS or before == QUOTE


def join(words: list[str]) -> str:
    """The text of a list of words: a space before each but the first and marks, none after a quote opens."""
    return "".join(w if i == 0 or glued(words[i - 1], w) else " " + w for i, w in enumerate(words))


def _ignore(self, *args, **kwargs) -> None:
    """Gold annotation, which only the Reader keeps."""


class Teller:
    """What a Sampler and a Reader share; the grammar's docstring says what each method means."""

    here = -1  # index of the last word told

    def call(self, part: Callable, *args):
        """Another part of the grammar, told here; returns what it returns."""
        return part(self, *args)

    def record(self, part: Callable, *args, alike: Callable = None):
        start = self.here + 1
        result = part(self, *args)
        return result, (start, self.here + 1)

    def copy(self, tape: tuple) -> None:
        self.say(tuple(self.words[slice(*tape)]))

    def recall(self, member, view: Callable = None):
        return view(member) if view else member

    def know(self, member, pronoun: str):
        return member._replace(pronoun=pronoun)

    def keep(self, payload):
        return payload

    def repeat(self, table: Table, payload) -> None:
        self.say((payload,))

    def say_somebody(self, words: tuple) -> None:
        self.say(words)

    def cast(self, members: tuple) -> tuple:
        return members

    def strangers(self, cast: tuple, i: int) -> tuple:
        return tuple((j, member) for j, member in enumerate(cast) if j != i)

    def member(self, cast: tuple, i: int):
        return cast[i]

    def canonical(self, cast: tuple, plot) -> tuple:
        return cast, plot

    # Gold annotation: places of words that later words refer to, and what the Reader's Notes listen to.
    root_here = thing_here = to_here = mark_here = last_head = 0
    word = relate = root = become = upos_of = again_under = tagged = full_stop = opener = _ignore
    introduce = mention = passes_by = pronoun = speaker = together = _ignore
    thing = thing_pronoun = owned = mood = _ignore
    refrain = told_again = probe_agreement = probe_bond = _ignore


class Sampler(Teller):
    """Draws a story: `words`, and its log-probability in nats."""

    def __init__(self, uniform: Callable[[], float]):
        self.uniform = uniform
        self.words: list[str] = []
        self.stops: list[int] = []  # index of the last word of each sentence
        self.log_prob = 0.0

    def full_stop(self) -> None:
        self.stops.append(self.here)

    def refrain(self, *gold) -> None:
        self.full_stop()

    def choose(self, table: Table, cap: bool = False, glue: bool = False, head: int = -1):
        i = self.pick(table)
        self.log_prob += math.log(table.p[i])
        phrase = table.phrases[i]
        if phrase[0]:
            if cap:
                phrase = (capital(phrase[0]), *phrase[1:])
            self.words += phrase
            self.here = len(self.words) - 1
        return table.payloads[i]

    def pick(self, table: Table) -> int:
        return table.draw(self.uniform())

    def say(self, words: tuple, glue: bool = False, head: int = -1) -> None:
        self.words += words
        self.here = len(self.words) - 1


class Steered(Sampler):
    """A Sampler that takes some choices more often than the grammar does: it draws by weight times taste.

    A choice is named by its payload or the payload's first part: with `{"goes": 4, "Anna": 2}` more is gone, and more
    often by Anna. What is drawn is a story of the world like any other, with its true `log_prob`.
    """

    def __init__(self, uniform: Callable[[], float], taste: Mapping[Hashable, float]):
        super().__init__(uniform)
        self.taste = taste

    def pick(self, table: Table) -> int:
        names = [x[0] if isinstance(x, tuple) and x else x for x in table.payloads]
        if self.taste.keys().isdisjoint(names):
            return super().pick(table)
        sums = list(accumulate(p * self.taste.get(name, 1.0) for p, name in zip(table.p, names)))
        return bisect_right(sums, self.uniform() * sums[-1], hi=len(sums) - 1)
