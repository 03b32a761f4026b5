"""The grammar: which stories there are, and how probable each is.

Every method tells a part of a story to a *teller* t, which decides at each ``choose``: the Sampler
draws (``tellers.py``), the Reader follows a given text (``reading.py``), the Reckoner's runs go
through all possibilities (``exact.py``). The grammar is so written once, and what it writes, reads
and measures cannot drift apart. A teller offers

    choose(table)          tells one of the table's phrases; returns its payload
    say(words)             tells these words for certain
    call(part, ...)        tells another part of the grammar; returns what it returns
    record(part, ...)      the same, as (result, tape); copy(tape) tells its words once more
    recall(member)         who it is that was introduced earlier
    know(member, pronoun)  the member, of whom a pronoun is known from now on
    keep(x)                x, which the story will only tell again, by repeat or say_somebody
    here                   index of the last word
    word, mention, ...     gold annotation: only the Reader's ``annotation.Notes`` listens
"""

from __future__ import annotations

from typing import NamedTuple

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.phrases import learn
from labutils.world.sentences import Sentences
from labutils.world.tables import Table, zipf
from labutils.world.vocabulary import Member

SCENE = 0.18  # of the stories have one being and no introduction, as the running text
SCENE_GOES_ON = 0.3  # of these have a third sentence
TWO_BEINGS = 0.55  # the others have three
END = {1: 0.0, 2: 0.06, 3: 0.24, 4: 0.40, 5: 0.60, 6: 1.0}  # after so many sentences
# How a sentence after the introduction starts, where it can: with a pronoun, a thing, "then", a
# refrain ("Again, ..."), or with what somebody still has (a share of what the others leave).
NEXT = {"again": 0.40, "thing": 0.09, "opener": 0.10, "refrain": 0.12, "still": 0.60}
OPENERS = {"then": 0.5, "soon": 0.3, "now": 0.2}
DETERMINERS = {"one": 1 - voc.PLURAL, "some": voc.PLURAL / 2, "two": voc.PLURAL / 2}

VOWEL_LOOKS = tuple(look for look in lex.LOOKS if look[0] in "aeiou")
DWELLINGS = {tense: [voc.finite(v, tense, True) for v in lex.DWELLINGS]
             for tense in ("past", "present")}


class Plot(NamedTuple):
    """What the rest of a story depends on, besides who is in it."""

    tense: str
    told: int  # sentences so far
    last: int = -1  # the member that a pronoun at the start of the next sentence would mean
    first: tuple | None = None  # (words, tape): the first sentence about somebody
    owned: tuple | None = None  # (member, noun): "Anna had a ball"


class Grammar(Sentences):
    """Whole stories; the sentences are in ``sentences.py``, the phrases in ``phrases.py``."""

    def story(self, t) -> None:
        opening = [("the", SCENE, "scene")] + self.newcomers((), 1 - SCENE)
        who = t.choose(Table(opening, lump=_lump), cap=True, first=True)
        if who == "scene":
            t.call(self.scene)
        else:
            cast, tense = self.introduction(t, who)
            t.call(self.rest, cast, Plot(tense, 1))

    # -- a story about one being: "The cat sat on the mat. It was tired." -----------------------

    def scene(self, t) -> None:
        """The rest of the story, after its first word."""
        member = Member(*t.choose(_NUMBERED_NOUNS))
        t.mention(member, 0)
        cast, _, tense, _ = t.call(self.action, (member,), 0, None, "scene")
        options = ((p, q, p) for p, q in self.pronouns_of(cast[0]))
        pronoun = t.choose(Table(options), cap=True)
        cast, _ = self.again(t, cast, 0, pronoun, tense)
        if t.choose(_SCENE_GOES_ON, cap=True):
            opener = t.here
            t.say(pronoun)
            _, root = self.again(t, cast, 0, pronoun, tense)
            t.word(opener, "ADV", "advmod", root)
            t.choose(_NO_MORE, cap=True)

    def again(self, t, cast: tuple, i: int, pronoun: str, tense: str) -> tuple:
        """A sentence about the last subject, after its pronoun was told. -> (cast, root)"""
        t.pronoun(cast[i], i)
        cast = learn(cast, i, t.know(cast[i], pronoun))
        cast, _, _, root = t.call(self.action, cast, i, tense, "again")
        return cast, root

    # -- a story with a cast --------------------------------------------------------------------

    def newcomers(self, present: tuple, mass: float) -> list:
        """Options for the first word of somebody's introduction."""
        used = {m.look for m in present}
        free = [look for look in lex.LOOKS if look not in used]
        an = sum(look in VOWEL_LOOKS for look in free) / len(free)
        nouns = mass * (1 - voc.NAMED)
        one = nouns * DETERMINERS["one"]
        names = [n for n in voc.NAMES if all(n != m.being.noun for m in present)]
        return [("a", one * (1 - an), "a"), ("an", one * an, "an"),
                ("some", nouns * DETERMINERS["some"], "some"),
                ("two", nouns * DETERMINERS["two"], "two"),
                *((n, mass * voc.NAMED / len(names), voc.NAMES[n]) for n in names)]

    def newcomer(self, t, who, present: tuple) -> Member:
        """Finish the introduction of which the first word was `who`."""
        if not isinstance(who, str):
            member = Member(who, pronoun=who.lean)
        else:
            used = {m.look for m in present}
            looks = [x for x in lex.LOOKS if x not in used
                     and (who in ("some", "two") or (x in VOWEL_LOOKS) == (who == "an"))]
            look = t.choose(Table(((x, 1.0, x) for x in looks), lump=_lump))
            many = who in ("some", "two")
            member = Member(t.choose(_ANY_NOUN[many]), many, look)
        t.introduce(member, len(present))
        return member

    def introduction(self, t, who) -> tuple:
        """"An old fox, two quiet nurses and Anna lived in the village." -> (cast, tense)"""
        present = (self.newcomer(t, who, ()),)
        heads = [t.here]
        more = t.choose(_AND_OR_COMMA)
        while True:
            joint = t.here
            who = t.choose(Table(self.newcomers(present, 1.0), lump=_lump))
            present += (self.newcomer(t, who, present),)
            t.word(joint, "CCONJ" if more == "and" else "PUNCT",
                   "cc" if more == "and" else "punct", t.here)
            heads.append(t.here)
            if more == "and":
                break
            more = t.choose(_AND)
        tense = t.choose(_DWELL)
        verb = t.here
        t.relate(heads[0], "nsubj", verb)
        for head in heads[1:]:
            t.relate(head, "conj", heads[0])
        t.choose(_VILLAGES)
        t.place(verb)
        t.root(verb, "VERB")
        t.say(".")
        t.full_stop(verb)
        return t.cast(present), tense

    def rest(self, t, cast: tuple, plot: Plot) -> None:
        """Everything from here to the end of the story."""
        more = t.call(self.next_sentence, cast, plot)
        if more:
            t.call(self.rest, *more)

    def next_sentence(self, t, cast: tuple, plot: Plot):
        """-> (cast, plot), or None at the end of the story"""
        names = tuple(m.words for m in cast)
        last = cast[plot.last] if plot.last >= 0 else None
        what, who = t.call(self.opening, names, last, plot.told, bool(plot.first),
                           bool(plot.owned))
        if what == "end":
            return None
        start = t.here
        plot = plot._replace(told=plot.told + 1)
        if what == "again":
            cast, _ = self.again(t, cast, plot.last, who, plot.tense)
            plot = plot._replace(last=-1)
        elif what == "thing":
            t.call(self.thing, who, plot.tense)
            plot = plot._replace(last=-1)
        elif what == "refrain":
            self.refrain(t, *plot.first)
            plot = plot._replace(last=-1, first=None)
        elif what == "still":
            self.still(t, cast, *plot.owned, plot.tense)
            plot = plot._replace(last=plot.owned[0], owned=None)
        else:
            if what == "opener":
                who = t.call(self.other, cast, -1)
            else:
                t.mention(cast[who], who)
            cast, plot, root = self.about(t, cast, plot, who)
            if what == "opener":
                t.word(start, "ADV", "advmod", root)
        return cast, plot

    def opening(self, t, names: tuple, last, told: int, sung: bool, owned: bool) -> tuple:
        """The first words of the next sentence, or the end. -> (what, who)"""
        view = t.recall(last, self.pronouns_of) if last else ()
        share = {"thing": NEXT["thing"], "opener": NEXT["opener"]}
        if last:
            share["again"] = NEXT["again"]
        if sung and told >= 3:
            share["refrain"] = NEXT["refrain"]
        if owned and told >= 3:
            share["still"] = NEXT["still"] * (1 - sum(share.values()))
        share["member"] = 1 - sum(share.values())
        options = [(words, share["member"] / len(names), ("member", i))
                   for i, words in enumerate(names)]
        options += [(d, p * share["thing"], ("thing", d)) for d, p in _THING_STARTS.items()]
        options += [(o, p * share["opener"], ("opener", None)) for o, p in OPENERS.items()]
        options += [(p, q * share["again"], ("again", t.keep(p))) for p, q in view]
        if "refrain" in share:
            options.append((("again", ","), share["refrain"], ("refrain", None)))
        if "still" in share:
            options.append((("in", "the", "end", ","), share["still"], ("still", None)))
        options = [(phrase, p * (1 - END[told]), way) for phrase, p, way in options if told < 6]
        if END[told]:
            options.append(("", END[told], ("end", None)))
        return t.choose(Table(options), cap=True)

    def refrain(self, t, named: tuple, tape) -> None:
        """"Again, the old fox slept.": the first sentence about somebody, after "Again,"."""
        comma = t.here
        t.say_somebody(named)
        t.copy(tape)
        t.refrain(comma, named, tape)

    def about(self, t, cast: tuple, plot: Plot, who: int) -> tuple:
        """A sentence about a member that was just named. -> (cast, plot, root)"""
        place = "first" if plot.told == 2 else "later"
        (cast, owned, _, root), tape = t.record(self.action, cast, who, plot.tense, place)
        if place == "first":
            plot = plot._replace(first=(t.keep(cast[who].words), tape), owned=owned)
        return cast, plot._replace(last=who), root


def _lump(payload):
    """Looks with the same article, and all names, are alike in everything but their spelling."""
    if isinstance(payload, str) and payload in lex.LOOKS:
        return payload in VOWEL_LOOKS
    return "name" if isinstance(payload, lex.Being) else payload


_NUMBERED_NOUNS = Table(
    (phrase, p * share, (being, many))
    for many, share in ((False, 1 - voc.PLURAL), (True, voc.PLURAL))
    for phrase, p, being in voc.NOUN_TABLE[many].options)
_ANY_NOUN = {
    many: Table(table.options, lump=lambda being: None)
    for many, table in voc.NOUN_TABLE.items()
}
_AND_OR_COMMA = Table([("and", TWO_BEINGS, "and"), (",", 1 - TWO_BEINGS, ",")])
_AND = Table([("and", 1.0, "and")])
_DWELL = Table((form, w * share, tense)
               for tense, share in (("past", 1 - voc.PRESENT), ("present", voc.PRESENT))
               for form, w in zip(DWELLINGS[tense], zipf(len(lex.DWELLINGS))))
_VILLAGES = Table((("in", "the", v), w, None)
                  for v, w in zip(lex.VILLAGES, zipf(len(lex.VILLAGES))))
_SCENE_GOES_ON = Table([("", 1 - SCENE_GOES_ON, False), ("then", SCENE_GOES_ON, True)])
_NO_MORE = Table([("", 1.0, None)])
_THING_STARTS = {"a": 0.5 * (1 - voc.AN_THING), "an": 0.5 * voc.AN_THING, "some": 0.5}
