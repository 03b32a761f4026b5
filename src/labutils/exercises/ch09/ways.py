"""Exercise 9.5: four ways from the rows of a text to one vector, and which of them tells the texts apart."""

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes

WAYS = ("first", "last", "mean", "max")


def check_one_vector(one_vector, seed: int | None = None) -> None:
    """Check `one_vector`: x (B, n, d) and mask (B, n) -> a dict of four tensors (B, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        one_vector,
        gives_four,
        takes_full_texts,
        passes_over_padding,
        passes_over_padding_in_front,
        takes_negative_columns,
        does_it_by_itself,
        repeat="check_one_vector(one_vector, seed={seed})",
        seed=seed,
    )


def one_vector(x, mask):
    real, rows = mask.bool()[..., None], torch.arange(len(x))
    places = torch.arange(x.shape[1])
    return {
        "first": x[rows, mask.int().argmax(-1)],
        "last": x[rows, (places * mask).argmax(-1)],
        "mean": x.masked_fill(~real, 0).sum(1) / real.sum(1),
        "max": x.masked_fill(~real, -torch.inf).amax(1),
    }


RIGHT = (one_vector,)
# fmt: off
MISTAKES = (
    ("means over padding", "Padding is in the mean: the sum was divided by all places.", "/ real.sum(1)",
     "/ x.shape[1]"),
    ("adds padding up", "Rows of padding were added up with the others.", "x.masked_fill(~real, 0).sum(1)", "x.sum(1)"),
    ("the mean of everything", "That is the mean of all places, padding included.",
     "x.masked_fill(~real, 0).sum(1) / real.sum(1)", "x.mean(1)"),
    ("padding as 0 in the maximum", "Padding was set to 0 before the maximum: where a column is negative, 0 wins.",
     "x.masked_fill(~real, -torch.inf).amax(1)", "x.masked_fill(~real, 0).amax(1)"),
    ("a wall of -100 in the maximum", "Padding was set to a number that rows may fall below: minus infinity is below"
     " all.", "-torch.inf", "-100.0"),
    ("one first place for all", "Each text begins in a place of its own.", "x[rows, mask.int().argmax(-1)]",
     "x[:, mask.int().argmax(-1)[0]]"),
    ("one last place for all", "Each text ends in a place of its own.", "x[rows, (places * mask).argmax(-1)]",
     "x[:, (places * mask).argmax(-1)[0]]"),
    ("one number of tokens for all", "Each text has a number of tokens of its own.", "/ real.sum(1)",
     "/ real[0].sum()"),
    ("padding in the maximum", "Padding takes part in the maximum.", "x.masked_fill(~real, -torch.inf).amax(1)",
     "x.amax(1)"),
    ("the last place", "The last place is padding in shorter texts.", "x[rows, (places * mask).argmax(-1)]",
     "x[:, -1]"),
    ("the first place", "Where padding stands in front, place 0 is padding.", "x[rows, mask.int().argmax(-1)]",
     "x[:, 0]"),
    ("counts to the last", "The tokens were counted: with padding in front the last one stands further right.",
     "(places * mask).argmax(-1)", "mask.sum(-1) - 1"),
    ("the row of the largest sum", "Each column has its own maximum: no single row has to hold all of them.",
     "x.masked_fill(~real, -torch.inf).amax(1)", "x[rows, x.masked_fill(~real, -torch.inf).sum(-1).argmax(-1)]"),
)
REFUSED = (
    ("one is missing", "'max' is missing", '        "max": x.masked_fill(~real, -torch.inf).amax(1),\n', ""),
)
# fmt: on


def texts(draw: Draw, right: bool, left: bool, shift: float = 0.0) -> tuple[Tensor, Tensor]:
    B, n, d = draw.between(2, 3), draw.between(6, 8), draw.between(2, 4)
    mask = torch.ones(B, n, dtype=torch.long)
    first = draw.between(1, 2)
    for b in range(B):
        few = first if b % 2 else 3 - first
        if right:
            mask[b, n - few :] = 0
        if left:
            mask[b, :few] = 0
    x = draw.normal(B, n, d) + shift
    noise = 5 + draw.normal(B, n, d).abs()  # what rows of padding hold
    return torch.where(mask.bool()[..., None], x, noise), mask


def expect(answer, x: Tensor, mask: Tensor) -> None:
    found, right = call(answer, x, mask), one_vector(x, mask)
    expect_type(found, dict, "one_vector", "a dict of four tensors")
    for way in WAYS:
        if way not in found:
            raise NotYet(f"{way!r} is missing: the names are {', '.join(WAYS)}.")
        expect_type(found[way], Tensor, way, "a tensor")
        if found[way].shape != right[way].shape:
            raise NotYet(f"{way} has the shape {tuple(found[way].shape)}, expected {tuple(right[way].shape)}.")
        if not fair.alike(found[way], right[way]):
            cause = likely(found[way], outcomes(MISTAKES, one_vector, x, mask, part=way))
            far = float((found[way] - right[way]).abs().max())
            raise NotYet(f"With the mask {mask.tolist()}, {way} differs by {far:.2f}.{cause}")


def gives_four(answer, draw: Draw):
    """It gives four vectors a text, by name."""
    expect(answer, draw.normal(1, 1, 3), torch.ones(1, 1, dtype=torch.long))


def takes_full_texts(answer, draw: Draw):
    """Texts without padding come out right."""
    expect(answer, *texts(draw, right=False, left=False))


def passes_over_padding(answer, draw: Draw):
    """Padding behind a text changes nothing."""
    expect(answer, *texts(draw, right=True, left=False, shift=4.0))  # negative columns come later


def passes_over_padding_in_front(answer, draw: Draw):
    """Padding in front of a text changes nothing."""
    expect(answer, *texts(draw, right=False, left=True, shift=4.0))


def takes_negative_columns(answer, draw: Draw):
    """Columns that are negative everywhere keep their maximum."""
    for shift in (-6.0, -500.0):
        expect(answer, *texts(draw, right=True, left=True, shift=shift))


def does_it_by_itself(answer, draw: Draw):
    """The package's own function does not do it."""
    refuse(ran(answer, *texts(draw, right=True, left=False)), "PyTorch alone is enough")
