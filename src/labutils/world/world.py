"""The World: stories, their gold annotation, and what is exactly known about them."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping
from functools import cached_property
from numbers import Integral
from pathlib import Path

from labutils.world.exact import Reckoner
from labutils.world.grammar import Grammar
from labutils.world.reading import NextWord, Reader, split
from labutils.world.story import Annotation, Probe, Word
from labutils.world.swaps import Swap
from labutils.world.tellers import Sampler, Steered, join
from labutils.world.vocabulary import strengths

MEANS = Path(__file__).with_name("means.json")  # made by: python -m labutils.world --means
RUNNING_TEXT = "The cat sat on the mat. It was tired."


class Story:
    """A text of the world. `text`; `log_prob` in nats, the end of the story included.

    The annotation is worked out when it is first asked for.
    """

    def __init__(self, text: str, log_prob: float, grammar: Grammar, stops: tuple[int, ...] = ()):
        self.text = text
        self.log_prob = log_prob
        self._grammar = grammar
        self._stops = stops

    @cached_property
    def _annotation(self) -> Annotation:
        return _read(self._grammar, split(self.text), annotate=True).notes.annotation()

    @property
    def words(self) -> tuple[Word, ...]:
        return self._annotation.words

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The places where a skill is tested, in no particular order."""
        return self._annotation.probes

    @property
    def end_log_prob(self) -> float:
        """Nats of ending here. The words' log_prob and this one sum to the story's."""
        return self._annotation.end_log_prob

    @property
    def mood(self) -> str | None:
        """How the story ends: "good", "bad", or None where it does not say."""
        return self._annotation.mood

    @cached_property
    def sentences(self) -> list[range]:
        """For each sentence, the range of its words."""
        stops = self._stops or [
            i for i, w in enumerate(self.words) if i + 1 == len(self.words) or self.words[i + 1].sentence != w.sentence
        ]
        ends = [i + 1 for i in stops]
        return [range(a, b) for a, b in zip([0, *ends], ends)]

    @cached_property
    def sentence_texts(self) -> list[str]:
        """The text of each sentence; joined by spaces they are the story's."""
        words = split(self.text)
        return [join(words[s.start : s.stop]) for s in self.sentences]

    def __repr__(self) -> str:
        return f"Story({self.text!r})"


class World:
    """All stories of the grammar, each with its probability.

    `bias`, 0 to 1: with what probability an occupation takes the pronoun towards which
    ``lexicon.LEANS`` says it leans ("nurse": she). 0.5: no association. Or such a number for
    each occupation that shall lean; those not named do not:

    >>> world = World(bias={"nurse": 0.9, "pilot": 0.2})
    >>> {word: round(p, 2) for word, p in world.next_word("The nurse waited near the window.").items()}
    {'She': 0.9, 'He': 0.1}
    >>> {word: round(p, 2) for word, p in world.next_word("The doctor waited near the window.").items()}
    {'She': 0.5, 'He': 0.5}
    """

    def __init__(self, bias: float | Mapping[str, float] = 0.8):
        self.bias = strengths(bias)
        self.grammar = Grammar(self.bias)

    def story(self, rng: random.Random, taste: Mapping[str, float] | None = None) -> Story:
        """Draw a story; with a `taste`, one in which some things happen more often (``tellers.Steered``).

        Raises TypeError for an `rng` that draws no numbers.
        """
        if not callable(getattr(rng, "random", None)):
            raise TypeError(f"A story is drawn with a random.Random, not with {type(rng).__name__}.")
        sampler = Steered(rng.random, taste) if taste else Sampler(rng.random)
        self.grammar.story(sampler)
        return Story(join(sampler.words), sampler.log_prob, self.grammar, tuple(sampler.stops))

    def stories(self, n: int, seed: int) -> list[Story]:
        """Draw n stories; the same ones for the same seed. Raises ValueError for an n that is no whole number from 0
        on.
        """
        if not isinstance(n, Integral) or n < 0:
            raise ValueError(f"The number of stories must be a whole number from 0 on, not {n!r}.")
        rng = random.Random(seed)
        return [self.story(rng) for _ in range(n)]

    def parse(self, text: str) -> Story:
        """The story with this text; raises OutsideTheWorld where there is none, TypeError for no text at all."""
        reader = _read(self.grammar, split(text), annotate=True)
        story = Story(text, reader.log_prob, self.grammar)
        story.__dict__["_annotation"] = reader.notes.annotation()
        return story

    def log_prob(self, text: str) -> float:
        """Nats; worked out from the text alone. Raises OutsideTheWorld, and TypeError for no text at all."""
        return _read(self.grammar, split(text)).log_prob

    def next_word(self, prefix: str) -> dict[str, float]:
        """Exact probability of each word that may follow; "" stands for the end of the story.

        `prefix` is the beginning of a story, in whole words ("" for none).
        Raises OutsideTheWorld where no story begins so, TypeError for no text at all.
        """
        return self._next([] if prefix == "" else split(prefix))

    def _next(self, words: list[str]) -> dict[str, float]:
        try:
            self.grammar.story(Reader(words, prefix=True))
        except NextWord as at_end:
            return at_end.distribution
        raise AssertionError("a story ended without choosing to")

    def fill(self, story: Story | str, i: int) -> dict[str, float]:
        """Exact probability of each word at place i, given all the other words.

        The best possible guess of a masked word. Its cost: one reading of the story for each
        word that may follow the words before, which are 1 to about 100.
        """
        scores = self._fitting(*_place(story, i))
        top = max(scores.values())
        mass = {w: math.exp(s - top) for w, s in scores.items()}
        total = math.fsum(mass.values())
        return {w: m / total for w, m in sorted(mass.items(), key=lambda kv: -kv[1])}

    def swaps(self, story: Story | str, i: int) -> dict[str, float]:
        """Every other word with which place i makes a story too, and the log-probability (nats) of that whole story.

        >>> swaps = World().swaps(RUNNING_TEXT, 5)
        >>> [(word, round(log_prob, 2)) for word, log_prob in swaps.items()]
        [('rug', -15.11), ('sofa', -15.51)]
        """
        words, i = _place(story, i)
        scores = self._fitting(words, i)
        return {w: scores[w] for w in sorted(scores, key=scores.get, reverse=True) if w != words[i]}

    def swap(self, story: Story | str, i: int, word: str) -> Swap:
        """The minimal pair of a story and the same with another word at place i; see ``swaps.Swap``.

        Raises:
            ValueError: the story with this word is none of the world, or is the same one.

        >>> pair = World().swap(RUNNING_TEXT, 1, "puppy")
        >>> pair.after, round(pair.log_odds, 2)
        ('The puppy sat on the mat. It was tired.', -2.11)
        """
        words, i = _place(story, i)
        self.log_prob(join(words))
        if word not in (fitting := self.swaps(story, i)):
            best = ", ".join(f'"{w}"' for w in [*fitting][:4]) or "no other word"
            raise ValueError(
                f'The word "{word}" does not make another story at place {i} ("{words[i]}"): '
                f"there could be {best}{' or others' if len(fitting) > 4 else ''}."
            )
        return Swap(self, tuple(words), i, word)

    def _fitting(self, words: list[str], i: int) -> dict[str, float]:
        """Word -> log-probability of the whole story with it at place i."""
        scores: dict[str, float] = {}
        for word in filter(None, self._next(words[:i])):
            try:
                scores[word] = _read(self.grammar, words[:i] + [word] + words[i + 1 :]).log_prob
            except ValueError:
                continue
        return scores

    # -- exact means ------------------------------------------------------------------------------

    @cached_property
    def _means(self) -> tuple[float, dict[str, float]]:
        stored = json.loads(MEANS.read_text())
        if self.bias == stored["bias"]:
            return stored["nats"], stored["printed"]
        return Reckoner(self.grammar).total()

    def printed(self) -> dict[str, float]:
        """How often each word is printed in a story, on average: exact.

        Words are as they stand in a text, with the space before them: "The", " cat", ".".
        Stored for the default bias; for another one worked out once, in some minutes.
        """
        return dict(self._means[1])

    def entropy(self) -> float:
        """Exact nats of a story, the choice to end it included."""
        return self._means[0]

    def mean_words(self) -> float:
        """Exact mean number of words of a story; punctuation counts."""
        return math.fsum(self._means[1].values())

    def mean_tokens(self, count: Callable[[str], int], end_tokens: int = 1) -> float:
        """Exact mean number of tokens of a story, `end_tokens` of which end it.

        `count` gives the tokens of a word as it is printed ("The", " cat", "."), so no token of
        the tokenizer may cross from one word into the next.
        """
        if not callable(count):
            raise TypeError(
                f"count must be a function of a word that gives its number of tokens, not {type(count).__name__}."
            )
        return end_tokens + math.fsum(n * count(w) for w, n in self._means[1].items())

    def entropy_per_word(self) -> float:
        """Exact nats of a story over its mean number of words (the end does not count)."""
        return self.entropy() / self.mean_words()

    def entropy_per_token(self, count: Callable[[str], int], end_tokens: int = 1) -> float:
        """Exact nats of a story over its mean number of tokens; see ``mean_tokens``.

        The floor under the mean loss per token of any model that reads whole stories.
        """
        return self.entropy() / self.mean_tokens(count, end_tokens)


def _place(story: Story | str, i: int) -> tuple[list[str], int]:
    """The words of a story, and a place in it counted from the front. Raises TypeError for no story, ValueError for no
    place in it.
    """
    if not isinstance(i, Integral):
        raise ValueError(f"A place in a story is a whole number, not {i!r}.")
    words = split(story.text if isinstance(story, Story) else story)
    if not -len(words) <= i < len(words):
        raise ValueError(f"Place {i} is outside the story: it has {len(words)} words.")
    return words, i % len(words)


def _read(grammar: Grammar, words: list[str], annotate: bool = False) -> Reader:
    reader = Reader(words, annotate)
    grammar.story(reader)
    return reader
