"""Exercise 4.3: how each weight moves with each score."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, expect_tensor, fresh_generator, rounded

BY_HAND = torch.tensor([0.25, 0.5, 0.25])


def check_jacobian(softmax_jacobian: Callable[[Tensor], Tensor]) -> None:
    """Check `softmax_jacobian`: weights (n,) -> (n, n), row i column j the slope of weight i in score j.

    Raises NotYet with the property that does not hold.
    """
    check(
        softmax_jacobian,
        raises_a_weight_with_its_own_score,
        lowers_it_with_the_others,
        keeps_the_sum,
        is_still_where_all_is_decided,
        agrees_with_autograd,
    )


def slopes(softmax_jacobian, weights: Tensor) -> Tensor:
    found = call(softmax_jacobian, weights)
    expect_tensor(found, (len(weights), len(weights)), "softmax_jacobian", weights.dtype)
    return found


def raises_a_weight_with_its_own_score(softmax_jacobian):
    """A weight grows with its own score."""
    found = slopes(softmax_jacobian, BY_HAND).diagonal()
    right = BY_HAND * (1 - BY_HAND)
    if torch.allclose(found, -right, atol=1e-6):
        raise NotYet(
            f"For 1/4, 1/2, 1/4 the diagonal is {rounded(found)}, expected {rounded(right)}: is the sign turned round?"
        )
    if not torch.allclose(found, right, atol=1e-6):
        raise NotYet(
            f"For 1/4, 1/2, 1/4 the diagonal is {rounded(found)}, expected {rounded(right)}: w(1 − w) for each weight. "
            "Its score stands above the line of the fraction and below it."
        )


def lowers_it_with_the_others(softmax_jacobian):
    """A weight shrinks when another score grows."""
    found, right = float(slopes(softmax_jacobian, BY_HAND)[0, 1]), -0.125
    if abs(found) < 1e-6:
        raise NotYet(
            "For 1/4, 1/2, 1/4 the first weight does not move with the second score, expected -0.125: is only the"
            " diagonal there? All scores stand in the sum below the line."
        )
    if abs(found + right) < 1e-6:
        raise NotYet(
            f"For 1/4, 1/2, 1/4 the first weight grows by {found:.3f} with the second score, expected -0.125: "
            "what one gains the others lose. Is the sign of w wᵀ right?"
        )
    if abs(found - right) > 1e-6:
        raise NotYet(
            f"For 1/4, 1/2, 1/4 the slope of the first weight in the second score is {found:.4f}, expected -0.125."
        )


def keeps_the_sum(softmax_jacobian):
    """Each column sums to 0."""
    sums = slopes(softmax_jacobian, torch.randn(7, generator=fresh_generator()).softmax(-1)).sum(0)
    if not torch.allclose(sums, torch.zeros(7), atol=1e-6):
        raise NotYet(f"The columns sum to {rounded(sums)}, expected 0: the weights sum to 1 before and after.")


def is_still_where_all_is_decided(softmax_jacobian):
    """One weight of 1, or a single score, does not move."""
    for weights in (torch.tensor([0.0, 1.0, 0.0]), torch.ones(1)):
        found = slopes(softmax_jacobian, weights)
        if found.abs().max() > 0:
            raise NotYet(
                f"For {rounded(weights)} the slopes are {rounded(found)}, expected zeros: a saturated softmax stops"
                " learning."
            )


def agrees_with_autograd(softmax_jacobian):
    """PyTorch's own derivative is the same."""
    for n in (2, 5, 9):
        scores = torch.randn(n, generator=fresh_generator(), dtype=torch.float64)
        right = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), scores)
        found = slopes(softmax_jacobian, scores.softmax(-1))
        if not torch.allclose(found, right):
            raise NotYet(f"For {n} random weights a slope is wrong by {float((found - right).abs().max()):.2g}.")
