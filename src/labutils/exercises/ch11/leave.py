"""Exercise 11.3: finished texts leave a batch that is padded on the left, and padding goes with them."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes


def check_leave(leave: Callable[..., tuple[Tensor, Tensor]], seed: int | None = None) -> None:
    """Check `leave`: keys (B, G, m, d_k), mask (B, m), done (B,) -> the keys and the mask of those that go on.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        leave,
        lets_the_finished_go,
        cuts_what_nobody_needs,
        loses_no_token,
        takes_other_sizes,
        repeat="check_leave(leave, seed={seed})",
        seed=seed,
    )


def leave(keys, mask, done):
    keys, mask = keys[~done], mask[~done]
    first = int(mask.any(0).int().argmax())
    return keys[:, :, first:], mask[:, first:]


RIGHT = (leave,)
STAY, FIRST, END = "keys[~done], mask[~done]", "int(mask.any(0).int().argmax())", "keys[:, :, first:], mask[:, first:]"
# fmt: off
MISTAKES = (
    ("lets the wrong ones go", "Those that are done have stayed, and the others have gone.", STAY,
     "keys[done], mask[done]"),
    ("cuts nothing", "Padding has stayed that no text needs any more.", FIRST, "0"),
    ("cuts to the shortest", "That cuts to the shortest text: the first tokens of longer ones are lost.", FIRST,
     "int(mask.all(0).int().argmax())"),
    ("goes by the first text", "The first text decided how much is cut: the longest does, wherever it stands.", FIRST,
     "int(mask[0].int().argmax())"),
    ("goes by the last text", "The last text decided how much is cut: the longest does, wherever it stands.", FIRST,
     "int(mask[-1].int().argmax())"),
    ("puts the longest first", "The texts that go on changed their order.", "    first =",
     "    order = mask.sum(1).argsort(descending=True, stable=True)\n    keys, mask = keys[order], mask[order]\n"
     "    first ="),
    ("cuts one too few", "One column of padding has stayed.", FIRST, "max(0, int(mask.any(0).int().argmax()) - 1)"),
    ("cuts one too many", "The first token of the longest text is lost.", FIRST, "int(mask.any(0).int().argmax()) + 1"),
    ("cuts on the right", "Columns were cut on the right, where the newest tokens stand.", END,
     "keys[:, :, : keys.shape[2] - first], mask[:, : mask.shape[1] - first]"),
)
REFUSED = (
    ("cuts the heads", "shape", END, "keys[:, first:], mask[:, first:]"),
    ("leaves the mask as it was", "mask", END, "keys[:, :, first:], mask"),
)
# fmt: on


def expect(answer, keys: Tensor, mask: Tensor, done: Tensor) -> None:
    found, wanted = call(answer, keys, mask, done), leave(keys, mask, done)
    expect_type(found, (tuple, list), "leave", "a pair: the keys and the mask")
    if len(found) != 2:
        raise NotYet(f"leave should return a pair, the keys and the mask, and it returned {len(found)} things.")
    cause = likely(tuple(found), outcomes(MISTAKES, leave, keys, mask, done))
    starts = [m - int(row.sum()) for row, m in zip(mask, [mask.shape[1]] * len(mask), strict=True)]
    told = f"For texts that begin in the columns {starts} of {mask.shape[1]}, done {done.tolist()},"
    for name, one, right in zip(("keys", "mask"), found, wanted, strict=True):
        expect_type(one, Tensor, "leave", "two tensors")
        if one.shape != right.shape:
            raise NotYet(f"{told} the {name} have the shape {tuple(one.shape)}, expected {tuple(right.shape)}.{cause}")
        expect_tensor(one, tuple(right.shape), "leave")
        if not fair.alike(one.double(), right.double(), 1e-6):
            raise NotYet(f"{told} the {name} have the right shape and other numbers than expected.{cause}")


def drawn(draw: Draw, lengths: list[int], m: int, done: list[bool]) -> tuple[Tensor, Tensor, Tensor]:
    mask = torch.tensor([[False] * (m - n) + [True] * n for n in lengths])
    return draw.normal(len(lengths), draw.between(1, 3), m, 2), mask, torch.tensor(done)


def lets_the_finished_go(answer, draw: Draw):
    """The texts that are done go, in keys and mask alike, and the order of the others stays."""
    m = draw.between(5, 7)
    expect(answer, *drawn(draw, [m, m, m], m, draw.choice(([True, False, False], [False, True, False]))))


def cuts_what_nobody_needs(answer, draw: Draw):
    """When the longest has gone, the columns go that are padding for all others."""
    m = draw.between(6, 9)
    expect(answer, *drawn(draw, [m - 4, m - 2, m - 5, m, m - 3], m, [False, False, False, True, False]))
    expect(answer, *drawn(draw, [m - 2, m, m - 4], m, [False, True, False]))


def loses_no_token(answer, draw: Draw):
    """As long as the longest stays, no column goes."""
    m = draw.between(6, 9)
    expect(answer, *drawn(draw, [m - 3, m, m - 2], m, [True, False, False]))


def takes_other_sizes(answer, draw: Draw):
    """One text that goes on, nobody that leaves, and others."""
    m = draw.between(3, 6)
    expect(answer, *drawn(draw, [1, m], m, [False, True]))
    expect(answer, *drawn(draw, [m - 1, m - 2], m, [False, False]))
