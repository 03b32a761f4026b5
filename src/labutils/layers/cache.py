"""The cache: what a causal model keeps of the tokens before, so that one more token
costs one token.

A key and a value depend on their own token and on those before it, never on what comes
after. So they are computed once, and a query that comes later finds them here.
"""

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from .masks import causal_mask, padding_mask
from .multi_head import KeysValues
from .positions import count_positions


class KeptKeys:
    """The keys and values of one layer, (B, G, m, d_k) each, of all m tokens so far."""

    def __init__(self):
        self.pair: KeysValues | None = None

    def __call__(
        self, k: Float[Tensor, "B G n d_k"], v: Float[Tensor, "B G n d_k"]
    ) -> KeysValues:
        """Put those of n new tokens behind the others; all of them come back."""
        old = self.pair or (k[:, :, :0], v[:, :, :0])
        self.pair = torch.cat([old[0], k], dim=2), torch.cat([old[1], v], dim=2)
        return self.pair


class Cache:
    """Keys and values of every layer of a model, and what the model has to know of the
    tokens they were made of: which of them are padding, and where each stands.

    >>> cache = Cache()
    >>> positions, mask = cache.read(torch.tensor([[7, 8]]))
    >>> positions, mask = cache.read(torch.tensor([[9]]))
    >>> positions, mask.int(), len(cache)
    (tensor([[2]]), tensor([[[[1, 1, 1]]]], dtype=torch.int32), 3)
    """

    def __init__(self):
        self.layers: dict[int, KeptKeys] = {}
        self.positions: Integer[Tensor, "B m"] | None = None
        self.real: Bool[Tensor, "B m"] | None = None  # no padding

    def __len__(self) -> int:
        """How many tokens were read, m."""
        return 0 if self.positions is None else self.positions.shape[1]

    def layer(self, i: int) -> KeptKeys:
        """What attention of layer i takes as its `cache`."""
        return self.layers.setdefault(i, KeptKeys())

    def read(
        self,
        ids: Integer[Tensor, "B n"],
        attention_mask: Integer[Tensor, "B n"] | None = None,
        positions: Integer[Tensor, "B n"] | None = None,
    ) -> tuple[Integer[Tensor, "B n"], Bool[Tensor, "B 1 n m"]]:
        """n new tokens: where they stand, and which of all m tokens each may see.

        attention_mask: 1 for a token, 0 for padding. positions: if not given, they go
        on after the last place of each text. Raises ValueError for another number of
        texts than before.
        """
        past, n = len(self), ids.shape[1]
        if past and len(ids) != len(self.positions):
            raise ValueError(
                f"This cache holds {len(self.positions)} texts, and {len(ids)} go on:"
                " begin a new one for another batch."
            )
        if positions is None:
            positions = count_positions(ids)
            if past:
                positions = positions + self.positions.amax(-1, keepdim=True) + 1
        real = torch.ones_like(ids) if attention_mask is None else attention_mask
        both = (self.positions, positions), (self.real, real.bool())
        self.positions, self.real = (
            torch.cat(pair, dim=1) if past else pair[1] for pair in both
        )
        mask = causal_mask(n, past, ids.device) & padding_mask(self.real)
        return positions, mask

    def forget(self, m: int) -> None:
        """Keep the first m tokens and nothing after them."""
        if m >= len(self):
            return
        self.positions, self.real = self.positions[:, :m], self.real[:, :m]
        for kept in self.layers.values():
            kept.pair = tuple(one[:, :, :m] for one in kept.pair)
