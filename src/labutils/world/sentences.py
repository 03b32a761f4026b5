"""Sentences of the grammar: what somebody does, what a thing is like (see ``phrases.py``)."""

from __future__ import annotations

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite
from labutils.world.phrases import Phrases, learn
from labutils.world.tables import Table, scaled, zipf


class Sentences(Phrases):
    """Each method tells a sentence, or the core of one."""

    # -- sentences ------------------------------------------------------------------------------

    def action(self, t, cast: tuple, i: int, tense, place: str) -> tuple:
        """What member i, just named, does, to the full stop.

        -> (cast, owned or None, tense, index of the root)
        """
        subject = t.here
        what, tense = t.call(self.predicate, cast, i, tense, place)
        cast, root, upos, owned = getattr(self, what)(t, cast, i, tense, place)
        t.root(root, upos)
        t.relate(subject, "nsubj", root)
        t.full_stop(root)
        return cast, owned, tense, root

    def predicate(self, t, cast: tuple, i: int, tense, place: str) -> tuple:
        """A modifier, perhaps, and the verb. -> (what it does, tense)"""
        me = t.recall(cast[i])
        subject, nearest = t.here, None
        what, tense = t.choose(voc.predicates(me.being, me.many, tense, place, False))
        if what in voc.MODIFIERS:
            modify = getattr(self, what)
            nearest = modify(t, me.many, cast, i, tense, subject)
            what, tense = t.choose(voc.predicates(me.being, me.many, tense, place, True))
        t.probe_agreement(t.here, subject, me.many, nearest)
        if what in ("does", "handles"):
            t.probe_bond(t.here, i, me, what)
        return what, tense

    def thing(self, t, determiner: str, tense: str) -> None:
        """"Some cups near the bed were empty.", after its first word."""
        kind, many = t.choose(voc.things(determiner))
        subject, nearest = t.here, None
        t.word(subject - 1, "DET", "det", subject)
        t.thing(subject)
        be = finite("be", tense, many)
        if t.choose(_THING_VERB[be]) == "beside":
            nearest = self.beside(t, many, (), 0, tense, subject)
            t.say(be)
        verb = t.here
        t.probe_agreement(verb, subject, many, nearest)
        negated = t.choose(voc.qualities(kind, False)) == "not"
        if negated:
            t.choose(voc.qualities(kind, True))
        root = t.here
        self.copula(t, root, verb, negated)
        t.root(root, "ADJ")
        t.relate(subject, "nsubj", root)
        t.say(".")
        t.full_stop(root)

    def still(self, t, cast: tuple, i: int, noun, tense: str) -> None:
        """"Anna still had the ball.", after "In the end,"."""
        comma = t.here
        t.say(*cast[i].words)
        t.mention(cast[i], i)
        t.call(self.still_has, cast[i], noun, tense)
        verb = t.here - 3
        t.word(comma - 3, "ADP", "case", comma - 1)
        t.word(comma - 2, "DET", "det", comma - 1)
        t.word(comma - 1, "NOUN", "obl", verb)
        t.word(comma, "PUNCT", "punct", verb)

    def still_has(self, t, member, noun, tense: str) -> None:
        me = t.recall(member)
        subject = t.here
        t.say("still", finite("have", tense, me.many), "the")
        t.repeat(_OWNED[voc.kind_of(me.being).things, me.being.rank], noun)
        verb = subject + 2
        t.relate(subject, "nsubj", verb)
        t.word(subject + 1, "ADV", "advmod", verb)
        t.root(verb, "VERB")
        t.object(verb)
        t.owned(t.here)
        t.say(".")
        t.full_stop(verb)

    # -- what a subject does, to the full stop: (cast, root, its part of speech, owned or None) --

    def does(self, t, cast, i, tense, place):
        """"sleeps", where, how or why"""
        verb = t.here
        after = t.call(self.where, cast[i], verb)
        return self.ending(t, after, cast, i, tense, verb), verb, "VERB", None

    def handles(self, t, cast, i, tense, place):
        """"eats an apple" """
        verb = t.here
        t.call(self.belonging, cast[i], verb)
        after = t.choose(_AFTER_HANDLING)
        return self.ending(t, after, cast, i, tense, verb), verb, "VERB", None

    def meets(self, t, cast, i, tense, place):
        """"saw Anna", perhaps "and thanked her" """
        verb = t.here
        j = t.call(self.other, cast, i)
        t.relate(t.here, "obj", verb)
        after = t.choose(_AFTER_MEETING)
        if after != "and":
            return self.ending(t, after, cast, i, tense, verb), verb, "VERB", None
        joint = t.here
        t.call(self.meeting_by, cast[i], tense, _THANK)
        second = t.here
        t.word(joint, "CCONJ", "cc", second)
        t.word(second, "VERB", "conj", verb)
        cast = learn(cast, j, t.call(self.object_pronoun, cast[j], j, second))
        t.say(".")
        return cast, verb, "VERB", None

    def gives(self, t, cast, i, tense, place):
        """"gave Anna a ball" or "gave a ball to Anna" """
        verb = t.here
        whom = t.call(self.gift, cast, i, verb)
        if whom is None:
            t.say("to")
            to = t.here
            t.call(self.other, cast, i)
            t.relate(t.here, "obl", verb)
            t.word(to, "ADP", "case", t.here)
        else:
            t.call(self.belonging, cast[i], verb)
        after = t.choose(_AFTER_HANDLING)
        return self.ending(t, after, cast, i, tense, verb), verb, "VERB", None

    def has(self, t, cast, i, tense, place):
        """"had a ball" """
        verb = t.here
        noun = t.call(self.belonging, cast[i], verb)
        t.owned(t.here)
        t.say(".")
        return cast, verb, "VERB", (i, noun)

    def denies(self, t, cast, i, tense, place):
        """"did not sleep" """
        do = t.here
        t.say("not")
        t.call(self.base, cast[i], i)
        verb = do + 2
        t.word(do, "AUX", "aux", verb)
        t.word(do + 1, "PART", "advmod", verb)
        return cast, verb, "VERB", None

    def wishes(self, t, cast, i, tense, place):
        """"wanted to sleep" """
        verb = t.here
        t.say("to")
        t.call(self.base, cast[i], i)
        t.word(verb + 1, "PART", "mark", verb + 2)
        t.word(verb + 2, "VERB", "xcomp", verb)
        return cast, verb, "VERB", None

    def says(self, t, cast, i, tense, place):
        """"said that it was tired" """
        verb = t.here
        t.say("that")
        member = t.call(self.pronoun_feels, cast[i], i, tense)
        root = t.here
        t.word(verb + 1, "SCONJ", "mark", root)
        t.word(root, "ADJ", "ccomp", verb)
        t.say(".")
        return learn(cast, i, member), verb, "VERB", None

    def be(self, t, cast, i, tense, place):
        """"was tired", "was sleeping" """
        upos = t.call(self.state, cast[i], i, place != "again")
        root = t.here
        t.say(".")
        return cast, root, upos, None


_THANK = lex.MEETINGS.index("thank")  # most often what follows "met Anna and"
_AFTER_HANDLING = Table([(".", 0.7, "stop"), ("because", 0.3, "because")])
_AFTER_MEETING = Table([(".", 0.42, "stop"), ("and", 0.22, "and"), ("with", 0.10, "with"),
                        ("because", 0.26, "because")])
_THING_VERB = {
    be: Table([(be, 0.3, "is"), *scaled(lex.BESIDES, 0.7, zipf(len(lex.BESIDES)), "beside")])
    for be in ("was", "were", "is", "are")
}
_OWNED = {
    (kind, rank): Table(zip(nouns.split(), zipf(len(nouns.split()), rank), nouns.split()))
    for kind, (nouns, _) in lex.THINGS.items() for rank in range(4)
}
