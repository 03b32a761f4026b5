"""Exercise 1.2: a cell whose gates see what it keeps, and whose new part takes the place of what is forgotten."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import rounded


def check_peephole_step(peephole_step: Callable[..., tuple[Tensor, Tensor]], seed: int | None = None) -> None:
    """Check `peephole_step`: x (B, d_in), h and c (B, d), three parts each of W, U and b, two of p -> the next h and c.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        peephole_step,
        halves_a_cell_without_weights,
        hears_word_and_state,
        sees_the_cell_before,
        sees_the_cell_after,
        takes_other_shapes,
        repeat="check_peephole_step(peephole_step, seed={seed})",
        seed=seed,
    )


def peephole_step(x, h, c, W, U, b, p):
    def heard(part):
        return x @ W[part] + h @ U[part] + b[part]

    f = torch.sigmoid(heard(0) + p[0] * c)
    c = f * c + (1 - f) * torch.tanh(heard(1))
    o = torch.sigmoid(heard(2) + p[1] * c)
    return o * torch.tanh(c), c


RIGHT = (peephole_step,)
NEW, SEES = "f * c + (1 - f) * torch.tanh(heard(1))", "heard(2) + p[1] * c"
OUT, OLD = "return o * torch.tanh(c), c", "heard(0) + p[0] * c"
EARLY = f"new = {NEW}\n    o = torch.sigmoid(heard(2) + p[1] * c)\n    return o * torch.tanh(new), new"
SUMMED = "p times the cell was summed: each column of the cell is seen by its own column of the gate alone."
# fmt: off
MISTAKES = (
    ("returns the cell first", "State and cell are exchanged: the state comes first.", OUT,
     "return c, o * torch.tanh(c)"),
    ("exchanges f and 1 - f", "f and 1 − f are exchanged: f is the share that is kept.", "f * c + (1 - f)",
     "(1 - f) * c + f"),
    ("adds the whole candidate, as the chapter does with i = 1",
     "The candidate is added whole: only what f does not keep is there for it.", "(1 - f) * ", ""),
    ("shows the output gate the cell before", "The output gate sees the cell before: it should see the new one.",
     f"c = {NEW}", EARLY),
    ("shows the forget gate nothing", "The forget gate does not see the old cell: p[0] is not used.", " + p[0] * c",
     ""),
    ("shows the output gate nothing", "The output gate does not see the new cell: p[1] is not used.", " + p[1] * c",
     ""),
    ("shows the cell to the candidate in place of the output gate",
     "The candidate sees the cell, by p[1]: that belongs to the output gate, which sees the new one.", "heard(1)",
     "heard(1) + p[1] * c", SEES, "heard(2)"),
    ("exchanges the rows of p", "p[0] and p[1] are exchanged.", OLD, "heard(0) + p[1] * c", SEES,
     "heard(2) + p[0] * c"),
    ("forgets the tanh of the candidate", "The candidate has no tanh.", "torch.tanh(heard(1))", "heard(1)"),
    ("forgets the tanh of the cell", "What is shown of the cell has no tanh.", "o * torch.tanh(c)", "o * c"),
    ("makes the candidate with a sigmoid", "The candidate has a sigmoid, as the gates have; it needs a tanh.",
     "torch.tanh(heard(1))", "torch.sigmoid(heard(1))"),
    ("adds p times the cell outside the sigmoid", "p times the cell was added outside the sigmoid; it belongs inside.",
     f"torch.sigmoid({OLD})", "torch.sigmoid(heard(0)) + p[0] * c", f"torch.sigmoid({SEES})",
     "torch.sigmoid(heard(2)) + p[1] * c"),
    ("sums p times the cell", SUMMED, "p[0] * c", "(p[0] * c).sum(-1, keepdim=True)", "p[1] * c",
     "(p[1] * c).sum(-1, keepdim=True)"),
    ("uses no bias", "No bias is used.", " + b[part]", ""),
    ("takes the parts in PyTorch's order", "The parts of candidate and output gate are exchanged.", "heard(1)",
     "heard(3 - 1)", "heard(2)", "heard(1)"),
    ("transposes U", "Each U is transposed.", "U[part]", "U[part].T"),
)
REFUSED = (
    ("shows no gate the cell", r"The forget gate does not see the old cell: p\[0\] is not used.", " + p[0] * c", "",
     " + p[1] * c", ""),
    ("returns the state alone", "should return two tensors", OUT, "return o * torch.tanh(c)"),
)
# fmt: on


def expect(answer, x: Tensor, h: Tensor, c: Tensor, W: Tensor, U: Tensor, b: Tensor, p: Tensor) -> None:
    """Raises NotYet where the next state or the next cell is not the right one."""
    pair = call(answer, x, h, c, W, U, b, p)
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise NotYet("peephole_step should return two tensors: the next state and the next cell.")
    for row in pair:
        expect_tensor(row, tuple(h.shape), "peephole_step")
    given = [part.double() for part in (x, h, c, W, U, b, p)]
    found, right = torch.stack([row.detach().double() for row in pair]), both(peephole_step(*given))
    if not fair.alike(found, right):
        what, i = ("cell", 1) if not fair.alike(found[1], right[1]) else ("state", 0)
        text, column = divmod(int((found[i] - right[i]).abs().argmax()), h.shape[1])  # a place where it shows
        mistakes = ((said, both(gives)) for said, gives in outcomes(MISTAKES, peephole_step, *given))
        raise NotYet(
            f"For x of shape {tuple(x.shape)} and h of shape {tuple(h.shape)} number {column} of text {text} in the"
            f" next {what} became {rounded(found[i, text, column])}, expected {rounded(right[i, text, column])}."
            f"{likely(found, mistakes)}"
        )


def both(pair: tuple[Tensor, Tensor]) -> Tensor:
    """State and cell in one, (2, B, d)."""
    return torch.stack(list(pair))


def parts(draw: Draw, B: int, d_in: int, d: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    """x, h, c, W, U, b and p."""
    shapes = ((B, d_in), (B, d), (B, d), (3, d_in, d), (3, d, d), (3, d), (2, d))
    return [draw.normal(*shape, dtype=dtype) for shape in shapes]


def halves_a_cell_without_weights(answer, draw: Draw):
    """Without weights half of the cell is kept."""
    x, h, c, W, U, b, p = parts(draw, 2, 3, 4)
    expect(answer, x, h, c, 0 * W, 0 * U, 0 * b, 0 * p)


def hears_word_and_state(answer, draw: Draw):
    """Gates and candidate hear word and state, with their biases."""
    x, h, c, W, U, b, p = parts(draw, 2, 3, 4)
    expect(answer, x, h, c, W, U, b, 0 * p)


def sees_the_cell_before(answer, draw: Draw):
    """The forget gate sees the cell."""
    x, h, c, W, U, b, p = parts(draw, 3, 5, 4)
    expect(answer, x, h, c, W, U, b, p * torch.tensor([[1.0], [0.0]]))


def sees_the_cell_after(answer, draw: Draw):
    """The output gate sees the new cell."""
    expect(answer, *parts(draw, 3, 5, 4))


def takes_other_shapes(answer, draw: Draw):
    """One text, one column, and double precision."""
    for sizes in ((1, 1, 1), (1, 7, 2), (5, 1, 6)):
        expect(answer, *parts(draw, *sizes, dtype=torch.float64))
