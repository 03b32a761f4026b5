"""Smaller numbers: each is rounded to one of a few whole numbers, times a scale that
many of them share.

The largest of those that share a scale becomes the largest whole number, so nothing is
cut off, and no number is off by more than half a scale.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float, Int8, UInt8
from torch import Tensor


class Quantised(NamedTuple):
    """whole * scale is about what was given."""

    whole: Int8[Tensor, "*shape"]
    scale: Float[Tensor, "*shared"]  # of the same axes, 1 along the shared one


def quantise(x: Float[Tensor, "*shape"], bits: int = 8, dim: int = -1) -> Quantised:
    """Round to whole numbers of so many bits; those along `dim` share a scale.

    For keys (B, G, m, d_k): dim=-1 gives a scale for each token, by row; dim=-2 one for
    each column of a head, by channel. Raises ValueError for bits outside 2 to 8.

    >>> quantise(torch.tensor([[1.2, -2.0, 0.6]]), bits=4).whole
    tensor([[ 4, -7,  2]], dtype=torch.int8)
    """
    if not 2 <= bits <= 8:
        raise ValueError(f"Whole numbers here have 2 to 8 bits, not {bits}.")
    most = 2 ** (bits - 1) - 1  # 127 for 8 bits, 7 for 4
    scale = x.abs().amax(dim, keepdim=True) / most
    scale = scale.masked_fill(scale == 0, 1)  # nothing but zeros: they stay
    return Quantised((x / scale).round().to(torch.int8), scale)


def restored(q: Quantised) -> Float[Tensor, "*shape"]:
    """The numbers again, each off by at most half a scale."""
    return q.whole * q.scale


def packed(whole: Int8[Tensor, "... n"]) -> UInt8[Tensor, "... half"]:
    """Two whole numbers of four bits in one byte; an odd one out gets a 0 beside it.

    >>> packed(torch.tensor([1, -1, 7], dtype=torch.int8))
    tensor([241,   7], dtype=torch.uint8)
    """
    if whole.shape[-1] % 2:
        whole = torch.cat([whole, torch.zeros_like(whole[..., :1])], -1)
    low, high = (whole & 15).to(torch.uint8).unflatten(-1, (-1, 2)).unbind(-1)
    return low | (high << 4)


def unpacked(bytes_: UInt8[Tensor, "... half"], n: int) -> Int8[Tensor, "... n"]:
    """The first n whole numbers of four bits again: `packed` backwards."""
    both = torch.stack([bytes_ & 15, bytes_ >> 4], -1).flatten(-2)[..., :n]
    both = both.to(torch.int8)
    return torch.where(both > 7, both - 16, both)
