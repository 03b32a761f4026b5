"""How stories begin, and the small scenes of several sentences inside them."""

from __future__ import annotations

from functools import cache, lru_cache

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite, plural
from labutils.world.phrases import STOP
from labutils.world.sentences import Sentences
from labutils.world.tables import Look, Table, phrase, zipf
from labutils.world.vocabulary import Member

TWO_BEINGS = 0.76  # the other casts are of three
SHARE = {
    "scene": 0.16,
    "list": 0.28,
    "time": 0.11,
    "once": 0.11,
    "here": 0.06,
    "place": 0.08,
    "know": 0.07,
    "morning": 0.06,
    "there": 0.07,
}
DETERMINERS = {"one": 1 - voc.PLURAL, "some": voc.PLURAL / 2, "two": voc.PLURAL / 2}
VOWEL_LOOKS = frozenset(look for look in lex.LOOKS if look[0] in "aeiou")


class Openings(Sentences):
    """First sentences that introduce the cast, and scenes that do not depend on the rest of a story."""

    def beginnings(self) -> Table:
        """The first words of a story; the payload is (how it begins, the first newcomer's word)."""
        if "beginnings" not in self.kept:
            self.kept["beginnings"] = self._beginnings()
        return self.kept["beginnings"]

    def _beginnings(self) -> Table:
        options = [("the", SHARE["scene"], ("scene", None))]
        options += [(w, p, ("list", who)) for w, p, who in self.newcomers((), SHARE["list"])]
        for how, texts in _BEGINNINGS.items():
            options += [(words, SHARE[how] * p, (how, words[0])) for words, p in texts]
        return Table(options, lump=_lump_pair)

    def opening(self, t, how: str, who) -> tuple:
        """A first sentence that introduces the cast. -> (cast, tense)"""
        start = t.here
        if how == "list":
            present, tense = self.dwell(t, who)
        elif how in ("once", "here", "know", "place", "there"):
            present, tense = getattr(self, "begin_" + how)(t, start, *((who,) if how == "here" else ()))
        else:
            present, tense = self.meeting(t, how, start)
        return t.cast(present), tense

    # -- newcomers ----------------------------------------------------------------------------------

    def newcomers(self, present: tuple, mass: float) -> list:
        """Options for the first word of somebody's introduction."""
        used = {m.look[-1] for m in present if m.look}
        free = [look for look in lex.LOOKS if look not in used]
        an = (1 - voc.FOND) * sum(look in VOWEL_LOOKS for look in free) / len(free)
        nouns = mass * (1 - voc.NAMED)
        one = nouns * DETERMINERS["one"]
        names = [n for n in voc.NAMES if all(n != m.being.noun for m in present)]
        return [
            ("a", one * (1 - an), "a"),
            ("an", one * an, "an"),
            ("some", nouns * DETERMINERS["some"], "some"),
            ("two", nouns * DETERMINERS["two"], "two"),
            *((n, mass * voc.NAMED / len(names), voc.NAMES[n]) for n in names),
        ]

    def newcomer(self, t, who, present: tuple) -> Member:
        """Finish the introduction of which the first word was `who`."""
        if not isinstance(who, str):
            member = Member(who, pronoun=who.lean)
        else:
            many = who in ("some", "two")
            used = frozenset(m.look[-1] for m in present if m.look)
            look = t.choose(_looks(who, used, tuple(lex.LOOKS), tuple(lex.FONDNESS)))
            member = Member(t.choose(_ANY_NOUN[many]), many, look)
        t.introduce(member, len(present))
        return member

    def join_newcomer(self, t, present: tuple) -> tuple:
        who = t.choose(self._joining(present))
        return present + (self.newcomer(t, who, present),)

    def _joining(self, present: tuple) -> Table:
        """The first word of somebody who joins these; kept where at most one of them has a name."""
        names = [m.being.noun for m in present if m.being.noun in voc.NAMES]
        looks = [m.look[-1] for m in present if m.look]
        key = ("joining", *names, len(looks), sum(look in VOWEL_LOOKS for look in looks))
        if key not in self.kept:
            made = Table(self.newcomers(present, 1.0), lump=_lump)
            if len(names) > 1:
                return made
            self.kept[key] = made
        return self.kept[key]

    def listed(self, t, present: tuple, more: str) -> tuple:
        """“, two quiet nurses and Anna”: the rest of a list, after its next word was told. -> present"""
        first = t.last_head
        while True:
            joint = t.here
            present = self.join_newcomer(t, present)
            t.word(joint, "CCONJ" if more == "and" else "PUNCT", "cc" if more == "and" else "punct", t.here)
            t.relate(t.here, "conj", first)
            if more == "and":
                return present
            more = t.choose(_AND)

    def pair_or_three(self, t) -> tuple:
        """Two or three newcomers in a list. -> (present, index of the first head)"""
        present = self.join_newcomer(t, ())
        first = t.last_head = t.here
        return self.listed(t, present, t.choose(_AND_OR_COMMA)), first

    # -- first sentences -----------------------------------------------------------------------------

    def dwell(self, t, who) -> tuple:
        """“An old fox, two quiet nurses and Anna lived in the village.”, or “An old fox lived with Anna.”"""
        present = (self.newcomer(t, who, ()),)
        first = t.last_head = t.here
        many = present[0].many
        more = t.choose(_alone(many))
        if isinstance(more, tuple):
            tense = more[1]
            v = t.here - 1
            present = self.join_newcomer(t, present)
            t.relate(t.here, "obl", v)
            t.word(v + 1, "ADP", "case", t.here)
            t.root(v)
            t.choose(_VILLAGES, head=v)
        else:
            present = self.listed(t, present, more)
            way, tense = t.choose(_LIVE_OR_ARE)
            v = t.here
            t.root(v)
            if way == "live":
                t.choose(_VILLAGES, head=v)
            else:
                t.word(v - 1, "AUX", "cop", v)
        t.relate(first, "nsubj", v)
        self.stop(t, v)
        return present, tense

    def begin_once(self, t, start: int) -> tuple:
        """“Once upon a time, there were an old fox and Anna in the village.”"""
        t.say(_THERE_WERE)
        v = t.here
        present, first = self.pair_or_three(t)
        t.root(v)
        t.choose(_VILLAGES, head=v)
        t.relate(first, "nsubj", v)
        t.opener(start, v)
        self.stop(t, v)
        return present, "past"

    def begin_here(self, t, start: int, word: str) -> tuple:
        """“Here is the story of an old fox and Anna.”, or “This is ...”"""
        present, first = self.pair_or_three(t)
        story = start - 1
        root = start - 4 if word == "here" else story
        t.root(root)
        t.relate(first, "nmod", story)
        t.word(start, "ADP", "case", first)
        self.stop(t, root)
        return present, "past"

    def begin_know(self, t, start: int) -> tuple:
        """“Do you know an old fox and Anna? They live in the village.”"""
        present, first = self.pair_or_three(t)
        t.root(start)
        t.relate(first, "obj", start)
        t.say(("?",))
        t.word(t.here, "PUNCT", "punct", start)
        t.full_stop()
        t.say(("They",))
        they = t.here
        t.word(they, "PRON", "nsubj", they + 1)
        t.together(they)
        tense = t.choose(_DWELL)
        v = t.here
        t.root(v)
        t.choose(_VILLAGES, head=v)
        self.stop(t, v)
        return present, tense

    def begin_place(self, t, start: int) -> tuple:
        """“In the village lived an old fox and Anna.”"""
        tense = t.choose(_LIVE)
        v = t.here
        t.opener(start, v)
        present, first = self.pair_or_three(t)
        t.relate(first, "nsubj", v)
        t.root(v)
        self.stop(t, v)
        return present, tense

    def begin_there(self, t, start: int) -> tuple:
        """“There are an old fox and Anna in the village.”"""
        tense = t.choose(_ARE)
        v = t.here
        t.word(start, "PRON", "expl", v)
        present, first = self.pair_or_three(t)
        t.relate(first, "nsubj", v)
        t.root(v)
        t.choose(_VILLAGES, head=v)
        self.stop(t, v)
        return present, tense

    def meeting(self, t, how: str, start: int) -> tuple:
        """“One cold day, an old fox met Anna.”, or `“Good morning!” said an old fox to Anna.`"""
        if how == "morning":
            v = t.here
            t.root(v)
            t.relate(start - 2, "ccomp", v)
            t.word(start - 1, "PUNCT", "punct", start - 2)
            t.word(start - 4, "PUNCT", "punct", start - 2)
        present = self.join_newcomer(t, ())
        first = t.here
        t.choose(_TO_OR_MET[how])
        if how == "time":
            v = t.here
            t.root(v)
            t.opener(start, v)
        case = t.here
        t.relate(first, "nsubj", v)
        present = self.join_newcomer(t, present)
        second = t.here
        if how == "morning":
            t.word(case, "ADP", "case", second)
        t.relate(second, "obl" if how == "morning" else "obj", v)
        if t.choose(_AND_OR_STOP, head=t.root_here):
            t.last_head = second
            present = self.listed(t, present, "and")
            t.say(STOP, head=t.root_here)
        t.full_stop()
        return present, "past"

    # -- scenes inside a story ---------------------------------------------------------------------

    def there(self, t, who, tense: str) -> None:
        """“There was a large cup on the table.”, after “There”"""
        start = t.here
        v = start + 1
        t.choose(_there(tense), head=v)
        t.word(start, "PRON", "expl", v)
        t.root(v)
        t.thing(t.here)
        t.choose(_SURFACES, head=v)
        self.stop(t, v)

    def quote(self, t, cast: tuple, who, tense: str) -> None:
        """`"Look at Anna," said the old fox.`, after the first mark"""
        quote = t.here
        what, mark = t.choose(_SAID_FIRST, cap=True, glue=True)
        j, root = -1, quote + 1
        if what in ("look", "wait", "see"):
            root = quote + 3 if what == "see" else quote + 1
            before = t.here
            j = t.call(self.other, cast, -1)
            t.relate(t.here, "obj" if what == "see" else "obl", root)
            if what != "see":
                t.word(before, "ADP", "case", t.here)
        elif what in ("is", "am"):
            root = t.here
            t.relate(quote + 1, "nsubj", root)
            t.word(quote + 2, "AUX", "cop", root)
        t.word(quote, "PUNCT", "punct", root)
        t.say((mark,))
        t.word(t.here, "PUNCT", "punct", root)
        t.choose(_ASKED if mark[0] == "?" else _SAID)
        said = t.here
        t.root(said)
        t.relate(root, "ccomp", said)
        speaker = t.call(self.other, cast, j, "nsubj", said)
        if what == "am":
            t.speaker(quote + 1, speaker)
        self.stop(t, said)

    def asked(self, t, cast: tuple, who, tense: str) -> None:
        """“Where could the old fox be? Nobody knew.”, after “Where”"""
        where = t.here
        t.say(_COULD, head=where)
        t.root(where)
        t.call(self.other, cast, -1, "nsubj", where)
        t.say(_BE, head=where)
        t.full_stop()
        t.choose(_NOBODY[tense], cap=True)
        t.root(t.here)
        self.stop(t, t.here)

    def chant(self, t, cast: tuple, who, tense: str) -> None:
        """`The children sing, "Red, fox, bell." Anna and the old fox sing, "Red, fox, bell."`"""
        v = t.here + 1
        t.relate(t.here, "nsubj", v)
        t.say(_SANG[tense])
        t.root(v)
        _, tape = t.record(self.verse, t.keep(v))
        t.full_stop()
        t.choose(_LATER, cap=True)
        adverb = t.here
        names = t.call(self.other, cast, -1)
        first = t.here
        t.say(("and",))
        t.call(self.other, cast, names)
        t.word(first + 1, "CCONJ", "cc", t.here)
        t.relate(t.here, "conj", first)
        t.say(_SANG[tense])
        again = t.here - 1
        t.root(again)
        t.relate(first, "nsubj", again)
        t.opener(adverb, again)
        t.copy(tape)
        t.word(again + 1, "PUNCT", "punct", again)
        t.told_again(None, tape, {v: again})
        t.full_stop()

    def verse(self, t, v) -> None:
        """After "sang,": `"Red, fox, bell."`"""
        t.say(('"',))
        quote = t.here
        t.choose(_VERSE, cap=True, glue=True)
        first = t.here
        for n in range(1, 6):
            if t.choose(_VERSE_GOES_ON[n]) == "end":
                break
            t.choose(_VERSE)
            t.word(t.here - 1, "PUNCT", "punct", t.here)
            t.relate(t.here, "conj", first)
        t.relate(first, "obj", v)
        t.word(quote, "PUNCT", "punct", first)
        t.word(quote - 1, "PUNCT", "punct", first)
        t.word(t.here, "PUNCT", "punct", v)

    def crowd(self, t, cast: tuple, who, tense: str) -> None:
        """“Emma, Noah and Jack came to the lake. Then Emma, Noah and Jack went home.”, after the first name"""
        start = t.here
        _, tape = t.record(self.names, who)
        t.choose(_COME[tense])
        v = t.here
        t.root(v)
        t.relate(start, "nsubj", v)
        t.choose(_TO_GOAL_OR_IN, head=v)
        self.stop(t, v)
        t.choose(_LATER, cap=True)
        opener = t.here
        t.say((who,))
        t.copy(tape)
        t.told_again(start, tape, {})
        t.choose(_LEAVE[tense])
        v = t.here
        t.root(v)
        t.relate(opener + 1, "nsubj", v)
        t.opener(opener, v)
        t.say(_HOME, head=v)
        self.stop(t, v)

    def names(self, t, who: str) -> None:
        """“, Noah and Jack”: the rest of a list of passers-by"""
        first, used = t.here, (who,)
        t.word(first, "PROPN", "nsubj", -1)
        t.passes_by(first)
        more = t.choose(_MORE_NAMES)
        while True:
            joint = t.here
            used += (t.choose(Table(((n, 1.0, n) for n in lex.CROWD if n not in used), lump=_any)),)
            t.word(t.here, "PROPN", "conj", first)
            t.passes_by(t.here)
            t.word(joint, *(("CCONJ", "cc") if more == "and" else ("PUNCT", "punct")), t.here)
            if more == "and":
                return
            more = t.choose(_MORE_NAMES if len(used) < 3 else _AND)


def _any(payload):
    return None


def _lump(payload):
    """Looks with the same article, and all names, are alike in everything but their spelling."""
    return "name" if isinstance(payload, lex.Being) else payload


def _lump_pair(payload):
    how, who = payload
    return how, _lump(who) if how == "list" else who if how == "here" else None


@lru_cache(maxsize=256)
def _looks(who: str, used: frozenset, every: tuple[str, ...], fondness: tuple[str, ...]) -> Table:
    """The adjectives of a newcomer after "a", "an", "some" or "two"; the payload is the adjectives."""
    free = [x for x in every if x not in used]
    vowels = {"a": False, "an": True}.get(who)
    options = [
        ((Look(x),), (1 - voc.FOND) / len(free), (x,)) for x in free if vowels is None or (x in VOWEL_LOOKS) == vowels
    ]
    if who != "an":
        options += [((Look(f), Look(x)), voc.FOND / len(free) / len(fondness), (f, x)) for f in fondness for x in free]
    return Table(options, lump=lambda look: (len(look), look[-1] in VOWEL_LOOKS))


_VILLAGE_LOOKS = (((), 0.38), (("small",), 0.17), (("green",), 0.1), (("fair",), 0.1), (("small", "green"), 0.25))


def _villages(head: str) -> list:
    """[(phrase, probability)] of "in the small village"."""
    relation = "obl" if head else ""
    return [
        (phrase(f"{w}/ADP/case/{len(a) + 2} {voc.nominal('the', a, n, relation, head, 'PLACE')}"), p * q)
        for (w, n), p in zip((v.split("-") for v in lex.VILLAGES), zipf(len(lex.VILLAGES)))
        for a, q in _VILLAGE_LOOKS
    ]


_ANY_NOUN = {many: Table(table.options, lump=_any) for many, table in voc.NOUN_TABLE.items()}
_AND_OR_COMMA = Table([(phrase("and/CCONJ"), TWO_BEINGS, "and"), (phrase(",/PUNCT"), 1 - TWO_BEINGS, ",")])
_AND = Table([(phrase("and/CCONJ"), 1.0, "and")])
_VILLAGES = Table((words, p, None) for words, p in _villages("^"))
_DWELL = Table(
    (phrase(f"{finite(verb, tense, True)}/VERB"), p * share, tense)
    for tense, share in (("past", 1 - voc.PRESENT), ("present", voc.PRESENT))
    for verb, p in zip(lex.DWELLINGS, zipf(len(lex.DWELLINGS)))
)
_LIVE = Table(
    (phrase(f"{finite('live', tense, True)}/VERB"), p, tense)
    for tense, p in (("past", 1 - voc.PRESENT), ("present", voc.PRESENT))
)
_ARE = Table(
    (phrase(f"{finite('be', tense, True)}/VERB"), p, tense)
    for tense, p in (("past", 1 - voc.PRESENT), ("present", voc.PRESENT))
)
_THERE_WERE = phrase("there/PRON/expl/1 were/VERB")
_LIVE_OR_ARE = Table(
    [(words, 0.7 * p, ("live", tense)) for words, p, tense in _DWELL.options]
    + [
        (phrase(f"{finite('be', tense, True)}/AUX {noun}/NOUN"), 0.15 * p, ("are", tense))
        for tense in ("past", "present")
        for noun, p in zip(lex.FRIENDS, zipf(len(lex.FRIENDS)))
    ]
)


def _alone(many: bool) -> Table:
    """After the first newcomer: the next one, or "lived with"."""
    return _ALONE[many]


_ALONE = {
    many: Table(
        [(words, 0.75 * p, x) for words, p, x in _AND_OR_COMMA.options]
        + [
            (phrase(f"{finite('live', tense, many)}/VERB with/ADP"), 0.125, ("with", tense))
            for tense in ("past", "present")
        ]
    )
    for many in (False, True)
}
_BEGINNINGS = {
    "once": [
        (phrase("once/ADV upon/ADP/case/2 a/DET/det/1 time/NOUN/obl/-3 ,/PUNCT"), 0.6),
        (phrase("long/ADV/advmod/1 ago/ADV ,/PUNCT"), 0.4),
    ],
    "time": [
        (phrase("one/NUM/nummod/2 cold/ADJ/amod/1 day/NOUN ,/PUNCT"), 0.25),
        (phrase("one/NUM/nummod/2 fine/ADJ/amod/1 morning/NOUN ,/PUNCT"), 0.25),
        (phrase("after/ADP/case/2 the/DET/det/1 rain/NOUN ,/PUNCT"), 0.25),
        (phrase("last/ADJ/amod/1 winter/NOUN ,/PUNCT"), 0.25),
    ],
    "here": [
        (phrase("here/ADV is/AUX/cop/-1 the/DET/det/1 story/NOUN/nsubj/-3 of/ADP"), 0.6),
        (phrase("this/PRON/nsubj/3 is/AUX/cop/2 the/DET/det/1 story/NOUN of/ADP"), 0.4),
    ],
    "know": [(phrase("do/AUX/aux/2 you/PRON/nsubj/1 know/VERB"), 1.0)],
    "morning": [(phrase('"/PUNCT Good/ADJ/amod/1 morning/NOUN !"/PUNCT said/VERB'), 1.0)],
    "there": [(phrase("there/PRON"), 1.0)],
    "place": _villages(""),
}
_TO_OR_MET = {
    "morning": Table([(phrase("to/ADP"), 1.0, None)]),
    "time": Table([(phrase(f"{w}/VERB"), p, None) for w, p in zip(("met", "saw", "visited", "helped"), zipf(4))]),
}
_AND_OR_STOP = Table([(STOP, TWO_BEINGS, False), (phrase("and/CCONJ"), 1 - TWO_BEINGS, True)])
_SAID_FIRST = Table(
    [
        (phrase("look/VERB at/ADP"), 0.25, ("look", ',"')),
        (phrase("can/AUX/aux/2 you/PRON/nsubj/1 see/VERB"), 0.25, ("see", '?"')),
        (phrase("wait/VERB for/ADP"), 0.2, ("wait", ',"')),
        *(
            (phrase(f"come/VERB to/ADP/case/2 the/DET/det/1 {n}/NOUN/obl/-3/PLACE"), 0.15 * p, ("come", ',"'))
            for n, p in zip(lex.GOALS, zipf(len(lex.GOALS)))
        ),
        *(
            (phrase(f"it/PRON is/AUX {w}/ADJ"), 0.09 * p, ("is", ',"'))
            for w, p in zip(("cold", "dark", "late", "light"), zipf(4))
        ),
        *(
            (
                phrase(f"{who}/PRON {be}/AUX not/PART/advmod/2 {voc.nominal('a', (), n, '', entity='')}"),
                0.12 * p * q,
                (what, ',"'),
            )
            for n, p in zip(lex.MISTAKEN, zipf(len(lex.MISTAKEN)))
            for who, be, q, what in (("I", "am", 0.6, "am"), ("this", "is", 0.4, "is"))
        ),
    ]
)
_SAID = Table([(phrase("said/VERB"), 0.7, None), (phrase("called/VERB"), 0.3, None)])
_ASKED = Table([(phrase("asked/VERB"), 1.0, None)])
_COULD = phrase("could/AUX/aux/^")
_BE = phrase("be/AUX/cop/^ ?/PUNCT/punct/^")
_NOBODY = {
    tense: Table([(phrase(f"nobody/PRON/nsubj/1 {finite('know', tense, False)}/VERB"), 1.0, None)])
    for tense in ("past", "present")
}
_SANG = {tense: phrase(f"{finite('sing', tense, True)}/VERB ,/PUNCT") for tense in ("past", "present")}
_VERSE = Table(
    [
        (phrase(f"{w}/{'NUM' if w in ('one', 'two', 'three', 'four', 'five', 'six') else 'NOUN'}"), 1.0, None)
        for w in lex.CHANT
    ]
)
_VERSE_GOES_ON = {
    n: Table([(phrase(",/PUNCT"), p, "more"), (phrase('."/PUNCT'), 1 - p, "end")])
    for n, p in zip(range(1, 6), (1.0, 1.0, 0.6, 0.5, 0.0))
}
_COME, _LEAVE = (
    {tense: Table([(phrase(f"{finite(verb, tense, True)}/VERB"), 1.0, None)]) for tense in ("past", "present")}
    for verb in ("come", "go")
)
_TO_GOAL = Table(
    (phrase(f"to/ADP/case/2 the/DET/det/1 {n}/NOUN/obl/^/PLACE"), p, None)
    for n, p in zip(lex.GOALS, zipf(len(lex.GOALS)))
)
_TO_GOAL_OR_IN = Table(
    [*((words, 0.6 * p, x) for words, p, x in _TO_GOAL.options), (phrase("in/ADV/advmod/^"), 0.4, None)]
)
_LATER = Table([(phrase("then/ADV"), 0.6, None), (phrase("soon/ADV"), 0.4, None)])
_HOME = phrase("home/ADV/advmod/^")
_MORE_NAMES = Table([(phrase(",/PUNCT"), 0.5, ","), (phrase("and/CCONJ"), 0.5, "and")])
_SURFACES = Table(
    (phrase(f"{p}/ADP/case/{len(a) + 2} {voc.nominal('the', a, n, 'obl')}"), q * r, None)
    for n, q in zip(("table", "chair", "bench", "box"), zipf(4))
    for p in ("on", "under")
    for a, r in (((), 0.45), (("old",), 0.2), (("small",), 0.15), (("old", "green"), 0.2))
)


@cache
def _there(tense: str) -> Table:
    """“was a red cup”, “were two red cups”"""
    options = []
    for determiner, many, p in (("a", False, 0.5), ("some", True, 0.25), ("two", True, 0.25)):
        be = finite("be", tense, many)
        for kind in ("vessel", "food", "toy", "paper"):
            nouns = lex.THINGS[kind][0].split()
            for noun, q in zip(nouns, zipf(len(nouns))):
                form = plural(noun) if many else noun
                for adjectives, r in voc.ADJECTIVES:
                    words = voc.nominal(determiner, adjectives, form, "nsubj")
                    options.append((phrase(f"{be}/VERB {words}"), p * q * r / 4, None))
    return Table(options)
