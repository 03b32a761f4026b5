"""Texts to judge: does the end fit what happened, and are two parts of a story in order?

Both are drawn so that one word, or how a part begins, says nothing: see ``baselines.py``.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from labutils.world import lexicon as lex
from labutils.world.balance import Twins
from labutils.world.items import Ending, Halves
from labutils.world.story import OutsideTheWorld

if TYPE_CHECKING:
    from labutils.world.world import World

# -- an end that fits --------------------------------------------------------------------------------


# Stories in which somebody has something to the end.
_OWNING = {"scene": 0.0, "has": 4.0, "own": 6.0, "still": 8.0, "mood": 0.0, "crowd": 0.3, "chant": 0.3}
_END = re.compile(r"In the end, (.*) (?:still (has|have|had)|(has|have|had) lost) (the \w+ and \w+(?: very)?) (\w+)\.$")


def endings(world: World, n: int, seed: int) -> list[Ending]:
    """n stories, each with one of the four ends; of every four drawn one after the other, each has another one.

    So whether the thing was kept says nothing about the label, and neither does the feeling, nor anything before:
    only both together do, and no sum of what the words say (an exclusive or: 3 of 4 at best, ``baselines.counted``).
    Whether an end fits is asked of the grammar.

    >>> from labutils.world import World
    >>> for ending in endings(World(), 4, seed=4):
    ...     print(ending.fits, ending.text.split(". ")[-1])
    False In the end, the shy cooks had lost the apple and were very happy.
    True In the end, the shy cats still had the blanket and were happy.
    True In the end, the strange wolf has lost the pear and is very sad.
    False In the end, the poor thin teacher still has the book and is sad.
    """
    rng, drawn, ends = random.Random(seed), [], []
    while len(drawn) < n:
        text = world.story(rng, _OWNING).text
        if told := _END.search(text):
            ends = ends or rng.sample([(kept, good) for kept in (True, False) for good in (True, False)], 4)
            other = text[: told.start()] + _end(told, *ends.pop())
            drawn.append(Ending(other, _possible(world, other)))
    return drawn


def _end(told: re.Match, kept: bool, good: bool) -> str:
    """The sentence with another outcome; the feeling is the one at the same place of its list."""
    who, still, lost, thing, feeling = told.groups()
    have, words = still or lost, (lex.BAD, lex.GOOD)
    place = words[feeling in lex.GOOD].index(feeling)
    return f"In the end, {who} {f'still {have}' if kept else f'{have} lost'} {thing} {words[good][place]}."


def _possible(world: World, text: str) -> bool:
    try:
        world.log_prob(text)
    except OutsideTheWorld:
        return False
    return True


# -- the order of two parts --------------------------------------------------------------------------


_SUBJECTS = frozenset(("He", "She", "It", "They"))
# Stories in which sentences about several beings go on with pronouns.
_REFERRING = {"scene": 0.0, "end": 0.1, "again": 5.0, "there": 0.1, "quote": 0.1, "thing_sentence": 0.2, "asked": 0.0}
_REFERRING |= {"chant": 0.0, "crowd": 0.0, "mood": 0.0, "still": 0.0, "refrain": 0.2}
_ALIKE = {  # the first word of a part -> what it is like, for `_look`
    **dict.fromkeys(("a", "an", "some", "two"), "a"),
    **dict.fromkeys(("before", "when", "while"), "when"),
    **dict.fromkeys(("then", "soon", "now"), "then"),
    **dict.fromkeys(("after", "during", "at", "in", "one", "that"), "at"),
}


def halves(world: World, n: int, seed: int) -> list[Halves]:
    """n stories in parts, every other one in order. Any place to cut that leaves one order only is as likely.

    The items come in twos: for each in order there is one that is not and whose parts begin alike, with the same
    pronoun and the same kind of word. So how the parts begin says nothing; of whom the sentences before tell does.

    >>> from labutils.world import World
    >>> halves(World(), 2, seed=34)[0]
    Halves(opening='Last winter, Ivan met Nina. When Nina walked, Ivan feasted there.',
           first='Then Nina judged Ivan.', second='He walked after Nina chatted.', in_order=False)
    """
    rng, twins, drawn = random.Random(seed), Twins(), []
    while len(drawn) < n:
        sentences = world.story(rng, _REFERRING).sentence_texts
        start = 3 if sentences[0].startswith("Do you know") else 2  # "They live in the village." belongs to it
        cuts = [k for k in range(start + 1, len(sentences)) if _goes_on(sentences[start]) != _goes_on(sentences[k])]
        for cut in rng.sample(cuts, len(cuts)):
            parts = [" ".join(part) for part in (sentences[:start], sentences[start:cut], sentences[cut:])]
            if _one_order(world, *parts):
                opening, *parts = parts
                in_order = rng.random() < 0.5
                item = Halves(opening, *(parts if in_order else parts[::-1]), in_order)
                drawn += twins.pair(item, (_look(item.first), _look(item.second)), in_order)
                break
    drawn = drawn[:n]
    rng.shuffle(drawn)
    return drawn


def _goes_on(text: str) -> bool:
    """Whether a text begins with a pronoun for somebody."""
    return text.partition(" ")[0] in _SUBJECTS


def _one_order(world: World, opening: str, first: str, second: str) -> bool:
    """Whether the parts cannot be swapped because of the pronoun alone: another one could stand in its place."""
    part, before = (first, f"{opening} {second}") if _goes_on(first) else (second, opening)
    try:
        could = _SUBJECTS & world.next_word(before).keys()
    except OutsideTheWorld:
        return False
    return bool(could) and part.partition(" ")[0] not in could


def _look(part: str) -> str:
    """The pronoun that a part begins with, or what kind of word it is."""
    word = part.partition(" ")[0]
    bare = word.strip('",').lower()
    return '"' if word[0] == '"' else "name" if bare.title() in lex.NAMES else _ALIKE.get(bare, bare)
