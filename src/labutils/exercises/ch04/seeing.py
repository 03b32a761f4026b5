"""Exercise 4.4: who sees whom in a model of which nothing is known but what it makes of its input."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.ch04.black_boxes import (
    Box,
    Model,
    a_box,
    a_box_of_two_layers,
    attending,
    choosy,
    faint,
    hears_in_silence,
    hears_the_loud,
    hears_the_positive,
    looks_back,
    mixing,
    moves,
    rounding,
)
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import kind

__all__ = ["check_who_sees", "hears_the_positive", "looks_back"]

AGAIN = 3  # boxes of each kind


def check_who_sees(who_sees: Callable[[Model, int, int], Tensor], seed: int | None = None) -> None:
    """Check `who_sees`: a model, n and d -> (n, n), True in row i, column j where row i of model(x) depends on row j.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        who_sees,
        finds_a_causal_mask,
        finds_any_pattern,
        finds_what_comes_through_another_row,
        finds_what_is_heard_at_times,
        finds_what_another_key_outshines,
        finds_what_only_large_numbers_move,
        finds_what_only_small_numbers_move,
        finds_what_hardly_moves,
        does_not_take_rounding_for_seeing,
        takes_one_row,
        repeat="check_who_sees(who_sees, seed={seed})",
        seed=seed,
    )


def expect(who_sees, box: Box, draw: Draw) -> None:
    """Raises NotYet with one cell of the table that is wrong, and what an experiment says about it."""
    found = table_of(who_sees, box)
    if torch.equal(found, box.table):
        return
    i, j = (found != box.table).nonzero()[0].tolist()
    far = moves(box, i, j, draw)
    if box.table[i, j]:
        said = f"False, expected True: drawing row {j} anew moves row {i} by up to {far:.1g}."
    elif far:
        said = f"True, expected False: drawing row {j} anew moves row {i} by {far:.0e} at most, which is rounding."
    else:
        said = f"True, expected False: drawing row {j} anew, 60 times, never moves row {i}."
    because = likely(found, mistakes(box, rounds=far > 0))
    raise NotYet(f"For a model of {box.n} rows your table says in row {i}, column {j}: {said}{because}")


def table_of(who_sees, box: Box) -> Tensor:
    """The reader's table, (n, n). Raises NotYet where it is none, or the model was not asked."""
    asked, run = [], box.model  # what is handed over holds the model, and not the table beside it

    def model(x: Tensor) -> Tensor:
        asked.append(tuple(x.shape))
        return run(x)

    answer = call(who_sees, model, box.n, box.d)
    found = fair.table(answer)
    if found is None:
        what = kind(answer) if fair.numbers(answer) is None else "other numbers"
        raise NotYet(f"who_sees should return a table of True and False, and it returned {what}.")
    if found.shape != box.table.shape:
        raise NotYet(f"The table has the shape {tuple(found.shape)}, expected {tuple(box.table.shape)}.")
    if not asked:
        raise NotYet("who_sees returned a table without running the model once.")
    return found


def mistakes(box: Box, rounds: bool) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and the table that each gives; `rounds` tells a model that rounds."""
    eye = torch.eye(box.n, dtype=torch.bool)
    yield "Your table is right if rows and columns are swapped: the row is the one that sees.", box.table.mT
    yield "All else is right: a row may depend on itself.", box.table & ~eye
    yield "All else is right: a row need not depend on itself.", box.table | eye
    if not rounds:
        yield "A nan in row j gives your table, but 0 · nan is nan: it gets through a weight of 0.", _by_nan(box)


def _by_nan(box: Box) -> Tensor:
    reached = []
    for j in range(box.n):
        x = torch.zeros(box.n, box.d)
        x[j] = torch.nan
        reached.append(box.model(x).isnan().any(-1))
    return torch.stack(reached, 1)


def finds_a_causal_mask(who_sees, draw: Draw):
    """A causal mask, a window, and a mask that shows one row too many."""
    for back, on in ((9, 0), (draw.between(1, 2), 0), (9, 1)):
        n, d = draw.between(3, 8), draw.between(1, 6)
        table = torch.ones(n, n, dtype=torch.bool).tril(on).triu(-back)
        expect(who_sees, Box(attending(table, d, draw), n, d, table), draw)


def finds_any_pattern(who_sees, draw: Draw):
    """Models with a random pattern, in which a row may miss itself."""
    for _ in range(AGAIN):
        expect(who_sees, a_box(draw, mixing), draw)


def finds_what_comes_through_another_row(who_sees, draw: Draw):
    """Models of two layers, in which a row sees through another."""
    for _ in range(AGAIN):
        expect(who_sees, a_box_of_two_layers(draw), draw)


def finds_what_is_heard_at_times(who_sees, draw: Draw):
    """Models that hear a row only at times."""
    for _ in range(AGAIN):
        expect(who_sees, a_box(draw, choosy), draw)


def finds_what_another_key_outshines(who_sees, draw: Draw):
    """Models in which one key takes nearly all the weight."""
    for _ in range(AGAIN):
        expect(who_sees, a_box(draw, attending, itself=True, sharp=100.0), draw)


def finds_what_only_large_numbers_move(who_sees, draw: Draw):
    """Models that hear a row only where its numbers are large."""
    for _ in range(AGAIN):
        expect(who_sees, a_box(draw, hears_the_loud), draw)


def finds_what_only_small_numbers_move(who_sees, draw: Draw):
    """Models that hear a row only while all numbers are small."""
    for _ in range(AGAIN):
        expect(who_sees, a_box(draw, hears_in_silence, large=True), draw)


def finds_what_hardly_moves(who_sees, draw: Draw):
    """Models in which all moves are small, but far above 1e-5."""
    for _ in range(AGAIN):
        expect(who_sees, a_box(draw, faint), draw)


def does_not_take_rounding_for_seeing(who_sees, draw: Draw):
    """Models that round."""
    for _ in range(AGAIN):
        expect(who_sees, a_box(draw, rounding), draw)


def takes_one_row(who_sees, draw: Draw):
    """Models of one row, which may be deaf."""
    for sees in (True, False):
        table = torch.tensor([[sees]])
        expect(who_sees, Box(mixing(table, 2, draw), 1, 2, table), draw)
