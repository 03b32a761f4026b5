"""What a model is trained to say: the next token (GPT-2), the hidden word and whether a sentence follows (BERT), the
answer to another text (an encoder with a decoder).
"""

import random
from collections.abc import Hashable, Sequence

import torch
import torch.nn.functional as F

from labutils.training.surprise import IGNORE, check_labels


def next_token_loss(logits: torch.Tensor, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean negative log-probability in nats of each token given those before it.

    logits (B, n, V), ids (B, n), mask (B, n) with 0 on padding. Position i predicts token i + 1, so a sequence of n
    tokens has n - 1 terms. Source: Radford et al. 2018, section 3.1, equation 1.
    """
    check_labels(logits, ids)
    labels = ids[:, 1:].masked_fill(mask[:, 1:] == 0, IGNORE)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels.flatten(), ignore_index=IGNORE)


def masked_language_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean negative log-probability in nats of the chosen tokens: logits (..., V), labels (...), IGNORE elsewhere."""
    check_labels(logits, labels)
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten(), ignore_index=IGNORE)


def seq2seq_loss(logits: torch.Tensor, answer: torch.Tensor) -> torch.Tensor:
    """Mean negative log-probability of an answer's tokens, each given the answer before it and all of the other text.

    logits (B, n, V), answer (B, n) with IGNORE on padding. The decoder reads the answer moved right by one
    (`moved_right`), so its row t already stands for token t: nothing is shifted here. Source: Vaswani et al. 2017,
    section 3, and Sutskever et al. 2014, equation 1.
    """
    return masked_language_loss(logits, answer)


def moved_right(answer: torch.Tensor, start: int, pad: int) -> torch.Tensor:
    """What the decoder reads: `start`, then the answer without its last token; `pad` takes the place of IGNORE."""
    read = torch.cat([answer.new_full((*answer.shape[:-1], 1), start), answer[..., :-1]], -1)
    return read.masked_fill(read == IGNORE, pad)


def sentence_pair(sentences: Sequence[str], i: int, others: Sequence[str], rng: random.Random) -> tuple[str, str, bool]:
    """Sentence i and, half of the time, the one that follows it; else one of `others`: `(first, second, follows)`.

    Source: Devlin et al. 2019, section 3.1, task 2. Raises ValueError where nothing follows, or there is no other.
    """
    if not 0 <= i < len(sentences) - 1:
        raise ValueError(
            f"No sentence follows number {i} of {len(sentences)}: take one from 0 to {len(sentences) - 2}."
        )
    if not others:
        raise ValueError("There is no other sentence to draw from: give the sentences of another text.")
    follows = rng.random() < 0.5
    return sentences[i], sentences[i + 1] if follows else rng.choice(others), follows


def mask_tokens(
    ids: torch.Tensor,
    special: torch.Tensor,
    mask_id: int,
    size: int,
    rate: float = 0.15,
    rng: torch.Generator | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Choose tokens one by one with probability `rate` and corrupt them: `(corrupted ids, labels)`, both (B, n).

    special (B, n) is True at [CLS], [SEP] and padding, which are never chosen. Of the chosen 80% become `mask_id`, 10%
    one of the `size` tokens, each as likely, 10% stay. HuggingFace's DataCollatorForLanguageModeling draws the same
    shares. Source: Devlin et al. 2019, section 3.1.
    """
    draw = lambda: torch.rand(ids.shape, generator=rng)
    chosen = (draw() < rate) & ~special
    fate = draw()
    corrupted = ids.masked_fill(chosen & (fate < 0.8), mask_id)
    by_chance = torch.randint(size, ids.shape, generator=rng)
    corrupted = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), by_chance, corrupted)
    return corrupted, ids.masked_fill(~chosen, IGNORE)


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
