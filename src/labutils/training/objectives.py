"""The two objectives: the next token (GPT-2) and the hidden word (BERT)."""

import random
from collections.abc import Hashable, Sequence

import torch
import torch.nn.functional as F

IGNORE = -100  # the label that cross-entropy passes over, in PyTorch and in HuggingFace alike


def next_token_loss(logits: torch.Tensor, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean negative log-probability in nats of each token given those before it.

    logits (B, n, V), ids (B, n), mask (B, n) with 0 on padding. Position i predicts token i + 1, so a sequence of n
    tokens has n - 1 terms. Source: Radford et al. 2018, section 3.1, equation 1.
    """
    labels = ids[:, 1:].masked_fill(mask[:, 1:] == 0, IGNORE)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels.flatten(), ignore_index=IGNORE)


def masked_language_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean negative log-probability in nats of the chosen tokens: logits (..., V), labels (...), IGNORE elsewhere."""
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten(), ignore_index=IGNORE)


def mask_words(
    ids: Sequence[int],
    words: Sequence[Hashable | None],
    rate: float,
    mask_id: int,
    ordinary: Sequence[int],
    rng: random.Random,
) -> tuple[list[int], list[int]]:
    """Choose whole words with probability `rate` and corrupt them: `(corrupted ids, labels)`.

    `words` names the word of each token; a special token has None and is never chosen. Of the chosen words 80% become
    `mask_id` at every piece, 10% become random `ordinary` ids, 10% stay as they are; all of them are to be predicted,
    so their label is the original id and every other label is IGNORE. At least one word is chosen if there is any.
    Source: Devlin et al. 2019, section 3.1 and appendix A.1 (80/10/10); whole words as in the authors' later release.
    """
    names = list(dict.fromkeys(w for w in words if w is not None))
    chosen = {w: rng.random() for w in names if rng.random() < rate}
    if names and not chosen:
        chosen = {rng.choice(names): rng.random()}
    corrupted, labels = list(ids), [IGNORE] * len(ids)
    for i, word in enumerate(words):
        if word in chosen:
            labels[i] = ids[i]
            if chosen[word] < 0.8:
                corrupted[i] = mask_id
            elif chosen[word] < 0.9:
                corrupted[i] = rng.choice(ordinary)
    return corrupted, labels
