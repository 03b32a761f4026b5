"""Attention between the words of a story, where the gold annotation is: tokens put together to words."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from labutils.analysis.passes import passes
from labutils.models import family_of

END = "<|endoftext|>"  # a model whose tokenizer has it reads it before a story
# first characters of the marks that end a sentence; a closing quote may be part of the mark
SENTENCE_ENDS = (".", "?", "!")


def read(tokenizer, story) -> tuple[list[int], list[list[int]]]:
    """The ids of a story as the model reads it, the end sign or [CLS] first, and for each of its words the tokens."""
    e = tokenizer.encode(story.text)
    first = [tokenizer.token_to_id(END)] if END in tokenizer.vocab else []
    word_at = {c: i for i, word in enumerate(story.words) for c in range(word.start, word.end)}
    tokens: list[list[int]] = [[] for _ in story.words]
    for t, (a, b) in enumerate(e.offsets):
        if b > a:
            # a space belongs to the word after it
            tokens[word_at[b - 1 if b - 1 in word_at else b]].append(t + len(first))
    return first + list(e.ids), tokens


def word_weights(weights: Tensor, tokens: Sequence[Sequence[int]], causal: bool) -> Tensor:
    """Weights between tokens (L, H, n, n) as weights between words (L, H, W, W).

    The weights on the pieces of a word are added. A word asks from its last piece in GPT-2, which alone has read it
    whole; in BERT the pieces' weights are averaged. As in Clark et al. 2019, "What Does BERT Look At?", section 4.1.
    """
    asks, heard = torch.zeros(len(tokens), weights.shape[-1]), torch.zeros(weights.shape[-1], len(tokens))
    for w, pieces in enumerate(tokens):
        asks[w, pieces[-1] if causal else list(pieces)] = 1.0 if causal else 1 / len(pieces)
        heard[list(pieces), w] = 1.0
    return asks @ weights @ heard


def each_story(model, tokenizer, stories: list) -> Iterator[tuple[int, Tensor]]:
    """(i, weights between the words of stories[i]), (L, H, W, W)."""
    given = [read(tokenizer, story) for story in stories]
    for i, made in passes(model, [ids for ids, _ in given], weights=True):
        yield i, word_weights(made.weights, given[i][1], family_of(model).causal)
