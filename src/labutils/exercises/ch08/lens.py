"""Exercise 8.2: what each level of a model would lose on a text if the model ended there."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from labutils.exercises import fair
from labutils.exercises.ch08.given import Given
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import rounded

Lens = Callable[[Tensor, Callable[[Tensor], Tensor], Tensor, Tensor], Tensor]


def check_lens(lens: Lens, seed: int | None = None) -> None:
    """Check `lens`: levels (m, n, d), a norm, a table (V, d) and ids (n,) -> the mean loss of each level, (m,).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        lens,
        reads_one_level,
        reads_several,
        knows_a_perfect_level,
        stands_large_numbers,
        repeat="check_lens(lens, seed={seed})",
        seed=seed,
    )


def lens(levels, norm, table, ids):
    logits = norm(levels)[:, :-1] @ table.T
    chances = logits.log_softmax(-1)
    return -chances[:, torch.arange(len(ids) - 1), ids[1:]].mean(-1)


RIGHT = (lens,)
# fmt: off
MISTAKES = (
    ("leaves out the last norm", "That is without the last norm: the table fits normed rows only.", "norm(levels)",
     "levels"),
    ("asks each row about its own token", "Row i was asked about token i: it is about the next one.",
     "norm(levels)[:, :-1]", "norm(levels)", "torch.arange(len(ids) - 1), ids[1:]", "torch.arange(len(ids)), ids"),
    ("asks each row about the one before", "Row i was asked about token i − 1: it is about the next one.", "[:, :-1]",
     "[:, 1:]", "ids[1:]", "ids[:-1]"),
    ("adds up", "That is the sum: divide by the rows that have a next token.", ".mean(-1)", ".sum(-1)"),
    ("divides by all rows", "That is divided by all rows, and the last one has no next token.", ".mean(-1)",
     ".sum(-1) / len(ids)"),
    ("forgets the sign", "The sign: a loss is minus the logarithm.", "-chances", "chances"),
    ("takes the mean of the chances", "That is the logarithm of the mean chance: take the mean of the logarithms.",
     "-chances[:, torch.arange(len(ids) - 1), ids[1:]].mean(-1)",
     "-chances[:, torch.arange(len(ids) - 1), ids[1:]].exp().mean(-1).log()"),
    ("counts in bits", "That is in bits: the logarithm is the natural one.", ".mean(-1)",
     ".mean(-1) / 0.6931471805599453"),
)
REFUSED = (
    ("one number for all levels", r"returned the shape \(\), expected", ".mean(-1)", ".mean()"),
    ("takes the logarithm of a softmax that is 0", "large numbers", "logits.log_softmax(-1)",
     "logits.softmax(-1).log()"),
)
# fmt: on


def a_norm(draw: Draw, d: int) -> Given:
    """A LayerNorm with a gain and a bias that are not 1 and 0."""
    gain, bias = 1 + 0.5 * draw.normal(d), draw.normal(d)
    return Given("norm", lambda x: nn.functional.layer_norm(x, (d,), gain, bias))


def drawn(draw: Draw, m: int, size: float = 1.0) -> tuple:
    n, d, V = draw.between(2, 7), draw.between(3, 6), draw.between(4, 9)
    levels = 3 * draw.normal(m, n, d) + 1
    ids = torch.tensor(draw.choices(range(V), n))
    return levels, a_norm(draw, d), size * draw.normal(V, d), ids


def expect(answer: Lens, given: tuple) -> None:
    found, right = call(answer, *given), lens(*given)
    expect_tensor(found, right.shape, "lens")
    if not fair.alike(found.double(), right.double()):
        cause = likely(found, outcomes(MISTAKES, lens, *given))
        raise NotYet(f"lens gave {rounded(found)}, expected {rounded(right)}.{cause}")


def reads_one_level(answer: Lens, draw: Draw):
    """One level is read with norm and table."""
    expect(answer, drawn(draw, 1))


def reads_several(answer: Lens, draw: Draw):
    """Each level has a loss of its own."""
    expect(answer, drawn(draw, draw.between(2, 5)))
    expect(answer, drawn(draw, 13))


def knows_a_perfect_level(answer: Lens, draw: Draw):
    """A level that is sure of every next token loses nothing."""
    V = draw.between(5, 9)
    ids = torch.tensor(draw.choices(range(V), 6))
    levels = torch.stack([torch.eye(V)[ids], torch.eye(V)[ids.roll(-1)]])
    expect(answer, (levels, Given("norm", lambda x: x), 40 * torch.eye(V), ids))


def stands_large_numbers(answer: Lens, draw: Draw):
    """Logits may be large numbers."""
    given = drawn(draw, 2, size=400.0)
    found = call(answer, *given)
    expect_tensor(found, (2,), "lens")
    if not bool(torch.isfinite(found).all()):
        raise NotYet(f"lens gave {rounded(found)} where logits are large numbers: a chance of 0 has no logarithm.")
    expect(answer, given)
