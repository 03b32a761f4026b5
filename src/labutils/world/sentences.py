"""Sentences of the grammar: a subject, a modifier perhaps, and what its verb tells.

How a sentence goes on after its verb is told by ``deeds.py``, ``states.py``, ``speeches.py`` and ``meetings.py``: the
method with the name of the action that the verb was chosen for (``vocabulary.ACTIONS``).
"""

from __future__ import annotations

from labutils.world import vocabulary as voc
from labutils.world.deeds import Deeds
from labutils.world.meetings import Meetings
from labutils.world.phrases import Doing, learn
from labutils.world.speeches import Speeches
from labutils.world.states import States


class Sentences(Deeds, States, Speeches, Meetings):
    """Each method tells a sentence, or the core of one."""

    def action(self, t, cast: tuple, i: int, tense, place: str, room: bool) -> tuple:
        """What member i, just named, does, to the full stop.

        -> (cast, event, tense); the event is None, "placed", "moved" or ("own", noun)
        """
        d = Doing(cast[i], t.keep(i), t.strangers(cast, i), tense, room, t.keep(t.here))
        member, event, tense = t.call(self.clause, d, place)
        cast = learn(cast, i, member)
        if isinstance(event, tuple) and event[0] == "meets":
            cast, event = self.meets(t, cast, i, tense, event[1]), None
        return cast, event, tense

    def clause(self, t, d: Doing, place: str) -> tuple:
        """A modifier, perhaps, the verb, and what follows it as far as it concerns the subject.

        -> (member, event, tense); after ("meets", reasons) the sentence is not at its end
        """
        member, me = d.me, t.recall(d.me)
        what, tense, verb = t.choose(voc.predicates(me.being, me.many, d.tense, place, False))
        d = d._replace(me=me, tense=tense, verb=verb)
        if what in voc.MODIFIERS:
            nearest = t.call(self.modifier, what, me.being.person, me.many, d.strangers, tense or "past", d.subject)
            pronoun, event, tense = t.call(self.modified, d, place, t.keep(nearest))
        else:
            pronoun, event = self.with_verb(t, d, what, None)
        return (t.know(member, pronoun) if pronoun else member), event, tense

    def modified(self, t, d: Doing, place: str, nearest) -> tuple:
        """The verb and what follows it, after a modifier. -> (pronoun that the subject was given, event, tense)"""
        what, tense, verb = t.choose(voc.predicates(d.me.being, d.me.many, d.tense, place, True))
        return *self.with_verb(t, d._replace(tense=tense, verb=verb), what, nearest), tense

    def with_verb(self, t, d: Doing, what: str, nearest) -> tuple:
        """What follows the verb just told. -> (pronoun that the subject was given or None, event)"""
        t.probe_agreement(t.here, d.subject, d.me.many, nearest)
        t.relate(d.subject, "nsubj", t.here)
        t.root(t.here)
        if what in ("does", "handles"):
            t.probe_bond(t.here, d.i, d.me, what)
        if what == "meets":
            return None, ("meets", d.verb)
        return t.call(self.goes_on, d, what)

    def goes_on(self, t, d: Doing, what: str) -> tuple:
        """What follows a verb. -> (pronoun that the subject was given or None, event)"""
        return getattr(self, what)(t, d._replace(v=t.here))
