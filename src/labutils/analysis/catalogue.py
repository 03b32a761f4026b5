"""The heads of a model by pattern: how much weight each has where such a head would look, story by story."""

from collections.abc import Sequence

import torch
from torch import Tensor

from labutils.analysis.gold_words import SENTENCE_ENDS, read
from labutils.analysis.passes import passes
from labutils.analysis.patterns import Text, detect, even
from labutils.models import family_of
from labutils.world import Story


def texts_of(tokenizer, stories: Sequence[Story], causal: bool) -> list[Text]:
    """What detectors know of these stories, as the model reads them; tokens are counted over all of them."""
    both = [read(tokenizer, story) for story in stories]
    counts = torch.cat([torch.tensor(ids) for ids, _ in both]).bincount()
    return [
        Text(
            torch.tensor(ids),
            (
                *(own[0] for word, own in zip(story.words, pieces) if word.text[0] in SENTENCE_ENDS),
                *([] if causal else [len(ids) - 1]),  # [SEP]
            ),
            counts[ids],
            causal,
        )
        for story, (ids, pieces) in zip(stories, both)
    ]


def catalogue(model, tokenizer, stories: Sequence[Story]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """For each pattern the scores of all heads, (stories, L, H), and that of an even look, (stories,).

    nan where no row of a story has a choice.
    """
    texts = texts_of(tokenizer, stories, family_of(model).causal)
    found: list[dict[str, Tensor]] = [{} for _ in texts]
    for i, made in passes(model, [text.ids.tolist() for text in texts], weights=True):
        found[i] = detect(made.weights, texts[i])
    alike = [detect(even(text), text) for text in texts]
    return tuple({name: torch.stack([one[name] for one in scores]) for name in scores[0]} for scores in (found, alike))
