"""The cache: what a causal model keeps of the tokens before, so that one more token
costs one token.

A key and a value depend on their own token and on those before it, never on what comes
after. So they are computed once, and a query that comes later finds them here.
"""

import weakref
from collections.abc import Callable
from functools import wraps
from operator import index

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor

from .masks import seen_of_all
from .multi_head import KeysValues
from .positions import count_positions


class KeptKeys:
    """Keys and values of one layer, (B, G, m, d_k) each, of all m tokens so far.

    capacity: for how many tokens room is taken, once, when the first of them come.
    They are written into it in place, without their gradient, and what comes back is a
    view of the part that is filled. Without it they grow: each time all are copied.
    Raises ValueError for a capacity that is no whole number of at least 1.
    """

    # at first: def __init__(self, capacity: int):
    def __init__(self, capacity: int | None = None):
        check_capacity(capacity)  # later
        self.capacity, self.length = capacity, 0
        self.room: KeysValues | None = None  # (B, G, capacity, d_k) each

    def __call__(
        self, k: Float[Tensor, "B G n d_k"], v: Float[Tensor, "B G n d_k"]
    ) -> KeysValues:
        """Put those of n new tokens behind the others; all of them come back. Raises
        ValueError, and writes nothing, if there is no room for all n.
        """
        past, n = self.length, k.shape[2]
        check_room(self.capacity, past, n)
        self.length = past + n
        # later: it grows, everything is copied
        if self.capacity is None:  # later
            old = self.room or (k[:, :, :0], v[:, :, :0])
            self.room = torch.cat([old[0], k], dim=2), torch.cat([old[1], v], dim=2)
            return self.room
        # at first: if self.room is None:
        if past == 0 and not self._fits(k):
            size = *k.shape[:2], self.capacity, k.shape[3]  # (B, G, capacity, d_k)
            self.room = k.new_zeros(size), v.new_zeros(size)
        for room, new in zip(self.room, (k, v)):
            # in its place, and without its gradient: (B, G, n, d_k)
            room[:, :, past : self.length] = new.detach()
        return self.pair

    @property
    def pair(self) -> KeysValues | None:
        """All keys and all values, (B, G, m, d_k) each.

        None before the first.
        """
        if self.room is None:  # later
            return None
        return tuple(one[:, :, : self.length] for one in self.room)

    # later
    def forget(self, m: int) -> None:
        """Keep the first m tokens and nothing after them; ValueError for m < 0."""
        self.length = min(check_kept(m), self.length)
        if self.capacity is None:
            self.room = self.pair if self.length else None

    # later
    def pick(self, rows: list[int]) -> None:
        """Text i of the batch goes on where text rows[i] stood. Raises ValueError if
        there is no such text, and for no rows.
        """
        if self.length:
            rows = check_rows(rows, len(self.room[0]))
            self.room = tuple(one[rows] for one in self.room)

    # later
    def _fits(self, k: Tensor) -> bool:
        """Whether the room that was taken before is one for such keys."""
        have = self.room and self.room[0]
        of = lambda x: (*x.shape[:2], x.shape[3], x.dtype, x.device)
        return have is not None and of(have) == of(k)


def check_room(capacity: int | None, past: int, n: int) -> None:
    """Raises ValueError if n more tokens do not fit behind `past`."""
    # at first: if past + n > capacity:
    if capacity is not None and past + n > capacity:
        raise ValueError(
            f"This cache has room for {capacity} tokens and holds {past}; {n} more do"
            " not fit: make it with a larger capacity, or reset it."
        )


def check_capacity(capacity: int | None) -> None:
    """Raises ValueError unless it is None or a whole number of at least 1."""
    whole = isinstance(capacity, int) and not isinstance(capacity, bool)
    if capacity is not None and not (whole and capacity >= 1):
        raise ValueError(
            "The capacity of a cache is a whole number, at least 1 token, and not"
            f" {capacity!r}."
        )


def check_kept(m: int) -> int:
    """How many tokens stay. Raises ValueError unless it is a whole number from 0 on."""
    try:
        kept = index(m)
    except TypeError:
        kept = -1
    if kept < 0:
        raise ValueError(
            f"A cache keeps its first m tokens, m a whole number from 0 on, not {m!r}."
        )
    return kept


def check_rows(rows: list[int], B: int) -> list[int]:
    """Numbers of texts. Raises ValueError for none, and for one not in 0 to B - 1."""
    try:
        texts = [-1 if isinstance(row, bool) else index(row) for row in rows]
    except TypeError:
        texts = []
    if not texts or min(texts) < 0 or max(texts) >= B:
        raise ValueError(
            f"pick takes a list of texts, at least one, each from 0 to {B - 1}; it was"
            f" given {rows!r}."
        )
    return texts


class Cache:
    """Keys and values of every layer, and how many tokens they were made of.

    It knows which of these are padding, too, and where each stands:

    >>> cache = Cache()
    >>> positions, mask = cache.read(torch.tensor([[7, 8]]))
    >>> positions, mask = cache.read(torch.tensor([[9]]))
    >>> positions, mask.int(), len(cache)
    (tensor([[2]]), tensor([[[[1, 1, 1]]]], dtype=torch.int32), 3)

    capacity: for how many tokens each layer takes room, once, as `KeptKeys` says; a
    token too many is refused before anything is changed. Without it a cache grows, and
    gradients flow through it. Raises ValueError for a capacity that is no whole number
    of at least 1.
    """

    # at first: def __init__(self, capacity: int):
    def __init__(self, capacity: int | None = None):
        check_capacity(capacity)  # later
        self.capacity, self.length = capacity, 0
        self.layers: dict[int, KeptKeys] = {}
        self.positions: Integer[Tensor, "B m"] | None = None  # later
        self.real: Bool[Tensor, "B m"] | None = None  # later: no padding
        self.model: weakref.ref | None = None  # later: the one whose keys these are

    def __len__(self) -> int:
        """How many tokens were read, m."""
        return self.length

    def layer(self, i: int) -> KeptKeys:
        """What attention of layer i takes as its `cache`."""
        return self.layers.setdefault(i, KeptKeys(self.capacity))

    def read(
        self,
        ids: Integer[Tensor, "B n"],
        attention_mask: Integer[Tensor, "B n"] | None = None,  # later
        positions: Integer[Tensor, "B n"] | None = None,  # later
    ) -> tuple[Integer[Tensor, "B n"], Bool[Tensor, "... n m"]]:
        """n new tokens: where they stand, and which of all m tokens each may see.

        attention_mask: 1 for a token, 0 for padding. positions: if not given, they go
        on after the last place of each text. Raises ValueError for another number of
        texts than before, and for more tokens than there is room for.
        """
        past, n = self.length, ids.shape[1]
        if past and len(ids) != len(self.positions):  # later
            raise ValueError(
                f"This cache holds {len(self.positions)} texts and was given"
                f" {len(ids)}: begin a new one for another batch."
            )
        check_room(self.capacity, past, n)
        self.length = past + n
        # at first: positions = torch.arange(past, past + n).expand_as(ids)
        if positions is None:
            positions = count_positions(ids)
            if past:
                positions = positions + self.positions.amax(-1, keepdim=True) + 1
        real = (  # later
            torch.ones_like(ids) if attention_mask is None else attention_mask
        )
        both = (self.positions, positions), (self.real, real.bool())  # later
        self.positions, self.real = (  # later
            torch.cat(pair, dim=1) if past else pair[1] for pair in both
        )
        # at first: return positions, causal_mask(n, past)
        return positions, seen_of_all(self.real, n)

    # later
    def forget(self, m: int) -> None:
        """Keep the first m tokens and nothing after them; with m = 0 another number of
        texts may follow. Room that was taken stays. Raises ValueError for m < 0.
        """
        m = check_kept(m)
        self.length = min(m, self.length)
        if m == 0:
            self.positions = self.real = self.model = None
        elif self.length == m:
            self.positions, self.real = self.positions[:, :m], self.real[:, :m]
        for kept in self.layers.values():
            kept.forget(m)

    # later
    def pick(self, rows: list[int]) -> None:
        """Text i of the batch goes on where text rows[i] stood: one may be taken twice,
        another not at all, as a search over several beginnings does. Raises ValueError
        for an empty list, and for a text that is not there. An empty cache stays so.
        """
        if len(self):
            rows = check_rows(rows, len(self.positions))
            self.positions, self.real = self.positions[rows], self.real[rows]
        for kept in self.layers.values():
            kept.pick(rows)

    # later
    def reset(self) -> None:
        """Forget every token, for another text or batch. Room that was taken stays."""
        self.forget(0)


def places_and_mask(
    cache: Cache | None,
    ids: Integer[Tensor, "B n"],
    attention_mask: Integer[Tensor, "B n"] | None = None,
    positions: Integer[Tensor, "B n"] | None = None,
) -> tuple[Integer[Tensor, "B n"], Bool[Tensor, "B 1 n m"]]:
    """Where n tokens stand and what each may see, as `Cache.read` says it; without a
    cache the n tokens are all that there are, m = n.
    """
    if cache is not None:
        given = {"attention_mask": attention_mask, "positions": positions}
        # what is not given is not said: the cache of chapter 11 reads ids alone
        return cache.read(
            ids, **{name: x for name, x in given.items() if x is not None}
        )
    real = torch.ones_like(ids) if attention_mask is None else attention_mask
    if positions is None:
        positions = count_positions(ids)
    return positions, seen_of_all(real.bool(), ids.shape[1])


def all_or_nothing(forward: Callable) -> Callable:
    """For a model's `forward` with a `cache`: a pass that does not end well, because it
    was refused, ran out of memory or was interrupted, leaves the cache as it was.
    Raises ValueError for a cache that another model has filled, and for what is none.
    """

    @wraps(forward)
    def passed(self, *given, cache: Cache | None = None, **how):
        if cache is None:
            return forward(self, *given, **how)
        if not all(hasattr(cache, name) for name in ("read", "layer", "layers")):
            raise ValueError(
                f"cache takes a Cache of labutils.layers, not {type(cache).__name__!r}."
            )
        owner = getattr(cache, "model", None)
        if len(cache) and owner is not None and owner() is not self:
            raise ValueError(
                "This cache holds the keys and values of another model: begin a new one"
                " for this model, or reset it."
            )
        before = dict(vars(cache))
        layers = {i: (kept.length, kept.room) for i, kept in cache.layers.items()}
        try:
            found = forward(self, *given, cache=cache, **how)
            cache.model = weakref.ref(self)
            return found
        except BaseException:
            vars(cache).update(before)
            for i, kept in cache.layers.items():
                kept.length, kept.room = layers.get(i, (0, None))
            raise

    return passed
