"""Tellers: who decides the grammar's choices. Here the silent base and the Sampler."""

from __future__ import annotations

import math
from collections.abc import Callable

from labutils.world.morphology import capital
from labutils.world.tables import Table

NO_SPACE_BEFORE = frozenset(".,")


def join(words: list[str]) -> str:
    """The text of a list of words: a space before each but the first, full stops and commas."""
    return "".join(w if w in NO_SPACE_BEFORE or i == 0 else " " + w for i, w in enumerate(words))


def _ignore(self, *args, **kwargs) -> None:
    """Gold annotation, which only the Reader keeps."""


class Teller:
    """What a Sampler and a Reader share; the grammar's docstring says what each method means."""

    here = -1  # index of the last word told

    def call(self, part: Callable, *args):
        return part(self, *args)

    def record(self, part: Callable, *args):
        start = self.here + 1
        result = part(self, *args)
        return result, (start, self.here + 1)

    def copy(self, tape: tuple) -> None:
        self.say(*self.words[slice(*tape)])

    def recall(self, member, view: Callable = None):
        return view(member) if view else member

    def know(self, member, pronoun: str):
        return member._replace(pronoun=pronoun)

    def keep(self, payload):
        return payload

    def repeat(self, table: Table, payload) -> None:
        self.say(payload)

    def say_somebody(self, words: tuple) -> None:
        self.say(*words)

    def cast(self, members: tuple) -> tuple:
        return members

    word = relate = root = mention = introduce = pronoun = place = thing = object = owned = _ignore
    probe_agreement = probe_bond = full_stop = refrain = _ignore


class Sampler(Teller):
    """Draws a story: `words`, and its log-probability in nats."""

    def __init__(self, uniform: Callable[[], float]):
        self.uniform = uniform
        self.words: list[str] = []
        self.log_prob = 0.0

    def choose(self, table: Table, cap: bool = False, first: bool = False):
        i = table.draw(self.uniform())
        self.log_prob += math.log(table.p[i])
        phrase = table.phrases[i]
        if phrase[0]:
            if cap:
                phrase = (capital(phrase[0]), *phrase[1:])
            self.words += phrase
            self.here = len(self.words) - 1
        return table.payloads[i]

    def say(self, *words: str) -> None:
        self.words += words
        self.here = len(self.words) - 1
