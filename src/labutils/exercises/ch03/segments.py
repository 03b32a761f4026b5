"""Exercise 3.6: which of its two texts each token of a BERT input belongs to."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, kind, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

PAD, CLS, SEP = 0, 1, 2


def check_segments(segments: Callable[[Tensor], Tensor], seed: int | None = None) -> None:
    """Check `segments`: ids (B, n), with [PAD] 0, [CLS] 1, [SEP] 2 -> the segment of each token, (B, n).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        segments,
        leaves_the_first_separator_with_the_first_text,
        knows_one_text,
        gives_padding_to_the_first,
        serves_a_batch,
        picks_rows_of_a_table,
        repeat="check_segments(segments, seed={seed})",
        seed=seed,
    )


def segments(ids):
    before = (ids == 2).long().cumsum(-1) - (ids == 2).long()
    return before.clamp(max=1) * (ids != 0)


RIGHT = (segments,)
ITSELF, COUNT, SECOND = " - (ids == 2).long()", "(ids == 2).long().cumsum(-1)", "before.clamp(max=1) * (ids != 0)"
SHIFTED = "The count was shifted the wrong way: each place has that of the one after it."
OWN = "The [SEP] that ends a text belongs to it. Here the first is in segment 1, the last in 0."
# fmt: off
MISTAKES = (
    ("only the padding mended", "The [SEP] between the texts was counted to the second. It ends the first.", ITSELF,
     ""),
    ("counts on", "There are two segments, 0 and 1, and this counts every [SEP].", ITSELF, "", SECOND, "before"),
    ("padding is of the second", "Padding is of no text, and BERT gives it segment 0.", " * (ids != 0)", ""),
    ("without the last separator", "The last [SEP] belongs to the second text.", "(ids != 0)",
     "(ids != 0) * (ids != 2)"),
    ("where one [SEP] was counted", OWN, SECOND, f"{COUNT}.eq(1).long()"),
    ("rolls the count", "The last count came round to place 0, as `roll` does.", ITSELF, ".roll(1, -1)"),
    ("shifts the wrong way", SHIFTED, ITSELF, ".roll(-1, -1)"),
    ("shifts the wrong way, and keeps padding", SHIFTED, ITSELF, ".roll(-1, -1)", " * (ids != 0)", ""),
    ("shifts the separators the wrong way, without padding", SHIFTED, f".cumsum(-1){ITSELF}",
     ".roll(-1, -1).cumsum(-1)"),
    ("shifts the separators the wrong way", SHIFTED, f".cumsum(-1){ITSELF}", ".roll(-1, -1).cumsum(-1)",
     " * (ids != 0)", ""),
    ("exchanges the segments", "The segments are exchanged.", SECOND, f"1 - {SECOND}"),
    ("counts on from row to row", "The count of [SEP] runs on from row to row. It begins anew in each.", COUNT,
     "(ids == 2).long().flatten().cumsum(0).view_as(ids)"),
)
REFUSED = (
    ("untouched", r"The \[SEP\] between the texts was counted to the second", ITSELF, "", " * (ids != 0)", ""),
    ("truth values", "They pick the rows of the input\\n.*segments returned a tensor of torch.bool", SECOND,
     "(before > 0) & (ids != 0)"),
    ("numbers with a decimal point", "segments returned a tensor of torch.float32", SECOND, f"({SECOND}).float()"),
    ("lists", "looks them up in a table. That takes a tensor", SECOND, f"({SECOND}).tolist()"),
    ("whole numbers of too few bits",
     "a tensor of int64, which `.long..` makes, or of int32, and segments returned a tensor of torch.int16", SECOND,
     f"({SECOND}).short()"),
)
# fmt: on


def expect(answer, ids: Tensor) -> None:
    """Raises NotYet where a token has the wrong segment."""
    found = fair.numbers(call(answer, ids))
    right = segments(ids)
    if found is None or found.shape != right.shape:
        raise NotYet(f"segments should return one number for each of {tuple(ids.shape)} ids.")
    wrong = (found != right).nonzero()
    if len(wrong):
        row = int(wrong[0, 0])
        raise NotYet(
            f"The ids {ids[row].tolist()} have the segments {[int(x) for x in found[row]]}, expected "
            f"{right[row].tolist()}.{likely(found, outcomes(MISTAKES, segments, ids))}"
        )


def expect_rows(answer, ids: Tensor) -> None:
    """Raises NotYet where the segments are right and yet pick no rows of a table, as truth values and lists do."""
    pieces, found = torch.eye(2, 10), call(answer, ids)
    try:
        picked = None if isinstance(found, list | tuple) else pieces[found]  # a list picks along several axes
    except (IndexError, TypeError, ValueError):
        picked = None
    if picked is None or not torch.equal(picked, pieces[segments(ids)]):
        what = f"a tensor of {found.dtype}" if isinstance(found, Tensor) else kind(found)
        raise NotYet(
            "The numbers are right, but `pieces[segments(ids)]` looks them up in a table. That takes a tensor of "
            f"int64, which `.long()` makes, or of int32, and segments returned {what}."
        )


def a_row(draw: Draw, first: int, second: int = 0, padding: int = 0) -> list[int]:
    words = lambda n: [draw.between(3, 99) for _ in range(n)]
    row = [CLS, *words(first), SEP]
    return row + (words(second) + [SEP] if second else []) + [PAD] * padding


def leaves_the_first_separator_with_the_first_text(answer, draw: Draw):
    """Two texts, each with the [SEP] that ends it."""
    expect(answer, torch.tensor([a_row(draw, draw.between(1, 4), draw.between(1, 4))]))


def knows_one_text(answer, draw: Draw):
    """One text is all segment 0."""
    expect(answer, torch.tensor([a_row(draw, draw.between(1, 5))]))


def gives_padding_to_the_first(answer, draw: Draw):
    """Padding after one text or two is segment 0."""
    for second in (0, draw.between(1, 3)):
        expect(answer, torch.tensor([a_row(draw, draw.between(1, 3), second, draw.between(1, 3))]))


def serves_a_batch(answer, draw: Draw):
    """Texts of different lengths in one batch"""
    rows = [a_row(draw, draw.between(1, 5), draw.between(0, 4)) for _ in range(5)]
    longest = max(map(len, rows))
    expect(answer, torch.tensor([row + [PAD] * (longest - len(row)) for row in rows]))


def picks_rows_of_a_table(answer, draw: Draw):
    """They pick the rows of the input"""
    rows = [a_row(draw, 3, 2), a_row(draw, 1, 2, 2)]
    expect_rows(answer, torch.tensor(rows))
