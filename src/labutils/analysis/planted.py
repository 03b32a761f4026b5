"""Heads that were made to follow a pattern: whoever claims to find it has to find it here first.

None of them knows the detectors. Each is made of queries and keys, so that it is a head that a model could have: one
number or one table for what is sought, one for what is offered. Noise is added to the scores.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from labutils.analysis.patterns import Text
from labutils.layers import softmax

SURE = 6.0  # by how much the score of what is sought exceeds the others


def planted(pattern: str, text: Text, noise: float = 1.0, seed: int = 0) -> Float[Tensor, "n n"]:
    """The weights of a head of this pattern on a text; `noise` is the deviation of what is added to each score.

    Raises:
        ValueError: a pattern that is not planted.
    """
    if pattern not in MAKERS:
        raise ValueError(f"No head {pattern!r} can be planted: {', '.join(MAKERS)}.")
    queries, keys = MAKERS[pattern](text)
    g = torch.Generator().manual_seed(seed)
    scores = SURE * queries @ keys.mT + noise * torch.randn(text.n, text.n, generator=g)
    return softmax(scores.masked_fill(~text.visible, -torch.inf))


def _shifted(text: Text, by: int) -> tuple[Tensor, Tensor]:
    """Each place has a direction of its own; a query has the direction of the place that it seeks."""
    places = torch.eye(text.n)
    sought = torch.arange(text.n) + by
    return places[sought.clamp(0, text.n - 1)] * ((sought >= 0) & (sought < text.n))[:, None], places


def _offered(values: Tensor) -> tuple[Tensor, Tensor]:
    """All rows seek the same, and each place offers so much of it."""
    return torch.ones(len(values), 1), values[:, None].float()


def _marks(text: Text, places) -> Tensor:
    values = torch.zeros(text.n)
    values[list(places)] = 1.0
    return values


def _words(text: Text) -> Tensor:
    """A direction for each token that occurs."""
    return (text.ids[:, None] == text.ids.unique()).float()


def _same(text: Text) -> tuple[Tensor, Tensor]:
    """The same token, but not the same place: that is pushed away, twice as hard."""
    places = torch.eye(text.n)
    return torch.cat([_words(text), -2 * places], -1), torch.cat([_words(text), places], -1)


def _after_same(text: Text) -> tuple[Tensor, Tensor]:
    """Each place offers the token before it. Its own follower does so too, and is pushed away."""
    before, places = _words(text).roll(1, 0), torch.eye(text.n)
    before[0] = 0.0
    follower = places.roll(1, 0)  # place j offers the direction of j - 1
    follower[0] = 0.0
    return torch.cat([_words(text), -2 * places], -1), torch.cat([before, follower], -1)


def _far(text: Text) -> tuple[Tensor, Tensor]:
    """The score grows with the distance, by one sure step for every eight tokens: it is linear in both places."""
    places, ones = torch.arange(text.n).float() / 8, torch.ones(text.n)
    if text.causal:
        return torch.stack([places, ones], -1), torch.stack([ones, -places], -1)
    return torch.stack([places**2, -2 * places, ones], -1) / 8, torch.stack([ones, places, places**2], -1)


MAKERS = {
    "one back": lambda text: _shifted(text, -1),
    "two back": lambda text: _shifted(text, -2),
    "itself": lambda text: _shifted(text, 0),
    "one on": lambda text: _shifted(text, 1),
    "two on": lambda text: _shifted(text, 2),
    "first token": lambda text: _offered(_marks(text, [0])),
    "separators": lambda text: _offered(_marks(text, text.stops)),
    "rarest token": lambda text: _offered(-torch.log(text.counts.float())),
    "same token": _same,
    "after the same": _after_same,
    "far away": _far,
}
