"""Neighbours: which rows of a table point the same way."""

from collections.abc import Collection

import torch
from jaxtyping import Float, Integer
from torch import Tensor


def cosines(a: Float[Tensor, "... n d"], b: Float[Tensor, "... m d"]) -> Float[Tensor, "... n m"]:
    """The cosine of the angle between each row of a and each row of b; 0 where a row is all zeros.

    >>> cosines(torch.tensor([[1.0, 0.0]]), torch.tensor([[2.0, 0.0], [0.0, 3.0], [0.0, 0.0]]))
    tensor([[1., 0., 0.]])
    """
    return _unit(a) @ _unit(b).mT


def nearest(
    table: Float[Tensor, "V d"], rows: Float[Tensor, "n d"], k: int = 5, without: Collection[int] = ()
) -> tuple[Integer[Tensor, "n k"], Float[Tensor, "n k"]]:
    """For each row the k entries of the table with the largest cosine, and these cosines, the nearest first.

    without: entries that do not count, such as the word itself. Raises ValueError if fewer than k are left.

    >>> table = torch.tensor([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    >>> nearest(table, table[:1], k=1, without=[0])[0].tolist()
    [[1]]
    """
    if not 1 <= k <= len(table) - len(set(without)):
        raise ValueError(f"A table of {len(table)} entries without {len(set(without))} has no {k} nearest ones.")
    found = cosines(rows, table)  # (n, V)
    found[:, list(without)] = -torch.inf
    top = found.topk(k, dim=-1)
    return top.indices, top.values


def analogy(table: Float[Tensor, "V d"], a: int, b: int, c: int) -> int:
    """The entry nearest to row b - row a + row c, the three of the question left out: a is to b as c is to …"""
    found, _ = nearest(table, (table[b] - table[a] + table[c])[None], k=1, without={a, b, c})
    return int(found)


def _unit(rows: Tensor) -> Tensor:
    length = rows.norm(dim=-1, keepdim=True)
    return rows / torch.where(length > 0, length, 1.0)
