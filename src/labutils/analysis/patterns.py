"""Where a head looks that follows a pattern, and how much of its weight each head has there.

A detector is a table of places (n, n): True where a head of that pattern would look. Its score is the mean weight on
them, over the rows that have a choice: at least one place of the pattern in sight, and one that is none. What it is
worth is told by the score of a head that looks at all it sees alike (`even`).
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

FAR = 8  # tokens: more than that is far


@dataclass(frozen=True)
class Text:
    """What a detector knows of a text of n tokens.

    ids (n,); stops: where marks stand that separate, full stops and [SEP]; counts (n,): how often the token of each
    place occurs in many texts; causal: whether a row sees no later one.
    """

    ids: Integer[Tensor, " n"]
    stops: tuple[int, ...]
    counts: Integer[Tensor, " n"]
    causal: bool

    @property
    def n(self) -> int:
        return len(self.ids)

    @property
    def visible(self) -> Bool[Tensor, "n n"]:
        seen = torch.ones(self.n, self.n, dtype=torch.bool)
        return seen.tril() if self.causal else seen


def at_distance(by: int) -> Callable[[Text], Tensor]:
    """The place `by` tokens on; -1 is the token before."""
    return lambda text: torch.ones(text.n, text.n, dtype=torch.bool).triu(by).tril(by)


def first(text: Text) -> Bool[Tensor, "n n"]:
    """The first token."""
    return _columns(text, [0])


def separators(text: Text) -> Bool[Tensor, "n n"]:
    """The marks that separate, a row's own place left out."""
    return _columns(text, text.stops) & ~at_distance(0)(text)


def rarest(text: Text) -> Bool[Tensor, "n n"]:
    """The rarest token in sight; all of them where several are (Voita et al. 2019)."""
    counts = text.counts.expand(text.n, text.n).masked_fill(~text.visible, torch.iinfo(torch.long).max)
    return counts == counts.amin(-1, keepdim=True)


def same(text: Text) -> Bool[Tensor, "n n"]:
    """The same token at another place."""
    return (text.ids[:, None] == text.ids) & ~at_distance(0)(text)


def after_same(text: Text) -> Bool[Tensor, "n n"]:
    """The token that followed the same token at another place (Olsson et al. 2022)."""
    return same(text).roll(1, -1) & ~_columns(text, [0])


def far(text: Text) -> Bool[Tensor, "n n"]:
    """More than FAR tokens away."""
    places = torch.arange(text.n)
    return (places[:, None] - places).abs() > FAR


PATTERNS: dict[str, Callable[[Text], Tensor]] = {
    "one back": at_distance(-1),
    "two back": at_distance(-2),
    "itself": at_distance(0),
    "one on": at_distance(1),
    "two on": at_distance(2),
    "first token": first,
    "separators": separators,
    "rarest token": rarest,
    "same token": same,
    "after the same": after_same,
    "far away": far,
}


def weight_on(weights: Float[Tensor, "... n n"], places: Bool[Tensor, "n n"], text: Text) -> Tensor:
    """Mean weight of each head on the places, over the rows that have a choice; nan where no row has one.

    Shape (..., n, n) -> (...).
    """
    places = places & text.visible
    asks = places.any(-1) & (text.visible & ~places).any(-1)
    return (weights * places).sum(-1)[..., asks].mean(-1)


def even(text: Text) -> Float[Tensor, "n n"]:
    """The weights of a head that looks at all it sees alike."""
    seen = text.visible.float()
    return seen / seen.sum(-1, keepdim=True)


def detect(weights: Float[Tensor, "... n n"], text: Text) -> dict[str, Tensor]:
    """For each pattern the score of each head, (...)."""
    return {name: weight_on(weights, places(text), text) for name, places in PATTERNS.items()}


def breadth(weights: Float[Tensor, "... n n"], text: Text) -> Tensor:
    """At how many tokens a head looks, as a share of those in sight: e to the entropy of a row, divided by their
    number. 1: all alike. The mean over the rows that see more than one; shape (..., n, n) -> (...).
    """
    in_sight = text.visible.sum(-1)
    spread = torch.exp(torch.special.entr(weights).sum(-1)) / in_sight
    return spread[..., in_sight > 1].mean(-1)


def _columns(text: Text, places) -> Bool[Tensor, "n n"]:
    table = torch.zeros(text.n, text.n, dtype=torch.bool)
    table[:, list(places)] = True
    return table
