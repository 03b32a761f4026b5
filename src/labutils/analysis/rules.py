"""What needs no model: a fixed distance, or the nearest word of a kind. A head is worth naming only where it beats
both.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

NAMES = {  # a kind of word and what it is called
    "NOUN": "noun",
    "PROPN": "name",
    "PRON": "pronoun",
    "VERB": "verb",
    "AUX": "auxiliary",
    "ADJ": "adjective",
    "ADV": "adverb",
    "ADP": "preposition",
    "DET": "article",
    "NUM": "number",
    "SCONJ": "“because”, “that”",
    "CCONJ": "“and”",
    "PART": "particle",
    "PUNCT": "punctuation mark",
    "NOMINAL": "noun or name",
    "BEING": "noun, name or pronoun",
    "CONTENT": "noun, name, verb or adjective",
    "PREDICATE": "verb or adjective",
    "MARKER": "“because”, “that” or “to”",
    "SUBJECT": "subject",
}
GROUPS = {
    "NOMINAL": ("NOUN", "PROPN"),
    "BEING": ("NOUN", "PROPN", "PRON"),
    "CONTENT": ("NOUN", "PROPN", "VERB", "ADJ"),
    "PREDICATE": ("VERB", "ADJ"),
}
NEAR = 3  # the nearest, the second and the third
FAR = 8  # the largest distance
Rule = Callable[[dict[str, list[int]], int], int]  # the places of each kind of word, who asks -> a place, or -1


@dataclass(frozen=True)
class Offset:
    """The word at a fixed distance, -1: the word before."""

    by: int

    def __str__(self) -> str:
        return f"{abs(self.by)} {'back' if self.by < 0 else 'on'}"

    def __call__(self, kinds: dict[str, list[int]], place: int) -> int:
        return place + self.by


@dataclass(frozen=True)
class First:
    """The first word of a kind in the sentence of the nearest one to the left."""

    kind: str

    def __str__(self) -> str:
        return f"first {NAMES[self.kind]} of the sentence"

    def __call__(self, kinds: dict[str, list[int]], place: int) -> int:
        before = bisect_left(kinds[self.kind], place)
        if not before:
            return -1
        starts = kinds["START"]
        start = starts[bisect_right(starts, kinds[self.kind][before - 1]) - 1]
        return kinds[self.kind][bisect_left(kinds[self.kind], start)]


@dataclass(frozen=True)
class Nearest:
    """The k-th nearest word of a kind on one side, step -1: to the left."""

    kind: str
    step: int
    k: int

    def __str__(self) -> str:
        return f"{('', '2nd ', '3rd ')[self.k - 1]}{NAMES[self.kind]} to the {'left' if self.step < 0 else 'right'}"

    def __call__(self, kinds: dict[str, list[int]], place: int) -> int:
        there = kinds[self.kind]
        i = bisect_left(there, place)
        i = i - self.k if self.step < 0 else i + self.k - (i == len(there) or there[i] != place)
        return there[i] if 0 <= i < len(there) else -1


OFFSETS = [Offset(by) for by in range(-FAR, FAR + 1) if by]
KINDS = [kind for kind in NAMES if kind != "SUBJECT"]
RULES = [Nearest(kind, step, k) for kind, step, k in product(KINDS, (-1, 1), range(1, NEAR + 1))] + [
    First(kind) for kind in KINDS
]
# for pronouns alone: elsewhere they tell what is asked
SUBJECTS = [First("SUBJECT"), *(Nearest("SUBJECT", -1, k) for k in range(1, NEAR + 1))]


def kinds_of(words) -> dict[str, list[int]]:
    """For each kind of word its places in a story, in order; "START": where sentences start."""
    kinds = {kind: [i for i, word in enumerate(words) if word.upos in GROUPS.get(kind, (kind,))] for kind in KINDS}
    return kinds | {
        "MARKER": [
            i for i, word in enumerate(words) if word.upos == "SCONJ" or (word.upos, word.lemma) == ("PART", "to")
        ],
        "SUBJECT": [i for i, word in enumerate(words) if word.deprel.split(":")[0] == "nsubj"],
        "START": [i for i, word in enumerate(words) if not i or word.sentence != words[i - 1].sentence],
    }
