"""A head that follows grammar: each word looks at the word that it belongs to.

What `patterns` and `planted` are for places and tokens, this is for words whose grammar is annotated. All is between
words here, so that the detectors of `patterns` and this one can be asked about the same head.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from labutils.analysis.gold_words import SENTENCE_ENDS
from labutils.analysis.patterns import Text, detect, weight_on
from labutils.analysis.planted import SURE
from labutils.layers import softmax
from labutils.world import Story, Word

BELONGS = "its head word"


def texts_of_words(stories: Sequence[Story]) -> list[Text]:
    """What detectors know of these stories, word by word, both sides in sight; words are counted over all of them."""
    numbers: dict[str, int] = {}
    ids = [[numbers.setdefault(word.text.lower(), len(numbers)) for word in story.words] for story in stories]
    counts = torch.cat([torch.tensor(one) for one in ids]).bincount()
    stops = [tuple(i for i, word in enumerate(story.words) if word.text[0] in SENTENCE_ENDS) for story in stories]
    return [Text(torch.tensor(one), marks, counts[one], causal=False) for one, marks in zip(ids, stops)]


def arcs(words: Sequence[Word]) -> Bool[Tensor, "W W"]:
    """True where a row's word belongs to a column's: an article to its noun, a subject to its verb. The main word of a
    sentence belongs to none; a mark is left out.
    """
    table = torch.zeros(len(words), len(words), dtype=torch.bool)
    for i, word in enumerate(words):
        if word.head >= 0 and word.deprel != "punct":
            table[i, word.head] = True
    return table


def planted_arcs(words: Sequence[Word], noise: float = 1.0, seed: int = 0) -> Float[Tensor, "W W"]:
    """The weights of a head that was made to follow grammar, as `planted` makes others: each place has a direction of
    its own, and a word's query has that of the word it belongs to.
    """
    queries, keys = arcs(words).float(), torch.eye(len(words))
    g = torch.Generator().manual_seed(seed)
    return softmax(SURE * queries @ keys.mT + noise * torch.randn(len(words), len(words), generator=g))


def detect_with_grammar(weights: Float[Tensor, "... W W"], text: Text, words: Sequence[Word]) -> dict[str, Tensor]:
    """The scores of `detect`, and the mean weight on the word that a word belongs to."""
    return {**detect(weights, text), BELONGS: weight_on(weights, arcs(words), text)}
