"""Inflection: plural nouns, the forms of verbs, "a" or "an", capitals."""

from __future__ import annotations

from functools import cache

VOWELS = "aeiou"
IRREGULAR_PAST = {
    "sit": "sat", "sleep": "slept", "sing": "sang", "eat": "ate", "see": "saw", "find": "found",
    "bring": "brought", "give": "gave", "send": "sent", "lend": "lent", "think": "thought",
    "speak": "spoke", "write": "wrote", "catch": "caught", "throw": "threw",
    "steal": "stole", "dig": "dug", "stand": "stood", "feel": "felt", "drive": "drove",
    "wear": "wore", "kneel": "knelt", "meet": "met", "hide": "hid", "buy": "bought",
    "sell": "sold", "say": "said", "know": "knew", "begin": "began", "have": "had",
    "be": "was", "do": "did",
}
IRREGULAR_PLURAL = {"mouse": "mice", "wolf": "wolves", "child": "children", "shelf": "shelves"}
DOUBLING = frozenset("sit nap dig hum chat begin trot nod drop plan stop".split())
THIRD_PERSON = {"have": "has", "be": "is", "do": "does"}
PLURAL_PRESENT = {"be": "are"}


def article(word: str) -> str:
    """"an" before a vowel letter, else "a" (every word of the world follows its spelling)."""
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
def finite(verb: str, tense: str, many: bool) -> str:
    """The form that stands with a third-person subject; `tense` is "past" or "present"."""
    if tense == "present":
        return present(verb, many)
    if verb == "be" and many:
        return "were"
    return past(verb)
