"""Surprise in numbers: entropy, cross-entropy, Kullback-Leibler divergence, perplexity, and the loss that trains all
models of this book.

Everything is in nats; divide by ln 2 for bits. Shannon 1948 for entropy, Kullback and Leibler 1951 for the divergence,
Szegedy et al. 2016, section 7, for label smoothing.
"""

import math

import torch
from jaxtyping import Float, Integer
from torch import Tensor

IGNORE = -100  # the label that cross-entropy passes over, in PyTorch and in HuggingFace alike


def entropy(p: Float[Tensor, "... V"]) -> Float[Tensor, "..."]:
    """Mean surprise of one who knows the distribution: -Σ p ln p, with 0 ln 0 = 0.

    >>> entropy(torch.tensor([0.125, 0.0625, 0.0625, 0.5, 0.25], dtype=torch.float64)).item() / math.log(2)
    1.875
    """
    return -torch.xlogy(p, p).sum(-1)


def divergence(p: Float[Tensor, "... V"], q: Float[Tensor, "... V"]) -> Float[Tensor, "..."]:
    """Kullback-Leibler: by how much believing q costs more than the entropy where p is true. At least 0."""
    return (torch.xlogy(p, p) - torch.xlogy(p, q)).sum(-1)


def perplexity(loss: float) -> float:
    """e^loss: among how many equally likely tokens the model is choosing, to lose as much."""
    return math.exp(loss)


def cross_entropy(
    logits: Float[Tensor, "... V"], labels: Integer[Tensor, "..."], smoothing: float = 0.0, reduction: str = "mean"
) -> Float[Tensor, ""]:
    """Mean surprise at the labels, in nats: ln Σ e^logit minus the logit of the label.

    A label of IGNORE has no part in the mean, neither above nor below the line. With `smoothing` ε a share ε of every
    target is spread evenly over all V tokens. `reduction` "sum" leaves out the division.

    Raises ValueError where labels do not fit the logits, or one is no token; if all are IGNORE there is no mean, and
    the result is nan as in PyTorch.
    """
    check_labels(logits, labels)
    kept = labels != IGNORE
    rows, wanted = logits[kept], labels[kept]  # (N, V), (N,)
    log_p = rows - rows.logsumexp(-1, keepdim=True)
    at_label = log_p.gather(-1, wanted[:, None])[:, 0]
    terms = -(1 - smoothing) * at_label - smoothing * log_p.mean(-1)
    return terms.sum() if reduction == "sum" else terms.sum() / kept.sum()


def check_labels(logits: Tensor, labels: Tensor) -> None:
    """Raise ValueError with one sentence if the labels cannot be the answers of these logits."""
    if labels.shape != logits.shape[:-1]:
        raise ValueError(
            f"Logits of shape {tuple(logits.shape)} need labels of shape {tuple(logits.shape[:-1])}, one for each row,"
            f" and these have {tuple(labels.shape)}."
        )
    if labels.is_floating_point():
        raise ValueError(f"Labels are token ids, whole numbers, and these are {labels.dtype}: call labels.long().")
    wrong = (labels != IGNORE) & ((labels < 0) | (labels >= logits.shape[-1]))
    if wrong.any():
        raise ValueError(
            f"The label {labels[wrong][0].item()} is no token: ids go from 0 to {logits.shape[-1] - 1}, and {IGNORE}"
            " means that there is nothing to predict."
        )
