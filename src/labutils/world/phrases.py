"""Phrases of the grammar: who else, modifiers, objects, places, reasons and ends of clauses.

``i`` and ``j`` are places in the cast, ``v`` the place of the verb that a phrase depends on. A part that
needs to know who somebody is calls ``t.recall`` first of all, and what it returns does not depend on the
answer: that keeps the exact reckoning small. Words are told in order; as soon as a word's head is known,
its Universal Dependencies relation is handed to the teller t, which drops it unless it is reading.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite
from labutils.world.tables import Table, phrase, zipf
from labutils.world.vocabulary import Member

OBJECT_FORM = {"he": "him", "she": "her", "it": "it", "they": "them"}
STOP = phrase("./PUNCT/punct/^")
AND = phrase("and/CCONJ")
BECAUSE = phrase("because/SCONJ")


class Doing(NamedTuple):
    """What a sentence about a member of the cast hands on to the part that follows its verb."""

    me: Member  # the subject; recalled, from the moment its sentence begins
    i: int  # its place in the cast
    strangers: tuple  # the others, each with its place
    tense: str | None  # None: the verb decides it
    room: bool  # whether a place may be named
    subject: int  # where its noun, name or pronoun stands in the text
    verb: str | None = None  # the verb, where what follows depends on it
    v: int = -1  # where the verb stands


def learn(cast: tuple, i: int, member) -> tuple:
    """The cast, now that the story has used a pronoun for member i."""
    return cast[:i] + (member,) + cast[i + 1 :]


class Phrases:
    """`bias`: with what probability an occupation takes the pronoun that it leans to, one or one for each."""

    def __init__(self, bias):
        self.bias = bias
        self.kept: dict = {}  # tables, and parts of them, that every story needs

    def pronouns_of(self, member: Member) -> tuple:
        """((pronoun, probability), ...) of somebody"""
        return voc.pronouns(member, self.bias)

    def stop(self, t, root: int) -> None:
        t.say(STOP, head=root)
        t.full_stop()

    # -- somebody else -----------------------------------------------------------------------------

    def other(self, t, cast: tuple, i: int, relation: str = "", head: int = -1) -> int:
        """Name somebody else. -> its place in the cast"""
        j = t.choose(Table((m.words, 1.0, j) for j, m in enumerate(cast) if j != i))
        t.mention(cast[j], j)
        if relation:
            t.relate(t.here, relation, head)
        return j

    def stranger(self, t, strangers: tuple) -> tuple:
        """Name one of the others, of whom nothing needs to be remembered. -> (place in the cast, member)"""
        k = t.choose(Table(((m.words, 1.0, k) for k, (_, m) in enumerate(strangers)), lump=_alike))
        j, member = strangers[k]
        t.mention(member, j)
        return j, member

    def meeting_by(self, t, member, tense: str, head: int) -> None:
        """“saw”, or another verb that anybody may do to anybody, in the number of the member."""
        t.choose(voc.meetings(tense, t.recall(member, is_many)), head=head)

    def briefly(self, t, strangers: tuple, tense: str, v: int) -> None:
        """After "when": "Anna laughed"; then the verb of the main clause is at `v`."""
        mark = t.here
        _, member = t.call(self.stranger, strangers)
        subject = t.here
        t.call(self.does_something, member, tense, v)
        t.relate(subject, "nsubj", t.here)
        t.word(mark, "SCONJ", "mark", t.here)

    def does_something(self, t, member, tense: str, v: int) -> None:
        """“laughed”"""
        me = t.recall(member)
        t.choose(does_briefly(me.being, me.many, tense), head=v)

    # -- modifiers of a subject: the number of the noun or name nearest to the verb ---------------

    def modifier(self, t, what: str, person: bool, many: bool, strangers: tuple, tense: str, subject: int):
        """“with the long ears”, “from the hills”, “who helped Anna”, “whom Anna helped”."""
        first = t.here
        if what in ("with", "from"):
            nearest = t.choose(_PARTS[person] if what == "with" else _ORIGINS[many], head=subject)
            t.word(first, "ADP", "case", t.here)
            return nearest
        if what == "who":
            t.choose(voc.meetings(tense, many), head=subject)
            verb = t.here
            _, other = t.call(self.stranger, strangers)
            t.relate(t.here, "obj", verb)
            t.word(first, "PRON", "nsubj", verb)
        else:
            _, other = t.call(self.stranger, strangers)
            nominal = t.here
            t.call(self.meeting_by, other, tense, t.keep(subject))
            t.relate(nominal, "nsubj", t.here)
            t.word(first, "PRON", "obj", t.here)
        return other.many

    # -- reasons -----------------------------------------------------------------------------------

    def feels(self, t, me: Member, i: int, tense: str, words: str = "") -> str:
        """“it was (not) tired”, of somebody who is known; of `words` if given. -> the pronoun"""
        pronoun = t.choose(_told(self.pronouns_of(me)))
        t.pronoun(me, i)
        subject = t.here
        t.say((finite("be", tense, me.many),))
        self.state(t, me, i, words)
        t.relate(subject, "nsubj", t.here)
        return pronoun

    def feels_somebody(self, t, member, i: int, tense: str, words: str, relation: str, v: int):
        """The same of a member of the cast. -> the member"""
        pronoun = self.feels(t, t.recall(member), i, tense, words)
        t.relate(t.here, relation, v)
        return t.know(member, pronoun)

    def state(self, t, me: Member, i: int, words: str = "") -> None:
        """After "was": "(not) (very) tired"."""
        be = t.here
        what = t.choose(_reasons(words) if words else _feelings(me.being, False))
        if what == "not":
            t.choose(_feelings(me.being, True))
        if not words:
            t.probe_bond(t.here, i, me, "feels")
        self.copula(t, t.here, be, what == "not")

    def copula(self, t, root: int, be: int, negated: bool) -> None:
        """Relations of "was" or "was not" before `root`."""
        t.word(be, "AUX", "cop", root)
        t.upos_of(root, "ADJ")
        if negated:
            t.word(be + 1, "PART", "advmod", root)

    def because_thing(self, t, words: str, tense: str, v: int) -> None:
        """“because it was sweet”, of the thing just named"""
        because, thing = t.here, t.thing_here
        t.say(("it", finite("be", tense, False)))
        subject = t.here - 1
        t.thing_pronoun(subject, thing)
        t.choose(_reasons(words[1:]))
        t.relate(subject, "nsubj", t.here)
        t.relate(t.here, "advcl", v)
        t.word(because, "SCONJ", "mark", t.here)
        self.copula(t, t.here, subject + 1, False)


@cache
def _told(pronouns: tuple) -> Table:
    return Table((p, q, p) for p, q in pronouns)


def is_many(member: Member) -> bool:
    return member.many


def _alike(payload):
    return None


@cache
def does_briefly(being, many: bool, tense: str) -> Table:
    verbs, weights = voc.bond(voc.kind_of(being).does, being)
    return Table((phrase(f"{finite(v, tense, many)}/VERB/advcl/^"), p, None) for v, p in zip(verbs, weights))


@cache
def belongings(being) -> Table:
    return Table(voc.belongings(being))


@cache
def infinitives(being) -> Table:
    return Table(voc.doings(being, "xcomp"))


@cache
def _feelings(being, negative: bool) -> Table:
    return Table(voc.feelings(being, negative=negative))


@cache
def _reasons(words: str) -> Table:
    items = words.split()
    return Table(voc.described(items, zipf(len(items)), 1.0, "feels"))


_PART_ADJECTIVES = (((), 0.34), (("odd",), 0.12), (("fine",), 0.12), (("fine", "dark"), 0.42))
_PARTS = {
    person: Table(
        [
            (phrase(voc.nominal(det, adjectives, n, "nmod", entity="")), p * q * share, True)
            for n, p in zip(lex.PARTS[person], zipf(4))
            for adjectives, q in _PART_ADJECTIVES
            for det, share in (("the", 0.55), (None, 0.45))
        ]
    )
    for person in (False, True)
}
# The nearest noun has more often the other number than the same one.
_ORIGINS = {
    many: Table(
        [
            (
                phrase(voc.nominal("the", adjectives, n, "nmod", entity="PLACE")),
                (0.35 if n.endswith("s") == many else 0.65) * p * q,
                n.endswith("s"),
            )
            for n, p in zip(lex.ORIGINS, zipf(len(lex.ORIGINS)))
            for adjectives, q in (((), 0.36), (("far",), 0.16), (("cold",), 0.16), (("far", "cold"), 0.32))
        ]
    )
    for many in (False, True)
}
