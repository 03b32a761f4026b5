"""Exercise 3.5: which of its two texts each token of a BERT input belongs to."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, kind, likely
from labutils.exercises.drawing import Draw

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


def by_hand(ids: Tensor) -> Tensor:
    rows = []
    for row in ids.tolist():
        first = row.index(SEP)
        rows.append([int(i > first and token != PAD) for i, token in enumerate(row)])
    return torch.tensor(rows)


def mistakes(ids: Tensor) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    is_sep, real = ids == SEP, ids != PAD
    seen = is_sep.long().cumsum(-1)
    early = (is_sep.long().cumsum(-1)).clamp(max=1)
    yield "The [SEP] between the texts was counted to the second. It ends the first.", early * real
    yield "That, and padding is not of the second text either: padding is 0.", early
    yield "There are two segments, 0 and 1, and this counts every [SEP].", seen
    yield "Padding is of no text, and BERT gives it segment 0.", (seen - is_sep.long()).clamp(max=1)
    yield "The last [SEP] belongs to the second text.", by_hand(ids) * ~is_sep
    yield "The [SEP] that ends a text belongs to it. Here the first is in segment 1, the last in 0.", seen == 1
    yield "The last count came round to place 0, as `roll` does.", seen.roll(1, -1).clamp(max=1) * real
    for wrong_way in (seen.roll(-1, -1), is_sep.long().roll(-1, -1).cumsum(-1)):
        for given in (real, 1):
            said = "The count was shifted the wrong way: each place has that of the one after it."
            yield said, wrong_way.clamp(max=1) * given
    yield "The segments are exchanged.", 1 - by_hand(ids)
    through = is_sep.flatten().long().cumsum(0).view_as(ids) - is_sep.long()
    yield "The count of [SEP] runs on from row to row. It begins anew in each.", through.clamp(max=1) * real


def expect(segments, ids: Tensor) -> None:
    """Raises NotYet where a token has the wrong segment."""
    found = fair.numbers(call(segments, ids))
    right = by_hand(ids)
    if found is None or found.shape != right.shape:
        raise NotYet(f"segments should return one number for each of {tuple(ids.shape)} ids.")
    wrong = (found != right).nonzero()
    if len(wrong):
        row = int(wrong[0, 0])
        raise NotYet(
            f"The ids {ids[row].tolist()} have the segments {[int(x) for x in found[row]]}, expected "
            f"{right[row].tolist()}.{likely(found, mistakes(ids))}"
        )


def expect_rows(segments, ids: Tensor) -> None:
    """Raises NotYet where the segments are right and yet pick no rows of a table, as truth values and lists do."""
    pieces, found = torch.eye(2, 10), call(segments, ids)
    try:
        picked = None if isinstance(found, list | tuple) else pieces[found]  # a list picks along several axes
    except (IndexError, TypeError, ValueError):
        picked = None
    if picked is None or not torch.equal(picked, pieces[by_hand(ids)]):
        what = f"a tensor of {found.dtype}" if isinstance(found, Tensor) else kind(found)
        raise NotYet(
            "The numbers are right, but `pieces[segments(ids)]` looks them up in a table. That takes a tensor of "
            f"int64, which `.long()` makes, or of int32, and segments returned {what}."
        )


def a_row(draw: Draw, first: int, second: int = 0, padding: int = 0) -> list[int]:
    words = lambda n: [draw.between(3, 99) for _ in range(n)]
    row = [CLS, *words(first), SEP]
    return row + (words(second) + [SEP] if second else []) + [PAD] * padding


def leaves_the_first_separator_with_the_first_text(segments, draw: Draw):
    """Two texts, each with the [SEP] that ends it."""
    expect(segments, torch.tensor([a_row(draw, draw.between(1, 4), draw.between(1, 4))]))


def knows_one_text(segments, draw: Draw):
    """One text is all segment 0."""
    expect(segments, torch.tensor([a_row(draw, draw.between(1, 5))]))


def gives_padding_to_the_first(segments, draw: Draw):
    """Padding after one text or two is segment 0."""
    for second in (0, draw.between(1, 3)):
        expect(segments, torch.tensor([a_row(draw, draw.between(1, 3), second, draw.between(1, 3))]))


def serves_a_batch(segments, draw: Draw):
    """Texts of different lengths in one batch"""
    rows = [a_row(draw, draw.between(1, 5), draw.between(0, 4)) for _ in range(5)]
    longest = max(map(len, rows))
    expect(segments, torch.tensor([row + [PAD] * (longest - len(row)) for row in rows]))


def picks_rows_of_a_table(segments, draw: Draw):
    """They pick the rows of the input"""
    rows = [a_row(draw, 3, 2), a_row(draw, 1, 2, 2)]
    expect_rows(segments, torch.tensor(rows))
