"""Exercise 1.4: gradients clipped for each text by itself, then averaged."""

from collections.abc import Callable
from itertools import cycle

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import kind, rounded

CLIPPING = "torch.nn.utils.clip_grad"


def check_clipped_mean(clipped_mean: Callable[[list[Tensor], float], list[Tensor]], seed: int | None = None) -> None:
    """Check `clipped_mean`: tensors (B, …) and the largest length -> their means over B, (…) each.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        clipped_mean,
        averages_what_is_short,
        shortens_a_long_text,
        counts_all_parameters_together,
        takes_each_text_by_itself,
        bears_zeros_and_one_text,
        does_it_by_itself,
        repeat="check_clipped_mean(clipped_mean, seed={seed})",
        seed=seed,
    )


def expect(answer, gradients: list[Tensor], most: float) -> None:
    """Raises NotYet where a mean is not the right one."""
    found = call(answer, gradients, most)
    if not isinstance(found, list | tuple) or len(found) != len(gradients):
        raise NotYet(f"clipped_mean should return a list of {len(gradients)} tensors, and it returned {kind(found)}.")
    right = clipped_mean(gradients, most)
    for i, (mine, expected) in enumerate(zip(found, right, strict=True)):
        expect_tensor(mine, tuple(expected.shape), "In its list clipped_mean")
        if not fair.alike(mine.detach(), expected):
            raise NotYet(
                f"{len(gradients[0])} texts of the lengths {rounded(lengths(gradients))}, at most {most}: in parameter"
                f" {i} the first number became {rounded(mine.flatten()[0])}, expected"
                f" {rounded(expected.flatten()[0])}.{cause(found, gradients, most)}"
            )


def cause(found: list[Tensor], gradients: list[Tensor], most: float) -> str:
    """What to say about wrong means; nothing where one is no number, or not even a tensor."""
    if not all(isinstance(mine, Tensor) and mine.isfinite().all() for mine in found):
        return "" if lengths(gradients).all() else " Was it divided by a length of 0?"
    mistakes = outcomes(MISTAKES, clipped_mean, gradients, most)
    return likely(row(found), ((sentence, row(wrong)) for sentence, wrong in mistakes))


def row(tensors: list[Tensor]) -> Tensor:
    """All their numbers, one behind the other."""
    return torch.cat([part.detach().flatten() for part in tensors])


def lengths(gradients: list[Tensor]) -> Tensor:
    """The length of each text's gradient, (B,)."""
    return torch.cat([g.reshape(len(g), -1) for g in gradients], 1).norm(dim=1)


def clipped_mean(gradients, most):
    flat = torch.cat([g.reshape(len(g), -1) for g in gradients], 1)
    lengths = flat.norm(dim=1)
    factor = most / lengths.clamp(min=most)
    return [torch.tensordot(factor, g, 1) / len(g) for g in gradients]


RIGHT = (clipped_mean,)
FACTOR, MEANS = "most / lengths.clamp(min=most)", "[torch.tensordot(factor, g, 1) / len(g) for g in gradients]"
LONG = "A gradient a little longer than `most` was left as it was."
DROPPED = "Texts with a long gradient were dropped: they are shortened, and count."
# fmt: off
MISTAKES = (
    ("clips nothing", "Nothing was clipped.", MEANS, "[g.mean(0) for g in gradients]"),
    ("clips the mean", "The mean was clipped, not each text: one long gradient then sets the direction.", MEANS,
     "[g.mean(0) * most / flat.mean(0).norm().clamp(min=most) for g in gradients]"),
    ("clips each parameter", "Each parameter was clipped by itself: the length of a text counts all of them.", MEANS,
     "[torch.tensordot(most / g.reshape(len(g), -1).norm(dim=1).clamp(min=most), g, 1) / len(g) for g in gradients]"),
    ("shortens only what is much longer", LONG, FACTOR, "torch.where(lengths > 1.5 * most, most / lengths, 1.0)"),
    ("compares the square", "The square of the length was compared with `most`: take the root first.", FACTOR,
     "torch.where(lengths**2 > most, most / lengths, 1.0)"),
    ("clips each number", "Each number was clipped by itself, which turns the direction.", MEANS,
     "[g.clamp(-most, most).mean(0) for g in gradients]"),
    ("stretches what is short", "Short gradients were stretched: only a longer one is changed.", ".clamp(min=most)",
     ""),
    ("adds the texts up", "That is the sum over the texts, not the mean.", " / len(g)", ""),
    ("takes one length", "One length was taken for the whole batch.", MEANS,
     "[g.mean(0) * most / flat.norm().clamp(min=most) for g in gradients]"),
    ("takes one factor for all texts", "One factor was taken for the whole batch: each text has its own.",
     "(factor, g, 1)", "(factor.min().expand(len(g)), g, 1)"),
    ("adds absolute values up", "The lengths are sums of absolute values; a length is the root of the sum of squares.",
     "norm(dim=1)", "norm(1, dim=1)"),
    ("takes the mean length", "All texts were shortened by their mean length: each has its own.", "lengths.clamp",
     "lengths.mean().expand_as(lengths).clamp"),
    ("drops long texts", DROPPED, FACTOR, "(lengths <= most).to(flat.dtype)"),
    ("drops long texts, and counts the others", DROPPED, FACTOR,
     "(lengths <= most) * len(lengths) / (lengths <= most).sum().clamp(min=1)"),
)
REFUSED = (
    ("asks whether one parameter is longer", LONG, FACTOR,
     "torch.where(torch.stack([g.flatten(1).norm(dim=1) for g in gradients]).amax(0) > most, most / lengths, 1.0)"),
    ("flattens what has one axis", "a parameter that is one number\n.*IndexError", "g.reshape(len(g), -1)",
     "g.flatten(1)"),
    ("divides by a length of zero", "A gradient of zeros.*\n.*Was it divided by a length of 0", FACTOR,
     "torch.where(lengths == 0, most / lengths, (most / lengths).clamp(max=1))"),
    ("takes a finished clipping", "`torch.nn.utils.clip_grad.clip_grad_norm_` ran in your function", """
        def clipped_mean(gradients, most):
            means = [torch.zeros_like(g[0]) for g in gradients]
            for i in range(len(gradients[0])):
                parts = [torch.zeros_like(g[i]) for g in gradients]
                for part, g in zip(parts, gradients):
                    part.grad = g[i].clone()
                torch.nn.utils.clip_grad_norm_(parts, most)
                for mean, part in zip(means, parts):
                    mean += part.grad / len(gradients[0])
            return means"""),
    ("takes a finished clipping of rows", "`renorm` ran in your function", """
        def clipped_mean(gradients, most):
            flat = torch.cat([g.reshape(len(g), -1) for g in gradients], 1).renorm(2, 0, most)
            parts = flat.mean(0).split([g[0].numel() for g in gradients])
            return [part.view(g.shape[1:]) for part, g in zip(parts, gradients)]"""),
)
# fmt: on


def batch(draw: Draw, most: float, long: list[bool]) -> list[Tensor]:
    """Three parameters; a text is longer than `most` where `long` says so, and shorter elsewhere.

    Some are close to `most`: the first long one is little longer, and then seldom one of its parameters alone.
    """
    longer, shorter = cycle((1.1, 6.0)), cycle((0.5, 0.9))
    B, times = len(long), torch.tensor([next(longer if yes else shorter) for yes in long])
    gradients = [draw.normal(B, 1), draw.normal(B, 3), draw.normal(B, 2, 3)]
    size = times * most / lengths(gradients)
    return [(g.flatten(1) * size[:, None]).view(g.shape) for g in gradients]


def averages_what_is_short(answer, draw: Draw):
    """Short gradients stay as they are."""
    expect(answer, batch(draw, 2.0, [False] * 4), 2.0)


def shortens_a_long_text(answer, draw: Draw):
    """A long gradient is shortened, and keeps its direction."""
    expect(answer, batch(draw, 1.0, [True, False, True, False]), 1.0)


def counts_all_parameters_together(answer, draw: Draw):
    """One length for all parameters of a text."""
    expect(answer, batch(draw, 1.5, [True]), 1.5)


def takes_each_text_by_itself(answer, draw: Draw):
    """Each text by itself."""
    expect(answer, batch(draw, 0.7, [True, False, True, False, False]), 0.7)


def bears_zeros_and_one_text(answer, draw: Draw):
    """A gradient of zeros, a batch of one text, and a parameter that is one number."""
    gradients = batch(draw, 1.0, [True, False])
    expect(answer, [g * torch.tensor([1.0, 0.0]).view(-1, *[1] * (g.dim() - 1)) for g in gradients], 1.0)
    expect(answer, batch(draw, 1.0, [False]), 1.0)
    expect(answer, [g.sum(1) if g.dim() == 2 else g for g in batch(draw, 1.0, [True, False, True])], 1.0)


def does_it_by_itself(answer, draw: Draw):
    """Nothing else clips."""
    seen = ran(answer, batch(draw, 1.0, [True, False]), 1.0)
    refuse(seen, "lengths and factors are enough", operations=["renorm"], functions=[CLIPPING])
