"""Exercise 2.4: rows of one length for a model that goes on writing at their right end."""

from collections.abc import Callable

import torch

from labutils.checkpoints import load
from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

Row = list[int]
Rows = list[Row]
NAMES = ("ids", "mask", "positions")


def check_padding(pad_left: Callable[[Rows, int, int], tuple[Rows, Rows, Rows]], seed: int | None = None) -> None:
    """Check `pad_left`: rows of ids, a length and the id of padding -> (ids, mask, positions).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        pad_left,
        pads_in_front,
        keeps_the_end,
        knows_padding_by_its_place,
        agrees_on_random_rows,
        leaves_the_model_its_answer,
        repeat="check_padding(pad_left, seed={seed})",
        seed=seed,
    )


def pad_left(rows, length, pad_id):
    ids, mask, positions = [], [], []
    for row in rows:
        row = row[-length:]
        empty = length - len(row)
        ids.append([pad_id] * empty + row)
        mask.append([0] * empty + [1] * len(row))
        positions.append([0] * empty + list(range(len(row))))
    return ids, mask, positions


RIGHT = (pad_left,)
MASK, POSITIONS = "[0] * empty + [1] * len(row)", "[0] * empty + list(range(len(row)))"
# fmt: off
MISTAKES = (
    ("does not cut", "It has not been cut.", "row = row[-length:]", "pass"),
    ("does not pad", "It is still as short as it was.", "[pad_id] * empty + row", "row"),
    ("keeps the beginning", "The beginning was kept. What the model goes on from is the end.", "row[-length:]",
     "row[:length]"),
    ("pads behind", "The padding is at the right end, where the model should go on.", "[pad_id] * empty + row",
     "row + [pad_id] * empty", MASK, "[1] * len(row) + [0] * empty", POSITIONS, "list(range(len(row))) + [0] * empty"),
    ("ignores the id of padding", "The padding has the id that was asked for, not always 0.", "[pad_id]", "[0]"),
    ("inverted mask", "The mask is inverted: 1 is a token.", MASK, "[1] * empty + [0] * len(row)"),
    ("counts the padding", "These count the padding too. The first token stands at 0.", POSITIONS,
     "list(range(length))"),
)
REFUSED = (
    ("compares ids", r"(?m)has the mask \[0, .*, expected .*\]\.$", MASK,
     "[int(token != pad_id) for token in ids[-1]]"),
    ("positions that the model does not have", "The model cannot read your tables", POSITIONS,
     "list(range(-empty, len(row)))"),
    ("changes what it was given", "pad_left changed what it was given", "row = row[-length:]", "row[:-length] = []"),
    ("forgets the positions", "should return three tables, ids, mask and positions, and it returned 2",
     "return ids, mask, positions", "return ids, mask"),
)
# fmt: on


def expect(answer, rows: Rows, length: int, pad_id: int) -> None:
    """Raises NotYet unless the three tables are right; the position of padding may be any."""
    tables = tables_of(answer, rows, length, pad_id)
    right = pad_left(rows, length, pad_id)
    for part, (name, table, wanted) in enumerate(zip(NAMES, tables, right)):
        for row, found, expected, mask in zip(rows, table, wanted, right[1]):
            matters = mask if name == "positions" else [1] * length
            if len(found) != length or any(one != other for one, other, m in zip(found, expected, matters) if m):
                mistakes = outcomes(MISTAKES, pad_left, [row], length, pad_id, part=part)
                raise NotYet(
                    f"The row {row}, brought to length {length} with padding {pad_id}, has the {name} {found}, expected"
                    f" {expected}.{likely([found], mistakes)}"
                )


def tables_of(answer, rows: Rows, length: int, pad_id: int) -> list[Rows]:
    """What the reader returned, as three lists of rows. Raises NotYet where it is something else."""
    result = call(answer, rows, length, pad_id)
    tables = expect_list(result, "pad_left", "three lists of rows: ids, mask, positions")
    if len(tables) != len(NAMES):
        raise NotYet(f"pad_left should return three tables, ids, mask and positions, and it returned {len(tables)}.")
    for name, table in zip(NAMES, tables):
        if not isinstance(table, list) or len(table) != len(rows) or not all(isinstance(row, list) for row in table):
            raise NotYet(f"The {name} should be {len(rows)} rows, one for each row that came in.")
    return tables


def some_ids(draw: Draw, n: int) -> Row:
    return draw.sample(range(1, 999), n)


def pads_in_front(answer, draw: Draw):
    """Padding stands in front, and positions count from the first token."""
    *row, pad_id = some_ids(draw, 4)
    expect(answer, [row], draw.between(4, 8), pad_id)
    expect(answer, [row, row[:1], row[:2]], 3, pad_id)


def keeps_the_end(answer, draw: Draw):
    """A row that is too long keeps its end."""
    *row, pad_id = some_ids(draw, 8)
    expect(answer, [row, row[:2]], draw.between(3, 6), pad_id)
    expect(answer, [row], 1, pad_id)


def knows_padding_by_its_place(answer, draw: Draw):
    """An id of the text that equals the id of padding stays text."""
    one, two = some_ids(draw, 2)
    expect(answer, [[one, two, one, one]], draw.between(5, 7), one)
    expect(answer, [[one, one]], draw.between(3, 5), one)


def agrees_on_random_rows(answer, draw: Draw):
    """Fifty random batches."""
    for _ in range(50):
        rows = [draw.choices(range(1000), draw.between(1, 9)) for _ in range(draw.between(1, 4))]
        expect(answer, rows, draw.between(1, 10), draw.between(0, 999))


def leaves_the_model_its_answer(answer, draw: Draw):
    """The little GPT-2 says the same in the batch as to each text alone."""
    little = load("little-gpt2")
    end = little.tokenizer.vocab["<|endoftext|>"]
    rows = [draw.choices(range(end), n) for n in draw.sample(range(1, 9), 3)]
    tables = [torch.tensor(table, dtype=torch.long) for table in tables_of(answer, rows, 10, end)]
    try:
        with torch.no_grad():
            batch = little.model(*tables).logits[:, -1]  # (B, V)
            alone = torch.stack([little.model(torch.tensor([row])).logits[0, -1] for row in rows])
    except ValueError as error:
        raise NotYet(f"The model cannot read your tables: {error}") from error
    if not torch.allclose(batch, alone, atol=1e-3):
        raise NotYet(f"A logit of the last column is off by {(batch - alone).abs().max():.2f}, expected 0.00.")
