"""Exercise 2.4: rows of ids of one length, and the mask that says which of them are text."""

import random
from collections.abc import Callable

from labutils.exercises.checking import NotYet, call, check, expect_type

CLS, SEP, PAD = 2, 3, 0
Rows = list[list[int]]


def check_padding(pad_batch: Callable[[Rows, int, int], tuple[Rows, Rows]]) -> None:
    """Check `pad_batch`: rows of ids, a length and the id of padding -> (ids, mask).

    Raises NotYet with the property that does not hold.
    """
    check(
        pad_batch,
        has_one_length,
        pads_on_the_right,
        masks_the_padding,
        keeps_the_last_token,
        knows_padding_by_its_place,
        agrees_on_random_rows,
    )


def padded(pad_batch, rows: Rows, length: int, pad_id: int = PAD) -> tuple[Rows, Rows]:
    """What the reader returned for some rows. Raises NotYet where these are not two lists of rows."""
    result = call(pad_batch, rows, length, pad_id)
    expect_type(result, tuple, "pad_batch", "two lists: ids, mask")
    if len(result) != 2 or not all(isinstance(part, list) and len(part) == len(rows) for part in result):
        raise NotYet(f"pad_batch should return ids and mask, one row each for the {len(rows)} rows it got.")
    return result


def right(row: list[int], length: int, pad_id: int) -> tuple[list[int], list[int]]:
    kept = row if len(row) <= length else [*row[: length - 1], row[-1]]
    empty = length - len(kept)
    return kept + [pad_id] * empty, [1] * len(kept) + [0] * empty


def expect(found: list[int], wanted: list[int], what: str, why: str) -> None:
    if list(found) != wanted:
        raise NotYet(f"{what} {found}, expected {wanted}: {why}")


def has_one_length(pad_batch):
    """All rows get the length asked for."""
    rows = [[CLS, SEP], [CLS, 7, 8, SEP], [CLS, 7, 8, 9, 10, SEP]]
    for part, name in zip(padded(pad_batch, rows, 4), ("ids", "mask")):
        if [len(row) for row in part] != [4, 4, 4]:
            raise NotYet(
                f"For length 4 the rows of {name} have the lengths {[len(row) for row in part]}, expected 4 each."
            )


def pads_on_the_right(pad_batch):
    """Padding stands behind the text."""
    ids, _ = padded(pad_batch, [[CLS, 7, SEP]], 5)
    expect(
        ids[0],
        [CLS, 7, SEP, PAD, PAD],
        f"{[CLS, 7, SEP]} became",
        "BERT counts positions from the left, and [CLS] must stay at 0. Was the padding put in front?",
    )


def masks_the_padding(pad_batch):
    """The mask is 1 for a token and 0 for padding."""
    _, mask = padded(pad_batch, [[CLS, 7, SEP]], 5)
    expect(
        mask[0],
        [1, 1, 1, 0, 0],
        "Three tokens and two of padding have the mask",
        "1 means look at it. Is the mask inverted?" if mask[0] == [0, 0, 0, 1, 1] else "one number for each id.",
    )


def keeps_the_last_token(pad_batch):
    """A row that is too long keeps its first and its last token."""
    row = [CLS, 7, 8, 9, SEP]
    ids, mask = padded(pad_batch, [row], 4)
    expect(
        ids[0], [CLS, 7, 8, SEP], f"{row} became", "the last id is [SEP], and the model waits for it. Cut before it."
    )
    expect(mask[0], [1, 1, 1, 1], "A row that was cut has the mask", "it is full of tokens.")


def knows_padding_by_its_place(pad_batch):
    """An id of the text that equals the id of padding stays text."""
    _, mask = padded(pad_batch, [[5, 9, 5]], 4, 5)
    expect(
        mask[0],
        [1, 1, 1, 0],
        "The row 5, 9, 5, padded with 5, has the mask",
        "GPT-2 pads with its end-of-text id, which may stand in the text too. Count places, do not compare ids.",
    )


def agrees_on_random_rows(pad_batch):
    """Fifty random batches."""
    for _ in range(50):
        rows = [[CLS, *random.choices(range(4, 99), k=random.randint(0, 8)), SEP] for _ in range(random.randint(1, 4))]
        length = random.randint(2, 9)
        for row, ids, mask in zip(rows, *padded(pad_batch, rows, length)):
            wanted = right(row, length, PAD)
            expect(ids, wanted[0], f"For length {length} {row} became", "count the places.")
            expect(mask, wanted[1], f"For length {length} {row} has the mask", "count the places.")
