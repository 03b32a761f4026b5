"""Exercise 1.3: the gradient of a leaky state, sent back a limited number of steps by hand."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, ran, refuse
from labutils.exercises.mistakes import outcomes

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
    answer, draw: Draw, n: int, d: int, a: float, k: int, dtype: torch.dtype = torch.float64, close: float = CLOSE
) -> None:
    """Raises NotYet unless the gradient is PyTorch's."""
    x, U = (part.to(dtype) for part in a_text(draw, n, d))
    try:
        with torch.inference_mode():  # nothing can be differentiated in here
            found = call(answer, x.clone(), U.clone(), a, k)
    except NotYet as error:
        if isinstance(error.__cause__, RuntimeError) and any(word in str(error.__cause__) for word in WANTS_AUTOGRAD):
            raise NotYet("autograd is switched off here: the card asks for your own way back.") from error.__cause__
        raise
    expect_tensor(found, (d, d), "leaky_gradient")
    found, right = found.clone().double(), gradient(x, U, a, k).double()
    if not fair.alike(found, right, close):
        does_it_by_itself(answer, draw)  # what is forbidden may have failed only because it is switched off
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


def leaky_gradient(x, U, a, k):
    h, steps = torch.zeros_like(x[0]), []
    for row in x:
        new = torch.tanh(row + h @ U)
        steps.append((h, new))
        h = a * h + (1 - a) * new
    back, gradient = torch.ones_like(h), torch.zeros_like(U)
    for before, new in reversed(steps[-k:]):
        total = (1 - a) * back * (1 - new**2)
        gradient += torch.outer(before, total)
        back = a * back + total @ U.T
    return gradient


RIGHT = (leaky_gradient,)
LAST = "        back = a * back + total @ U.T\n"
LATE = "for t, (before, new) in reversed([*enumerate(steps)][-k:]):"
ALONE, OR = (
    "Only the last step was taken.",
    "Or a multiplies the way through the tanh too: it belongs to the leak alone.",
)
NOTHING = (
    "Nothing comes back. With k = 1 one step is taken, the last, and the state before it is made from the first"
    " word on."
)
LOSS = "that is a loss for each number of U"
# fmt: off
WITHOUT_A = (  # where a is 0 these two are the same
    ("takes the last step alone", f"{ALONE} {OR}", LAST, "        break\n"),
)
AT_ONE = (  # with k = 1
    ("reads the last k words alone", NOTHING, "for row in x:", "for row in x[-k:]:"),
    ("takes k - 1 steps", NOTHING, "steps[-k:]", "steps[len(steps) - k + 1 :]"),
)
WITH_A = (
    ("takes the last step alone, of several", ALONE, LAST, "        break\n"),
    ("lets a multiply both ways where it is not 0", "a belongs to the leak alone, not to the way through the tanh.",
     "a * back + total @ U.T", "a * (back + total @ U.T) if a else total @ U.T"),
    ("does not transpose U", "Going back, U has to be transposed.", "total @ U.T", "total @ U"),
    ("forgets the leak on the way back", "The way back through the leak, with the factor a, is missing.", "a * back + ",
     ""),
    ("forgets the factor of the tanh", "The factor 1 − a in front of the tanh is missing.", "(1 - a) * back", "back"),
    ("takes the slope of the step before", "The slope of tanh is that of the step before.",
     "for before, new in reversed(steps[-k:]):", LATE, "new**2", "steps[max(t - 1, len(steps) - k, 0)][1] ** 2"),
    ("takes the slope of the state",
     "1 − tanh² is the slope, and that is not 1 − h²: the state is a mixture of the tanh and the state before.",
     "new**2", "(a * before + (1 - a) * new) ** 2"),
    ("takes the slope at the state before", "The slope of tanh is that of the tanh, not of the state before.", "new**2",
     "before**2"),
    ("takes the state after", "U was multiplied by the state before the word, not by the one after it.",
     "outer(before,", "outer(a * before + (1 - a) * new,"),
    ("takes one step more", "That is one step too many.", "steps[-k:]", "steps[-k - 1 :]"),
)
LONGER = (  # with k above 1
    ("reads the last k words alone, but never fewer than two",
     "The forward pass has to start at the first word; only the way back is cut.", "for row in x:",
     "for row in x[-k:] if k > 1 else x:"),
)
ANY = (
    ("takes one step less, but never none", "That is one step too few.", "steps[-k:]", "steps[-max(k - 1, 1) :]"),
    ("goes all the way back", "That goes all the way back, further than k steps.", "steps[-k:]", "steps"),
    ("exchanges rows and columns", "Rows and columns of the result are exchanged.", "return gradient",
     "return gradient.T"),
)
MISTAKES = WITHOUT_A + WITH_A + AT_ONE + LONGER + ANY
REFUSED = (
    ("lets a multiply both ways", OR, "a * back + total @ U.T", "a * (back + total @ U.T)"),
    ("adds up in single precision", "x and U are float64, the gradient is float32: make it with `torch.zeros_like",
     "torch.zeros_like(U)", "torch.zeros(len(U), len(U))"),
    ("takes differences", f"In double precision it is exact, .*\n.*{LOSS}", """
        def leaky_gradient(x, U, a, k):
            kind, x, U = U.dtype, x.double(), U.double()

            def loss(U, h):
                for row in x[max(len(x) - k, 0):]:
                    h = a * h + (1 - a) * torch.tanh(row + h @ U)
                return h.sum()

            start = torch.zeros_like(x[0])
            for row in x[: max(len(x) - k, 0)]:
                start = a * start + (1 - a) * torch.tanh(row + start @ U)
            gradient = torch.zeros_like(U)
            for i in range(len(U)):
                for j in range(len(U)):
                    moved = torch.zeros_like(U)
                    moved[i, j] = 1e-6
                    gradient[i, j] = (loss(U + moved, start) - loss(U - moved, start)) / 2e-6
            return gradient.to(kind)"""),
    ("takes differences of high order", f"Nothing else takes the derivative\n.*{LOSS}", """
        def leaky_gradient(x, U, a, k):
            weights, X, W, step = (4 / 5, -1 / 5, 4 / 105, -1 / 280), x.double(), U.double(), 1e-2

            def loss(V):
                h = torch.zeros_like(X[0])
                for t, row in enumerate(X):
                    h = a * h + (1 - a) * torch.tanh(row + h @ (V if t >= len(x) - k else W))
                return h.sum()

            gradient = torch.zeros_like(U)
            for i in range(len(U)):
                for j in range(len(U)):
                    e = torch.zeros_like(W)
                    e[i, j] = step
                    both = (w * (loss(W + m * e) - loss(W - m * e)) for m, w in enumerate(weights, 1))
                    gradient[i, j] = sum(both) / step
            return gradient"""),
    ("takes a complex step", f"Nothing else takes the derivative\n.*{LOSS}", """
        def leaky_gradient(x, U, a, k):
            gradient, W = torch.zeros_like(U), U.to(torch.complex128)
            for i in range(len(U)):
                for j in range(len(U)):
                    V, h = W.clone(), torch.zeros(len(U), dtype=torch.complex128)
                    V[i, j] += 1e-20j
                    for t, row in enumerate(x):
                        h = a * h + (1 - a) * torch.tanh(row + h @ (V if t >= len(x) - k else W))
                    gradient[i, j] = h.sum().imag / 1e-20
            return gradient"""),
    ("asks forward differentiation", r"`torch.autograd.forward_ad\.\w+` ran in your function", """
        import torch.autograd.forward_ad as forward

        def leaky_gradient(x, U, a, k):
            gradient = torch.zeros_like(U)
            for i in range(len(U)):
                for j in range(len(U)):
                    moved = torch.zeros_like(U)
                    moved[i, j] = 1
                    with forward.dual_level():
                        dual, h = forward.make_dual(U.clone(), moved), torch.zeros_like(x[0])
                        for t, row in enumerate(x):
                            h = a * h + (1 - a) * torch.tanh(row + h @ (dual if t >= len(x) - k else U))
                        tangent = forward.unpack_dual(h.sum()).tangent
                        gradient[i, j] = 0 if tangent is None else tangent
            return gradient"""),
    ("asks torch.func", "`torch.func` ran in your function", """
        def leaky_gradient(x, U, a, k):
            def loss(U):
                h = torch.zeros_like(x[0])
                for t, row in enumerate(x):
                    h = h.detach() if t == len(x) - k else h
                    h = a * h + (1 - a) * torch.tanh(row + h @ U)
                return h.sum()

            with torch.inference_mode(False):
                x, U = x.clone(), U.clone()
                return torch.func.grad(loss)(U)"""),
    ("asks autograd", "autograd is switched off here: the card asks for your own way back.", """
        def leaky_gradient(x, U, a, k):
            U = U.clone().requires_grad_()
            h = torch.zeros_like(x[0])
            for row in x:
                h = a * h + (1 - a) * torch.tanh(row + h @ U)
            return torch.autograd.grad(h.sum(), U)[0]"""),
    ("asks autograd where inference mode is left", "`torch.autograd.grad` ran in your function", """
        def leaky_gradient(x, U, a, k):
            with torch.inference_mode(False), torch.enable_grad():
                x, U = x.clone(), U.clone().requires_grad_()
                h = torch.zeros_like(x[0])
                for t, row in enumerate(x):
                    if t == len(x) - k:
                        h = h.detach()
                    h = a * h + (1 - a) * torch.tanh(row + h @ U)
                return torch.autograd.grad(h.sum(), U)[0]"""),
)
# fmt: on


def mistakes(x: Tensor, U: Tensor, a: float, k: int) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    rows = (() if a else WITHOUT_A) + WITH_A + (AT_ONE if k == 1 else LONGER) + ANY
    return outcomes(rows, leaky_gradient, x, U, a, k)


def goes_back_one_step(answer, draw: Draw):
    """One step back."""
    expect(answer, draw, 4, 3, 0.5, 1)


def goes_back_two_steps(answer, draw: Draw):
    """Two steps back, nothing leaks."""
    expect(answer, draw, 2, 3, 0.0, 2)
    expect(answer, draw, 3, 3, 0.0, 3)


def goes_back_through_the_leak(answer, draw: Draw):
    """All the way back, with a leak."""
    expect(answer, draw, 5, 3, 0.7, 5)


def stops_after_k_steps(answer, draw: Draw):
    """No further than k steps."""
    expect(answer, draw, 6, 2, 0.8, 3)


def takes_any_k_and_shape(answer, draw: Draw):
    """A text of one word, one number, more steps than words, and single precision."""
    for n, d, a, k in ((1, 4, 0.5, 1), (7, 1, 0.9, 2), (3, 5, 0.25, 9)):
        expect(answer, draw, n, d, a, k)
    expect(answer, draw, 5, 3, 0.5, 4, torch.float32, 1e-4)


def is_exact(answer, draw: Draw):
    """In double precision it is exact, as sums and products are."""
    x, U = a_text(draw, 6, 4)
    found = call(answer, x, U, 0.5, 4).detach()
    off = float((found - gradient(x, U, 0.5, 4)).abs().max())
    if off > EXACT and found.dtype != U.dtype:
        mine, given = (str(one.dtype).removeprefix("torch.") for one in (found, U))
        raise NotYet(f"x and U are {given}, the gradient is {mine}: make it with `torch.zeros_like(U)`.")
    if off > EXACT:
        does_it_by_itself(answer, draw)
        raise NotYet(
            f"A number is off by {off:.1g}, where rounding leaves less than {EXACT:.0g}. Was a part of it computed in"
            " single precision?"
        )


def does_it_by_itself(answer, draw: Draw):
    """Nothing else takes the derivative."""
    x, U = a_text(draw, 4, 5)
    seen = ran(answer, x, U, 0.5, 3)
    refuse(seen, "products and sums are enough", functions=AUTOGRAD)
    if (bent := sum(seen.made[name] for name in seen.made if name.rstrip("_") in BENDS)) > FORWARD * x.numel():
        raise NotYet(
            f"{bent} times a tanh was taken, where one way forward takes {x.numel()}: that is a loss for each number of"
            " U. The card asks for the way back."
        )
