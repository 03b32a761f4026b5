"""Which words stand beside which: counted, weighed, and made into a row for each word."""

import torch
from jaxtyping import Float, Integer
from torch import Tensor


def ppmi(texts: list[Integer[Tensor, " n"]], V: int) -> Float[Tensor, "V 2V"]:
    """A row for each of V tokens: how much more often than by chance each stands
    right before and right after it, as a logarithm, at least 0.

    Positive pointwise mutual information; chance is taken over all neighbours.
    """
    first = torch.cat([text[:-1] for text in texts])
    second = torch.cat([text[1:] for text in texts])
    after = torch.bincount(first * V + second, minlength=V * V).view(V, V).double()
    counts = torch.cat([after.T, after], 1)  # (V, 2V): before, after
    chance = counts.sum(1, keepdim=True) * counts.sum(0) / counts.sum()
    return torch.where(counts > chance, torch.log(counts / chance), 0.0)
