"""Exercise 4.3: the gradient at the weights of a softmax, sent back to its scores."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, SOFTMAX, ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import rounded

WIDE = 4  # times as many numbers as there are weights may stand in one tensor; a table has n times as many


def check_softmax_backward(softmax_backward: Callable[[Tensor, Tensor], Tensor], seed: int | None = None) -> None:
    """Check `softmax_backward`: weights (..., n) and the gradient at them (..., n) -> that at the scores (..., n).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        softmax_backward,
        is_right_for_one_row,
        takes_each_row_by_itself,
        sends_nothing_where_nothing_can_move,
        agrees_with_autograd,
        builds_no_table,
        does_it_by_itself,
        repeat="check_softmax_backward(softmax_backward, seed={seed})",
        seed=seed,
    )


def softmax_backward(weights, grad):
    average = (weights * grad).sum(-1, keepdim=True)
    return weights * (grad - average)


RIGHT = (softmax_backward,)
SENT, AVERAGE = "weights * (grad - average)", "(weights * grad).sum(-1, keepdim=True)"
# fmt: off
MISTAKES = (
    ("sign", "The sign is turned round.", SENT, "weights * (average - grad)"),
    ("forgets the sum below the line",
     "That is weight times gradient: the scores stand below the line of the fraction as well.", " - average", ""),
    ("diagonal only",
     "That is the diagonal alone, w(1 − w) times the gradient: each score moves the other weights too.", SENT,
     "weights * (1 - weights) * grad"),
    ("adds the terms", "The two terms were added; the second has to be subtracted.", "grad - average",
     "grad + average"),
    ("forgets the weights", "The last factor, the weights, is missing.", SENT, "grad - average"),
    ("takes the plain mean", "The mean of the gradient was taken as if all weights were equal.", AVERAGE,
     "grad.mean(-1, keepdim=True)"),
    ("takes the plain sum", "The sum of the gradient lacks the weights.", "(weights * grad).sum", "grad.sum"),
    ("sums over everything", "The sum runs over all rows, not over each.", "(-1, keepdim=True)", "()"),
    ("forgets keepdim", "Each sum met a column instead of its own row: keepdim=True keeps it there.",
     "(-1, keepdim=True)", "(-1)"),
    ("sums along the first axis", "The sum runs along the first axis.", "(-1, keepdim=True)", "(0)"),
)
REFUSED = (
    ("builds the table", r"No table of n × n .*\n.* a tensor on the way holds [\d,]+ numbers, expected about", SENT,
     "((torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]) @ grad[..., None])[..., 0]"),
    ("asks PyTorch", "`torch.autograd.grad` ran in your function", """
        def softmax_backward(weights, grad):
            scores = weights.clamp(min=1e-30).log().requires_grad_()
            powers = scores.exp()
            sent, = torch.autograd.grad(powers / powers.sum(-1, keepdim=True), scores, grad)
            return sent * (weights.sum(-1, keepdim=True) > 0)"""),
    ("asks PyTorch's own kernel", "`softmax_backward_data` ran in your function", SENT,
     "torch._softmax_backward_data(grad, weights, -1, weights.dtype)"),
    ("overwrites the gradient", "softmax_backward changed what it was given", SENT, "grad.sub_(average).mul_(weights)"),
)
# fmt: on


def sent_back(answer, weights: Tensor, grad: Tensor) -> Tensor:
    found = call(answer, weights, grad)
    expect_tensor(found, tuple(weights.shape), "softmax_backward")
    return found.detach().double()


def expect(answer, weights: Tensor, grad: Tensor) -> None:
    """Raises NotYet where the gradient is not the right one."""
    found = sent_back(answer, weights, grad)
    w, g = weights.double(), grad.double()
    right = softmax_backward(w, g) + 0.0  # no -0.0 in a message
    if fair.alike(found, right):
        return
    row = tuple((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).nonzero()[0].tolist()[:-1])
    where = f"In row {list(row)} of a tensor of shape {tuple(w.shape)} the" if row else "The"
    raise NotYet(
        f"{where} weights {rounded(w[row])} with the gradient {rounded(g[row])} send back {rounded(found[row])}, "
        f"expected {rounded(right[row])}.{likely(found, outcomes(MISTAKES, softmax_backward, w, g))}"
    )


def a_row(draw: Draw, *shape: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    """Weights and a gradient at them, both of this shape."""
    return draw.normal(*shape, dtype=dtype).softmax(-1), 4 * draw.normal(*shape, dtype=dtype)


def is_right_for_one_row(answer, draw: Draw):
    """One row of random weights sends back the right gradient."""
    expect(answer, *a_row(draw, draw.between(3, 5)))


def takes_each_row_by_itself(answer, draw: Draw):
    """Many rows, each by itself."""
    n = draw.between(3, 5)
    expect(answer, *a_row(draw, n, n))
    expect(answer, *a_row(draw, draw.between(2, 4), draw.between(2, 4), n))


def sends_nothing_where_nothing_can_move(answer, draw: Draw):
    """A weight of 1, a row that sees nothing, and n = 1 send back zeros."""
    n = draw.between(3, 6)
    one = torch.zeros(n)
    one[draw.between(0, n - 1)] = 1.0
    for weights in (one, torch.zeros(n), torch.ones(1)):
        expect(answer, weights, draw.normal(*weights.shape))


def agrees_with_autograd(answer, draw: Draw):
    """Odd shapes in float64 agree with PyTorch."""
    for shape in ((1,), (1, 1), (2, 1, 7), (draw.between(2, 4), draw.between(2, 4), 5, draw.between(6, 11))):
        scores = draw.normal(*shape, dtype=torch.float64).requires_grad_()
        grad = draw.normal(*shape, dtype=torch.float64)
        with torch.enable_grad():
            weights = scores.softmax(-1)
            (right,) = torch.autograd.grad(weights, scores, grad)
        found = sent_back(answer, weights.detach(), grad)
        if not fair.alike(found, right):
            raise NotYet(f"For the shape {shape} a number is wrong by {float((found - right).abs().max()):.2g}.")


def builds_no_table(answer, draw: Draw):
    """No table of n × n numbers is built on the way."""
    weights, grad = a_row(draw, 2, draw.between(200, 400))
    largest = ran(answer, weights, grad).largest
    if largest > WIDE * weights.numel():
        raise NotYet(
            f"For weights of shape {tuple(weights.shape)} a tensor on the way holds {largest:,} numbers, expected "
            f"about {weights.numel()}. Write out one entry of the product: do all of its terms differ?"
        )


def does_it_by_itself(answer, draw: Draw):
    """Nothing else takes the derivative."""
    weights, grad = a_row(draw, 2, 5)
    seen = ran(answer, weights, grad)
    refuse(seen, "a product, a sum and a difference are enough", operations=SOFTMAX, functions=AUTOGRAD)
