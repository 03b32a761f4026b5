"""What somebody does: with a thing, somewhere, for a reason; wants and can do; has, and where somebody goes."""

from __future__ import annotations

from functools import cache, lru_cache

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite
from labutils.world.phrases import AND, BECAUSE, STOP, Doing, Phrases, belongings, infinitives
from labutils.world.tables import Phrase, Table, phrase, zipf


class Deeds(Phrases):
    """What follows a verb of doing, having, going, wishing or hearing."""

    def does(self, t, d: Doing):
        """“sleeps”, where, how, why or when"""
        event = None
        how = t.choose(_after_doing(d.me.being, d.room, bool(d.strangers)), head=d.v)
        if how == "spot":
            event = "placed"
            how = t.choose(_after_spot(bool(d.strangers)), head=d.v)
        elif how == "manner":
            how = t.choose(_after_manner(), head=d.v)
        return self.ending(t, how, d, reasons_of(d.me, d.verb)), event

    def ending(self, t, how: str, d: Doing, reasons: str) -> str | None:
        """What is left of a clause after `how`, full stop included. -> the pronoun that was used, or None"""
        pronoun = None
        if how == "because":
            because = t.here
            pronoun = self.feels(t, d.me, d.i, d.tense, reasons)
            t.relate(t.here, "advcl", d.v)
            t.word(because, "SCONJ", "mark", t.here)
        elif how == "when":
            t.call(self.briefly, d.strangers, d.tense, d.v)
        elif how == "and":
            joint = t.here
            t.choose(_again_does(d.me.being, d.me.many, d.tense), head=d.v)
            t.word(joint, "CCONJ", "cc", t.here)
        if how != "stop":
            t.say(STOP, head=d.v)
        t.full_stop()
        return pronoun

    def handles(self, t, d: Doing):
        """“eats a large red apple because it is sweet”"""
        t.choose(belongings(d.me.being), head=d.v)
        t.thing(t.here)
        how = t.choose(_after_handling(d.verb, bool(d.strangers)), head=d.v)
        if how == "because":
            self.because_thing(t, lex.REASONS[d.verb], d.tense, d.v)
            t.say(STOP, head=d.v)
            t.full_stop()
            return None, None
        return self.ending(t, how, d, ""), None

    def has(self, t, d: Doing):
        """“had a ball”, “had a nap”, “had slept”"""
        way, noun = t.choose(_after_having(d.me.being, d.verb.startswith("next")), head=d.v)
        root = d.v
        if way == "own":
            t.thing(t.here)
            t.owned(t.here)
        elif way == "done":
            root = t.here
            t.become(d.v, root)
            t.word(d.v, "AUX", "aux", root)
            t.choose(_BEFORE, head=root)
            t.full_stop()
            return None, None
        self.stop(t, root)
        return None, (("own", t.keep(noun)) if way == "own" else None)

    def goes(self, t, d: Doing):
        """“went to the market”, “went for a walk”"""
        way = t.choose(_after_going(d.me.being), head=d.v)
        with_whom = t.choose(_AFTER_GOING if d.strangers else _STOP_ONLY, head=d.v)
        if with_whom == "with":
            case = t.here
            t.call(self.stranger, d.strangers)
            t.relate(t.here, "obl", d.v)
            t.word(case, "ADP", "case", t.here)
            t.say(STOP, head=d.v)
        t.full_stop()
        return None, "moved" if way == "goal" else None

    def modal(self, t, d: Doing):
        """“could not sleep”, “will soon sleep”"""
        first = t.choose(_after_modal(d.verb), head=d.v)
        if first == "trick":
            t.upos_of(d.v, "VERB")
            self.stop(t, d.v)
            return None, None
        adverb = t.here
        what = t.choose(voc.undertakings(d.me.being, "", bool(d.strangers)))
        root = t.here
        t.word(adverb, "PART" if first == "not" else "ADV", "advmod", root)
        t.become(d.v, root)
        t.word(d.v, "AUX", "aux", root)
        return self.undertaken(t, what, d, root, root)

    def undertaken(self, t, what: str, d: Doing, verb: int, root: int):
        """What follows "sleep", "eat" or "guide", to the full stop; the sentence is about `root`."""
        if what != "does":
            t.call(self.its_object, d.me, what, d.strangers, verb)
            self.stop(t, root)
            return None, None
        t.probe_bond(verb, d.i, d.me, "does")
        spot = t.choose(_after_base(d.me.being, d.room), head=verb)
        if spot == "spot":
            t.say(STOP, head=root)
        t.full_stop()
        t.relate(t.here, "punct", root)
        return None, "placed" if spot == "spot" else None

    def its_object(self, t, me, what: str, strangers, verb) -> None:
        """“an apple” or “Anna”"""
        if what == "handles":
            t.choose(belongings(me.being), head=verb)
            t.thing(t.here)
        else:
            t.call(self.stranger, strangers)
            t.relate(t.here, "obj", verb)

    def wishes(self, t, d: Doing):
        """“wanted to sleep”, “started again to sleep”, “wanted Anna to sleep”"""
        how = t.choose(_after_wish(d.verb, d.strangers), head=d.v)
        if isinstance(how, int):
            j, member = d.strangers[how]
            t.mention(member, j)
            t.relate(t.here, "obj", d.v)
            t.say(_TO)
            t.call(self.something, member, d.v)
            self.stop(t, d.v)
            return None, None
        what = t.choose(voc.undertakings(d.me.being, "xcomp", bool(d.strangers)), head=d.v)
        t.relate(t.to_here, "mark", t.here)
        return self.undertaken(t, what, d._replace(room=False), t.here, d.v)

    def something(self, t, member, v) -> None:
        """“sleep”, of somebody else, after “to”"""
        to = t.here
        me = t.recall(member)
        t.choose(infinitives(me.being), head=v)
        t.relate(to, "mark", t.here)

    def hears(self, t, d: Doing):
        """“heard a loud growl”"""
        t.choose(voc.sounds(), head=d.v)
        t.choose(_AFTER_SOUND, head=d.v)
        t.full_stop()
        return None, None


def reasons_of(me, verb: str) -> str:
    """Why somebody does what: the verb's reasons, or two of the feelings of its class."""
    own = voc.kind_of(me.being)
    return lex.REASONS[verb] if verb in own.does.split() else " ".join(own.feels.split()[:2])


_TO = phrase("to/PART")


_WHEN = [(phrase(f"{w}/SCONJ"), p, "when") for w, p in zip(("after", "when", "while"), (0.75, 0.15, 0.10))]


def _conditions(mass: float) -> list:
    """Options: "in the rain"."""
    return [
        (phrase(f"in/ADP/case/2 the/DET/det/1 {n}/NOUN/obl/^"), mass * p, "manner")
        for n, p in zip(lex.CONDITIONS, zipf(len(lex.CONDITIONS)))
    ]


def _manners(mass: float) -> list:
    return [(phrase(f"{m}/ADV/advmod/^"), mass * p, "manner") for m, p in zip(lex.MANNERS, zipf(len(lex.MANNERS)))]


def _whens(mass: float, strangers: bool) -> list:
    return [(w, mass * p, x) for w, p, x in _WHEN] if strangers else []


_ALL_DAY = (phrase("all/DET/det/1 day/NOUN/obl/^"), 0.03, "manner")


_LIKE = [
    (phrase(f"like/ADP/case/2 a/DET/det/1 {n}/NOUN/obl/^"), 0.06 * p, "manner")
    for n, p in zip(lex.LIKENESS, zipf(len(lex.LIKENESS)))
]


_PARTICLES = [
    (phrase(f"{w}/ADV/advmod/^ ./PUNCT/punct/^"), 1.35 * p, "stop")
    for w, p in zip(lex.PARTICLES, (0.36, 0.32, 0.24, 0.08))
]


_EVENTS = voc.events("before during", 0.12, "obl", "^", "manner")


_THERE_STOP = phrase("there/ADV/advmod/^ ./PUNCT/punct/^")


@cache
def _after_doing(being, room: bool, strangers: bool) -> Table:
    spots = voc.spots(being, 1.2) if room else []
    return Table(
        [
            (STOP, 0.08, "stop"),
            *spots,
            *_manners(0.18),
            *_conditions(0.42),
            *_PARTICLES,
            _ALL_DAY,
            *_LIKE,
            *_EVENTS,
            (BECAUSE, 0.15, "because"),
            (AND, 0.06, "and"),
            *_whens(0.28, strangers),
        ]
    )


@cache
def _after_spot(strangers: bool) -> Table:
    return Table([(STOP, 0.62, "stop"), (BECAUSE, 0.18, "because"), (AND, 0.08, "and"), *_whens(0.24, strangers)])


@cache
def _after_manner() -> Table:
    return Table([(STOP, 0.8, "stop"), (BECAUSE, 0.2, "because")])


@cache
def _again_does(being, many: bool, tense: str) -> Table:
    verbs, weights = voc.bond(voc.kind_of(being).does, being)
    return Table((phrase(f"{finite(v, tense, many)}/VERB/conj/^"), p, None) for v, p in zip(verbs, weights))


@cache
def _after_handling(verb: str, strangers: bool) -> Table:
    tools = lex.TOOLS.get(verb, "").split()
    with_tool = (
        [
            (phrase(f"with/ADP/case/2 a/DET/det/1 {n}/NOUN/obl/^/THING"), 0.24 * p, "tool")
            for n, p in zip(tools, zipf(len(tools)))
        ]
        if tools
        else []
    )
    return Table(
        [
            (STOP, 0.36 if tools else 0.60, "stop"),
            (_THERE_STOP, 0.14, "stop"),
            *with_tool,
            (BECAUSE, 0.16, "because"),
            *_whens(0.10, strangers),
        ]
    )


@cache
def _after_having(being, next_thing: bool) -> Table:
    """A `next_thing`, told behind "Then" or "Soon", is never one that "had been done"."""
    done = [(phrase(w[0] + "/VERB"), 0.60 * p, ("done", None)) for w, p, _ in voc.doings(being, "", "participle")]
    return Table(
        [(words, p, ("own", n)) for words, p, n in voc.belongings(being, 0.46)]
        + ([] if next_thing else done)
        + voc.light(being, "have", 0.28, ("light", None))
    )


@cache
def _after_going(being) -> Table:
    looks = ((), 0.45), (("large",), 0.2), (("new",), 0.2), (("large", "new"), 0.15)
    goals = [
        (phrase(f"to/ADP/case/{len(a) + 2} {voc.nominal('the', a, n, 'obl', entity='PLACE')}"), 0.30 * p * q, "goal")
        for n, p in zip(lex.GOALS, zipf(len(lex.GOALS)))
        for a, q in looks
    ]
    walks = [(_with_case("for", words), p, x) for words, p, x in voc.light(being, "go", 0.26, "walk")]
    ways = [(phrase(f"{w}/ADV/advmod/^"), p, "on") for w, p in (("home", 0.06), ("in", 0.26), ("on", 0.12))]
    return Table(goals + walks + ways)


def _with_case(preposition: str, words):
    """A noun phrase behind its preposition."""
    made = Phrase((preposition, *words))
    made.tags = (("ADP", "case", len(words), ""), *words.tags)
    return made


_BEFORE = Table(
    [(STOP, 0.4, None), (phrase("before/ADV/advmod/^ ./PUNCT/punct/^"), 0.2, None), (_THERE_STOP, 0.4, None)]
)


_AFTER_SOUND = Table(
    [(STOP, 0.45, None), (_THERE_STOP, 0.25, None), *((words + STOP, p, None) for words, p, _ in _conditions(0.3))]
)


_AFTER_GOING = Table([(STOP, 0.75, "stop"), (phrase("with/ADP"), 0.25, "with")])


_STOP_ONLY = Table([(STOP, 1.0, "stop")])


@cache
def _after_modal(verb: str) -> Table:
    negative = [(phrase("not/PART"), 1.0 if verb == "do" else 0.4, "not")]
    if verb == "do":
        tricks = [
            (phrase(voc.nominal("a", a, n, "obj", entity="")), 0.55 * p * q, "trick")
            for n, p in zip(lex.TRICKS, zipf(len(lex.TRICKS)))
            for a, q in (((), 0.5), (("little",), 0.5))
        ]
        return Table([(phrase("not/PART"), 0.45, "not"), *tricks])
    adverbs = [(phrase(f"{a}/ADV"), 0.3 * p, "adverb") for a, p in zip(("soon", "never", "always"), zipf(3))]
    return Table([*negative, *adverbs])


@cache
def _after_base(being, room: bool) -> Table:
    particles = [
        (phrase(f"{w}/ADV/advmod/^ ./PUNCT/punct/^"), p, "stop")
        for w, p in (("there", 0.22), ("in", 0.15), ("on", 0.13))
    ]
    return Table([(STOP, 0.22, "stop"), *particles, *(voc.spots(being, 0.32) if room else [])])


@lru_cache(4096)
def _after_wish(verb: str, strangers: tuple) -> Table:
    to = [(phrase("to/PART"), 0.8, "to"), (phrase("again/ADV/advmod/^ to/PART"), 0.2, "to")]
    if verb in ("try", "start") or not strangers:
        return Table(to)
    others = [(m.words, 0.4 / len(strangers), k) for k, (_, m) in enumerate(strangers)]
    return Table([*((w, 0.6 * p, x) for w, p, x in to), *others])
