"""Exercise 1.1: a cell whose gates see what it keeps, and whose new part takes the place of what is forgotten."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
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


def expect(peephole_step, x: Tensor, h: Tensor, c: Tensor, W: Tensor, U: Tensor, b: Tensor, p: Tensor) -> None:
    """Raises NotYet where the next state or the next cell is not the right one."""
    pair = call(peephole_step, x, h, c, W, U, b, p)
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise NotYet("peephole_step should return two tensors: the next state and the next cell.")
    for row in pair:
        expect_tensor(row, tuple(h.shape), "peephole_step")
    given = [part.double() for part in (x, h, c, W, U, b, p)]
    found, right = torch.stack([row.detach().double() for row in pair]), step(*given)
    if not fair.alike(found, right):
        what, i = ("cell", 1) if not fair.alike(found[1], right[1]) else ("state", 0)
        text, column = divmod(int((found[i] - right[i]).abs().argmax()), h.shape[1])  # a place where it shows
        raise NotYet(
            f"For x of shape {tuple(x.shape)} and h of shape {tuple(h.shape)} number {column} of text {text} in the"
            f" next {what} became {rounded(found[i, text, column])}, expected {rounded(right[i, text, column])}."
            f"{likely(found, mistakes(*given))}"
        )


def step(x, h, c, W, U, b, p, **changed) -> Tensor:
    """State and cell, (2, B, d), by the card or with one thing changed: the share of the candidate, what o sees, how
    the candidate and the cell are squeezed, how a gate sees the cell, whether the candidate sees it.
    """
    squeeze, see = changed.get("squeeze", torch.tanh), changed.get("see", lambda heard, seen: (heard + seen).sigmoid())
    f = see(x @ W[0] + h @ U[0] + b[0], p[0] * c)
    g = squeeze(x @ W[1] + h @ U[1] + b[1] + (p[1] * c if changed.get("strayed") else 0))
    new = changed.get("keep", lambda f, c, g: f * c + (1 - f) * g)(f, c, g)
    seen = 0 * c if changed.get("strayed") else c if changed.get("early") else new
    o = see(x @ W[2] + h @ U[2] + b[2], p[1] * seen)
    return torch.stack([o * changed.get("show", torch.tanh)(new), new])


def mistakes(x, h, c, W, U, b, p) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    given, plain = (x, h, c, W, U, b, p), lambda z: z
    yield "State and cell are exchanged: the state comes first.", step(*given).flip(0)
    yield (
        "f and 1 − f are exchanged: f is the share that is kept.",
        step(*given, keep=lambda f, c, g: (1 - f) * c + f * g),
    )
    whole = "The candidate is added whole: only what f does not keep is there for it."
    yield whole, step(*given, keep=lambda f, c, g: f * c + g)
    yield "The output gate sees the cell before: it should see the new one.", step(*given, early=True)
    only_o, only_f = p * p.new_tensor([[0.0], [1.0]]), p * p.new_tensor([[1.0], [0.0]])
    yield "The forget gate does not see the old cell: p[0] is not used.", step(x, h, c, W, U, b, only_o)
    yield "The output gate does not see the new cell: p[1] is not used.", step(x, h, c, W, U, b, only_f)
    strayed = "The candidate sees the cell, by p[1]: that belongs to the output gate, which sees the new one."
    yield strayed, step(*given, strayed=True)
    yield "p[0] and p[1] are exchanged.", step(x, h, c, W, U, b, p.flip(0))
    yield "The candidate has no tanh.", step(*given, squeeze=plain)
    yield "What is shown of the cell has no tanh.", step(*given, show=plain)
    yield "The candidate has a sigmoid, as the gates have; it needs a tanh.", step(*given, squeeze=torch.sigmoid)
    outside = "p times the cell was added outside the sigmoid; it belongs inside."
    yield outside, step(*given, see=lambda heard, seen: heard.sigmoid() + seen)
    summed = "p times the cell was summed: each column of the cell is seen by its own column of the gate alone."
    yield summed, step(*given, see=lambda heard, seen: (heard + seen.sum(-1, keepdim=True)).sigmoid())
    yield "No bias is used.", step(x, h, c, W, U, 0 * b, p)
    yield (
        "The parts of candidate and output gate are exchanged.",
        step(x, h, c, *(part[[0, 2, 1]] for part in (W, U, b)), p),
    )
    yield "Each U is transposed.", step(x, h, c, W, U.mT, b, p)


def parts(draw: Draw, B: int, d_in: int, d: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    """x, h, c, W, U, b and p."""
    shapes = ((B, d_in), (B, d), (B, d), (3, d_in, d), (3, d, d), (3, d), (2, d))
    return [draw.normal(*shape, dtype=dtype) for shape in shapes]


def halves_a_cell_without_weights(peephole_step, draw: Draw):
    """Without weights half of the cell is kept."""
    x, h, c, W, U, b, p = parts(draw, 2, 3, 4)
    expect(peephole_step, x, h, c, 0 * W, 0 * U, 0 * b, 0 * p)


def hears_word_and_state(peephole_step, draw: Draw):
    """Gates and candidate hear word and state, with their biases."""
    x, h, c, W, U, b, p = parts(draw, 2, 3, 4)
    expect(peephole_step, x, h, c, W, U, b, 0 * p)


def sees_the_cell_before(peephole_step, draw: Draw):
    """The forget gate sees the cell."""
    x, h, c, W, U, b, p = parts(draw, 3, 5, 4)
    expect(peephole_step, x, h, c, W, U, b, p * torch.tensor([[1.0], [0.0]]))


def sees_the_cell_after(peephole_step, draw: Draw):
    """The output gate sees the new cell."""
    expect(peephole_step, *parts(draw, 3, 5, 4))


def takes_other_shapes(peephole_step, draw: Draw):
    """One text, one column, and double precision."""
    for sizes in ((1, 1, 1), (1, 7, 2), (5, 1, 6)):
        expect(peephole_step, *parts(draw, *sizes, dtype=torch.float64))
