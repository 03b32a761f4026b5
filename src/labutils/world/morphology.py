"""Inflection: plural nouns, the forms of verbs, "a" or "an", capitals."""

from __future__ import annotations

from functools import cache

VOWELS = "aeiou"
IRREGULAR_PAST = {
    "sit": "sat",
    "sleep": "slept",
    "sing": "sang",
    "eat": "ate",
    "see": "saw",
    "bring": "brought",
    "give": "gave",
    "send": "sent",
    "lend": "lent",
    "think": "thought",
    "write": "wrote",
    "catch": "caught",
    "throw": "threw",
    "steal": "stole",
    "dig": "dug",
    "stand": "stood",
    "feel": "felt",
    "drive": "drove",
    "wear": "wore",
    "meet": "met",
    "hide": "hid",
    "buy": "bought",
    "lose": "lost",
    "go": "went",
    "ride": "rode",
    "swim": "swam",
    "feed": "fed",
    "lead": "led",
    "wake": "woke",
    "hear": "heard",
    "come": "came",
    "say": "said",
    "know": "knew",
    "have": "had",
    "be": "was",
    "do": "did",
}
IRREGULAR_PARTICIPLE = {
    "sing": "sung",
    "ride": "ridden",
    "swim": "swum",
    "eat": "eaten",
    "see": "seen",
    "give": "given",
    "write": "written",
    "throw": "thrown",
    "steal": "stolen",
    "drive": "driven",
    "wear": "worn",
    "hide": "hidden",
    "know": "known",
    "wake": "woken",
    "go": "gone",
    "come": "come",
    "be": "been",
    "do": "done",
}
IRREGULAR_PLURAL = {"mouse": "mice", "wolf": "wolves", "child": "children", "shelf": "shelves"}
DOUBLING = frozenset("sit nap dig hum chat trot nod drop hug swim".split())
THIRD_PERSON = {"have": "has", "be": "is", "do": "does", "go": "goes"}
PLURAL_PRESENT = {"be": "are"}


def article(word: str) -> str:
    """“an” before a vowel letter, else “a” (every word of the world follows its spelling)."""
    return "an" if word[0] in VOWELS else "a"


def capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _with_s(word: str) -> str:
    if word.endswith(("s", "sh", "ch", "x", "z")):
        return word + "es"
    if word.endswith("y") and word[-2] not in VOWELS:
        return word[:-1] + "ies"
    return word + "s"


@cache
def plural(noun: str) -> str:
    """
    >>> plural("fox"), plural("mouse"), plural("story"), plural("toy")
    ('foxes', 'mice', 'stories', 'toys')
    """
    return IRREGULAR_PLURAL.get(noun) or _with_s(noun)


@cache
def past(verb: str) -> str:
    """
    >>> past("walk"), past("hum"), past("carry"), past("sit"), past("play")
    ('walked', 'hummed', 'carried', 'sat', 'played')
    """
    if verb in IRREGULAR_PAST:
        return IRREGULAR_PAST[verb]
    if verb in DOUBLING:
        return verb + verb[-1] + "ed"
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ied"
    return verb + "ed"


@cache
def present(verb: str, many: bool) -> str:
    """
    >>> present("carry", many=False), present("carry", many=True), present("be", many=True)
    ('carries', 'carry', 'are')
    """
    if many:
        return PLURAL_PRESENT.get(verb, verb)
    return THIRD_PERSON.get(verb) or _with_s(verb)


@cache
def participle(verb: str) -> str:
    """
    >>> participle("sit"), participle("dance"), participle("play")
    ('sitting', 'dancing', 'playing')
    """
    if verb in DOUBLING:
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + "ing"


@cache
def past_participle(verb: str) -> str:
    """
    >>> past_participle("sing"), past_participle("sleep"), past_participle("play")
    ('sung', 'slept', 'played')
    """
    return IRREGULAR_PARTICIPLE.get(verb) or past(verb)


@cache
def finite(verb: str, tense: str, many: bool) -> str:
    """The form that stands with a third-person subject; `tense` is "past" or "present"."""
    if tense == "present":
        return present(verb, many)
    if verb == "be" and many:
        return "were"
    return past(verb)
