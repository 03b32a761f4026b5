"""Stories said another way: a sentence in active and passive, a story without pronouns.

Questions with their answers are in ``asking.py``, texts to judge in ``judging.py``, stories that differ in one word in
``swaps.py``. Each function that draws takes the world, how many, and a seed, and gives the same for the same seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labutils.world.clauses import BEINGS, PERSONAL, Clause, Told
from labutils.world.morphology import capital, finite, past_participle
from labutils.world.story import OutsideTheWorld
from labutils.world.tellers import join

if TYPE_CHECKING:
    from labutils.world.world import Story, World

NOT_PASSIVE = frozenset(("have", "race"))  # "was raced by" means something else


# -- active and passive ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Voices:
    """One sentence in both voices. `told` is the voice in which `story` has it, as its sentence number `sentence`.

    `inside`: the story with the sentence exchanged is a story of the world too, and its pronouns mean the same.
    """

    active: str
    passive: str
    told: str
    story: str
    sentence: int
    inside: bool


def voices_of(world: World, story: Story) -> tuple[Voices, ...]:
    """The sentences of a story that say no more than who did what to whom, each in both voices.

    A first word or phrase such as "Then" or "One day," stays where it is. Sentences that introduce somebody are left
    out, and so are those with a pronoun.

    >>> from labutils.world import World
    >>> world = World()
    >>> text = "An old fox and Anna lived in the town. Anna guided the old fox. Then the old fox saw Anna."
    >>> for pair in voices_of(world, world.parse(text)):
    ...     print(pair.active, pair.passive, pair.inside)
    Anna guided the old fox. The old fox was guided by Anna. True
    Then the old fox saw Anna. Then Anna was seen by the old fox. True
    """
    told = Told(story.words)
    found = [pair for c in told.clauses if (pair := _voices(world, story, told, c))]
    return tuple(found)


def voices(world: World, n: int, seed: int) -> list[Voices]:
    """n sentences in both voices, about as many stories; see ``voices_of``."""
    rng, drawn = random.Random(seed), []
    while len(drawn) < n:
        pairs = voices_of(world, world.story(rng))
        if pairs:
            drawn.append(rng.choice(pairs))
    return drawn


def _voices(world: World, story: Story, told: Told, c: Clause) -> Voices | None:
    words, verb = told.words, told.words[c.verb]
    plain = len(c.subjects) == len(c.objects) == 1 and c.tense and verb.deprel == "root" and verb.sentence
    if not plain or verb.lemma in NOT_PASSIVE:
        return None
    doer, done = c.subjects[0], c.objects[0]
    if any(words[i].upos == "PRON" or words[i].entity not in BEINGS for i in (doer, done)):
        return None
    sentence = story.sentences[verb.sentence]
    first = told.nominal(done if c.passive else doer)[0]
    helpers = {told.child(c.verb, "aux:pass"), told.child(doer, "case")} - {None}
    core = {*told.nominal(doer), *told.nominal(done), *helpers, c.verb, sentence[-1]}
    if core != set(range(first, sentence.stop)):
        return None
    opener = [w.text for w in words[sentence.start : first]]
    be = finite("be", c.tense, told.many(done))
    active = [*told.name(doer).split(), finite(verb.lemma, c.tense, told.many(doer)), *told.name(done).split(), "."]
    passive = [*told.name(done).split(), be, past_participle(verb.lemma), "by", *told.name(doer).split(), "."]
    texts = [capital(join([*opener, *said])) for said in (active, passive)]
    exchanged = [*story.sentence_texts]
    exchanged[verb.sentence] = texts[not c.passive]
    return Voices(
        *texts,
        "passive" if c.passive else "active",
        story.text,
        verb.sentence,
        _means_the_same(world, story, " ".join(exchanged), verb.sentence),
    )


def _means_the_same(world: World, story: Story, other: str, sentence: int) -> bool:
    """Whether `other`, which differs in one sentence, is a story in which all pronouns mean the same."""
    try:
        exchanged = world.parse(other)
    except OutsideTheWorld:
        return False
    return _meant(story, sentence) == _meant(exchanged, sentence)


def _meant(story: Story, sentence: int) -> list[str]:
    """What the pronouns of all other sentences mean."""
    told = Told(story.words)
    return [
        told.name(i) for i, w in enumerate(told.words) if w.upos == "PRON" and w.chain >= 0 and w.sentence != sentence
    ]


# -- pronouns ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Resolved:
    """A story with nouns where it has pronouns.

    `text` and `words` are the new text. For each of its words, `places` is the index of the word of the story that
    stands there, `sources` the index of the word that it was copied from, and `replaced` whether a pronoun stands
    there in the story. Where `replaced` is False the two indices are equal.
    """

    text: str
    words: tuple[str, ...]
    places: tuple[int, ...]
    sources: tuple[int, ...]
    replaced: tuple[bool, ...]


def resolve(story: Story, sentence: int | None = None) -> Resolved:
    """The story, or one of its sentences, with each pronoun replaced by what it means.

    The nouns are those of the nearest mention before. What somebody says of himself, "I" and "we", stays, and so do
    "you", "everybody" and the like.

    >>> from labutils.world import RUNNING_TEXT, World
    >>> resolve(World().parse(RUNNING_TEXT), sentence=1)
    Resolved(text='The cat was tired.', words=('The', 'cat', 'was', 'tired', '.'), places=(7, 7, 8, 9, 10),
             sources=(0, 1, 8, 9, 10), replaced=(True, True, False, False, False))
    """
    told = Told(story.words)
    span = range(len(told.words)) if sentence is None else story.sentences[sentence]
    made = [piece for i in span for piece in _resolved(told, i)]
    words, places, sources = zip(*made)
    replaced = tuple(told.words[i].text != word and told.words[i].upos == "PRON" for word, i, _ in made)
    return Resolved(join(list(words)), words, places, sources, replaced)


def resolved(world: World, n: int, seed: int) -> list[tuple[Story, Resolved]]:
    """n stories that have a pronoun, each with its text without pronouns."""
    return list(_with_pronouns(world, n, random.Random(seed)))


def _with_pronouns(world: World, n: int, rng: random.Random) -> Iterator[tuple[Story, Resolved]]:
    while n:
        story = world.story(rng)
        without = resolve(story)
        if any(without.replaced):
            n -= 1
            yield story, without


def _resolved(told: Told, i: int) -> list[tuple[str, int, int]]:
    """[(word, index of the word that stands there, index of the word that it is copied from)]"""
    word = told.words[i]
    if word.upos != "PRON" or word.lemma not in PERSONAL or word.chain < 0 and word.lemma != "they":
        return [(word.text, i, i)]
    if word.chain < 0:
        said = _listed(told)
    else:
        said = told.definite(told.noun(i))
    if word.text[0].isupper():
        said = [(capital(said[0][0]), said[0][1]), *said[1:]]
    return [(text, i, source) for text, source in said]


def _listed(told: Told) -> list[tuple[str, int]]:
    """“the old fox, Anna and the mole”: everybody in the first sentence."""
    heads = told.everybody()
    said = []
    for head in heads:
        before = told.nominal(head)[0] - 1
        said += [(told.words[before].text, before)] * (head != heads[0]) + told.definite(head)
    return said
