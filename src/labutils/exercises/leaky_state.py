"""Exercise 1.2: the gradient of a leaky state, sent back a limited number of steps by hand."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, ran, refuse

CLOSE, EXACT = 1e-6, 1e-12  # in float64
BENDS = ("tanh", "sigmoid", "exp", "expm1", "sinh", "cosh")  # tanh, and what it can be made of
FORWARD = 10  # ways forward that a way back may take; with differences it is one for each number of U, at least
WANTS_AUTOGRAD = ("does not require grad", "requires_grad", "nference tensor")  # in what PyTorch says


def check_leaky_gradient(
    leaky_gradient: Callable[[Tensor, Tensor, float, int], Tensor], seed: int | None = None
) -> None:
    """Check `leaky_gradient`: x (n, d), U (d, d), the share a, at most k steps -> the gradient at U (d, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        leaky_gradient,
        goes_back_one_step,
        goes_back_two_steps,
        goes_back_through_the_leak,
        stops_after_k_steps,
        takes_any_k_and_shape,
        is_exact,
        does_it_by_itself,
        repeat="check_leaky_gradient(leaky_gradient, seed={seed})",
        seed=seed,
    )


def a_text(draw: Draw, n: int, d: int) -> tuple[Tensor, Tensor]:
    """x and U."""
    return draw.normal(n, d, dtype=torch.float64), draw.normal(d, d, dtype=torch.float64)


def expect(
    leaky_gradient,
    draw: Draw,
    n: int,
    d: int,
    a: float,
    k: int,
    dtype: torch.dtype = torch.float64,
    close: float = CLOSE,
) -> None:
    """Raises NotYet unless the gradient is PyTorch's."""
    x, U = (part.to(dtype) for part in a_text(draw, n, d))
    try:
        with torch.inference_mode():  # nothing can be differentiated in here
            found = call(leaky_gradient, x.clone(), U.clone(), a, k)
    except NotYet as error:
        if isinstance(error.__cause__, RuntimeError) and any(word in str(error.__cause__) for word in WANTS_AUTOGRAD):
            raise NotYet("autograd is switched off here: the card asks for your own way back.") from error.__cause__
        raise
    expect_tensor(found, (d, d), "leaky_gradient")
    found, right = found.clone().double(), gradient(x, U, a, k).double()
    if not fair.alike(found, right, close):
        does_it_by_itself(leaky_gradient, draw)  # what is forbidden may have failed only because it is switched off
        off, cause = float((found - right).abs().max()), likely(found, mistakes(x, U, a, k), close)
        raise NotYet(f"For n = {n}, d = {d}, a = {a} and k = {k} a number is wrong by {off:.2g}.{cause}")


def gradient(x: Tensor, U: Tensor, a: float, k: int) -> Tensor:
    """By autograd: the state before the last k steps is cut off."""
    with torch.enable_grad():
        U, h = U.clone().requires_grad_(), torch.zeros_like(x[0])
        for t, row in enumerate(x):
            if t == len(x) - k:
                h = h.detach()
            h = a * h + (1 - a) * torch.tanh(row + h @ U)
        if not h.requires_grad:
            return torch.zeros_like(U)
        return torch.autograd.grad(h.sum(), U)[0]


def by_hand(x, U, a, k, leak=None, scale=None, turned=None, late=0, once=False, of=None, after=False) -> Tensor:
    """The gradient with one thing changed: what the leak carries back, the factor of tanh, U, whose tanh, what is taken
    for the tanh, which state U was multiplied by.
    """
    h, steps = torch.zeros_like(x[0]), []
    for row in x:
        new = torch.tanh(row + h @ U)
        steps.append((h, new))
        h = a * h + (1 - a) * new
    steps = steps[-k:] if k else []
    back, total_at_U = torch.ones_like(h), torch.zeros_like(U)
    for i, (before, new) in reversed(list(enumerate(steps))):
        slope = 1 - (of(before, new) if of else steps[max(i - late, 0)][1]) ** 2
        total = ((1 - a) if scale is None else scale) * back * slope
        total_at_U += torch.outer(a * before + (1 - a) * new if after else before, total)
        back = (a if leak is None else leak) * back + total @ (U.T if turned is None else turned)
        if once:
            break
    return total_at_U


def mistakes(x: Tensor, U: Tensor, a: float, k: int) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    last_step, alone = by_hand(x, U, a, k, once=True), "Only the last step was taken."
    if not a:  # then these two are the same
        yield f"{alone} Or a multiplies the way through the tanh too: it belongs to the leak alone.", last_step
    yield alone, last_step
    both = "a belongs to the leak alone, not to the way through the tanh."
    yield both, by_hand(x, U, a, k, turned=a * U.T)
    yield "Going back, U has to be transposed.", by_hand(x, U, a, k, turned=U)
    yield "The way back through the leak, with the factor a, is missing.", by_hand(x, U, a, k, leak=0.0)
    yield "The factor 1 − a in front of the tanh is missing.", by_hand(x, U, a, k, scale=1.0)
    yield "The way back through U is missing.", by_hand(x, U, a, k, turned=torch.zeros_like(U))
    yield "The slope of tanh is that of the step before.", by_hand(x, U, a, k, late=1)
    mixed = "1 − tanh² is the slope, and that is not 1 − h²: the state is a mixture of the tanh and the state before."
    yield mixed, by_hand(x, U, a, k, of=lambda before, new: a * before + (1 - a) * new)
    yield "The slope of tanh is that of the tanh, not of the state before.", by_hand(x, U, a, k, of=lambda h, new: h)
    state = "U was multiplied by the state before the word, not by the one after it."
    yield state, by_hand(x, U, a, k, after=True)
    yield "That is one step too many.", gradient(x, U, a, k + 1)
    if k == 1:
        nothing = (
            "Nothing comes back. With k = 1 one step is taken, the last, and the state before it is made from the first"
            " word on."
        )
        yield nothing, torch.zeros_like(U)
    else:
        forward = "The forward pass has to start at the first word; only the way back is cut."
        yield forward, gradient(x[-k:], U, a, k)
    yield "That is one step too few.", by_hand(x, U, a, k - 1)
    yield "That goes all the way back, further than k steps.", gradient(x, U, a, len(x))
    yield "Rows and columns of the result are exchanged.", gradient(x, U, a, k).T


def goes_back_one_step(leaky_gradient, draw: Draw):
    """One step back."""
    expect(leaky_gradient, draw, 4, 3, 0.5, 1)


def goes_back_two_steps(leaky_gradient, draw: Draw):
    """Two steps back, nothing leaks."""
    expect(leaky_gradient, draw, 2, 3, 0.0, 2)
    expect(leaky_gradient, draw, 3, 3, 0.0, 3)


def goes_back_through_the_leak(leaky_gradient, draw: Draw):
    """All the way back, with a leak."""
    expect(leaky_gradient, draw, 5, 3, 0.7, 5)


def stops_after_k_steps(leaky_gradient, draw: Draw):
    """No further than k steps."""
    expect(leaky_gradient, draw, 6, 2, 0.8, 3)


def takes_any_k_and_shape(leaky_gradient, draw: Draw):
    """A text of one word, one number, more steps than words, and single precision."""
    for n, d, a, k in ((1, 4, 0.5, 1), (7, 1, 0.9, 2), (3, 5, 0.25, 9)):
        expect(leaky_gradient, draw, n, d, a, k)
    expect(leaky_gradient, draw, 5, 3, 0.5, 4, torch.float32, 1e-4)


def is_exact(leaky_gradient, draw: Draw):
    """In double precision it is exact, as sums and products are."""
    x, U = a_text(draw, 6, 4)
    found = call(leaky_gradient, x, U, 0.5, 4).detach()
    off = float((found - gradient(x, U, 0.5, 4)).abs().max())
    if off > EXACT and found.dtype != U.dtype:
        mine, given = (str(one.dtype).removeprefix("torch.") for one in (found, U))
        raise NotYet(f"x and U are {given}, the gradient is {mine}: make it with `torch.zeros_like(U)`.")
    if off > EXACT:
        does_it_by_itself(leaky_gradient, draw)
        raise NotYet(
            f"A number is off by {off:.1g}, where rounding leaves less than {EXACT:.0g}. Was a part of it computed in"
            " single precision?"
        )


def does_it_by_itself(leaky_gradient, draw: Draw):
    """Nothing else takes the derivative."""
    x, U = a_text(draw, 4, 5)
    seen = ran(leaky_gradient, x, U, 0.5, 3)
    refuse(seen, "products and sums are enough", functions=AUTOGRAD)
    if (bent := sum(seen.made[name] for name in seen.made if name.rstrip("_") in BENDS)) > FORWARD * x.numel():
        raise NotYet(
            f"{bent} times a tanh was taken, where one way forward takes {x.numel()}: that is a loss for each number of"
            " U. The card asks for the way back."
        )
