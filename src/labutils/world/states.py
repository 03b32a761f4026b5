"""How somebody is, feels or looks, and what a thing is like."""

from __future__ import annotations

from functools import cache

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite, past_participle
from labutils.world.phrases import AND, STOP, Doing, Phrases
from labutils.world.tables import Phrase, Table, phrase, zipf


class States(Phrases):
    """What follows a verb of being, and sentences about things."""

    def seems(self, t, d: Doing):
        """“looked (very) tired”"""
        t.choose(_seeming(d.me.being), head=d.v)
        t.probe_bond(t.here, d.i, d.me, "feels")
        self.stop(t, d.v)
        return None, None

    def be(self, t, d: Doing):
        """“was (not) (very) tired”, “was sleeping”, “was in the garden”, “was seen by Anna”"""
        way = t.choose(_after_be(d.me.being, d.verb, d.room, bool(d.strangers)), head=d.v)
        negated = way == "not"
        if negated:
            way = t.choose(_not_feeling(d.me.being), head=d.v)
        root, event = t.here, None
        t.become(d.v, root)
        if isinstance(way, tuple):
            t.probe_bond(root, d.i, d.me, "feels")
            self.copula(t, root, d.v, negated)
            if t.choose(_AND_FEELS, head=root):
                joint = t.here
                t.choose(_also_feels(d.me.being, way[1]), head=root)
                t.word(joint, "CCONJ", "cc", t.here)
                t.say(STOP, head=root)
            t.full_stop()
            return None, None
        if way == "doing":
            t.word(d.v, "AUX", "aux", root)
            t.probe_bond(root, d.i, d.me, "does")
        elif way in ("spot", "there"):
            event = "placed" if way == "spot" else None
            t.word(d.v, "AUX", "cop", root)
        else:
            t.word(d.v, "AUX", "aux:pass", root)
            t.relate(d.subject, "nsubj:pass", root)
            if t.choose(_BY, head=root):
                by = t.here
                t.call(self.stranger, d.strangers)
                t.relate(t.here, "obl:agent", root)
                t.word(by, "ADP", "case", t.here)
                t.say(STOP, head=root)
            t.full_stop()
            return None, None
        self.stop(t, root)
        return None, event

    def thing_sentence(self, t, determiner: str, tense: str) -> None:
        """“Some large cups near the bed were empty.”, after its first word."""
        start = t.here
        kind, many = t.choose(voc.things(determiner, "nsubj", ""), head=-1)
        subject, nearest = t.here, None
        t.word(start, "DET" if determiner != "two" else "NUM", "det" if determiner != "two" else "nummod", subject)
        t.thing(subject)
        be = finite("be", tense, many)
        if t.choose(_THING_VERB[be]) == "beside":
            case = t.here
            nearest = t.choose(voc.beside(), head=subject)
            t.word(case, "ADP", "case", t.here)
            t.say((be,))
        verb = t.here
        t.probe_agreement(verb, subject, many, nearest)
        negated = t.choose(voc.qualities(kind, False)) == "not"
        if negated:
            t.choose(voc.qualities(kind, True))
        root = t.here
        t.root(root)
        self.copula(t, root, verb, negated)
        t.relate(subject, "nsubj", root)
        self.stop(t, root)


@cache
def _seeming(being) -> Table:
    words, weights = voc.bond(voc.kind_of(being).feels, being)
    return Table((phrase(f"{' '.join(x)}"), p, None) for x, p, _ in _xcomp_adjectives(words, weights))


def _xcomp_adjectives(words, weights) -> list:
    return [((f"{w}/ADJ/xcomp/^",), 0.55 * p, None) for w, p in zip(words, weights)] + [
        ((f"{d}/ADV/advmod/1", f"{w}/ADJ/xcomp/^"), 0.45 * p * q, None)
        for w, p in zip(words, weights)
        for d, q in zip(lex.DEGREES, zipf(len(lex.DEGREES)))
    ]


@cache
def _after_be(being, place: str, room: bool, strangers: bool) -> Table:
    if place == "again":  # of somebody who did something: how that one felt
        return Table(
            [
                *voc.feelings(being, 0.66, bare=0.8),
                (phrase("there/ADV"), 0.12, "there"),
                *((w, 0.1 * p, "doing") for w, p, _ in voc.doings(being, "", "ing")),
            ]
        )
    doing = [(phrase(w[0] + "/VERB"), 0.2 * p, "doing") for w, p, _ in voc.doings(being, "", "ing")]
    found = (
        [
            (phrase(f"{past_participle(v)}/VERB"), 0.16 * p, "found")
            for v, p in zip(lex.PASSIVES, zipf(len(lex.PASSIVES)))
        ]
        if strangers
        else []
    )
    spots = [(_nominal_root(words), p, x) for words, p, x in voc.spots(being, 0.24)] if room else []
    there = [(phrase("there/ADV"), 0.45, "there")]
    return Table([*voc.feelings(being, 0.42), *doing, *found, *spots, *there])


def _nominal_root(words):
    """“in the garden” as what is said of somebody: the noun depends on nothing in its own phrase."""
    made = Phrase(words)
    made.tags = (*words.tags[:-1], (words.tags[-1][0], "", None, words.tags[-1][3]))
    return made


@cache
def _not_feeling(being) -> Table:
    return Table(voc.feelings(being, negative=True))


_AND_FEELS = Table([(STOP, 0.86, False), (AND, 0.14, True)])


_BY = Table([(STOP, 0.4, False), (phrase("by/ADP"), 0.6, True)])


@cache
def _also_feels(being, told: str) -> Table:
    words, weights = voc.bond(voc.kind_of(being).feels, being)
    return Table((phrase(f"{w}/ADJ/conj/^"), p, None) for w, p in zip(words, weights) if w != told)


_THING_VERB = {
    be: Table(
        [
            (phrase(f"{be}/AUX"), 0.35, "is"),
            *((phrase(f"{w}/ADP"), 0.65 * p, "beside") for w, p in zip(("near", "behind", "beside", "under"), zipf(4))),
        ]
    )
    for be in ("was", "were", "is", "are")
}
