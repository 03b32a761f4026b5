"""What a story is: its text, its words with their gold annotation, its probes."""

from __future__ import annotations

from dataclasses import dataclass


class OutsideTheWorld(ValueError):
    """The grammar does not tell this text; the message names the first word that cannot be."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a punctuation mark.

    `start` and `end` are characters of ``Story.text``; `head` is an index into ``Story.words``
    (-1: root of its sentence); `upos` and `deprel` are Universal Dependencies. `entity` ("PERSON",
    "ANIMAL", "PLACE", "THING" or "") and `chain` stand on the last word of a mention, its head:
    mentions of one being or thing have the same `chain`, -1 where nothing is mentioned again.
    `log_prob` is in nats, given all words before.
    """

    text: str
    start: int
    end: int
    lemma: str
    upos: str
    head: int
    deprel: str
    entity: str
    chain: int
    sentence: int
    log_prob: float

    def __deepcopy__(self, _) -> Word:
        """Itself: nothing in a word can change, and a checker copies thousands of stories."""
        return self


@dataclass(frozen=True, slots=True)
class Probe:
    """A place where a skill is tested: can a model tell the word at `target`?

    ===========  =====================================  ========================================
    kind         target                                 sources: the words that decide it
    ===========  =====================================  ========================================
    agreement    finite verb after a nearer noun or     its subject
                 name of the other number
    pronoun      pronoun that only one answer fits      the last mention of whom it means
    lean         first pronoun of an occupation         the same
    recall       noun after "the" and an adjective,     its earlier mentions
                 with another noun in the story
    bond         what somebody does or feels            whom it is about: the last noun or name
    echo         thing that somebody still has          where it was first had
    refrain      word told again after "Again,"         the word that it repeats
    copy         word of a list or a verse told again   the word that it repeats
    ===========  =====================================  ========================================

    `answers` are all words that fit (the exact one first), `wrong` sensible alternatives that do
    not fit; both in the form in which they would stand there.
    """

    kind: str
    target: int
    answers: tuple[str, ...]
    wrong: tuple[str, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class Annotation:
    words: tuple[Word, ...]
    probes: tuple[Probe, ...]
    end_log_prob: float
    mood: str | None = None
