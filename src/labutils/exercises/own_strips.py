"""Exercise 5.1: heads in a layout in which the tokens come first and texts and heads share an axis, there and back."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.showing import show

Split = Callable[[Tensor, int], Tensor]
Merge = Callable[[Tensor, int], Tensor]


def check_split_and_merge(split: Split, merge: Merge, seed: int | None = None) -> None:
    """Check `split`: (n, B, d) and H -> (B * H, n, d_k), and `merge`: that and H -> (n, B, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        (split, merge),
        gives_each_head_its_strip,
        keeps_the_texts_apart,
        lays_the_strips_side_by_side,
        comes_back,
        takes_odd_sizes,
        does_it_by_itself,
        repeat="check_split_and_merge(split, merge, seed={seed})",
        seed=seed,
    )


def strips(x: Tensor, n_heads: int) -> Tensor:
    """What is right: (n, B, d) -> (B * H, n, d_k)."""
    n, B, d = x.shape
    return x.reshape(n, B * n_heads, d // n_heads).transpose(0, 1)


def side_by_side(y: Tensor, n_heads: int) -> Tensor:
    """What is right: (B * H, n, d_k) -> (n, B, d)."""
    both, n, d_k = y.shape
    return y.transpose(0, 1).reshape(n, both // n_heads, n_heads * d_k)


def split_mistakes(x: Tensor, H: int) -> Iterator[tuple[str, Tensor]]:
    n, B, d = x.shape
    yield "The axes were cut anew (view, reshape) instead of being swapped.", x.reshape(B * H, n, d // H)
    every = x.reshape(n, B, d // H, H).permute(1, 3, 0, 2).reshape(B * H, n, d // H)
    yield "Each head took every H-th column, not a strip of neighbours.", every
    heads_first = x.reshape(n, B, H, d // H).permute(2, 1, 0, 3).reshape(B * H, n, d // H)
    yield "The heads stand outside and the texts inside: head 0 of all texts comes first.", heads_first
    yield "The texts and the tokens were swapped before the cut.", strips(x.reshape(B, n, d).transpose(0, 1), H)


def merge_mistakes(y: Tensor, H: int) -> Iterator[tuple[str, Tensor]]:
    both, n, d_k = y.shape
    B = both // H
    yield "The numbers were laid out anew without the swap: a row now holds several tokens.", y.reshape(n, B, H * d_k)
    every = y.reshape(B, H, n, d_k).permute(2, 0, 3, 1).reshape(n, B, H * d_k)
    yield "The heads are interleaved, number by number, not strip by strip.", every
    heads_first = y.reshape(H, B, n, d_k).permute(2, 1, 0, 3).reshape(n, B, H * d_k)
    yield "The first axis was read with the heads outside and the texts inside.", heads_first
    tokens_late = y.reshape(B, H, n, d_k).transpose(1, 2).reshape(n, B, H * d_k)
    yield "The tokens were moved in front of the heads, but not in front of the texts.", tokens_late


def expect(name: str, function, given: Tensor, H: int, right: Tensor, mistakes) -> None:
    """Raises NotYet unless the function makes the right tensor of what is given."""
    found = call(function, given, H)
    expect_tensor(found, tuple(right.shape), name)
    if fair.alike(found.detach(), right):
        return
    place = tuple((found != right).nonzero()[0].tolist())
    raise NotYet(
        f"For a tensor of shape {tuple(given.shape)} and H = {H} the number at {list(place)} of {name} is "
        f"{show(found[place])}, expected {show(right[place])}.{likely(found, mistakes(given, H))}"
    )


def numbered(*shape: int) -> Tensor:
    """0, 1, 2, ...: every number says where it stood."""
    return torch.arange(float(math.prod(shape))).reshape(shape)


def tried(answer, x: Tensor, H: int) -> None:
    expect("split", answer[0], x, H, strips(x, H), split_mistakes)


def tried_back(answer, y: Tensor, H: int) -> None:
    expect("merge", answer[1], y, H, side_by_side(y, H), merge_mistakes)


def gives_each_head_its_strip(answer, draw: Draw):
    """Of one text each head gets its strip of every token."""
    H, d_k = draw.between(2, 4), draw.between(2, 4)
    tried(answer, numbered(draw.between(5, 9), 1, H * d_k), H)


def keeps_the_texts_apart(answer, draw: Draw):
    """Several texts: all heads of the first, then all heads of the second."""
    H, d_k, B = draw.between(2, 4), draw.between(2, 4), draw.between(2, 4)
    tried(answer, numbered(draw.between(5, 7), B, H * d_k), H)


def lays_the_strips_side_by_side(answer, draw: Draw):
    """Merged, each token has the strips of its heads side by side."""
    H, d_k, B = draw.between(2, 4), draw.between(2, 4), draw.between(2, 4)
    tried_back(answer, numbered(H, draw.between(5, 7), d_k), H)
    tried_back(answer, numbered(B * H, draw.between(5, 7), d_k), H)


def comes_back(answer, draw: Draw):
    """What was split and merged is what it was, also when it does not lie in one piece."""
    H, n, B = draw.between(2, 3), draw.between(2, 5), draw.between(2, 3)
    x = draw.normal(B, n, 2 * H).transpose(0, 1)
    tried(answer, x, H)
    tried_back(answer, call(answer[0], x, H), H)


def takes_odd_sizes(answer, draw: Draw):
    """One token, one text, one head, one number a head; whole numbers too."""
    for shape, H in (((1, 1, 6), 3), ((4, 2, 5), 1), ((3, 2, 4), 4), ((1, 1, 1), 1)):
        x = numbered(*shape)
        tried(answer, x, H)
        tried_back(answer, strips(x, H), H)
    tried(answer, numbered(3, 2, 4).long(), 2)


def does_it_by_itself(answer, draw: Draw):
    """Neither function borrows the package's."""
    x = draw.normal(3, 2, 4)
    refuse(ran(answer[0], x, 2), "reshape and transpose are enough")
    refuse(ran(answer[1], strips(x, 2), 2), "reshape and transpose are enough")
