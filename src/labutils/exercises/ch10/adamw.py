"""Exercise 10.3: AdamW, from a list of gradients to where it ends."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes

CLOSE = 1e-5  # an answer in float32 is right too


def check_adamw(adamw: Callable[..., Tensor], seed: int | None = None) -> None:
    """Check `adamw`: w (d,), gradients (k, d), rate, betas, eps, decay -> w after k steps.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        adamw,
        is_written_by_hand,
        takes_the_first_step,
        remembers,
        shrinks_the_weights,
        adds_epsilon,
        is_pytorchs,
        repeat="check_adamw(adamw, seed={seed})",
        seed=seed,
    )


def adamw(w, gradients, rate, betas, eps, decay):
    first, second = betas
    m, s = torch.zeros_like(w), torch.zeros_like(w)
    for t, g in enumerate(gradients, 1):
        w = w - rate * decay * w
        m = first * m + (1 - first) * g
        s = second * s + (1 - second) * g**2
        mean, square = m / (1 - first**t), s / (1 - second**t)
        w = w - rate * mean / (square.sqrt() + eps)
    return w


RIGHT = (adamw,)
DECAY, MEANS, STEP = "w = w - rate * decay * w", "m / (1 - first**t), s / (1 - second**t)", "(square.sqrt() + eps)"
# fmt: off
MISTAKES = (
    ("decays inside the gradient", "The decay went into the gradient, where it is divided too: that is Adam.", DECAY,
     "g = g + decay * w"),
    ("leaves out the correction", "The means start at 0 and are too small at first: both have to be corrected.", MEANS,
     "m, s"),
    ("corrects the first mean only", "Only the mean was corrected: the mean square starts at 0 too.", MEANS,
     "m / (1 - first**t), s"),
    ("corrects the second mean only", "Only the mean square was corrected: the mean starts at 0 too.", MEANS,
     "m, s / (1 - second**t)"),
    ("corrects as if always at the first step", "The correction of the first step was used in all: it depends on t.",
     MEANS, "m / (1 - first), s / (1 - second)"),
    ("counts steps from 0", "The correction is one step behind or ahead: the first step is number 1.", MEANS,
     "m / (1 - first**(t + 1)), s / (1 - second**(t + 1))"),
    ("adds epsilon inside the root", "Epsilon stands inside the root: it is added to the root.", STEP,
     "(square + eps).sqrt()"),
    ("adds epsilon before the correction", "Epsilon was added to the root of what is not corrected yet: it is added to"
     " the root of the corrected mean square.", "w = w - rate * mean / (square.sqrt() + eps)",
     "w = w - rate * mean / (s.sqrt() + eps) * (1 - second**t) ** 0.5"),
    ("decays what stood at the start", "The decay takes from the weights of the start: in each step it takes from those"
     " that stand there.", "m, s = torch.zeros_like(w), torch.zeros_like(w)",
     "m, s, start = torch.zeros_like(w), torch.zeros_like(w), w", DECAY, "w = w - rate * decay * start"),
    ("decays once", "The decay was taken once: each step shrinks the weights.", DECAY,
     "w = w - rate * decay * w * (t == 1)"),
    ("forgets epsilon", "Epsilon is missing.", STEP, "square.sqrt()"),
    ("forgets the root", "The root is missing.", STEP, "(square + eps)"),
    ("forgets the decay", "The decay is missing.", DECAY, "w = w"),
    ("decays without the rate", "The decay is not multiplied by the rate.", DECAY, "w = w - decay * w"),
    ("decays after the step", "The decay comes after the step: it takes from the weights that stood before it.", DECAY,
     "w = w", "w = w - rate * mean", "old = w; w = (1 - rate * decay) * (w - rate * mean", STEP, STEP + ")"),
    ("decays the wrong way", "The weights grow: the decay has the wrong sign.", DECAY, "w = w + rate * decay * w"),
    ("averages the gradient's size", "The second mean is that of the gradient, not of its square.", "g**2", "g.abs()"),
    ("sums the gradients", "m is a sum that fades: the new gradient is weighted by 1 − β₁.",
     "first * m + (1 - first) * g", "first * m + g"),
    ("sums the squares", "s is a sum that fades: the new square is weighted by 1 − β₂.",
     "second * s + (1 - second) * g**2", "second * s + g**2"),
    ("lets the old mean stay", "m is a mean that fades: what it was is weighted by β₁.", "first * m + (1 - first) * g",
     "m + (1 - first) * g"),
    ("keeps the corrected means", "The corrected means were kept: m and s themselves stay as they are.",
     "mean, square = m / (1 - first**t), s / (1 - second**t)",
     "m, s = m / (1 - first**t), s / (1 - second**t); mean, square = m, s"),
    ("swaps the betas", "The two betas are swapped.", "first, second = betas", "second, first = betas"),
    ("weighs the new one by beta", "The new gradient is weighted by β and the old mean by 1 − β: it is the other way.",
     "first * m + (1 - first) * g", "(1 - first) * m + first * g"),
    ("goes up", "It goes up: a step is taken against the gradient.", "w - rate * mean", "w + rate * mean"),
)
REFUSED = (
    ("asks PyTorch", "torch.optim.*ran in your function", "def adamw(w, gradients, rate, betas, eps, decay):", """
def adamw(w, gradients, rate, betas, eps, decay):
    p = torch.nn.Parameter(w.clone())
    optimiser = torch.optim.AdamW([p], lr=rate, betas=betas, eps=eps, weight_decay=decay)
    for g in gradients:
        p.grad = g.clone()
        optimiser.step()
    return p.detach()
"""),
)
# fmt: on


def expect(answer, w: Tensor, gradients: Tensor, rate: float, betas, eps: float, decay: float) -> None:
    found = call(answer, w, gradients, rate, betas, eps, decay)
    expect_tensor(found, tuple(w.shape), "adamw")
    wanted = adamw(w, gradients, rate, betas, eps, decay)
    if not fair.alike(found, wanted, CLOSE):
        at = int((found.double() - wanted).abs().nan_to_num(torch.inf).argmax())
        raise NotYet(
            f"After {len(gradients)} step{'s' * (len(gradients) != 1)} with rate {rate}, betas {betas}, eps {eps} and"
            f" decay {decay} w[{at}] is {float(found[at]):.7f}, expected {float(wanted[at]):.7f}."
            f"{likely(found, outcomes(MISTAKES, adamw, w, gradients, rate, betas, eps, decay), CLOSE)}"
        )


def drawn(draw: Draw, steps: int, d: int) -> tuple[Tensor, Tensor]:
    """Weights and gradients of very different sizes."""
    size = 10.0 ** draw.normal(d, dtype=torch.float64)
    return 1 + draw.normal(d, dtype=torch.float64).abs(), size * draw.normal(steps, d, dtype=torch.float64)


def is_written_by_hand(answer, draw: Draw):
    """The optimiser is not PyTorch's."""
    given = *drawn(draw, 2, 3), 0.1, (0.9, 0.98), 1e-9, 0.1
    refuse(ran(answer, *given), "write the two means yourself", functions=["torch.optim"])


def takes_the_first_step(answer, draw: Draw):
    """The first step is the rate, whatever the size of the gradient."""
    expect(answer, *drawn(draw, 1, 3), 0.1, (0.9, 0.98), 1e-9, 0.0)


def remembers(answer, draw: Draw):
    """Later steps go by both running means."""
    expect(answer, *drawn(draw, 5, 3), 0.1, (0.8, 0.95), 1e-9, 0.0)


def shrinks_the_weights(answer, draw: Draw):
    """Decay shrinks every weight by the same share, outside of the gradient."""
    expect(answer, *drawn(draw, 4, 3), 0.1, (0.9, 0.98), 1e-9, 0.5)
    expect(answer, *drawn(draw, 1, 3), 0.1, (0.9, 0.98), 1e-9, 0.5)


def adds_epsilon(answer, draw: Draw):
    """Epsilon is added to the root, where it holds back small gradients."""
    expect(answer, *drawn(draw, 3, 3), 0.1, (0.9, 0.98), 0.3, 0.1)


def is_pytorchs(answer, draw: Draw):
    """One weight, no step, and any settings."""
    expect(answer, *drawn(draw, 2, 1), 0.05, (0.5, 0.9), 1e-6, 0.2)
    expect(answer, *drawn(draw, 0, 2), 0.05, (0.5, 0.9), 1e-6, 0.2)
    betas = draw.between(5, 9) / 10, draw.between(91, 99) / 100
    expect(answer, *drawn(draw, draw.between(2, 9), draw.between(2, 5)), 0.02, betas, 1e-3, 0.3)
