"""Truncation: the unlikely tokens are cut off before one is drawn, by four rules.

Each rule gives a cut token the logit -inf and leaves the others as they are, so that
the softmax after it shares the whole among those that stay. No rule but `typical` ever
cuts the most probable token.

Top-k: Fan et al. 2018. Nucleus, or top-p: Holtzman et al. 2020. Min-p: Nguyen et al.
2025. Typical: Meister et al. 2023. They are HuggingFace's `TopKLogitsWarper`,
`TopPLogitsWarper`, `MinPLogitsWarper` and `TypicalLogitsWarper`.
"""

from numbers import Integral

import torch
from jaxtyping import Float
from torch import Tensor


def top_k(logits: Float[Tensor, "... V"], k: int) -> Float[Tensor, "... V"]:
    """The k largest logits, and those that are as large as the last of them.

    k = 0 cuts nothing. Raises ValueError for a k that is no whole number, is negative,
    or is larger than V.

    >>> top_k(torch.tensor([1.0, 3.0, 2.0]), 2)
    tensor([-inf, 3., 2.])
    """
    if not (isinstance(k, Integral) and 0 <= k <= logits.shape[-1]):  # later
        raise ValueError(
            f"top_k is how many of the {logits.shape[-1]} tokens stay, or 0 for all:"
            f" {k} is neither."
        )
    if k == 0:
        return logits
    least = logits.topk(k, dim=-1).values[..., -1:]  # (..., 1)
    return logits.masked_fill(logits < least, -torch.inf)


def top_p(logits: Float[Tensor, "... V"], p: float) -> Float[Tensor, "... V"]:
    """The nucleus: the smallest set of tokens with a mass of at least p.

    Counting from the most probable one, a token stays while the mass before it is
    below p; so the one that crosses p stays, and the first one always. p = 1 cuts
    nothing. Raises ValueError for a p that is not above 0 and at most 1.

    >>> odds = torch.tensor([1.0, 1, 8, 4, 2]) / 16
    >>> top_p(odds.log(), 0.7).softmax(-1)
    tensor([0.0000, 0.0000, 0.6667, 0.3333, 0.0000])
    """
    if not 0 < p <= 1:  # later
        raise ValueError(f"top_p is a mass above 0 and at most 1, not {p}.")
    if p == 1:
        return logits
    odds, order = logits.softmax(-1).sort(descending=True, dim=-1, stable=True)
    before = odds.cumsum(-1) - odds  # the mass of all that are more probable
    cut = before >= p
    cut[..., 0] = False  # for a p that rounds to 0 too
    cut = cut.scatter(-1, order, cut)  # back to the order of the ids
    return logits.masked_fill(cut, -torch.inf)


def min_p(logits: Float[Tensor, "... V"], p: float) -> Float[Tensor, "... V"]:
    """All tokens that have at least p times the probability of the best one.

    p = 0 cuts nothing. Raises ValueError for a p outside 0 to 1.

    >>> min_p(torch.tensor([1.0, 1, 8, 4, 2]).log(), 0.25).softmax(-1)
    tensor([0.0000, 0.0000, 0.5714, 0.2857, 0.1429])
    """
    if not 0 <= p <= 1:  # later
        raise ValueError(f"min_p is a share between 0 and 1, not {p}.")
    odds = logits.softmax(-1)
    cut = odds < p * odds.amax(-1, keepdim=True)
    return logits.masked_fill(cut, -torch.inf)


def typical(logits: Float[Tensor, "... V"], mass: float) -> Float[Tensor, "... V"]:
    """The tokens that surprise about as much as a token of these odds does on average:
    the smallest set of them with at least this mass, and those that are as typical as
    the last of it.

    Counting from the token whose surprise is nearest to the entropy; so the most
    probable one may be cut. mass = 1 cuts nothing. Raises ValueError for a mass that is
    not above 0 and at most 1.

    >>> odds = torch.tensor([1.0, 1, 8, 4, 2]) / 16  # surprises of 1 to 4 bits
    >>> typical(odds.log(), 0.2).softmax(-1)  # their mean is 1.875 bits
    tensor([0., 0., 0., 1., 0.])
    """
    if not 0 < mass <= 1:  # later
        raise ValueError(f"typical is a mass above 0 and at most 1, not {mass}.")
    if mass == 1:
        return logits
    odds, log_odds = logits.softmax(-1), logits.log_softmax(-1)
    entropy = torch.special.entr(odds).sum(-1, keepdim=True)
    away, order = (-log_odds - entropy).abs().sort(dim=-1)
    reached = (odds.gather(-1, order).cumsum(-1) < mass).sum(-1, keepdim=True)
    limit = away.gather(-1, reached.clamp(max=logits.shape[-1] - 1))  # (..., 1)
    return logits.masked_fill((-log_odds - entropy).abs() > limit, -torch.inf)
