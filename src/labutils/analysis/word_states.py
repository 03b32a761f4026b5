"""What a model holds of each word after every layer: rows of tokens put together to rows of words."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from labutils.analysis.gold_words import read
from labutils.training import pad

ROWS = 32  # stories in one batch


def word_states(model, tokenizer, stories: Sequence) -> list[Float[Tensor, "L+1 words d"]]:
    """For each story the states of its words: the embeddings first, then what each of the L layers gives.

    A word of several pieces has their mean. model: one of ours, with `hidden_states`; stories: of the little world,
    with their gold words. Texts of about the same length are read together, with padding.
    """
    given = [read(tokenizer, story) for story in stories]
    order = sorted(range(len(given)), key=lambda i: len(given[i][0]))
    found: list = [None] * len(given)
    for start in range(0, len(order), ROWS):
        batch = order[start : start + ROWS]
        ids = pad([given[i][0] for i in batch], -1)
        with torch.no_grad():
            states = torch.stack(model(ids.clamp(min=0), (ids >= 0).long()).hidden_states)  # (L+1, B, n, d)
        for b, i in enumerate(batch):
            found[i] = torch.stack([states[:, b, pieces].mean(1) for pieces in given[i][1]], 1)
    return found
