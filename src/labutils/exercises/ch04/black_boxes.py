"""Black boxes for exercise 4.4: models of which only the maker knows which row depends on which.

A box takes rows x, (n, d), and returns as many. Its table is (n, n): True in row i, column j where row i of the result
depends on row j of x.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.exercises.drawing import Draw

Model = Callable[[Tensor], Tensor]  # (n, d) -> (n, d)
LOUD = 0.5  # a number of this size or more is loud


@dataclass(frozen=True)
class Box:
    """A model for n rows of d numbers, and its table (n, n)."""

    model: Model
    n: int
    d: int
    table: Tensor


def looks_back(x: Tensor) -> Tensor:
    """For practice: each row depends on itself and on the two rows before it."""
    n = len(x)
    seen = torch.ones(n, n, dtype=torch.bool).tril().triu(-2)
    return (seen / seen.sum(-1, keepdim=True)).to(x) @ torch.tanh(x)


def hears_the_positive(x: Tensor) -> Tensor:
    """For practice: each row depends on itself and on all before it; a row is heard if its first number is above 0."""
    seen = torch.ones(len(x), len(x)).tril().to(x)
    return seen @ (torch.tanh(x) * (x[:, :1] > 0))


def mixing(table: Tensor, d: int, draw: Draw, positive: bool = False) -> Model:
    """Each row is a mixture of the rows that it sees, with weights that never change, of any sign or all `positive`."""
    weights = _far_from_0(draw.normal(*table.shape)) * table
    weights = weights.abs() if positive else weights
    turn = _far_from_0(draw.normal(d, d)) / math.sqrt(d)
    return lambda x: weights.to(x) @ torch.tanh(x @ turn.to(x))


def attending(table: Tensor, d: int, draw: Draw, sharp: float = 1.0) -> Model:
    """Attention, added to the rows themselves; the diagonal of the table is True. The more `sharp`, the more of the
    weight the best key takes.
    """
    q, k, v = (_far_from_0(draw.normal(d, d)) / math.sqrt(d) for _ in range(3))

    def model(x: Tensor) -> Tensor:
        scores = sharp * (x @ q.to(x)) @ (x @ k.to(x)).mT / math.sqrt(d)
        return x + scores.masked_fill(~table, -torch.inf).softmax(-1) @ torch.tanh(x @ v.to(x))

    return model


def choosy(table: Tensor, d: int, draw: Draw) -> Model:
    """A mixture that hears a row only where one direction of it is above 0."""
    weights, ear = _far_from_0(draw.normal(*table.shape)) * table, draw.normal(d)
    return lambda x: weights.to(x) @ (torch.tanh(x) * (x @ ear.to(x) > 0)[:, None])


def hears_the_loud(table: Tensor, d: int, draw: Draw) -> Model:
    """A mixture that hears a row only where one of its numbers is large: inputs near 0 never move it."""
    weights = _far_from_0(draw.normal(*table.shape)) * table
    return lambda x: weights.to(x) @ (torch.tanh(x) * (x.abs().amax(-1) > LOUD)[:, None])


def hears_in_silence(table: Tensor, d: int, draw: Draw) -> Model:
    """A mixture that hears a row only while no number of any row is large, as a softmax does in which one key is far
    ahead: inputs of the usual size never move it.
    """
    weights = _far_from_0(draw.normal(*table.shape)) * table
    return lambda x: weights.to(x) @ torch.tanh(x) * (x.abs().amax() < LOUD)


def faint(table: Tensor, d: int, draw: Draw) -> Model:
    """A mixture that comes out a thousandth as large: little moves, and far more than rounding."""
    mixed = mixing(table, d, draw)
    return lambda x: mixed(x) / 1000


def rounding(table: Tensor, d: int, draw: Draw) -> Model:
    """A mixture to which something of all rows is added and from which it is subtracted again."""
    mixed = mixing(table, d, draw)

    def model(x: Tensor) -> Tensor:
        common = 5 + torch.sin(x.sum())
        return (mixed(x) + common) - common

    return model


def two_layers(first: Tensor, second: Tensor, d: int, draw: Draw) -> Model:
    """A row sees what is seen by those that it sees: the table is the product of both. Weights are positive: two ways
    from one row to another could cancel each other.
    """
    below, above = (mixing(table, d, draw, positive=True) for table in (first, second))
    return lambda x: above(below(x))


def a_box(draw: Draw, kind: Callable[..., Model], itself: bool = False, large: bool = False, **settings) -> Box:
    """A model of a kind that takes (table, d, draw), with a random table; `itself` lets every row see itself, and
    `large` draws neither few rows nor few columns.
    """
    n, d = draw.between(5 if large else 3, 8), draw.between(4 if large else 1, 6)
    table = a_pattern(draw, n) | (torch.eye(n, dtype=torch.bool) & itself)
    return Box(kind(table, d, draw, **settings), n, d, table)


def a_box_of_two_layers(draw: Draw) -> Box:
    n, d = draw.between(3, 8), draw.between(1, 6)
    first, second = a_pattern(draw, n), a_pattern(draw, n)
    return Box(two_layers(first, second, d, draw), n, d, (second.float() @ first.float()) > 0)


def a_pattern(draw: Draw, n: int) -> Tensor:
    """(n, n) with a share of True that is drawn as well; rows may see nothing, and not themselves."""
    return draw.mask(n, n, share=draw.between(2, 7) / 10)


def _far_from_0(x: Tensor) -> Tensor:
    """No weight so small that nobody could find it: 0.5 and more in size."""
    return torch.where(x < 0, -1.0, 1.0) * (0.5 + x.abs().clamp(max=1.0))


def moves(box: Box, i: int, j: int, draw: Draw, times: int = 60) -> float:
    """How far row i of the result moves at most when row j is drawn anew, on inputs large and small."""
    most = 0.0
    for t in range(times):
        scale = (1.0, 0.1, 0.01)[t % 3]
        x = scale * draw.normal(box.n, box.d)
        other = x.clone()
        other[j] = scale * draw.normal(box.d)
        most = max(most, float((box.model(x)[i] - box.model(other)[i]).abs().max()))
    return most
