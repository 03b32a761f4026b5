"""Easy rules for the tasks, each a function of an item: what a model must beat to have understood anything.

A rule sees the text and what the item asks about it, never its answer. ``score`` says how often one is right. On drawn
items each rule of ``ANSWERING`` is right for at most half of a kind's questions, each of ``ENDING`` and ``ORDERING``
for half of the items. What is right more often is named too: ``counted``, ``both``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable

from labutils.world import lexicon as lex
from labutils.world.items import Ending, Halves, Question

# -- which candidate answers a question: its number ------------------------------------------------


def first(q: Question) -> int:
    """The candidate that the story names first."""
    return 0


def last(q: Question) -> int:
    """The candidate that the story names last."""
    return max(range(len(q.candidates)), key=lambda k: q.candidates[k][-1])


def most(q: Question) -> int:
    """The candidate that the story names most often, the first of several."""
    return max(range(len(q.candidates)), key=lambda k: len(q.candidates[k]))


def in_sentence(q: Question) -> int:
    """The first candidate of the sentence that shares most words with the question, or the last one before."""
    start, end = _sentence(q)
    named = sorted((a, k) for k, spans in enumerate(q.candidates) for a, _ in spans)
    here = [k for a, k in named if start <= a < end]
    before = [k for a, k in named if a < start]
    return here[0] if here else before[-1] if before else named[0][1]


def nearest(q: Question) -> int:
    """The candidate that stands nearest to the words that this sentence shares with the question."""
    start, end = _sentence(q)
    asked = set(_words(q.question)) - {"the"}
    shared = [m.start() + start for m in re.finditer(r"[A-Za-z]+", q.context[start:end]) if m[0].lower() in asked]

    def apart(k: int) -> int:
        return min((max(a - x, x - b) for a, b in q.candidates[k] for x in shared), default=0)

    return min(range(len(q.candidates)), key=apart)


ANSWERING = (first, last, most, in_sentence, nearest)


def _sentence(q: Question) -> tuple[int, int]:
    """Where the sentence starts and ends that shares most different words with the question; of several the first."""
    asked = set(_words(q.question))
    return max(_sentences(q.context), key=lambda s: len(asked & set(_words(q.context[slice(*s)]))))


def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    ends = [m.end() for m in re.finditer(r'[.?!]"?(?= ["A-Z]|$)', text)]
    return tuple(zip([0, *ends], ends))


def _words(text: str) -> list[str]:
    return re.findall("[a-z]+", text.lower())


# -- whether an end fits -----------------------------------------------------------------------------


def kept(ending: Ending) -> bool:
    """Fits if the thing is still there."""
    return " still " in _end(ending)


def feeling(ending: Ending) -> bool:
    """Fits if its last word is a good feeling."""
    return _words(ending.text)[-1] in lex.GOOD


ENDING = (kept, feeling)


def counted(ending: Ending) -> bool:
    """Fits if the end has two good words, "still" and a feeling: right for 3 of 4, and no sum of words does better."""
    return kept(ending) + feeling(ending) == 2


def both(ending: Ending) -> bool:
    """What the task asks for: fits if the thing was kept and the feeling is good, or neither. Always right."""
    return kept(ending) == feeling(ending)


def _end(ending: Ending) -> str:
    return ending.text[ending.text.rindex("In the end,") :]


# -- whether two parts are in order ------------------------------------------------------------------


def pronoun_second(pair: Halves) -> bool:
    """In order if the second part is the one that begins with a pronoun."""
    return pair.second.partition(" ")[0] in ("He", "She", "It", "They")


def longer_first(pair: Halves) -> bool:
    """In order if the first part has more words."""
    return len(pair.first.split()) > len(pair.second.split())


def linked(pair: Halves) -> bool:
    """In order if the first part shares more words with how the story begins."""
    start = set(_words(pair.opening))
    return len(start & set(_words(pair.first))) > len(start & set(_words(pair.second)))


ORDERING = (pronoun_second, longer_first, linked)


def first_words(pair: Halves) -> tuple[tuple[int, int, str], ...]:
    """What ``learned`` may see of two parts: the first two words of each, with their places."""
    parts = pair.first, pair.second
    return tuple((k, i, word) for k, part in enumerate(parts) for i, word in enumerate(part.split()[:2]))


def all_words(pair: Halves) -> tuple[tuple[int, str], ...]:
    """What ``learned`` may see of two parts: which words are in which."""
    return tuple((k, word) for k, part in enumerate((pair.first, pair.second)) for word in set(_words(part)))


# -- rules that are learned, and how often a rule is right -------------------------------------------


def learned(items: Iterable, see: Callable[..., Iterable[Hashable]], label: str) -> Callable[..., bool]:
    """The rule that naive Bayes learns from items: what is seen speaks for the label that it came with more often."""
    seen: dict[bool, Counter] = {True: Counter(), False: Counter()}
    for item in items:
        seen[getattr(item, label)].update([None, *see(item)])  # None: how many there are of this label
    yes, no = seen[True], seen[False]

    def odds(x: Hashable) -> float:
        """Nats for True, with one more of each so that what is new says nothing."""
        return math.log((yes[x] + 1) / (yes[None] + 2)) - math.log((no[x] + 1) / (no[None] + 2))

    return lambda item: sum(map(odds, see(item))) > 0


def score(rule: Callable, items: Iterable, label: str = "gold") -> float:
    """The share of items for which the rule is right; `label` names what it must tell: `gold`, `fits`, `in_order`."""
    right = [rule(item) == getattr(item, label) for item in items]
    return sum(right) / len(right)


def chance(items: Iterable[Question]) -> float:
    """How often one would be right who takes any candidate."""
    shares = [1 / len(q.candidates) for q in items]
    return sum(shares) / len(shares)
