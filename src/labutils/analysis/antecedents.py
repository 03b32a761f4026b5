"""Whom a pronoun means, asked where more than one could be meant: heads beside rules that know who could.

A head answers with the mention to the left that has most of its weight. As in the table of relations, head and rule are
chosen on one half of the stories and scored on the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.analysis.gold_words import each_story
from labutils.models import family_of
from labutils.world.lexicon import LEANS, NAMES
from labutils.world.story import Word

PERSONS = {"she": {"she"}, "he": {"he"}}  # others of LEANS take either
PRONOUNS = LEANS | NAMES


@dataclass(frozen=True)
class Question:
    """A pronoun at `place`, all mentions before it, those that could be meant, and those that are; of the mentions
    those in the pronoun's sentence, the subjects, and the subjects of main clauses.
    """

    place: int
    mentions: tuple[int, ...]
    fitting: tuple[int, ...]
    right: frozenset[int]
    here: tuple[int, ...]
    subjects: tuple[int, ...]
    main: tuple[int, ...]


Rule = Callable[[Question], int]
# What a rule knows: who could be meant and the subjects; of PARSED also where sentences and main clauses are.
NEAR: dict[str, Rule] = {
    "the last mention": lambda q: q.mentions[-1],
    "the last that fits": lambda q: q.fitting[-1],
    "the first that fits": lambda q: q.fitting[0],
    "the latest subject": lambda q: (q.subjects or q.mentions)[-1],
    "the latest subject that fits": lambda q: _first_of(q, q.subjects)[-1],
    "the first subject that fits": lambda q: _first_of(q, q.subjects)[0],
}
PARSED: dict[str, Rule] = {
    "the last of its sentence that fits, else the latest subject": lambda q: _first_of(q, q.here, q.subjects)[-1],
    "the last of its sentence that fits, else the latest subject of a main clause": lambda q: _first_of(
        q, q.here, q.main, q.subjects
    )[-1],
}
RULES = NEAR | PARSED


def _first_of(question: Question, *kinds: tuple[int, ...]) -> tuple[int, ...]:
    """Those that fit of the first kind that has any, else all that fit."""
    fitting = (tuple(place for place in question.fitting if place in kind) for kind in kinds)
    return next(filter(None, fitting), question.fitting)


def questions_of(words: Sequence[Word]) -> list[Question]:
    """The pronouns of a story for which at least two who were mentioned before could be meant, by number, by kind, by
    what a name or a noun decides, and by the pronouns that they had before.
    """
    found, mentions = [], []
    could: dict[int, set[str]] = {}  # by chain; one that is mentioned once has none, and its place stands for it
    for i, word in enumerate(words):
        if word.upos == "PRON" and word.chain >= 0 and word.lemma in ("he", "she", "it", "they"):
            fitting = tuple(j for j in mentions if word.lemma in could[_who(words, j)])
            if len({_who(words, j) for j in fitting}) > 1:
                found.append(_question(words, i, tuple(mentions), fitting))
            could[word.chain] = {word.lemma}
        elif word.entity in ("PERSON", "ANIMAL", "THING") and word.upos in ("NOUN", "PROPN"):
            could.setdefault(_who(words, i), pronouns(word))
            mentions.append(i)
    return [question for question in found if question.right]


def _question(words: Sequence[Word], i: int, mentions: tuple[int, ...], fitting: tuple[int, ...]) -> Question:
    that = lambda holds: tuple(j for j in mentions if holds(words[j]))
    subjects = that(lambda word: word.deprel.startswith("nsubj"))
    return Question(
        i,
        mentions,
        fitting,
        right=frozenset(that(lambda word: word.chain == words[i].chain)),
        here=that(lambda word: word.sentence == words[i].sentence),
        subjects=subjects,
        main=tuple(j for j in subjects if words[words[j].head].deprel == "root"),
    )


def _who(words: Sequence[Word], place: int) -> int:
    return words[place].chain if words[place].chain >= 0 else -1 - place


def pronouns(word: Word) -> set[str]:
    """What a single mention may be called, as far as the word decides it."""
    if word.text.lower() != word.lemma.lower():
        return {"they"}
    if word.entity != "PERSON":
        return {"it"}
    return PERSONS.get(PRONOUNS.get(word.lemma, ""), {"she", "he"})


@dataclass(frozen=True)
class Answers:
    """For each question of some stories, which story it is from and who was right: `heads` (questions, columns), a
    column a head, in a causal model L * H more for the word before the pronoun, where the pronoun is predicted; `rules`
    (questions, RULES).
    """

    story: list[int]
    heads: Tensor
    rules: Tensor


def answers(model, tokenizer, stories: Sequence) -> Answers:
    """Ask every pronoun of `stories` for which two could be meant."""
    causal = family_of(model).causal
    story, heads, rules = [], [], []
    asked = [questions_of(one.words) for one in stories]
    for i, weights in each_story(model, tokenizer, list(stories)):
        for q in asked[i]:
            where = [q.place, q.place - 1] if causal else [q.place]
            chosen = weights[:, :, where][..., list(q.mentions)].argmax(-1).permute(2, 0, 1).flatten()
            story.append(i)
            heads.append([q.mentions[c] in q.right for c in chosen.tolist()])
            rules.append([rule(q) in q.right for rule in RULES.values()])
    return Answers(story, torch.tensor(heads).double(), torch.tensor(rules).double())
