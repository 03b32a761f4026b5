"""The chain rule, layer by layer: from the gradient of what came out to the gradients of what went in.

`upstream` is always the gradient of the loss at the output of a layer, of the output's shape. Each function needs what
its layer saw on the way forward, and returns one gradient for each input, of that input's shape. LayerNorm's stands in
`labutils.layers.norms_backward`, the slopes of activations in `labutils.layers.slopes`.

The rules follow from the chain rule (Rumelhart, Hinton and Williams 1986); the tests compare each with torch.autograd.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from labutils.training.surprise import IGNORE, check_labels


# The chapter shows these, in lines of 86 characters.
# fmt: off
def linear_backward(
    upstream: Float[Tensor, "... out"],
    x: Float[Tensor, "... in"],
    W: Float[Tensor, "in out"],
) -> tuple[Float[Tensor, "... in"], Float[Tensor, "in out"], Float[Tensor, " out"]]:
    """Of y = x W + b: the gradients at x, W and b.

    A row of x met the columns of W, so the gradient goes back through W transposed.
    W and b served every row, so their gradients are sums over all rows.
    """
    rows = x.reshape(-1, x.shape[-1])  # (N, in)
    up = upstream.reshape(-1, upstream.shape[-1])  # (N, out)
    return upstream @ W.T, rows.T @ up, up.sum(0)


def cross_entropy_backward(
    logits: Float[Tensor, "... V"],
    labels: Integer[Tensor, "..."],
    smoothing: float = 0.0,
) -> Float[Tensor, "... V"]:
    """Of the mean cross-entropy: p - y over how many rows count; 0 elsewhere.

    y is 1 at the label; with `smoothing` ε it is 1 - ε there, and ε / V more at
    every token.
    """
    check_labels(logits, labels)
    kept, V = labels != IGNORE, logits.shape[-1]
    y = torch.nn.functional.one_hot(labels.where(kept, 0), V).to(logits.dtype)
    y = (1 - smoothing) * y + smoothing / V  # (..., V)
    return (logits.softmax(-1) - y) * kept[..., None] / kept.sum()


def softmax_backward(
    upstream: Float[Tensor, "... n"],
    weights: Float[Tensor, "... n"],
) -> Float[Tensor, "... n"]:
    """Of weights = softmax(scores): the gradient at the scores.

    Each weight times by how much its gradient is above the weighted mean.
    """
    return weights * (upstream - (weights * upstream).sum(-1, keepdim=True))


class AttentionGradients(NamedTuple):
    """Of queries, keys and values."""

    q: Float[Tensor, "... n_q d_k"]
    k: Float[Tensor, "... n_k d_k"]
    v: Float[Tensor, "... n_k d_v"]


def attention_backward(
    upstream: Float[Tensor, "... n_q d_v"],
    q: Float[Tensor, "... n_q d_k"],
    k: Float[Tensor, "... n_k d_k"],
    v: Float[Tensor, "... n_k d_v"],
    weights: Float[Tensor, "... n_q n_k"],
) -> AttentionGradients:
    """Of softmax(q kᵀ / √d_k) v, whose weights are known.

    Where the mask hid a key its weight is 0, so nothing comes back through it.
    """
    at_v = weights.mT @ upstream  # (..., n_k, d_v): each value, by those who took it
    at_weights = upstream @ v.mT  # (..., n_q, n_k)
    at_scores = softmax_backward(at_weights, weights) / math.sqrt(q.shape[-1])
    return AttentionGradients(at_scores @ k, at_scores.mT @ q, at_v)


# fmt: on
def embedding_backward(
    upstream: Float[Tensor, "... d"], ids: Integer[Tensor, "..."], size: int
) -> Float[Tensor, "size d"]:
    """Of table[ids]: each row of the table gets the sum of the gradients of all places where it was looked up."""
    table = upstream.new_zeros(size, upstream.shape[-1])
    return table.index_add(0, ids.flatten(), upstream.reshape(-1, upstream.shape[-1]))


def by_differences(f: Callable[[Tensor], Tensor], x: Float[Tensor, "..."], step: float = 1e-5) -> Float[Tensor, "..."]:
    """The gradient of a scalar f without a rule: each number of x is moved a little up and a little down.

    Two passes for each number, so it is for checks only, in float64.
    """
    gradient = torch.zeros_like(x)
    for i in range(x.numel()):
        move = torch.zeros_like(x).flatten()
        move[i] = step
        move = move.view_as(x)
        gradient.view(-1)[i] = (f(x + move) - f(x - move)) / (2 * step)
    return gradient
