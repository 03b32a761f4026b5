"""Attention by hand in the layout of exercise 4.2, right and gone wrong in each way that is known.

The heads of the inputs stand behind the tokens: q (B, n, H, d_k), k (B, m, H, d_k), v (B, m, H, d_v), and hidden is
(B, n, m) or has axes of length 1. Results are (B, n, H * d_v) in float64.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor


def attended(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor, scale: float | None = None) -> Tensor:
    """What is right; another `scale` than 1 / √d_k spoils it."""
    return joined(_mixture(q, k, v, hidden, scale))


def joined(mixture: Tensor) -> Tensor:
    """(B, H, n, d_v) -> (B, n, H * d_v)."""
    return mixture.transpose(1, 2).flatten(2)


def mistakes(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    d_k = q.shape[-1]
    yield "The scores were not divided.", attended(q, k, v, hidden, scale=1.0)
    yield "The scores were divided by d_k, or by √d_k twice.", attended(q, k, v, hidden, scale=1 / d_k)
    yield "That is the result without any mask.", attended(q, k, v, torch.zeros_like(hidden))
    yield "The mask is inverted: here True means hidden.", attended(q, k, v, ~hidden)
    yield from _in_the_mask(q, k, v, hidden)
    yield from _in_the_axes(q, k, v, hidden)


def _in_the_mask(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> Iterator[tuple[str, Tensor]]:
    right, values, scores = _mixture(q, k, v, hidden), v.double().transpose(1, 2), _scores(q, k)
    hides = hidden[:, None].expand(len(q), 1, q.shape[1], k.shape[1])
    sees_nothing, everything = hides.all(-1, keepdim=True), values.mean(-2, keepdim=True)
    kept = scores.softmax(-1) * ~hides
    again = kept / kept.sum(-1, keepdim=True)
    for sentence, mixture in (
        ("A row that sees nothing shared itself out evenly.", torch.where(sees_nothing, everything, right)),
        ("A row of nothing but −∞ became nan.", torch.where(sees_nothing, torch.nan, right)),
        ("The mask was applied after the softmax.", kept @ values),
        ("The mask was applied after the softmax, and the row divided again.", again @ values),
        ("The mask was added to the scores as 0 and 1.", (scores + hides).softmax(-1) @ values),
        ("The mask was added to the scores as 1 and 0.", (scores + ~hides).softmax(-1) @ values),
        ("The hidden scores were set to 0, and e⁰ is 1.", (scores * ~hides).softmax(-1) @ values),
    ):
        yield sentence, joined(mixture)


def _in_the_axes(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> Iterator[tuple[str, Tensor]]:
    right, (B, n, H), m = _mixture(q, k, v, hidden), q.shape[:3], k.shape[1]
    values, scores, whole = v.double().transpose(1, 2), _scores(q, k), hidden.expand(B, n, m)
    by_query = scores.masked_fill(whole[:, None], -torch.inf).softmax(-2).nan_to_num(0.0)
    yield "The softmax ran along the queries.", joined(by_query @ values)
    early = "The heads were joined before the tokens were moved back in front of them."
    yield early, right.flatten(1).view_as(joined(right))
    interleaved = "The numbers of the heads are interleaved: all of head 0 come first."
    yield interleaved, right.permute(0, 2, 3, 1).flatten(2)
    if H == B:
        by_text = scores.masked_fill(whole, -torch.inf).softmax(-1).nan_to_num(0.0)
        yield "The texts in the mask were taken for heads.", joined(by_text @ values)
    if m in (1, n):
        beside = (q.double() @ k.double().mT / math.sqrt(q.shape[-1])).softmax(-1) @ v.double()
        yield "The heads of each token were compared with each other, not the tokens.", beside.flatten(2)
    cut = [x.reshape(len(x), x.shape[2], x.shape[1], -1).transpose(1, 2) for x in (q, k, v)]
    yield "The axes were cut anew (view, reshape) instead of being swapped.", attended(*cut, hidden)


def _scores(q: Tensor, k: Tensor, scale: float | None = None) -> Tensor:
    """(B, H, n, m) in float64."""
    q, k = (x.double().transpose(1, 2) for x in (q, k))
    return q @ k.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)


def _mixture(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor, scale: float | None = None) -> Tensor:
    """(B, H, n, d_v), before the heads are joined."""
    weights = _scores(q, k, scale).masked_fill(hidden[:, None], -torch.inf).softmax(-1).nan_to_num(0.0)
    return weights @ v.double().transpose(1, 2)
