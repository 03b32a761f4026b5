"""Phrases of the grammar: modifiers, objects, places, pronouns and ends of sentences.

``i`` and ``j`` are places in the cast. A part that needs to know who somebody is calls
``t.recall`` first of all, and what it returns does not depend on the answer: that keeps the
exact reckoning small. Words are told in order; as soon as a word's head is known, its Universal
Dependencies relation is handed to the teller t, which drops it unless it is reading.
"""

from __future__ import annotations

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite
from labutils.world.tables import Table, scaled, zipf
from labutils.world.vocabulary import Member

OBJECT_FORM = {"he": "him", "she": "her", "it": "it", "they": "them"}


def learn(cast: tuple, i: int, member) -> tuple:
    """The cast, now that the story has used a pronoun for member i."""
    return cast[:i] + (member,) + cast[i + 1:]


class Phrases:
    """`bias`: how strongly an occupation decides its pronoun, 0.5 (not at all) to 1."""

    def __init__(self, bias: float):
        self.bias = bias

    def pronouns_of(self, member: Member) -> tuple:
        """((pronoun, probability), ...) of somebody"""
        return voc.pronouns(member, self.bias)

    # -- modifiers of a subject: the number of the noun or name nearest to the verb ---------------

    def beside(self, t, many: bool, cast, i, tense, subject: int):
        """"near the gates" """
        t.say("the")
        nearest = t.choose(_BESIDE[many])
        t.place(subject, "nmod")
        return nearest

    def who(self, t, many: bool, cast, i, tense, subject: int):
        """"who helped Anna" """
        pronoun = t.here
        t.choose(voc.meetings(tense, many, 0))
        verb = t.here
        j = t.call(self.other, cast, i)
        t.relate(t.here, "obj", verb)
        t.word(pronoun, "PRON", "nsubj", verb)
        t.word(verb, "VERB", "acl:relcl", subject)
        return cast[j].many

    def whom(self, t, many: bool, cast, i, tense, subject: int):
        """"whom Anna helped" """
        pronoun = t.here
        j = t.call(self.other, cast, i)
        nominal = t.here
        t.call(self.meeting_by, cast[j], tense, 0)
        verb = t.here
        t.relate(nominal, "nsubj", verb)
        t.word(pronoun, "PRON", "obj", verb)
        t.word(verb, "VERB", "acl:relcl", subject)
        return cast[j].many

    def meeting_by(self, t, member, tense: str, rank: int) -> None:
        """"saw", or another verb that anybody may do to anybody, in the number of the member."""
        t.choose(voc.meetings(tense, t.recall(member, _is_many), rank))

    def other(self, t, cast: tuple, i: int) -> int:
        """Name somebody else. -> its place in the cast"""
        j = t.choose(Table((m.words, 1.0, j) for j, m in enumerate(cast) if j != i))
        t.mention(cast[j], j)
        return j

    # -- objects, places, pronouns --------------------------------------------------------------

    def belonging(self, t, member, verb: int):
        """"a ball" """
        noun = t.choose(voc.belongings(t.recall(member).being))
        t.object(verb)
        t.thing(t.here)
        return t.keep(noun)

    def gift(self, t, cast: tuple, i: int, verb: int):
        """After "gave": whom (-> its place in the cast), or what (-> None)."""
        gifts = voc.belongings(t.recall(cast[i]).being)
        options = [(m.words, 0.6 / (len(cast) - 1), j) for j, m in enumerate(cast) if j != i]
        options += [(phrase, 0.4 * p, None) for phrase, p in zip(gifts.phrases, gifts.p)]
        whom = t.choose(Table(options))
        if whom is None:
            t.object(verb)
            t.thing(t.here)
        else:
            t.mention(cast[whom], whom)
            t.relate(t.here, "iobj", verb)
        return whom

    def where(self, t, member, verb: int) -> str:
        """"on the mat", perhaps. -> how the sentence ends"""
        after = t.choose(voc.spots(t.recall(member).being, 0.5, _AFTER_DOING))
        if after != "spot":
            return after
        t.place(verb)
        return t.choose(_AFTER_SPOT)

    def base(self, t, member, i: int) -> None:
        """"sleep", or "sleep on the mat", and a full stop."""
        me = t.recall(member)
        t.choose(voc.doings(me.being))
        verb = t.here
        t.probe_bond(verb, i, me, "does")
        if t.choose(voc.spots(me.being, 0.35, _OR_STOP)) == "spot":
            t.place(verb)
            t.say(".")

    def object_pronoun(self, t, member, j: int, verb: int):
        """"... and thanked her": somebody just named as object. -> the member"""
        somebody = t.recall(member)
        pronoun = t.choose(Table((OBJECT_FORM[p], q, p) for p, q in self.pronouns_of(somebody)))
        t.pronoun(somebody, j, OBJECT_FORM)
        t.relate(t.here, "obj", verb)
        return t.know(member, pronoun)

    # -- ends of clauses -------------------------------------------------------------------------

    def ending(self, t, after: str, cast: tuple, i: int, tense: str, verb: int) -> tuple:
        """What follows the core of a clause, full stop included. -> cast"""
        if after == "stop":
            return cast
        word = t.here
        if after == "manner":
            t.word(word, "ADV", "advmod", verb)
        elif after == "with":
            t.choose(_NESSES)
            t.word(word, "ADP", "case", t.here)
            t.word(t.here, "NOUN", "obl", verb)
        else:
            cast = learn(cast, i, t.call(self.pronoun_feels, cast[i], i, tense))
            t.word(word, "SCONJ", "mark", t.here)
            t.word(t.here, "ADJ", "advcl", verb)
        t.say(".")
        return cast

    def pronoun_feels(self, t, member, i: int, tense: str):
        """"it was tired", about the subject. -> the member"""
        me = t.recall(member)
        pronoun = t.choose(Table((p, q, p) for p, q in self.pronouns_of(me)))
        t.pronoun(me, i)
        subject = t.here
        t.say(finite("be", tense, me.many))
        self.state(t, me, i, False)
        t.relate(subject, "nsubj", t.here)
        return t.know(member, pronoun)

    def state(self, t, member, i: int, doing: bool) -> str:
        """After "was": "(not) tired" or (if `doing`) "sleeping". -> part of speech"""
        me = t.recall(member)
        be = t.here
        what = t.choose(voc.feelings(me.being, doing, False))
        negated = what == "not"
        if negated:
            t.choose(voc.feelings(me.being, False, True))
        t.probe_bond(t.here, i, me, "does" if what == "doing" else "feels")
        if what == "doing":
            t.word(be, "AUX", "aux", t.here)
            return "VERB"
        self.copula(t, t.here, be, negated)
        return "ADJ"

    def copula(self, t, root: int, be: int, negated: bool) -> None:
        """Relations of "was" or "was not" before `root`."""
        t.word(be, "AUX", "cop", root)
        if negated:
            t.word(be + 1, "PART", "advmod", root)


def _is_many(member: Member) -> bool:
    return member.many


_MANNERS = tuple(scaled(lex.MANNERS, 0.13, zipf(len(lex.MANNERS)), "manner"))
_AFTER_DOING = ((".", 0.15, "stop"), *_MANNERS, ("because", 0.22, "because"))
_AFTER_SPOT = Table([(".", 0.72, "stop"), ("because", 0.28, "because")])
_OR_STOP = ((".", 0.65, "stop"),)
_NESSES = Table((n, w, None) for n, w in zip(lex.NESSES, zipf(len(lex.NESSES))))
_LARGE = frozenset(lex.LARGE.split())
_OTHER_NUMBER = 0.65  # of the things that a subject is beside
_BESIDE = {
    many: Table((phrase, p * (1 - _OTHER_NUMBER if n == many else _OTHER_NUMBER), n)
                for phrase, p, (kind, n) in voc.things("the").options if kind in _LARGE)
    for many in (False, True)
}
