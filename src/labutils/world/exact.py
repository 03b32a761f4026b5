"""Exact expectations over all stories: nats, and how often each word is printed, without sampling.

The Reckoner runs each part of the grammar once for every way in which its choices can fall,
and remembers the result of a part for its arguments, so that no story is told in full.
Three facts make that small:

* Phrases with the same payload are alike for the rest of the story; their costs are averaged.
* Costs add up, so a sentence may *recall* somebody introduced earlier as "anybody, with the
  probability that the introduction gives" (``Anybody``): the mean of a sum is the sum of means.
  That is only right if nothing that a sentence returns depends on who it was; ``_check`` proves
  it for every part that recalls somebody, or raises.
* All looks with the same article are equally likely, and so are all names; drawn without
  replacement, each place still sees each of them equally often. That is only right while a list
  does not run out, which ``_check_lists`` sees to.

Whether a sentence is told again later does not depend on its words, only on what kind of thing happened
in it, so telling it again costs the mean number of words of such sentences, and no nats.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import NamedTuple

import numpy as np

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.lexicon import Being
from labutils.world.morphology import capital
from labutils.world.tables import Look, Phrase, Table
from labutils.world.tellers import Teller, glued
from labutils.world.vocabulary import Member

SOMEBODY = "<somebody>"  # stands for all the words of a mention
A_NAME, A_LOOK = "<name>", "<look>"
MOST_WORDS = 3072  # printed words that there is room for
# list of the lexicon: how many of it one story may draw without replacement
DRAWN = {"NAMES": 3, "LOOKS": 3, "CROWD": 4}
APART = (("NAMES", "CROWD"), ("LOOKS", "FONDNESS"))  # lists between which a word must say which one it is from


class Cost(NamedTuple):
    """Means: nats of choice, and how often each printed word occurs (one number a word)."""

    nats: float
    printed: np.ndarray | float

    def plus(self, other: Cost, weight: float = 1.0) -> Cost:
        return Cost(self[0] + weight * other[0], self[1] + weight * other[1])

    def times(self, factor: float) -> Cost:
        return Cost(self[0] * factor, self[1] * factor)


FREE = Cost(0.0, 0.0)


class Anybody(NamedTuple):
    """A member of the cast of whom only this is known: has a pronoun been used?"""

    pronoun_known: bool = False
    words = (SOMEBODY,)
    many = None


class _Open(Exception):
    """A branch that the script does not decide yet: how many ways there are."""


class Reckoner:
    """Exact means for one grammar. Raises ValueError for a lexicon with which they would not be exact."""

    def __init__(self, grammar):
        _check_lists()
        self.grammar = grammar
        self.index: dict[str, int] = {}  # printed word -> its place in Cost.printed
        self.tapes: list[Cost] = []
        self.known: dict = {}
        self.anybody = {known: _anybody(grammar, known) for known in (False, True)}
        self.word_cost = cache(self._word_cost)

    def total(self) -> tuple[float, dict[str, float]]:
        """(nats of a story, mean number of times each word is printed in it).

        Words are as they stand in a text, with the space before them: "The", " cat", ".".
        """
        cost = FREE
        for p, _, one in self.part(self.grammar.story, ()):
            cost = cost.plus(one, p)
        return cost.nats, {w: float(cost.printed[i]) for w, i in sorted(self.index.items()) if cost.printed[i]}

    def part(self, part: Callable, args: tuple) -> list[tuple]:
        """[(probability, result, mean cost of the ways to this result), ...] of a part of the grammar."""
        key = (part.__name__, args)
        if key not in self.known:
            self.known[key] = self._all_runs(part, args)
        return self.known[key]

    def _all_runs(self, part: Callable, args: tuple) -> list[tuple]:
        scripts: list[tuple[int, ...]] = [()]
        found: dict = {}
        recalled: dict = {}
        while scripts:
            script = scripts.pop()
            run = _Run(self, script)
            try:
                result = part(run, *args)
            except _Open as branch:
                scripts += [script + (i,) for i in range(branch.args[0])]
                continue
            p, cost = found.get(result, (0.0, FREE))
            for one in run.costs:
                cost = cost.plus(one, run.p)
            found[result] = (p + run.p, cost)
            if run.recalled is not None:
                q, by_result = recalled.setdefault(script[0], (run.recalled, {}))
                by_result[result] = by_result.get(result, 0.0) + run.p / q
        _check(part, recalled)
        return [(p, result, cost.times(1 / p)) for result, (p, cost) in found.items()]

    def views(self, pronoun_known: bool, view: Callable | None) -> list[tuple]:
        """[(probability, what a view sees of somebody, no cost), ...]"""
        key = ("views", pronoun_known, view)
        if key not in self.known:
            p_of: dict = {}
            for somebody, p in self.anybody[pronoun_known]:
                seen = view(somebody) if view else somebody
                p_of[seen] = p_of.get(seen, 0.0) + p
            self.known[key] = [(p, seen, FREE) for seen, p in p_of.items()]
        return self.known[key]

    def table(self, table: Table, cap: bool, glue: bool) -> list[tuple]:
        """[(probability, payload, mean cost), ...] of a choice; lumps are one."""
        known = table.__dict__.setdefault("reckoned", {})
        key = (id(self), cap, glue)
        if key not in known:
            groups: dict[Hashable, tuple] = {}
            for words, p, payload in table.options:
                group = table.lump(payload) if table.lump else payload
                q, chosen, cost = groups.get(group, (0.0, payload, FREE))
                own = self.words_cost(words, cap, glue)
                groups[group] = (q + p, chosen, cost.plus(Cost(-np.log(p), own.printed), p))
            known[key] = [(q, payload, cost.times(1 / q)) for q, payload, cost in groups.values()]
        return known[key]

    def tape(self, cost: Cost) -> int:
        """A number for the words of this cost, the same one for the same words."""
        for number, known in enumerate(self.tapes):
            if np.allclose(known.printed, cost.printed, rtol=0, atol=1e-12):
                return number
        self.tapes.append(cost._replace(nats=0.0))
        return len(self.tapes) - 1

    # -- the cost of words ------------------------------------------------------------------------

    def words_cost(self, words: tuple[str, ...], cap: bool, glue: bool) -> Cost:
        if not isinstance(words, Phrase):
            return self._words_cost(words, cap, glue)
        key = ("words", words, cap, glue)
        if key not in self.known:
            self.known[key] = self._words_cost(words, cap, glue)
        return self.known[key]

    def _words_cost(self, words: tuple[str, ...], cap: bool, glue: bool) -> Cost:
        cost, before = FREE, None
        for i, word in enumerate(words):
            close = glue if i == 0 else glued(before, word)
            cost = cost.plus(self.word_cost(word, type(word) is Look, cap and i == 0, close))
            before = word
        return cost

    def _word_cost(self, word: str, look: bool, cap: bool, glue: bool) -> Cost:
        def mean(words) -> Cost:
            total = FREE
            for w in words:
                total = total.plus(self._printed(w, cap, glue), 1 / len(words))
            return total

        if word == "":
            return FREE
        if word == SOMEBODY:
            return self._somebody(cap, glue)
        if word in lex.NAMES or word == A_NAME:
            return mean(lex.NAMES)
        if word in lex.CROWD:
            return mean(lex.CROWD)
        if look and word in lex.FONDNESS:
            return mean(lex.FONDNESS)
        if look:
            return mean([x for x in lex.LOOKS if (x[0] in "aeiou") == (word[0] in "aeiou")])
        if word == A_LOOK:
            return mean(lex.LOOKS).plus(mean(lex.FONDNESS), voc.FOND)
        return self._printed(word, cap, glue)

    def _printed(self, word: str, cap: bool, glue: bool) -> Cost:
        shown = capital(word) if cap else word
        space = "" if glue or glued("", word) else " "
        printed = np.zeros(MOST_WORDS)
        printed[self.index.setdefault(space + shown, len(self.index))] = 1.0
        return Cost(0.0, printed)

    def _somebody(self, cap: bool, glue: bool) -> Cost:
        total = FREE
        for member, p in self.anybody[False]:
            total = total.plus(self.words_cost(member.words, cap, glue), p)
        return total


class _Run(Teller):
    """One run of a part, its first branches decided by `script`; its costs count if it comes to the end."""

    here = 0

    def __init__(self, reckoner: Reckoner, script: tuple[int, ...]):
        self.reckoner = reckoner
        self.script = script
        self.step = 0
        self.p = 1.0
        self.costs: list[Cost] = []
        self.recalled: float | None = None

    def branch(self, ways: list[tuple]) -> tuple:
        """Take the way (p, value, cost) that the script names, or the only one. -> (value, cost)"""
        if len(ways) == 1:
            p, value, cost = ways[0]
        elif self.step == len(self.script):
            raise _Open(len(ways))
        else:
            p, value, cost = ways[self.script[self.step]]
            self.step += 1
            self.p *= p
        self.costs.append(cost)
        return value, cost

    def choose(self, table: Table, cap: bool = False, glue: bool = False, head: int = -1):
        return self.branch(self.reckoner.table(table, cap, glue))[0]

    def repeat(self, table: Table, payload) -> None:
        for p, _, cost in self.reckoner.table(table, False, False):
            self.costs.append(Cost(0.0, cost.printed * p))

    def say(self, words: tuple, glue: bool = False, head: int = -1) -> None:
        self.costs.append(self.reckoner.words_cost(words, False, glue))

    def call(self, part: Callable, *args):
        return self.branch(self.reckoner.part(part, args))[0]

    def record(self, part: Callable, *args, alike: Callable = lambda result: None):
        ways = self.reckoner.part(part, args)
        result, _ = self.branch(ways)
        total, mean = 0.0, FREE
        for p, value, cost in ways:
            if alike(value) == alike(result):
                total, mean = total + p, mean.plus(cost, p)
        return result, self.reckoner.tape(mean.times(1 / total))

    def copy(self, tape: int) -> None:
        self.costs.append(self.reckoner.tapes[tape])

    def recall(self, member, view: Callable = None):
        if not isinstance(member, Anybody):
            return view(member) if view else member
        if self.step:
            raise RuntimeError("a part of the grammar must recall before it chooses")
        views = self.reckoner.views(member.pronoun_known, view)
        value, _ = self.branch(views)
        if len(views) > 1:
            self.recalled = self.p
        return value

    def know(self, member, pronoun: str):
        if isinstance(member, Anybody):
            return Anybody(True)
        return member._replace(pronoun=pronoun)

    def keep(self, payload):
        return None

    def say_somebody(self, words: tuple) -> None:
        self.say((SOMEBODY,))

    def cast(self, members: tuple) -> tuple:
        return (Anybody(),) * len(members)

    def strangers(self, cast: tuple, i: int) -> tuple:
        return ((None, Anybody()),) * (len(cast) - (i >= 0))

    def member(self, cast: tuple, i: int | None) -> Anybody:
        return Anybody()

    def canonical(self, cast: tuple, plot) -> tuple:
        """Members are alike but for what is known of them, so their order does not matter."""
        if not isinstance(cast[0], Anybody) or plot.last < 0:
            return tuple(sorted(cast)), plot
        others = sorted(m for j, m in enumerate(cast) if j != plot.last)
        return (cast[plot.last], *others), plot._replace(last=0)


def _anybody(grammar, known: bool) -> list[tuple[Member, float]]:
    """All that a member of a cast may be, with probabilities; its look and name left open."""
    members: dict[Member, float] = {}

    def add(member: Member, p: float) -> None:
        for pronoun, q in grammar.pronouns_of(member) if known else ((None, 1.0),):
            told = member._replace(pronoun=pronoun)
            members[told] = members.get(told, 0.0) + p * q

    for lean in lex.NAMES.values():
        add(Member(Being(A_NAME, "name", 0, lean)), voc.NAMED / len(lex.NAMES))
    for being, p in voc.NOUN_P.items():
        for many, share in ((False, 1 - voc.PLURAL), (True, voc.PLURAL)):
            add(Member(being, many, (A_LOOK,)), (1 - voc.NAMED) * share * p)
    return list(members.items())


def _check(part: Callable, recalled: dict) -> None:
    """What a part returns must not depend on whom it recalled."""
    results = [by_result for _, by_result in recalled.values()]
    for by_result in results[1:]:
        for result in by_result.keys() | results[0].keys():
            if abs(by_result.get(result, 0.0) - results[0].get(result, 0.0)) > 1e-9:
                raise AssertionError(f"{part.__name__} tells {result} apart by whom it recalls")


def _check_lists() -> None:
    """Raises ValueError where a list of the lexicon may run out within a story, or two lists share a word."""
    for name, most in DRAWN.items():
        words = list(getattr(lex, name))
        if len(words) < most or len(set(words)) < len(words):
            raise ValueError(
                f"The exact reckoning needs at least {most} words in the lexicon's {name}, each once, because a story"
                f" may draw so many of them: there are {', '.join(map(str, words)) or 'none'}."
            )
    for name, other in APART:
        if both := sorted(set(getattr(lex, name)) & set(getattr(lex, other))):
            raise ValueError(
                f"The exact reckoning cannot tell whether {both[0]} is from the lexicon's {name} or {other}: leave it"
                " out of one."
            )
