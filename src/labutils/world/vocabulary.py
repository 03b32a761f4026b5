"""The tables of the grammar: the lexicon with its probabilities, inflected for one subject."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from labutils.world import lexicon as lex
from labutils.world.lexicon import Being
from labutils.world.morphology import article, finite, participle, plural
from labutils.world.tables import Table, scaled, zipf

PLURAL = 0.4  # of beings
THINGS_PLURAL = 0.5
NAMED = 0.2  # share of names in a cast
PRESENT = 0.6


class Member(NamedTuple):
    """Somebody in a story. `pronoun` is None until the story has used one."""

    being: Being
    many: bool = False
    look: str = ""  # the adjective that the story introduced it with
    pronoun: str | None = None

    @property
    def named(self) -> bool:
        return self.being.kind == "name"

    @property
    def noun(self) -> str:
        return plural(self.being.noun) if self.many else self.being.noun

    @property
    def words(self) -> tuple[str, ...]:
        """How the story speaks of it after it has been introduced."""
        if self.named:
            return (self.being.noun,)
        return ("the", self.look, self.noun) if self.look else ("the", self.noun)

    @property
    def entity(self) -> str:
        return "PERSON" if self.being.person else "ANIMAL"


NAMES = {name: Being(name, "name", 0, lean) for name, lean in lex.NAMES.items()}

# Nouns of the same rank in different classes are about equally frequent, so that how frequent a
# noun is says nothing about its class.
NOUNS = sorted(lex.BEINGS.values(), key=lambda being: being.rank)
NOUN_P = dict(zip(NOUNS, zipf(len(NOUNS), exponent=0.5, shift=3)))
NOUN_TABLE = {many: Table((plural(b.noun) if many else b.noun, p, b) for b, p in NOUN_P.items())
              for many in (False, True)}

_THING_LIST = sorted(((rank, kind, noun) for kind, (nouns, _) in lex.THINGS.items()
                      for rank, noun in enumerate(nouns.split())), key=lambda t: t[0])
_THING_P = zipf(len(_THING_LIST), exponent=0.5, shift=3)


@cache
def things(determiner: str) -> Table:
    """Things after "a", "an", "some", "the"; the payload is (class, many)."""
    options = []
    for (_, kind, noun), p in zip(_THING_LIST, _THING_P):
        if determiner in (article(noun), "the"):
            options.append((noun, p * (1 - THINGS_PLURAL), (kind, False)))
        if determiner in ("some", "the"):
            options.append((plural(noun), p * THINGS_PLURAL, (kind, True)))
    return Table(options)


AN_THING = sum(p for (_, _, noun), p in zip(_THING_LIST, _THING_P) if article(noun) == "an")


def kind_of(being: Being) -> lex.Kind:
    return lex.NAMED if being.kind == "name" else lex.KINDS[being.kind]


def _bond(words: str, being: Being) -> tuple[list[str], list[float]]:
    items = words.split()
    return items, zipf(len(items), being.rank)


# What a subject does, by the place of its sentence in the story. "had" stands in a first sentence.
ACTIONS = {
    "scene": {"does": 1.0},
    "first": {"has": 0.44, "does": 0.16, "handles": 0.07, "meets": 0.12, "gives": 0.05, "be": 0.06,
              "denies": 0.03, "wishes": 0.04, "says": 0.03},
    "later": {"does": 0.29, "handles": 0.12, "meets": 0.22, "gives": 0.08, "be": 0.11,
              "denies": 0.06, "wishes": 0.06, "says": 0.06},
    "again": {"be": 0.60, "does": 0.25, "wishes": 0.15},
}
MODIFIERS = {"beside": 0.36, "who": 0.11, "whom": 0.15}


def _verbs(being: Being, action: str) -> tuple[list[str], list[float]]:
    kind = kind_of(being)
    if action in ("does", "handles"):
        return _bond(getattr(kind, action), being)
    verbs = {"meets": lex.MEETINGS, "gives": lex.GIFTS, "wishes": lex.WISHES,
             "says": lex.SAYINGS, "be": ["be"], "denies": ["do"], "has": ["have"]}[action]
    return verbs, zipf(len(verbs))


@cache
def predicates(being: Being, many: bool, tense: str | None, place: str, modified: bool) -> Table:
    """What may follow a subject: a modifier (unless `modified`) or a finite verb.

    The payload is (what, tense); `tense` None means that this verb decides the tense.
    """
    options = []
    left = 1.0
    if not modified and being.kind != "name" and place != "again":
        modifiers = {"beside": 0.36} if place == "scene" else MODIFIERS
        left -= sum(modifiers.values())
        for modifier, mass in modifiers.items():
            words = {"beside": lex.BESIDES, "who": ["who" if being.person else "that"],
                     "whom": ["whom" if being.person else "which"]}[modifier]
            options += scaled(words, mass, zipf(len(words)), (modifier, tense))
    tenses = {tense: 1.0} if tense else {"past": 1 - PRESENT, "present": PRESENT}
    for action, mass in ACTIONS[place].items():
        verbs, weights = _verbs(being, action)
        for when, share in tenses.items():
            forms = [finite(v, when, many) for v in verbs]
            options += scaled(forms, left * mass * share, weights, (action, when))
    return Table(options)


@cache
def doings(being: Being) -> Table:
    """What the being does: the verb without ending."""
    verbs, weights = _bond(kind_of(being).does, being)
    return Table(scaled(verbs, 1.0, weights, None))


@cache
def feelings(being: Being, doing: bool, negative: bool) -> Table:
    """What follows "was": "not", a feeling, or (`doing`) what the being was doing."""
    words, weights = _bond(kind_of(being).feels, being)
    options = [] if negative else [("not", 0.12, "not")]
    options += scaled(words, 0.6 if doing else 0.88, weights, "feels")
    if doing and not negative:
        verbs, weights = _bond(kind_of(being).does, being)
        options += scaled([participle(v) for v in verbs], 0.28, weights, "doing")
    return Table(options)


@cache
def spots(being: Being, mass: float, others: tuple) -> Table:
    """Where the being is found, with probability `mass`, or one of `others`."""
    places, weights = _bond(kind_of(being).spots, being)
    phrases = [tuple(s.replace("-", " the ").split()) for s in places]
    return Table(scaled(phrases, mass, weights, "spot") + list(others))


@cache
def belongings(being: Being) -> Table:
    """What the being handles, owns and gives, with its article; the payload is the noun."""
    nouns, weights = _bond(lex.THINGS[kind_of(being).things][0], being)
    return Table(((article(n), n), w, n) for n, w in zip(nouns, weights))


@cache
def qualities(kind: str, negative: bool) -> Table:
    """What a thing was: "not" or a quality of its class."""
    words = lex.THINGS[kind][1].split()
    options = [] if negative else [("not", 0.12, "not")]
    return Table(options + scaled(words, 0.88, zipf(len(words)), "is"))


@cache
def meetings(tense: str, many: bool, rank: int) -> Table:
    """Verbs that anybody may do to anybody, the one of this rank most often."""
    return Table(scaled([finite(v, tense, many) for v in lex.MEETINGS], 1.0,
                        zipf(len(lex.MEETINGS), rank), None))


def pronouns(member: Member, bias: float) -> tuple[tuple[str, float], ...]:
    """The pronouns that may stand for somebody, each with its probability."""
    if member.many:
        return (("they", 1.0),)
    if member.pronoun:
        return ((member.pronoun, 1.0),)
    lean = member.being.lean
    if not lean.startswith("~"):
        return ((lean, 1.0),)
    she = {"~she": bias, "~he": 1 - bias, "~": 0.5}[lean]
    return tuple((p, q) for p, q in (("she", she), ("he", 1 - she)) if q > 0)
