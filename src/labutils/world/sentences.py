"""Sentences of the grammar: what somebody does, what a thing is like (see ``phrases.py``).

Every part that follows a verb is called with the same arguments: ``me``, the subject as it is known; ``i``, its place
in the cast; ``strangers``, the others; the ``tense``; the ``verb``, where it matters; ``room``, whether a place may be
named; ``subject`` and ``v``, the places of the subject and of its verb in the text.
"""

from __future__ import annotations

from functools import cache, lru_cache

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite, past_participle
from labutils.world.phrases import OBJECT_FORM, STOP, Phrases, is_many, learn
from labutils.world.tables import Phrase, Table, phrase, zipf
from labutils.world.tellers import QUOTE


class Sentences(Phrases):
    """Each method tells a sentence, or the core of one."""

    def action(self, t, cast: tuple, i: int, tense, place: str, room: bool) -> tuple:
        """What member i, just named, does, to the full stop.

        -> (cast, event, tense); the event is None, "placed", "moved" or ("own", noun)
        """
        strangers = t.strangers(cast, i)
        member, event, tense = t.call(self.clause, cast[i], t.keep(i), strangers, tense, place, room, t.keep(t.here))
        cast = learn(cast, i, member)
        if isinstance(event, tuple) and event[0] == "meets":
            cast, event = self.meets(t, cast, i, tense, event[1]), None
        return cast, event, tense

    def clause(self, t, member, i, strangers: tuple, tense, place: str, room: bool, subject) -> tuple:
        """A modifier, perhaps, the verb, and what follows it as far as it concerns the subject.

        -> (member, event, tense); after ("meets", reasons) the sentence is not at its end
        """
        me = t.recall(member)
        what, tense, verb = t.choose(voc.predicates(me.being, me.many, tense, place, False))
        rest = i, strangers, room, subject
        if what in voc.MODIFIERS:
            nearest = t.call(self.modifier, what, me.being.person, me.many, strangers, tense or "past", subject)
            pronoun, event, tense = t.call(self.modified, me, tense, place, t.keep(nearest), *rest)
        else:
            pronoun, event = self.with_verb(t, me, what, tense, verb, None, *rest)
        return (t.know(member, pronoun) if pronoun else member), event, tense

    def modified(self, t, me, tense, place: str, nearest, i, strangers: tuple, room: bool, subject) -> tuple:
        """The verb and what follows it, after a modifier. -> (pronoun that the subject was given, event, tense)"""
        what, tense, verb = t.choose(voc.predicates(me.being, me.many, tense, place, True))
        return *self.with_verb(t, me, what, tense, verb, nearest, i, strangers, room, subject), tense

    def with_verb(self, t, me, what: str, tense: str, verb, nearest, i, strangers: tuple, room: bool, subject):
        """What follows the verb just told. -> (pronoun that the subject was given or None, event)"""
        t.probe_agreement(t.here, subject, me.many, nearest)
        t.relate(subject, "nsubj", t.here)
        t.root(t.here)
        if what in ("does", "handles"):
            t.probe_bond(t.here, i, me, what)
        if what == "meets":
            return None, ("meets", verb)
        return t.call(self.goes_on, me, what, verb, i, strangers, tense, room, subject)

    def goes_on(self, t, me, what: str, verb, i, strangers: tuple, tense: str, room: bool, subject) -> tuple:
        """What follows a verb. -> (pronoun that the subject was given or None, event)"""
        return getattr(self, what)(t, me, i, strangers, tense, verb, room, subject, t.here)

    def stop(self, t, root: int) -> None:
        t.say(STOP, head=root)
        t.full_stop()

    # -- what a subject does: (pronoun that it was given or None, event) ---------------------------

    def does(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“sleeps”, where, how, why or when"""
        event = None
        how = t.choose(_after_doing(me.being, room, bool(strangers)), head=v)
        if how == "spot":
            event = "placed"
            how = t.choose(_after_spot(bool(strangers)), head=v)
        elif how == "manner":
            how = t.choose(_after_manner(), head=v)
        return self.ending(t, how, me, i, strangers, tense, reasons_of(me, verb), v), event

    def ending(self, t, how: str, me, i, strangers, tense, reasons: str, v) -> str | None:
        """What is left of a clause after `how`, full stop included. -> the pronoun that was used, or None"""
        pronoun = None
        if how == "because":
            because = t.here
            pronoun = self.feels(t, me, i, tense, reasons)
            t.relate(t.here, "advcl", v)
            t.word(because, "SCONJ", "mark", t.here)
        elif how == "when":
            t.call(self.briefly, strangers, tense, v)
        elif how == "and":
            joint = t.here
            t.choose(_again_does(me.being, me.many, tense), head=v)
            t.word(joint, "CCONJ", "cc", t.here)
        if how != "stop":
            t.say(STOP, head=v)
        t.full_stop()
        return pronoun

    def handles(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“eats a large red apple because it is sweet”"""
        t.choose(_belongings(me.being), head=v)
        t.thing(t.here)
        how = t.choose(_after_handling(verb, bool(strangers)), head=v)
        if how == "because":
            self.because_thing(t, lex.REASONS[verb], tense, v)
            t.say(STOP, head=v)
            t.full_stop()
            return None, None
        return self.ending(t, how, me, i, strangers, tense, "", v), None

    def has(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“had a ball”, “had a nap”, “had slept”"""
        way, noun = t.choose(_after_having(me.being, verb.startswith("next")), head=v)
        root = v
        if way == "own":
            t.thing(t.here)
            t.owned(t.here)
        elif way == "done":
            root = t.here
            t.become(v, root)
            t.word(v, "AUX", "aux", root)
            t.choose(_BEFORE, head=root)
            t.full_stop()
            return None, None
        self.stop(t, root)
        return None, (("own", t.keep(noun)) if way == "own" else None)

    def goes(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“went to the market”, “went for a walk”"""
        way = t.choose(_after_going(me.being), head=v)
        with_whom = t.choose(_AFTER_GOING if strangers else _STOP_ONLY, head=v)
        if with_whom == "with":
            case = t.here
            t.call(self.stranger, strangers)
            t.relate(t.here, "obl", v)
            t.word(case, "ADP", "case", t.here)
            t.say(STOP, head=v)
        t.full_stop()
        return None, "moved" if way == "goal" else None

    def modal(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“could not sleep”, “will soon sleep”"""
        first = t.choose(_after_modal(verb), head=v)
        if first == "trick":
            t.upos_of(v, "VERB")
            self.stop(t, v)
            return None, None
        adverb = t.here
        what = t.choose(voc.undertakings(me.being, "", bool(strangers)))
        root = t.here
        t.word(adverb, "PART" if first == "not" else "ADV", "advmod", root)
        t.become(v, root)
        t.word(v, "AUX", "aux", root)
        return self.undertaken(t, what, me, i, strangers, room, root, root)

    def undertaken(self, t, what: str, me, i, strangers, room, verb, root):
        """What follows "sleep", "eat" or "guide", to the full stop; the sentence is about `root`."""
        if what != "does":
            t.call(self.its_object, me, what, strangers, verb)
            self.stop(t, root)
            return None, None
        t.probe_bond(verb, i, me, "does")
        spot = t.choose(_after_base(me.being, room), head=verb)
        if spot == "spot":
            t.say(STOP, head=root)
        t.full_stop()
        t.relate(t.here, "punct", root)
        return None, "placed" if spot == "spot" else None

    def its_object(self, t, me, what: str, strangers, verb) -> None:
        """“an apple” or “Anna”"""
        if what == "handles":
            t.choose(_belongings(me.being), head=verb)
            t.thing(t.here)
        else:
            t.call(self.stranger, strangers)
            t.relate(t.here, "obj", verb)

    def wishes(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“wanted to sleep”, “started again to sleep”, “wanted Anna to sleep”"""
        how = t.choose(_after_wish(verb, strangers), head=v)
        if isinstance(how, int):
            j, member = strangers[how]
            t.mention(member, j)
            t.relate(t.here, "obj", v)
            t.say(_TO)
            t.call(self.something, member, v)
            self.stop(t, v)
            return None, None
        what = t.choose(voc.undertakings(me.being, "xcomp", bool(strangers)), head=v)
        t.relate(t.to_here, "mark", t.here)
        return self.undertaken(t, what, me, i, strangers, False, t.here, v)

    def something(self, t, member, v) -> None:
        """“sleep”, of somebody else, after “to”"""
        to = t.here
        me = t.recall(member)
        t.choose(_xcomp(me.being), head=v)
        t.relate(to, "mark", t.here)

    def hears(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“heard a loud growl”"""
        t.choose(voc.sounds(), head=v)
        t.choose(_AFTER_SOUND, head=v)
        t.full_stop()
        return None, None

    def seems(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“looked (very) tired”"""
        t.choose(_seeming(me.being), head=v)
        t.probe_bond(t.here, i, me, "feels")
        self.stop(t, v)
        return None, None

    def be(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“was (not) (very) tired”, “was sleeping”, “was in the garden”, “was seen by Anna”"""
        way = t.choose(_after_be(me.being, verb, room, bool(strangers)), head=v)
        negated = way == "not"
        if negated:
            way = t.choose(_not_feeling(me.being), head=v)
        root, event = t.here, None
        t.become(v, root)
        if isinstance(way, tuple):
            t.probe_bond(root, i, me, "feels")
            self.copula(t, root, v, negated)
            if t.choose(_AND_FEELS, head=root):
                joint = t.here
                t.choose(_also_feels(me.being, way[1]), head=root)
                t.word(joint, "CCONJ", "cc", t.here)
                t.say(STOP, head=root)
            t.full_stop()
            return None, None
        if way == "doing":
            t.word(v, "AUX", "aux", root)
            t.probe_bond(root, i, me, "does")
        elif way in ("spot", "there"):
            event = "placed" if way == "spot" else None
            t.word(v, "AUX", "cop", root)
        else:
            t.word(v, "AUX", "aux:pass", root)
            t.relate(subject, "nsubj:pass", root)
            if t.choose(_BY, head=root):
                by = t.here
                t.call(self.stranger, strangers)
                t.relate(t.here, "obl:agent", root)
                t.word(by, "ADP", "case", t.here)
                t.say(STOP, head=root)
            t.full_stop()
            return None, None
        self.stop(t, root)
        return None, event

    def says(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“said that it was tired”, “said Anna was glad”, or in its own words"""
        how = t.choose(_after_saying(verb), head=v)
        if how == "quote":
            t.call(self.speech, me, i, strangers, v)
            t.full_stop()
            return None, None
        mark = t.here
        who = t.choose(_said_of(self.pronouns_of(me), strangers))
        said, pronoun = t.here, None
        if isinstance(who, int):
            j, member = strangers[who]
            t.mention(member, j)
            t.call(self.is_feeling, member, t.keep(j), tense, v)
        else:
            pronoun = who
            t.pronoun(me, i)
            t.say((finite("be", tense, me.many),))
            self.state(t, me, i)
            t.relate(t.here, "ccomp", v)
        t.relate(said, "nsubj", t.here)
        t.word(mark, "SCONJ", "mark", t.here)
        self.stop(t, v)
        return pronoun, None

    def is_feeling(self, t, member, j, tense: str, v: int) -> None:
        """“was tired”, of somebody just named"""
        me = t.recall(member)
        t.say((finite("be", tense, me.many),))
        self.state(t, me, j)
        t.relate(t.here, "ccomp", v)

    def speech(self, t, me, i, strangers, v) -> None:
        """After `, "`: what somebody says, with the mark that ends it."""
        quote = t.here
        what = t.choose(_speech(me.many, bool(strangers)), cap=True, glue=True)
        start = quote + 1
        mark = '."'
        if what == "am":
            t.choose(_feelings_said(me.being))
            root = t.here
            t.relate(start, "nsubj", root)
            t.word(start + 1, "AUX", "cop", root)
            t.speaker(start, i)
        elif what == "want":
            t.choose(_xcomp(me.being), head=start + 1)
            root = start + 1
            t.relate(t.to_here, "mark", t.here)
            t.relate(start, "nsubj", root)
            t.speaker(start, i)
        else:
            t.call(self.stranger, strangers)
            root = {"seen": start + 2, "like": start + 2, "saw": start + 1}[what]
            t.relate(t.here, "obj", root)
            mark = '."' if what == "saw" else '?"'
            if what == "saw":
                t.speaker(start, i)
        t.relate(root, "ccomp", v)
        t.word(quote, "PUNCT", "punct", root)
        t.word(quote - 1, "PUNCT", "punct", root)
        t.say((mark,))
        t.word(t.here, "PUNCT", "punct", v)

    # -- what concerns two -------------------------------------------------------------------------

    def meets(self, t, cast, i, tense, reasons) -> tuple:
        """“saw Anna”, perhaps “and thanked her”. -> cast"""
        v = t.here
        j = t.call(self.other, cast, i, "obj", v)
        how = t.call(self.after_meeting, cast[j], bool(reasons), tense, v)
        if how == "and":
            joint = t.here
            t.call(self.thanks, cast[i], tense, v)
            second = t.here
            t.word(joint, "CCONJ", "cc", second)
            cast = learn(cast, j, t.call(self.object_pronoun, cast[j], t.keep(j), second))
            t.say(STOP, head=v)
        elif how == "because":
            because = t.here
            other = reasons.startswith(">")
            who = j if other else i
            cast = learn(
                cast, who, t.call(self.feels_somebody, cast[who], t.keep(who), tense, reasons.lstrip(">"), "advcl", v)
            )
            t.word(because, "SCONJ", "mark", t.here)
            t.say(STOP, head=v)
        t.full_stop()
        return cast

    def after_meeting(self, t, member, reason: bool, tense: str, v: int) -> str:
        """“with the long ears”, “who was tired”; then how the sentence goes on"""
        me = t.recall(member)
        noun = t.here
        how = t.choose(_after_meeting(me.being, reason, True), head=noun)
        if how == "with":
            how = t.choose(_after_meeting(me.being, reason, False), head=v)
        elif how == "who":
            who = t.here
            t.say((finite("be", tense, me.many),))
            t.choose(_feelings_relative(me.being), head=noun)
            t.word(who, "PRON", "nsubj", t.here)
            t.word(who + 1, "AUX", "cop", t.here)
            how = t.choose(_after_meeting(me.being, reason, False), head=v)
        elif how in ("ness", "stop"):
            t.again_under(noun, v)
        if how == "ness":
            t.say(STOP, head=v)
        return "stop" if how == "ness" else how

    def thanks(self, t, member, tense: str, v: int) -> None:
        """“thanked”, or another verb that anybody may do to anybody"""
        t.choose(_also_meets(t.recall(member, is_many), tense), head=v)

    def object_pronoun(self, t, member, j, verb: int):
        """“... and thanked her”: somebody just named as object. -> the member"""
        somebody = t.recall(member)
        pronoun = t.choose(Table((OBJECT_FORM[p], q, p) for p, q in self.pronouns_of(somebody)))
        t.pronoun(somebody, j, OBJECT_FORM)
        t.relate(t.here, "obj", verb)
        return t.know(member, pronoun)

    def gives(self, t, me, i, strangers, tense, verb, room, subject, v):
        """“gave a growl”, “gave Anna a ball” or “gave a ball to Anna”"""
        way = t.choose(_after_giving(me.being, strangers, verb == "give"), head=v)
        if isinstance(way, int):
            j, member = strangers[way]
            t.mention(member, j)
            t.relate(t.here, "iobj", v)
            t.choose(_belongings(me.being), head=v)
            t.thing(t.here)
        elif way == "thing":
            t.thing(t.here)
            t.say(_TO_SOMEBODY)
            case = t.here
            t.call(self.stranger, strangers)
            t.relate(t.here, "obl", v)
            t.word(case, "ADP", "case", t.here)
        self.stop(t, v)
        return None, None

    # -- things ------------------------------------------------------------------------------------

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


def reasons_of(me, verb: str) -> str:
    """Why somebody does what: the verb's reasons, or two of the feelings of its class."""
    own = voc.kind_of(me.being)
    return lex.REASONS[verb] if verb in own.does.split() else " ".join(own.feels.split()[:2])


_TO = phrase("to/PART")
_TO_SOMEBODY = phrase("to/ADP")
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
_AND = phrase("and/CCONJ")
_BECAUSE = phrase("because/SCONJ")
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
            (_BECAUSE, 0.15, "because"),
            (_AND, 0.06, "and"),
            *_whens(0.28, strangers),
        ]
    )


@cache
def _after_spot(strangers: bool) -> Table:
    return Table([(STOP, 0.62, "stop"), (_BECAUSE, 0.18, "because"), (_AND, 0.08, "and"), *_whens(0.24, strangers)])


@cache
def _after_manner() -> Table:
    return Table([(STOP, 0.8, "stop"), (_BECAUSE, 0.2, "because")])


@cache
def _again_does(being, many: bool, tense: str) -> Table:
    verbs, weights = voc.bond(voc.kind_of(being).does, being)
    return Table((phrase(f"{finite(v, tense, many)}/VERB/conj/^"), p, None) for v, p in zip(verbs, weights))


@cache
def _belongings(being) -> Table:
    return Table(voc.belongings(being))


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
            (_BECAUSE, 0.16, "because"),
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


@cache
def _xcomp(being) -> Table:
    return Table(voc.doings(being, "xcomp"))


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


_AND_FEELS = Table([(STOP, 0.86, False), (_AND, 0.14, True)])
_BY = Table([(STOP, 0.4, False), (phrase("by/ADP"), 0.6, True)])


@cache
def _also_feels(being, told: str) -> Table:
    words, weights = voc.bond(voc.kind_of(being).feels, being)
    return Table((phrase(f"{w}/ADJ/conj/^"), p, None) for w, p in zip(words, weights) if w != told)


@cache
def _feelings_relative(being) -> Table:
    words, weights = voc.bond(voc.kind_of(being).feels, being)
    return Table((phrase(f"{w}/ADJ/acl:relcl/^"), p, None) for w, p in zip(words, weights))


@cache
def _feelings_said(being) -> Table:
    return Table(voc.feelings(being, negative=True))


@cache
def _after_meeting(being, reason: bool, modified: bool) -> Table:
    options = [
        (STOP, 0.46 if reason else 0.66, "stop"),
        (_AND, 0.20, "and"),
        *(
            (phrase(f"with/ADP/case/1 {n}/NOUN/obl/^"), 0.08 * p, "ness")
            for n, p in zip(lex.NESSES, zipf(len(lex.NESSES)))
        ),
    ]
    if reason:
        options.append((_BECAUSE, 0.24, "because"))
    if modified and being.kind != "name":
        looks = ((), 0.3), (("long",), 0.4), (("green",), 0.3)
        parts = [
            (phrase(f"with/ADP/case/{len(a) + 2} {voc.nominal('the', a, n, 'nmod', entity='')}"), 0.14 * p * q, "with")
            for n, p in zip(lex.PARTS[being.person], zipf(4))
            for a, q in looks
        ]
        words = ("who", "that") if being.person else ("that",)
        options += [*parts, *((phrase(f"{word}/PRON"), 0.12 / len(words), "who") for word in words)]
    return Table(options)


@cache
def _also_meets(many: bool, tense: str) -> Table:
    verbs = lex.MEETINGS
    return Table(
        (phrase(f"{finite(v, tense, many)}/VERB/conj/^"), p, None)
        for v, p in zip(verbs, zipf(len(verbs), verbs.index("thank")))
    )


@lru_cache(4096)
def _after_giving(being, strangers: tuple, light: bool) -> Table:
    options = [*voc.light(being, "give", 0.6, "light")] if light or not strangers else []
    if strangers:
        options += [(words, 0.25 * p, "thing") for words, p, _ in voc.belongings(being)]
        options += [(m.words, 0.35 / len(strangers), k) for k, (_, m) in enumerate(strangers)]
    return Table(options)


def _after_saying(verb: str) -> Table:
    quote = [(phrase(f",/PUNCT {QUOTE}/PUNCT"), 0.45, "quote")] if verb == "say" else []
    return Table([(phrase("that/SCONJ"), 0.55, "that"), *quote])


@lru_cache(4096)
def _said_of(pronouns: tuple, strangers: tuple) -> Table:
    own = 0.35 if strangers else 1.0
    others = [(m.words, (1 - own) / len(strangers), k) for k, (_, m) in enumerate(strangers)]
    return Table([(p, own * q, p) for p, q in pronouns] + others)


@cache
def _speech(many: bool, strangers: bool) -> Table:
    me, am = ("we", "are") if many else ("I", "am")
    options = [(phrase(f"{me}/PRON {am}/AUX"), 0.3, "am"), (phrase(f"{me}/PRON want/VERB to/PART"), 0.2, "want")]
    if strangers:
        options += [
            (phrase("have/AUX/aux/2 you/PRON/nsubj/1 seen/VERB"), 0.2, "seen"),
            (phrase("do/AUX/aux/2 you/PRON/nsubj/1 like/VERB"), 0.15, "like"),
            (phrase(f"{me}/PRON/nsubj/1 saw/VERB"), 0.15, "saw"),
        ]
    return Table(options)


_THING_VERB = {
    be: Table(
        [
            (phrase(f"{be}/AUX"), 0.35, "is"),
            *((phrase(f"{w}/ADP"), 0.65 * p, "beside") for w, p in zip(("near", "behind", "beside", "under"), zipf(4))),
        ]
    )
    for be in ("was", "were", "is", "are")
}
