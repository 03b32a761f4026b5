"""Text to a model: objectives, batches, optimisation and the loop that can be interrupted.

Nothing here knows where the text comes from or what kind of transformer is trained; `labutils.making.make`
puts the pieces together for the shipped models. What a library does better in the loop is here by hand too, to be read:
`surprise`, `backward`, `optimisers`, `schedules`, `recomputing`, `precision`.
"""

from labutils.training.batches import by_length, pad
from labutils.training.loop import Plan, Progress, saved_weights, train
from labutils.training.objectives import (
    mask_tokens,
    mask_words,
    masked_language_loss,
    moved_right,
    next_token_loss,
    sentence_pair,
    seq2seq_loss,
)
from labutils.training.optimisation import adamw, warmup_cosine
from labutils.training.surprise import IGNORE, cross_entropy

__all__ = [
    "IGNORE",
    "Plan",
    "Progress",
    "adamw",
    "by_length",
    "cross_entropy",
    "mask_tokens",
    "mask_words",
    "masked_language_loss",
    "moved_right",
    "next_token_loss",
    "pad",
    "saved_weights",
    "sentence_pair",
    "seq2seq_loss",
    "train",
    "warmup_cosine",
]
