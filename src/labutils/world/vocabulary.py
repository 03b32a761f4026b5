"""The tables of the grammar: the lexicon with its probabilities, inflected for one subject."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from numbers import Real
from typing import NamedTuple

from labutils.world import lexicon as lex
from labutils.world.lexicon import Being
from labutils.world.morphology import article, finite, participle, past_participle, plural
from labutils.world.tables import Phrase, Table, phrase, zipf

PLURAL = 0.44  # of beings
THINGS_PLURAL = 0.5
NAMED = 0.30  # share of names in a cast
PRESENT = 0.7
COMMON = 0.74  # of what somebody does is what anybody may do
FOND = 0.24  # of the looks stand behind "dear", "poor", ...


class Member(NamedTuple):
    """Somebody in a story. `pronoun` is None until the story has used one."""

    being: Being
    many: bool = False
    look: tuple = ()  # the adjectives that the story introduced it with
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
        return (self.being.noun,) if self.named else ("the", *self.look, self.noun)

    @property
    def entity(self) -> str:
        return "PERSON" if self.being.person else "ANIMAL"


NAMES = {name: Being(name, "name", 0, lean) for name, lean in lex.NAMES.items()}

# Nouns of the same rank in different classes are about equally frequent, so that how frequent a
# noun is says nothing about its class.
NOUNS = sorted(lex.BEINGS.values(), key=lambda being: being.rank)
NOUN_P = dict(zip(NOUNS, zipf(len(NOUNS), exponent=0.5, shift=3)))
NOUN_TABLE = {
    many: Table((plural(b.noun) if many else b.noun, p, b) for b, p in NOUN_P.items()) for many in (False, True)
}

_THING_LIST = sorted(
    ((rank, kind, noun) for kind, (nouns, _) in lex.THINGS.items() for rank, noun in enumerate(nouns.split())),
    key=lambda t: t[0],
)
_THING_P = zipf(len(_THING_LIST), exponent=0.5, shift=3)


def kind_of(being: Being) -> lex.Kind:
    return lex.NAMED if being.kind == "name" else lex.KINDS[being.kind]


def bond(words: str, being: Being) -> tuple[list[str], list[float]]:
    """The words of a list, the one of the being's rank most often."""
    items = words.split()
    return items, zipf(len(items), being.rank)


def weighted(options: list, mass: float) -> list:
    """Options, their probabilities scaled to sum to `mass`."""
    total = sum(p for _, p, _ in options)
    return [(words, mass * p / total, payload) for words, p, payload in options]


# -- noun phrases of things and places ------------------------------------------------------------

# How many adjectives stand before a thing or a place, and which.
ADJECTIVES = (
    [((), 0.56)]
    + [((x,), 0.22 / 8) for x in (*lex.SIZES, *lex.COLOURS, "old")]
    + [((s, c), 0.22 / 10) for s in lex.SIZES for c in lex.COLOURS]
)
_PLACE_ADJECTIVES = [((), 0.52)] + [((x,), 0.38 / 3) for x in lex.NICE] + [(("nice", "old"), 0.1)]
_EVENT_ADJECTIVES = [((), 0.5), (("long",), 0.2), (("short",), 0.15), (("long", "slow"), 0.15)]


def nominal(
    det: str | None, adjectives: tuple, noun: str, relation: str, head: str = "^", entity: str = "THING"
) -> str:
    """Spec of "a large red ball"; `det` "a" becomes "an" where the next word asks for it."""
    words = (*adjectives, noun)
    size = len(words)
    tagged = [f"{x}/ADJ/amod/{size - 1 - k}" for k, x in enumerate(adjectives)]
    if det == "a":
        det = article(words[0])
    start = [] if det is None else [f"two/NUM/nummod/{size}" if det == "two" else f"{det}/DET/det/{size}"]
    return " ".join([*start, *tagged, f"{noun}/NOUN/{relation}/{head}/{entity}"])


def placed(spot: str, relation: str = "obl", adjectives: tuple = ()) -> Phrase:
    """The phrase of "in-garden": "in the garden"."""
    preposition, noun = spot.split("-")
    size = len(adjectives) + 2
    return phrase(f"{preposition}/ADP/case/{size} {nominal('the', adjectives, noun, relation, entity=entity_of(noun))}")


_THING_NOUNS = {n for nouns, _ in lex.THINGS.values() for n in nouns.split()}


def entity_of(noun: str) -> str:
    return "THING" if noun in _THING_NOUNS else "PLACE"


@cache
def spots(being: Being, mass: float, relation: str = "obl") -> list:
    """Options: where the being is found."""
    places, weights = bond(kind_of(being).spots, being)
    return [
        (placed(s, relation, adjectives), mass * w * q, "spot")
        for s, w in zip(places, weights)
        for adjectives, q in _PLACE_ADJECTIVES
    ]


@cache
def belongings(being: Being, mass: float = 1.0, relation: str = "obj") -> list:
    """Options: what the being handles, owns and gives, with its article; the payload is the noun."""
    nouns, weights = bond(lex.THINGS[kind_of(being).things][0], being)
    return [
        (phrase(nominal("a", adjectives, n, relation)), mass * w * q, n)
        for n, w in zip(nouns, weights)
        for adjectives, q in ADJECTIVES
    ]


def adjectives_of(kind: str) -> list:
    return _EVENT_ADJECTIVES if kind == "event" else ADJECTIVES


@cache
def things(determiner: str, relation: str, head: str = "^") -> Table:
    """Things after their determiner was told: "red cups"; the payload is (class, many)."""
    options = []
    for (_, kind, noun), p in zip(_THING_LIST, _THING_P):
        for many, share in ((False, 1 - THINGS_PLURAL), (True, THINGS_PLURAL)):
            if determiner in (("a", "an", "the") if not many else ("some", "two", "the")):
                form = plural(noun) if many else noun
                for adjectives, q in adjectives_of(kind):
                    if determiner not in ("a", "an") or article((*adjectives, form)[0]) == determiner:
                        options.append(
                            (phrase(nominal(None, adjectives, form, relation, head)), p * share * q, (kind, many))
                        )
    return Table(options)


AN_THING = sum(
    p * q
    for (_, kind, noun), p in zip(_THING_LIST, _THING_P)
    for adjectives, q in adjectives_of(kind)
    if article((*adjectives, noun)[0]) == "an"
)


@cache
def beside() -> Table:
    """“near the large tables”; the payload is whether it is plural."""
    large = [t for t in zip(_THING_LIST, _THING_P) if t[0][1] in ("cloth", "furniture", "vessel", "vehicle", "plant")]
    return Table(
        (phrase(nominal("the", adjectives, plural(noun) if many else noun, "nmod")), p * q * 0.5, many)
        for (_, _, noun), p in large
        for many in (False, True)
        for adjectives, q in ADJECTIVES
    )


@cache
def qualities(kind: str, negative: bool) -> Table:
    """What a thing was: "not" or a quality of its class, perhaps after "very"."""
    words = lex.THINGS[kind][1].split()
    options = [] if negative else [(phrase("not/PART"), 0.2, "not")]
    return Table(options + described(words, zipf(len(words)), 0.8, "is"))


# -- what somebody does ----------------------------------------------------------------------------


def described(words: list[str], weights: list[float], mass: float, payload, bare: float = 0.40) -> list:
    """Options: an adjective, bare (a share `bare`) or after "very", "so", ..."""
    plain = [(phrase(f"{w}/ADJ"), bare * mass * p, payload) for w, p in zip(words, weights)]
    degrees = zipf(len(lex.DEGREES))
    return plain + [
        (phrase(f"{d}/ADV/advmod/1 {w}/ADJ"), (1 - bare) * mass * p * q, payload)
        for w, p in zip(words, weights)
        for d, q in zip(lex.DEGREES, degrees)
    ]


# What a subject does, by the place of its sentence in the story.
ACTIONS = {
    "scene": {"does": 1.0},
    "first": {
        "has": 0.46,
        "does": 0.14,
        "handles": 0.06,
        "meets": 0.10,
        "gives": 0.04,
        "be": 0.04,
        "modal": 0.03,
        "wishes": 0.03,
        "says": 0.03,
        "goes": 0.05,
        "seems": 0.02,
        "hears": 0.03,
    },
    "later": {
        "has": 0.06,
        "does": 0.08,
        "handles": 0.05,
        "meets": 0.15,
        "gives": 0.06,
        "be": 0.13,
        "modal": 0.17,
        "wishes": 0.17,
        "says": 0.08,
        "goes": 0.13,
        "seems": 0.01,
        "hears": 0.05,
    },
    "again": {"be": 0.32, "does": 0.10, "wishes": 0.18, "modal": 0.17, "seems": 0.04, "goes": 0.14, "hears": 0.05},
}
ACTIONS |= {f"next {place}": ACTIONS[place] for place in ("first", "later")}  # behind "Then" or "Soon"
VERBS = {
    "gives": lex.GIFTS,
    "says": ["say", "think", "know", "believe"],
    "has": ["have"],
    "goes": ["go"],
    "hears": ["hear"],
    "wishes": ["want", "need", "try", "start"],
    "seems": ["look", "seem", "feel"],
}
MODALS = {"past": ["did", "could", "would"], "present": ["do", "can", "will"]}
MODIFIERS = {"with": 0.13, "from": 0.13, "who": 0.09, "whom": 0.10}


@cache
def predicates(being: Being, many: bool, tense: str | None, place: str, modified: bool) -> Table:
    """What may follow a subject: a modifier (unless `modified`) or a finite verb.

    The payload is (what, tense, verb); `tense` None means that this verb decides the tense.
    """
    options = []
    left = 1.0
    if not modified and being.kind != "name" and place != "again":
        modifiers = {m: MODIFIERS[m] for m in ("with", "from")} if place == "scene" else MODIFIERS
        left -= sum(modifiers.values())
        for modifier, mass in modifiers.items():
            words = {
                "who": ("who", "that") if being.person else ("that",),
                "whom": ("whom",) if being.person else ("which",),
            }.get(modifier, (modifier,))
            upos = "ADP/case" if modifier in ("with", "from") else "PRON"
            options += [(phrase(f"{word}/{upos}"), mass / len(words), (modifier, tense, None)) for word in words]
    tenses = {tense: 1.0} if tense else {"past": 1 - PRESENT, "present": PRESENT}
    for action, mass in ACTIONS[place].items():
        for when, share in tenses.items():
            for form, verb, p in _finite(being, many, action, when, place):
                options.append((form, left * mass * share * p, (action, when, verb)))
    return Table(options)


def _finite(being: Being, many: bool, action: str, tense: str, place: str) -> list[tuple]:
    """[(phrase, verb, probability)]; the verb is None where all of an action go on alike."""
    if action == "modal":
        words = [finite("do", tense, many) if w in ("did", "do") else w for w in MODALS[tense]]
        return [(phrase(f"{w}/AUX/aux"), "do" if k == 0 else "can", p) for k, (w, p) in enumerate(zip(words, zipf(3)))]
    if action == "meets":
        own, weights = bond(lex.TENDS[being.kind], being)
        verbs = [(v, lex.REASONS.get(v), 0.7 * p) for v, p in zip(lex.MEETINGS, zipf(len(lex.MEETINGS)))]
        verbs += [(v, None, 0.3 * p) for v, p in zip(own, weights)]
        return [(phrase(f"{finite(v, tense, many)}/VERB"), reason, p) for v, reason, p in verbs]
    if action in ("does", "handles"):
        verbs = (
            dict(zip(*bond(kind_of(being).handles, being)))
            if action == "handles"
            else dict(deeds(being, 0.3 if place == "scene" else COMMON))
        )
        return [(phrase(f"{finite(v, tense, many)}/VERB"), v, p) for v, p in verbs.items()]
    if action == "be":
        return [(phrase(f"{finite('be', tense, many)}/AUX"), place, 1.0)]
    verbs = VERBS[action]
    return [
        (
            phrase(f"{finite(v, tense, many)}/VERB"),
            v if action in ("says", "wishes", "gives") else place if action == "has" else None,
            p,
        )
        for v, p in zip(verbs, zipf(len(verbs)))
    ]


@cache
def events(prepositions: str, mass: float, relation: str, head: str, payload) -> list:
    """Options: “after the long dance”"""
    return [
        (phrase(f"{w}/ADP/case/{len(a) + 2} {nominal('the', a, n, relation, head, '')}"), mass * p * q * r, payload)
        for w, p in zip(prepositions.split(), zipf(len(prepositions.split())))
        for n, q in zip(lex.EVENTS, zipf(len(lex.EVENTS), exponent=0.5))
        for a, r in _EVENT_ADJECTIVES
    ]


@cache
def sounds() -> Table:
    """“a loud growl”"""
    return Table(
        (phrase(nominal("a", a, n, "obj", entity="")), p * q, None)
        for n, p in zip(lex.SOUNDS, zipf(len(lex.SOUNDS), exponent=0.5))
        for a, q in (((), 0.4), (("loud",), 0.3), (("strange", "loud"), 0.15), (("low",), 0.15))
    )


@cache
def deeds(being: Being, common: float = COMMON) -> list[tuple[str, float]]:
    """[(verb, probability)] of what the being does: its own verbs, and what anybody may do."""
    own, weights = bond(kind_of(being).does, being)
    others = [v for v in lex.COMMON if v not in own]
    return [(v, (1 - common) * p) for v, p in zip(own, weights)] + [
        (v, common * p) for v, p in zip(others, zipf(len(others), exponent=0.5))
    ]


@cache
def doings(being: Being, relation: str, form: str = "base", head: str = "^") -> list:
    """Options: what the being does, as "sleep", "slept" (form "participle") or "sleeping" ("ing")."""
    inflect = {"base": str, "participle": past_participle, "ing": participle}[form]
    return [(phrase(f"{inflect(v)}/VERB/{relation}/{head}"), p, v) for v, p in deeds(being)]


@cache
def undertakings(being: Being, relation: str, strangers: bool) -> Table:
    """“sleep”, “eat” or “guide” after “to” or “could”: what is done, and which kind of object follows."""
    head = "^" if relation else ""
    alone = 0.58 if strangers else 0.80
    handled = zip(*bond(kind_of(being).handles, being))
    tended = (
        (
            *((v, 0.5 * p) for v, p in zip(*bond(lex.TENDS[being.kind], being))),
            *((v, 0.5 * p) for v, p in zip(lex.MEETINGS, zipf(len(lex.MEETINGS)))),
        )
        if strangers
        else ()
    )
    return Table(
        [
            *((words, alone * p, "does") for words, p, _ in doings(being, relation, head=head or "^")),
            *((phrase(f"{v}/VERB/{relation}/^"), 0.20 * p, "handles") for v, p in handled),
            *((phrase(f"{v}/VERB/{relation}/^"), 0.22 * p, "meets") for v, p in tended),
        ]
    )


@cache
def light(being: Being, verb: str, mass: float, payload) -> list:
    """Options: "a nap", "a deep sleep" after "had"; "a growl" after "gave"; "a walk" after "went for"."""
    general = {"have": "rest drink look", "give": "smile sigh cry", "go": "swim run ride"}[verb].split()
    own = [v for v in kind_of(being).does.split() if v in lex.LIGHT[verb]]
    relation = "obl" if verb == "go" else "obj"
    options = [
        (phrase(nominal("a", adjectives, n, relation, entity="")), w * q, payload)
        for n, w in [*((n, 1.0) for n in general), *((n, 6.0) for n in own)]
        for adjectives, q in (((), 0.5), (("long",), 0.2), (("short",), 0.15), (("short", "little"), 0.15))
    ]
    return weighted(options, mass)


@cache
def feelings(being: Being, mass: float = 0.78, negative: bool = False, bare: float = 0.40) -> list:
    """Options: "not", or what the being feels, with ("feels", the adjective) as payload."""
    words, weights = bond(kind_of(being).feels, being)
    denied = [] if negative else [(phrase("not/PART"), 0.22 * mass / 0.78, "not")]
    return denied + [option for w, p in zip(words, weights) for option in described([w], [p], mass, ("feels", w), bare)]


@cache
def meetings(tense: str, many: bool) -> Table:
    """Verbs that anybody may do to anybody."""
    return Table(
        (phrase(f"{finite(v, tense, many)}/VERB/acl:relcl/^"), p, None)
        for v, p in zip(lex.MEETINGS, zipf(len(lex.MEETINGS)))
    )


LEANING = tuple(noun for noun, lean in lex.LEANS.items() if lean in ("~he", "~she"))


class Strengths(dict):
    """How strongly each occupation leans; those that are not named do not lean (0.5)."""

    def __hash__(self):
        return hash(frozenset(self.items()))


def strengths(bias):
    """`bias` of a World: a number, or Strengths if it is a mapping. Raises ValueError."""
    if not isinstance(bias, Mapping):
        return _probability(bias, "")
    for noun in bias:
        if noun not in LEANING:
            raise ValueError(
                f"bias names {noun!r}, which is no occupation that leans: it can name {', '.join(LEANING)}."
            )
    return Strengths((noun, _probability(strength, f" for {noun!r}")) for noun, strength in bias.items())


def _probability(given, whose: str):
    if not isinstance(given, Real) or isinstance(given, bool) or not 0 <= given <= 1:
        raise ValueError(f"bias is a probability: give a number from 0 to 1{whose}, not {given!r}.")
    return given


def pronouns(member: Member, bias) -> tuple[tuple[str, float], ...]:
    """The pronouns that may stand for somebody, each with its probability, by the strengths `bias`."""
    if member.many:
        return (("they", 1.0),)
    if member.pronoun:
        return ((member.pronoun, 1.0),)
    lean = member.being.lean
    if not lean.startswith("~"):
        return ((lean, 1.0),)
    strength = bias.get(member.being.noun, 0.5) if isinstance(bias, Mapping) else bias
    she = {"~she": strength, "~he": 1 - strength, "~": 0.5}[lean]
    return tuple((p, q) for p, q in (("she", she), ("he", 1 - she)) if q > 0)
