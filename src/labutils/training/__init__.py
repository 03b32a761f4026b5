"""Text to a model: objectives, batches, optimisation and the loop that can be interrupted.

Nothing here knows where the text comes from or what kind of transformer is trained; `labutils.making.make`
puts the pieces together for the shipped models.
"""

from labutils.training.batches import by_length, pad
from labutils.training.loop import Plan, Progress, saved_weights, train
from labutils.training.objectives import IGNORE, mask_words, masked_language_loss, next_token_loss
from labutils.training.optimisation import adamw, warmup_cosine

__all__ = [
    "IGNORE",
    "Plan",
    "Progress",
    "adamw",
    "by_length",
    "mask_words",
    "masked_language_loss",
    "next_token_loss",
    "pad",
    "saved_weights",
    "train",
    "warmup_cosine",
]
