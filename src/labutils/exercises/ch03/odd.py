"""Exercise 3.2: the word whose row is least like those of the others."""

from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from labutils.checkpoints import load
from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show
from labutils.making.company import NOUNS


def check_odd_one(odd_one: Callable[[Tensor], int], seed: int | None = None) -> None:
    """Check `odd_one`: rows (k, d), three or more -> the number of the one that is least like the others.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        odd_one,
        finds_another_direction,
        ignores_lengths,
        asks_all_others,
        takes_other_shapes,
        finds_words,
        repeat="check_odd_one(odd_one, seed={seed})",
        seed=seed,
    )


def odd_one(rows):
    unit = rows / rows.norm(dim=-1, keepdim=True)
    return int((unit @ unit.T).sum(1).argmin())


RIGHT = (odd_one,)
UNIT, ASKED = "rows / rows.norm(dim=-1, keepdim=True)", "(unit @ unit.T).sum(1).argmin()"
# fmt: off
MISTAKES = (
    ("takes dot products", "That is by dot products, in which a long row counts for more: take cosines.", UNIT, "rows"),
    ("takes the one that fits best", "That is the row that is most like the others.", "argmin", "argmax"),
    ("asks the nearest alone", "That row has the least like nearest row: all the others should count.", ASKED,
     "(unit @ unit.T - 2 * torch.eye(len(unit), dtype=unit.dtype)).amax(1).argmin()"),
    ("asks the farthest alone", "That goes by the least like of the others: all of them should count.", ASKED,
     "(unit @ unit.T).amin(1).argmin()"),
    ("takes the farthest from the mean", "That is the row farthest from the mean of the rows: take cosines.", ASKED,
     "(rows - rows.mean(0)).norm(dim=1).argmax()"),
)
REFUSED = (
    ("counts from one", "row 4, and there are rows 0 to 3|expected", "return int(", "return 1 + int("),
    ("returns the row itself", "should return the number of a row", "return int((unit @ unit.T).sum(1).argmin())",
     "return rows[int((unit @ unit.T).sum(1).argmin())]"),
)
# fmt: on


def expect(answer, rows: Tensor, names: list[str] | None = None) -> None:
    """Raises NotYet where the reader names another row."""
    found, right = fair.whole(given := call(answer, rows)), odd_one(rows.double())
    if found is None:
        raise NotYet(f"odd_one should return the number of a row, and it returned {show(given)}.")
    if not 0 <= found < len(rows):
        raise NotYet(f"odd_one named row {found}, and there are rows 0 to {len(rows) - 1}.")
    if found != right:
        what = f"Of {', '.join(names)} it is {names[found]}" if names else f"Of {len(rows)} rows it is row {found}"
        wanted = names[right] if names else f"row {right}"
        mistakes = outcomes(MISTAKES, odd_one, rows.double())
        raise NotYet(f"{what}, expected {wanted}.{likely(found, mistakes)}")


def group(draw: Draw, k: int, d: int, spread: float = 0.3, dtype: torch.dtype = torch.float32) -> Tensor:
    """Rows around one direction, and one of another, in a place that is drawn."""
    rows = draw.normal(1, d, dtype=dtype) + spread * draw.normal(k, d, dtype=dtype)
    rows[draw.between(0, k - 1)] = draw.normal(d, dtype=dtype)
    return rows


def apart(rows: Tensor) -> bool:
    """Whether the answer is clear: rounding decides nothing."""
    unit = rows / rows.norm(dim=-1, keepdim=True)
    lowest, second = (unit @ unit.T).sum(1).sort().values[:2]
    return bool(second - lowest > 0.01)


def told_from(mistake: int, draw: Draw, k: int, d: int, spread: float) -> Tensor:
    """Rows for which a mistake names another row than the right answer."""
    for _ in range(1000):
        rows = group(draw, k, d, spread, torch.float64) * (0.2 + 4 * draw.normal(k, 1, dtype=torch.float64).abs())
        gives = [gives for _, gives in outcomes(MISTAKES, odd_one, rows)]
        if apart(rows) and gives[mistake] != odd_one(rows):
            return rows
    raise AssertionError("No such rows were drawn.")


def finds_another_direction(answer, draw: Draw):
    """Where one row points another way, it is named."""
    for k in (4, 5, 7):
        rows = group(draw, k, 16, 0.1)
        while not apart(rows):
            rows = group(draw, k, 16, 0.1)
        expect(answer, rows)


def ignores_lengths(answer, draw: Draw):
    """How long a row is does not count."""
    for mistake in (0, 4):
        expect(answer, told_from(mistake, draw, 5, 6, 0.5))


def asks_all_others(answer, draw: Draw):
    """Each row is compared with all the others."""
    for mistake in (2, 3):
        expect(answer, told_from(mistake, draw, 5, 4, 0.8))


def takes_other_shapes(answer, draw: Draw):
    """Three rows, two columns, and single precision."""
    for k, d in ((3, 2), (9, 2), (3, 30)):
        rows = group(draw, k, d)
        while not apart(rows):
            rows = group(draw, k, d)
        expect(answer, rows)


@cache
def table() -> dict[str, Tensor]:
    """The rows of nouns in the little GPT-2's table."""
    gpt2 = load("little-gpt2")
    rows = gpt2.model.embeddings.token.weight.detach()
    return {noun: rows[gpt2.tokenizer.encode(" " + noun).ids[0]] for noun in NOUNS}


def finds_words(answer, draw: Draw):
    """Words of the little GPT-2: three of one kind and one of another."""
    rows_of = table()
    people, animals = list(NOUNS[:28]), list(NOUNS[28:])
    for many, one in ((animals, people), (people, animals)):
        names = [*draw.sample(many, 3), draw.choices(one, 1)[0]]
        names = draw.sample(names, 4)
        rows = torch.stack([rows_of[name] for name in names])
        if apart(rows):
            expect(answer, rows, names)
