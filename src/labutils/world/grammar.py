"""The grammar: which stories there are, and how probable each is.

Every method tells a part of a story to a *teller* t, which decides at each ``choose``: the Sampler
draws (``tellers.py``), the Reader follows a given text (``reading.py``), the Reckoner's runs go
through all possibilities (``exact.py``). The grammar is so written once, and what it writes, reads
and measures cannot drift apart. A teller offers

    choose(table)          tells one of the table's phrases; returns its payload
    say(words)             tells these words for certain
    call(part, ...)        tells another part of the grammar; returns what it returns
    record(part, ...)      the same, as (result, tape); copy(tape) tells its words once more;
                           `alike(result)` is what decides whether it will be
    recall(member)         who it is that was introduced earlier
    know(member, pronoun)  the member, of whom a pronoun is known from now on
    strangers(cast, i)     the others, of whom nothing is known but that they were introduced
    member(cast, i)        the member that keep(i) kept
    canonical(cast, plot)  the same, in an order that like casts share
    keep(x)                x, which the story will only tell again, by repeat or say_somebody
    here                   index of the last word
    word, mention, ...     gold annotation: only the Reader's ``annotation.Notes`` listens
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite
from labutils.world.openings import Openings
from labutils.world.phrases import does_briefly, learn
from labutils.world.tables import Table, columns, phrase, zipf
from labutils.world.vocabulary import Member

SCENE_GOES_ON = 0.3  # of the stories about one being have a third sentence
END = {1: 0.0, 2: 0.04, 3: 0.22, 4: 0.42, 5: 0.66, 6: 1.0, 7: 1.0}  # after so many sentences
# How a sentence after the introduction starts: weights of what can stand there.
NEXT = {
    "member": 0.09,
    "again": 0.28,
    "thing_sentence": 0.05,
    "there": 0.23,
    "opener": 0.20,
    "refrain": 0.12,
    "still": 0.40,
    "quote": 0.05,
    "asked": 0.015,
    "chant": 0.045,
    "crowd": 0.03,
    "mood": 0.07,
    "when": 0.09,
}


class Plot(NamedTuple):
    """What the rest of a story depends on, besides who is in it."""

    tense: str
    told: int  # sentences so far
    last: int = -1  # the member that a pronoun at the start of the next sentence would mean
    first: tuple | None = None  # (words, tape): the first thing that somebody did
    owned: tuple | None = None  # (member, noun): "Anna had a ball"
    room: bool = True  # nobody was said to be at a place yet
    timed: bool = False  # a time of day was said: "One day,", "At night,"


class Grammar(Openings):
    """Whole stories; how they begin is in ``openings.py``, their sentences in ``sentences.py``."""

    def story(self, t) -> None:
        how, who = t.choose(self.beginnings(), cap=True, glue=True)
        if how == "scene":
            t.call(self.scene)
        else:
            cast, tense = self.opening(t, how, who)
            t.call(self.rest, cast, Plot(tense, 1, timed=how in ("time", "morning")))

    # -- a story about one being: "The cat sat on the mat. It was tired." -----------------------

    def scene(self, t) -> None:
        """The rest of the story, after its first word."""
        being, many = t.choose(_NUMBERED_NOUNS)
        member = Member(being, many)
        t.mention(member, 0)
        cast, event, tense = t.call(self.action, (member,), 0, None, "scene", True)
        room = event is None
        pronoun = t.choose(Table((p, q, p) for p, q in self.pronouns_of(cast[0])), cap=True)
        cast, event, tense = self.again(t, cast, 0, pronoun, tense, room)
        if t.choose(_SCENE_GOES_ON, cap=True):
            opener = t.here
            t.say((pronoun,))
            self.again(t, cast, 0, pronoun, tense, room and event is None)
            t.word(opener, "ADV", "advmod", t.root_here)
            t.choose(_NO_MORE, cap=True)

    def again(self, t, cast: tuple, i: int, pronoun: str, tense: str, room: bool) -> tuple:
        """A sentence about the last subject, after its pronoun was told. -> (cast, event, tense)"""
        t.pronoun(cast[i], i)
        cast = learn(cast, i, t.know(cast[i], pronoun))
        return t.call(self.action, cast, i, tense, "again", room)

    # -- a story with a cast --------------------------------------------------------------------

    def rest(self, t, cast: tuple, plot: Plot) -> None:
        """Everything from here to the end of the story."""
        more = t.call(self.next_sentence, cast, plot)
        if more:
            t.call(self.rest, *t.canonical(*more))

    def next_sentence(self, t, cast: tuple, plot: Plot):
        """-> (cast, plot), or None at the end of the story"""
        names = tuple(m.words for m in cast)
        last = cast[plot.last] if plot.last >= 0 else None
        what, who = t.call(self.start, names, last, plot.told, bool(plot.first), bool(plot.owned), plot.timed)
        if what == "end":
            return None
        start = t.here
        plot = plot._replace(told=plot.told + 1)
        if what in ("member", "opener", "again", "when"):
            return self.about(t, cast, plot, what, who, start)
        if what == "refrain":
            self.refrain(t, *plot.first)
            return cast, plot._replace(last=-1, first=None)
        if what == "still":
            self.still(t, cast, *plot.owned, plot.tense)
            return cast, plot._replace(last=-1, owned=None, told=6)
        if what == "mood":
            t.call(self.mood, plot.tense)
            return cast, plot._replace(last=-1, told=6)
        if what in ("chant", "crowd", "asked"):
            getattr(self, what)(t, cast, who, plot.tense)
            return cast, plot._replace(last=-1, told=plot.told + 1)
        t.call(getattr(self, what), *((cast,) if what == "quote" else ()), who, plot.tense)
        return cast, plot._replace(last=-1)

    def start(self, t, names: tuple, last, told: int, sung: bool, owned: bool, timed: bool) -> tuple:
        """The first words of the next sentence, or the end. -> (what, who)"""
        view = t.recall(last, self.pronouns_of) if last else ()
        member, again, starts, end = self._next(told, bool(last), sung, owned, timed)
        members = columns((words, member / len(names), ("member", i)) for i, words in enumerate(names))
        pronouns = columns((p, q * again, ("again", t.keep(p))) for p, q in view)
        return t.choose(Table.joined(members, starts, pronouns, end, lump=_lump_crowd), cap=True)

    def _next(self, told: int, last: bool, sung: bool, owned: bool, timed: bool) -> tuple:
        """Of the start of a sentence what does not depend on who is in the story: weights of a member and of a
        pronoun, the other words, the end.
        """
        key = (told, last, sung, owned, timed)
        if key not in self.kept:
            self.kept[key] = self._next_anew(*key)
        return self.kept[key]

    def _next_anew(self, told: int, last: bool, sung: bool, owned: bool, timed: bool) -> tuple:
        can = {"member", "thing_sentence", "there", "opener", "quote", "asked", "when"}
        can |= {"chant", "crowd"} if told <= 4 else set()
        can |= {"again"} if last else set()
        if told >= 3:
            can |= {"mood"} | ({"refrain"} if sung else set()) | ({"still"} if owned else set())
        total = sum(NEXT[what] for what in sorted(can))
        share = {what: NEXT[what] / total * (1 - END[told]) for what in can}
        starts = columns(
            (words, share[what] * p, (what, x))
            for what, known in _STARTS.items()
            if what in can
            for words, p, x in known
            if not (timed and x == "timed")
        )
        return share["member"], share.get("again", 0.0), starts, columns([("", END[told], ("end", None))])

    def about(self, t, cast: tuple, plot: Plot, what: str, who, start: int) -> tuple:
        """A sentence about a member. -> (cast, plot)"""
        i, place = who, "first" if plot.told == 2 else "later"
        if what == "again":
            i, place = plot.last, "again"
            t.pronoun(cast[i], i)
            cast = learn(cast, i, t.know(cast[i], who))
        elif what == "opener":
            plot = plot._replace(timed=plot.timed or who == "timed")
            place = "next " + place if who == "next" else place
            i = t.call(self.other, cast, -1)
        elif what == "when":
            t.mark_here = start
            i = t.call(self.other, cast, -1)
            first = t.call(self.when_first, cast[i], plot.tense)
            comma = t.here
            i = t.call(self.other, cast, i)
        else:
            t.mention(cast[i], i)
        words = t.keep(cast[i].words)
        (cast, event, _), tape = t.record(self.action, cast, i, plot.tense, place, plot.room, alike=_kind_of_event)
        if what == "opener":
            t.opener(start, t.root_here)
        elif what == "when":
            t.word(comma, "PUNCT", "punct", t.root_here)
            t.relate(first, "advcl", t.root_here)
        if event == "moved":
            plot = plot._replace(first=None)
        elif event in (None, "placed") and plot.told == 2 and what != "again":
            plot = plot._replace(first=(words, tape))
        if isinstance(event, tuple):
            plot = plot._replace(owned=(t.keep(i), event[1]))
        room = plot.room and event not in ("placed", "moved")
        return cast, plot._replace(last=-1 if what == "again" else i, room=room)

    def when_first(self, t, member, tense: str) -> int:
        """After "When Anna": "laughed," -> where its verb stands"""
        mark, subject = t.mark_here, t.here
        me = t.recall(member)
        t.choose(does_briefly(me.being, me.many, tense))
        verb = t.here
        t.relate(subject, "nsubj", verb)
        t.word(mark, "SCONJ", "mark", verb)
        t.say((",",))
        return verb

    # -- what is told again, and ends --------------------------------------------------------------

    def refrain(self, t, named: tuple, tape) -> None:
        """“Again, the old fox slept.”: the first sentence about somebody, after “Again,”."""
        comma = t.here
        t.say_somebody(named)
        t.copy(tape)
        t.refrain(comma, named, tape)

    def still(self, t, cast: tuple, i: int, noun, tense: str) -> None:
        """“In the end, Anna still had the ball and was happy.”"""
        comma, member = t.here, t.member(cast, i)
        t.say_somebody(member.words)
        t.mention(member, i)
        t.call(self.still_has, member, noun, tense)
        t.opener(comma, t.root_here)

    def still_has(self, t, member, noun, tense: str) -> None:
        """“still had the ball and was happy”, or “had lost the ball and was sad”"""
        me = t.recall(member)
        subject = t.here
        kept = t.choose(_kept(finite("have", tense, me.many)))
        verb = t.here
        t.say(_THE)
        t.repeat(_OWNED[voc.kind_of(me.being).things, me.being.rank], noun)
        t.word(t.here, "NOUN", "obj", verb)
        t.word(t.here - 1, "DET", "det", t.here)
        t.relate(subject, "nsubj", verb)
        t.root(verb)
        t.owned(t.here)
        t.say((*_AND, finite("be", tense, me.many)))
        be = t.here
        t.choose(_GOOD if kept else _BAD)
        t.relate(t.here, "conj", verb)
        t.word(be, "AUX", "cop", t.here)
        t.word(be - 1, "CCONJ", "cc", t.here)
        t.mood("good" if kept else "bad")
        self.stop(t, verb)

    def mood(self, t, tense: str) -> None:
        """“At last everybody was happy.”, after “At last” or “In the end,”."""
        start = t.here
        t.say(("everybody", finite("be", tense, False)))
        subject = start + 1
        mood = t.choose(_MOODS)
        root = t.here
        t.root(root)
        t.word(subject, "PRON", "nsubj", root)
        t.word(subject + 1, "AUX", "cop", root)
        t.opener(start, root)
        t.mood(mood)
        self.stop(t, root)


_NUMBERED_NOUNS = Table(
    (words, p * share, (being, many))
    for many, share in ((False, 1 - voc.PLURAL), (True, voc.PLURAL))
    for words, p, being in voc.NOUN_TABLE[many].options
)
_SCENE_GOES_ON = Table([("", 1 - SCENE_GOES_ON, False), ("then", SCENE_GOES_ON, True)])
_NO_MORE = Table([("", 1.0, None)])
_THE = ("the",)
_AND = ("and",)
_OWNED = {
    (kind, rank): Table(zip(nouns.split(), zipf(len(nouns.split()), rank), nouns.split()))
    for kind, (nouns, _) in lex.THINGS.items()
    for rank in range(4)
}


@cache
def _kept(have: str) -> Table:
    """“still had” or “had lost”; the payload is whether it was kept."""
    return Table(
        [(phrase(f"still/ADV/advmod/1 {have}/VERB"), 0.65, True), (phrase(f"{have}/AUX/aux/1 lost/VERB"), 0.35, False)]
    )


def _kind_of_event(result: tuple):
    """What decides whether a sentence may be told again."""
    event = result[1]
    return event in (None, "placed")


def _lump_crowd(payload):
    return payload[0] if payload[0] == "crowd" else payload


def _feeling(words: list) -> list:
    return [(phrase(f"{w}/ADJ"), p) for w, p in zip(words, zipf(len(words)))] + [
        (phrase(f"very/ADV/advmod/1 {w}/ADJ"), 0.5 * p) for w, p in zip(words, zipf(len(words)))
    ]


_GOOD, _BAD = (Table((w, p, None) for w, p in _feeling(words)) for words in (lex.GOOD, lex.BAD))
_MOODS = Table(
    [
        (w, p * share, mood)
        for mood, words, share in (("good", lex.GOOD, 0.6), ("bad", lex.BAD, 0.4))
        for w, p in _feeling(words)
    ]
)
OPENERS = {
    "then": 0.28,
    "soon": 0.18,
    "now": 0.10,
    "one day ,": 0.12,
    "at night ,": 0.10,
    "in the morning ,": 0.10,
    "that day ,": 0.2,
}
ENDINGS = {"at last": 0.5, "so": 0.5}


def _opening_words(text: str):
    tags = {
        "then": "then/ADV",
        "soon": "soon/ADV",
        "now": "now/ADV",
        "one day ,": "one/NUM/nummod/1 day/NOUN ,/PUNCT",
        "that day ,": "that/DET/det/1 day/NOUN ,/PUNCT",
        "at night ,": "at/ADP/case/1 night/NOUN ,/PUNCT",
        "in the morning ,": "in/ADP/case/2 the/DET/det/1 morning/NOUN ,/PUNCT",
        "at last": "at/ADP/case/1 last/ADJ",
        "so": "so/ADV",
    }
    return phrase(tags[text])


_A, _AN = 0.5 * (1 - voc.AN_THING), 0.5 * voc.AN_THING
_STARTS = {
    "thing_sentence": [(d, p, d) for d, p in (("a", _A), ("an", _AN), ("some", 0.3), ("two", 0.2))],
    "there": [("there", 1.0, None)],
    "opener": (
        [
            (_opening_words(o), p, "timed" if o.endswith(",") else "next" if o in ("then", "soon") else None)
            for o, p in OPENERS.items()
        ]
        + [(words + phrase(",/PUNCT"), p, None) for words, p, _ in voc.events("after during", 0.6, "", "", None)]
    ),
    "refrain": [(phrase("again/ADV ,/PUNCT"), 1.0, None)],
    "still": [(phrase("in/ADP/case/2 the/DET/det/1 end/NOUN ,/PUNCT"), 1.0, None)],
    "mood": [(_opening_words(o), p, None) for o, p in ENDINGS.items()],
    "quote": [(phrase('"/PUNCT'), 1.0, None)],
    "when": [(phrase(f"{w}/SCONJ"), p, None) for w, p in zip(("before", "when", "while"), (0.4, 0.35, 0.25))],
    "asked": [(phrase("where/ADV"), 1.0, None)],
    "chant": [(phrase("the/DET/det/1 children/NOUN///PERSON"), 1.0, None)],
    "crowd": [(n, 1 / len(lex.CROWD), n) for n in lex.CROWD],
}
