"""Exercise 4.4: a test that tells a model which looks ahead from one that does not, and four models to try it on."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, show

Model = Callable[[Tensor], Tensor]  # (n, 8) -> (n, 8)


def sound(x: Tensor) -> Tensor:
    """Self-attention in which each row sees itself and the rows before it."""
    return _attend(x, _triangle(len(x)))


def no_mask(x: Tensor) -> Tensor:
    """Broken: every row sees every row."""
    return _attend(x, torch.ones(len(x), len(x), dtype=torch.bool))


def sees_next(x: Tensor) -> Tensor:
    """Broken: each row sees one row too many."""
    return _attend(x, _triangle(len(x), 1))


def mask_too_late(x: Tensor) -> Tensor:
    """Broken: hidden weights are set to 0 after the softmax."""
    return (_scores(x).softmax(-1) * _triangle(len(x))) @ x


def one_row_peeps(x: Tensor) -> Tensor:
    """Broken: the first row alone sees the second."""
    mask = _triangle(len(x))
    mask[0, :2] = True
    return _attend(x, mask)


def _triangle(n: int, diagonal: int = 0) -> Tensor:
    return torch.ones(n, n, dtype=torch.bool).tril(diagonal)


def _scores(x: Tensor) -> Tensor:
    return x @ x.mT / math.sqrt(x.shape[-1])  # (n, n)


def _attend(x: Tensor, mask: Tensor) -> Tensor:
    return _scores(x).masked_fill(~mask, -torch.inf).softmax(-1) @ x  # (n, 8)


def check_leaks(leaks: Callable[[Model], bool]) -> None:
    """Check `leaks`: a model -> whether a row of it depends on a later one.

    Raises NotYet with the model that is judged wrongly.
    """

    def of(model: Model) -> bool:
        said = call(leaks, model)
        if not isinstance(said, bool) and not (
            isinstance(said, Tensor) and said.dtype == torch.bool and said.numel() == 1
        ):
            raise NotYet(f"leaks should return True or False, and it returned {show(said)}.")
        return bool(said)

    def lets_the_sound_one_pass(_):
        """The sound model passes, ten times."""
        if any(of(sound) for _ in range(10)):
            raise NotYet(
                "Your test says that the sound model leaks. A row may depend on itself and on earlier rows: "
                "change later rows only, and allow for rounding."
            )

    def catches(model: Model, name: str, why: str) -> Callable:
        def holds(_):
            if not all(of(model) for _ in range(10)):
                raise NotYet(f"Your test finds nothing in `{model.__name__}`: {why}")

        holds.__doc__ = name
        return holds

    check(
        leaks,
        lets_the_sound_one_pass,
        catches(
            no_mask,
            "A missing mask is found",
            "there every row sees every row. The last row may do that, so look at "
            "the others: which of them change when a later row does?",
        ),
        catches(
            sees_next,
            "A mask that is off by one is found",
            "there a row sees its successor and no more. Compare also the row right before the one that you change.",
        ),
        catches(
            mask_too_late,
            "A mask after the softmax is found",
            "there the hidden weights are 0, but the others still "
            "depend on what is hidden. Compare the numbers that come out, not the zeros.",
        ),
        catches(
            one_row_peeps,
            "A leak in one row is found",
            "there only the first row looks ahead, to the second. Was the last row the "
            "only one that you changed? Try each.",
        ),
    )
