"""Exercise 5.1: heads in a layout in which the tokens come first and texts and heads share an axis, there and back."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
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


def split(x, H):
    n, B, d = x.shape
    return x.reshape(n, B * H, d // H).transpose(0, 1)


def merge(y, H):
    BH, n, d_k = y.shape
    return y.transpose(0, 1).reshape(n, BH // H, H * d_k)


RIGHT = (split, merge)
CUT = "x.reshape(n, B * H, d // H).transpose(0, 1)"
SWAP = "y.transpose(0, 1)"
# fmt: off
MISTAKES = (
    ("view instead of transpose", "The axes were cut anew (view, reshape) instead of being swapped.", CUT,
     "x.reshape(B * H, n, d // H)"),
    ("every H-th column", "Each head took every H-th column, not a strip of neighbours.", CUT,
     "x.reshape(n, B, d // H, H).permute(1, 3, 0, 2).reshape(B * H, n, d // H)"),
    ("heads outside, texts inside", "The heads stand outside and the texts inside: head 0 of all texts comes first.",
     CUT, "x.reshape(n, B, H, d // H).permute(2, 1, 0, 3).reshape(B * H, n, d // H)"),
    ("swaps the wrong axes first", "The texts and the tokens were swapped before the cut.", "return x.re",
     "x = x.reshape(B, n, d).transpose(0, 1)\n    return x.re"),
    ("merges without the swap", "The numbers were laid out anew without the swap: a row now holds several tokens.",
     SWAP, "y"),
    ("interleaves the heads", "The heads are interleaved, number by number, not strip by strip.", SWAP,
     "y.reshape(BH // H, H, n, d_k).permute(2, 0, 3, 1)"),
    ("reads the first axis with the heads outside",
     "The first axis was read with the heads outside and the texts inside.", SWAP,
     "y.reshape(H, BH // H, n, d_k).permute(2, 1, 0, 3)"),
    ("moves the tokens in front of the heads only",
     "The tokens were moved in front of the heads, but not in front of the texts.", SWAP,
     "y.reshape(BH // H, H, n, d_k).transpose(1, 2)"),
)
REFUSED = (
    ("the split of the chapter", "split returned the shape .*, expected", CUT,
     "x.unflatten(-1, (H, -1)).transpose(1, 2)"),
    ("view of what does not lie in one piece", "raised RuntimeError: view size is not compatible", "1).reshape(n, BH",
     "1).view(n, BH"),
    ("borrows the package's split", "`labutils.layers.multi_head.split_heads` ran in your function",
     "n, B, d = x.shape", "from labutils.layers import split_heads", CUT,
     "split_heads(x.transpose(0, 1), H).flatten(0, 1)"),
)
# fmt: on


def expect(function, right: Callable, given: Tensor, H: int) -> None:
    """Raises NotYet unless the function makes of what is given what the right one makes of it."""
    found, wanted = call(function, given, H), right(given, H)
    expect_tensor(found, tuple(wanted.shape), right.__name__)
    if fair.alike(found.detach(), wanted):
        return
    place = tuple((found != wanted).nonzero()[0].tolist())
    raise NotYet(
        f"For a tensor of shape {tuple(given.shape)} and H = {H} the number at {list(place)} of {right.__name__} is "
        f"{show(found[place])}, expected {show(wanted[place])}.{likely(found, outcomes(MISTAKES, right, given, H))}"
    )


def numbered(*shape: int) -> Tensor:
    """0, 1, 2, ...: every number says where it stood."""
    return torch.arange(float(math.prod(shape))).reshape(shape)


def tried(answer, x: Tensor, H: int) -> None:
    expect(answer[0], split, x, H)


def tried_back(answer, y: Tensor, H: int) -> None:
    expect(answer[1], merge, y, H)


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
        tried_back(answer, split(x, H), H)
    tried(answer, numbered(3, 2, 4).long(), 2)


def does_it_by_itself(answer, draw: Draw):
    """Neither function borrows the package's."""
    x = draw.normal(3, 2, 4)
    refuse(ran(answer[0], x, 2), "reshape and transpose are enough")
    refuse(ran(answer[1], split(x, 2), 2), "reshape and transpose are enough")
