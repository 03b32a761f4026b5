"""Where the heads of the little BERT look in stories, and how often a noun's largest weight is on its preposition."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import torch
from torch import Tensor

from labutils.analysis.gold_words import each_story
from labutils.checkpoints import load
from labutils.world import Story, Word, World

STORIES = 120
FAR = 8  # the largest distance, in words


def bert_reads(stories: Sequence[Story]) -> list[tuple[tuple[Word, ...], Tensor]]:
    """For each story its words and the weights between them, (layers, heads, words, words), in the little BERT.

    The weights of the tokens of a word are put together; what [CLS] and [SEP] get is left out.
    """
    bert = _little()
    weights = dict(each_story(bert.model, bert.tokenizer, list(stories)))
    return [(story.words, weights[i]) for i, story in enumerate(stories)]


@cache
def _little():
    return load("little-bert")


def layers_and_heads() -> tuple[int, int]:
    """How many layers the little BERT has, and how many heads a layer."""
    config = _little().model.config
    return config.n_layers, config.n_heads


@dataclass(frozen=True)
class Fresh:
    """The prepositions of fresh stories, one row each.

    Attributes:
        heads: whether the noun's largest weight is on its preposition, (cases, L * H).
        back: whether the preposition's largest weight is on its noun, (cases, L * H).
        shares: the weight that the noun gives its preposition, (cases, L * H).
        asked: for each case the parts of speech of its story, the place of the noun, that of the preposition.
    """

    heads: Tensor
    back: Tensor
    shares: Tensor
    asked: list[tuple[list[str], int, int]]

    def found_by(self, rule: Callable[[list[str], int], int | None]) -> Tensor:
        """Whether a rule finds the preposition, (cases,): parts of speech and the place of the noun -> its place."""
        return torch.tensor([rule(parts, noun) == right for parts, noun, right in self.asked])

    def best_distance(self) -> int:
        """How many words before its noun the preposition stands most often."""
        return max(range(1, FAR + 1), key=lambda back: int(self.found_by(lambda _, noun: noun - back).sum()))


@lru_cache(maxsize=1)
def fresh(seed: int) -> Fresh:
    """What the heads of the little BERT do in fresh stories."""
    return heard(World().stories(STORIES, seed))


@cache
def two_halves() -> tuple[Fresh, Fresh]:
    """The same in the stories of the card: the first 120, on which a head is chosen, and the last, on which it is
    scored.
    """
    told = World().stories(2 * STORIES, seed=4)
    return heard(told[:STORIES]), heard(told[STORIES:])


def heard(stories: Sequence[Story]) -> Fresh:
    heads, back, shares, asked = [], [], [], []
    for words, weights in bert_reads(stories):
        largest = weights.argmax(-1).flatten(0, 1)  # (L * H, words)
        for i, word in enumerate(words):
            if word.deprel == "case":
                heads.append(largest[:, word.head] == i)
                back.append(largest[:, i] == word.head)
                shares.append(weights[:, :, word.head, i].flatten())
                asked.append(([other.upos for other in words], word.head, i))
    return Fresh(torch.stack(heads), torch.stack(back), torch.stack(shares), asked)
