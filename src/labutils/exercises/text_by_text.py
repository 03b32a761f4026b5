"""Exercise 1.3: gradients clipped for each text by itself, then averaged."""

from collections.abc import Callable, Iterator
from itertools import cycle

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
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


def expect(clipped_mean, gradients: list[Tensor], most: float) -> None:
    """Raises NotYet where a mean is not the right one."""
    found = call(clipped_mean, gradients, most)
    if not isinstance(found, list | tuple) or len(found) != len(gradients):
        raise NotYet(f"clipped_mean should return a list of {len(gradients)} tensors, and it returned {kind(found)}.")
    right = clipped(gradients, most)
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
    return likely(row(found), ((sentence, row(wrong)) for sentence, wrong in mistakes(gradients, most)))


def row(tensors: list[Tensor]) -> Tensor:
    """All their numbers, one behind the other."""
    return torch.cat([part.detach().flatten() for part in tensors])


def lengths(gradients: list[Tensor], p: int = 2) -> Tensor:
    """The length of each text's gradient, (B,); with p = 1 the sum of its absolute values."""
    return torch.cat([g.reshape(len(g), -1) for g in gradients], 1).norm(p, dim=1)


def scaled(gradients: list[Tensor], factor: Tensor) -> list[Tensor]:
    return [torch.tensordot(factor, g, 1) / len(g) for g in gradients]


def clipped(gradients: list[Tensor], most: float) -> list[Tensor]:
    return scaled(gradients, most / lengths(gradients).clamp(min=most))


def mistakes(gradients: list[Tensor], most: float) -> Iterator[tuple[str, list[Tensor]]]:
    """What is said of the usual mistakes, and what each gives."""
    means, right = [g.mean(0) for g in gradients], clipped(gradients, most)
    yield "Nothing was clipped.", means
    late = "The mean was clipped, not each text: one long gradient then sets the direction."
    yield late, [g * most / row(means).norm().clamp(min=most) for g in means]
    alone = "Each parameter was clipped by itself: the length of a text counts all of them."
    yield alone, [clipped([g], most)[0] for g in gradients]
    where = lambda long: (most / lengths(gradients)).where(long, 1.0)  # the factors, if these were the long ones
    far = "A gradient a little longer than `most` was left as it was."
    yield far, scaled(gradients, where(lengths(gradients) > 1.5 * most))
    root = "The square of the length was compared with `most`: take the root first."
    yield root, scaled(gradients, where(lengths(gradients) ** 2 > most))
    numbers = "Each number was clipped by itself, which turns the direction."
    yield numbers, [g.clamp(-most, most).mean(0) for g in gradients]
    stretched = "Short gradients were stretched: only a longer one is changed."
    yield stretched, scaled(gradients, most / lengths(gradients))
    yield "That is the sum over the texts, not the mean.", [len(one) * g for one, g in zip(gradients, right)]
    whole = row(gradients).norm().clamp(min=most)
    yield "One length was taken for the whole batch.", [g * most / whole for g in means]
    smallest = (most / lengths(gradients)).clamp(max=1).min().expand(len(gradients[0]))
    yield "One factor was taken for the whole batch: each text has its own.", scaled(gradients, smallest)
    sums = "The lengths are sums of absolute values; a length is the root of the sum of squares."
    yield sums, scaled(gradients, most / lengths(gradients, p=1).clamp(min=most))
    on_average = (most / lengths(gradients).mean()).clamp(max=1).expand(len(gradients[0]))
    yield "All texts were shortened by their mean length: each has its own.", scaled(gradients, on_average)
    short = (lengths(gradients) <= most).to(gradients[0].dtype)
    dropped = "Texts with a long gradient were dropped: they are shortened, and count."
    yield dropped, scaled(gradients, short)
    yield dropped, scaled(gradients, short * len(short) / short.sum().clamp(min=1))


def batch(draw: Draw, most: float, long: list[bool]) -> list[Tensor]:
    """Three parameters; a text is longer than `most` where `long` says so, and shorter elsewhere.

    Some are close to `most`: the first long one is little longer, and then seldom one of its parameters alone.
    """
    longer, shorter = cycle((1.1, 6.0)), cycle((0.5, 0.9))
    B, times = len(long), torch.tensor([next(longer if yes else shorter) for yes in long])
    gradients = [draw.normal(B, 1), draw.normal(B, 3), draw.normal(B, 2, 3)]
    size = times * most / lengths(gradients)
    return [(g.flatten(1) * size[:, None]).view(g.shape) for g in gradients]


def averages_what_is_short(clipped_mean, draw: Draw):
    """Short gradients stay as they are."""
    expect(clipped_mean, batch(draw, 2.0, [False] * 4), 2.0)


def shortens_a_long_text(clipped_mean, draw: Draw):
    """A long gradient is shortened, and keeps its direction."""
    expect(clipped_mean, batch(draw, 1.0, [True, False, True, False]), 1.0)


def counts_all_parameters_together(clipped_mean, draw: Draw):
    """One length for all parameters of a text."""
    expect(clipped_mean, batch(draw, 1.5, [True]), 1.5)


def takes_each_text_by_itself(clipped_mean, draw: Draw):
    """Each text by itself."""
    expect(clipped_mean, batch(draw, 0.7, [True, False, True, False, False]), 0.7)


def bears_zeros_and_one_text(clipped_mean, draw: Draw):
    """A gradient of zeros, a batch of one text, and a parameter that is one number."""
    gradients = batch(draw, 1.0, [True, False])
    expect(clipped_mean, [g * torch.tensor([1.0, 0.0]).view(-1, *[1] * (g.dim() - 1)) for g in gradients], 1.0)
    expect(clipped_mean, batch(draw, 1.0, [False]), 1.0)
    expect(clipped_mean, [g.sum(1) if g.dim() == 2 else g for g in batch(draw, 1.0, [True, False, True])], 1.0)


def does_it_by_itself(clipped_mean, draw: Draw):
    """Nothing else clips."""
    seen = ran(clipped_mean, batch(draw, 1.0, [True, False]), 1.0)
    refuse(seen, "lengths and factors are enough", operations=["renorm"], functions=[CLIPPING])
