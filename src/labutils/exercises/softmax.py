"""Exercise 4.1: a softmax that neither overflows nor divides by zero."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, expect_tensor, fresh_generator, rounded
from labutils.layers import softmax


def check_softmax(stable_softmax: Callable[[Tensor], Tensor]) -> None:
    """Check `stable_softmax`: scores (..., n) -> weights (..., n), each row by itself.

    Raises NotYet with the property that does not hold.
    """
    check(
        stable_softmax,
        is_right_for_small_scores,
        works_along_the_last_axis,
        survives_large_scores,
        shifts_each_row_by_itself,
        gives_hidden_scores_nothing,
        gives_nothing_to_a_row_that_sees_nothing,
        takes_any_shape,
    )


def weights_of(stable_softmax, scores: Tensor) -> Tensor:
    weights = call(stable_softmax, scores)
    expect_tensor(weights, scores.shape, "stable_softmax", scores.dtype)
    return weights


def expect(weights: Tensor, right: list, row: str, why: str) -> None:
    if not torch.allclose(weights, torch.tensor(right, dtype=weights.dtype), atol=1e-5):
        raise NotYet(f"{row} became {rounded(weights)}, expected {right}: {why}")


def is_right_for_small_scores(stable_softmax):
    """0, ln 2, 0 become 1/4, 1/2, 1/4."""
    weights = weights_of(stable_softmax, torch.tensor([0.0, math.log(2), 0.0]))
    expect(weights, [0.25, 0.5, 0.25], "The row", "raise e to each score, divide by the sum.")


def works_along_the_last_axis(stable_softmax):
    """Each row sums to 1."""
    scores = torch.randn(3, 5, generator=fresh_generator())
    weights = weights_of(stable_softmax, scores)
    rows, columns = weights.sum(-1), weights.sum(0)
    if torch.allclose(rows, torch.ones(3)):
        return
    found = f"The rows of a (3, 5) tensor sum to {rounded(rows)}, expected 1 each"
    if torch.allclose(columns, torch.ones(5)):
        raise NotYet(f"{found}. The columns do: was the sum taken along the first axis instead of the last?")
    if torch.allclose(weights.sum(), torch.tensor(1.0)):
        raise NotYet(f"{found}. All fifteen weights together do: the sum belongs to one row, so give it an axis.")
    raise NotYet(f"{found}: divide by the sum of the row.")


def survives_large_scores(stable_softmax):
    """Scores of 1,000 do not overflow."""
    weights = weights_of(stable_softmax, torch.tensor([1000.0, 1000.0]))
    expect(
        weights,
        [0.5, 0.5],
        "The row 1000, 1000",
        "e^1000 is too large for a float. What can be subtracted from a row without changing its weights?",
    )


def shifts_each_row_by_itself(stable_softmax):
    """A row of low scores beside a row of high ones keeps its weights."""
    weights = weights_of(stable_softmax, torch.tensor([[1000.0, 1000.0], [-1000.0, -1000.0]]))
    expect(
        weights[1],
        [0.5, 0.5],
        "The row -1000, -1000 below the row 1000, 1000",
        "was the largest score of the whole tensor subtracted? Each row needs its own.",
    )


def gives_hidden_scores_nothing(stable_softmax):
    """A score of -inf gets the weight 0."""
    weights = weights_of(stable_softmax, torch.tensor([[2.0, 2.0, -torch.inf]]))
    expect(weights[0], [0.5, 0.5, 0.0], "The row 2, 2, -inf", "e^-inf is 0.")


def gives_nothing_to_a_row_that_sees_nothing(stable_softmax):
    """A row of nothing but -inf becomes zeros."""
    weights = weights_of(stable_softmax, torch.full((1, 3), -torch.inf))
    expect(
        weights[0],
        [0.0, 0.0, 0.0],
        "The row -inf, -inf, -inf",
        "-inf minus -inf is nan, and so is 0 divided by 0. Replace both before they happen.",
    )


def takes_any_shape(stable_softmax):
    """One score, odd shapes, float32 and float64."""
    for shape in ((1,), (7,), (1, 1), (2, 3, 5, 7)):
        for dtype in (torch.float32, torch.float64):
            scores = 30 * torch.randn(shape, generator=fresh_generator(), dtype=dtype)
            weights, right = weights_of(stable_softmax, scores), softmax(scores)
            if not torch.allclose(weights, right):
                gap = float((weights - right).abs().max())
                raise NotYet(f"For random scores of shape {shape} one weight is wrong by {gap:.2g}.")
