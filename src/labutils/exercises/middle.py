"""Exercise 3.2: LayerNorm where the features stand in the middle axis."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse

FINISHED = ("layer_norm", "group_norm", "batch_norm", "instance_norm", "rms_norm")  # parts of names of operations


def check_middle(norm_middle: Callable[[Tensor, Tensor, Tensor, float], Tensor], seed: int | None = None) -> None:
    """Check `norm_middle`: x (B, d, n), gain (d,), bias (d,), eps -> (B, d, n), each token by its own statistics.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        norm_middle,
        normalises_each_token,
        applies_gain_and_bias,
        keeps_epsilon_inside_the_root,
        treats_each_token_alone,
        does_it_by_itself,
        survives_a_constant_token,
        repeat="check_middle(norm_middle, seed={seed})",
        seed=seed,
    )


def right_one(x: Tensor, gain: Tensor, bias: Tensor, eps: float, axes=(1,), less: int = 0) -> Tensor:
    x = x.double()
    away = x - x.mean(axes, keepdim=True)
    count = 1
    for axis in axes:
        count *= x.shape[axis]
    variance = away.square().sum(axes, keepdim=True) / max(count - less, 0)
    return gain.double()[:, None] * (away / (variance + eps).sqrt()) + bias.double()[:, None]


def mistakes(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    d, n = x.shape[1:]
    given = x, gain, bias, eps
    yield "The variance was divided by d − 1; here it is divided by d.", right_one(*given, less=1)
    away = x.double() - x.double().mean(1, keepdim=True)
    sigma = away.square().mean(1, keepdim=True).sqrt()
    scale, offset = gain.double()[:, None], bias.double()[:, None]
    yield "ε was added to σ. It belongs under the root, to the variance.", scale * away / (sigma + eps) + offset
    yield "ε was left out, or it is too small to count.", scale * away / sigma + offset
    yield "ε was squared. It is added as it is.", right_one(x, gain, bias, eps**2)
    for own in (1e-5, 1e-6):
        if eps != own:
            yield f"ε is {own:.0e} here, whatever was given.".replace("e-0", "e-"), right_one(x, gain, bias, own)
    yield "The variance stands below the line without its root.", scale * away / (sigma.square() + eps) + offset
    yield "Mean and variance were taken over the batch, so each text hears the others.", right_one(*given, axes=(0,))
    yield (
        "Mean and variance were taken along the last axis, which is that of the tokens here.",
        right_one(*given, axes=(2,)),
    )
    yield (
        "Mean and variance were taken over texts and tokens, one for each feature, as BatchNorm does.",
        right_one(*given, axes=(0, 2)),
    )
    yield "Mean and variance were taken over all tokens of a text together.", right_one(*given, axes=(1, 2))
    yield "The mean was not taken away.", scale * x.double() / (sigma.square() + eps).sqrt() + offset
    size = (x.double().square().mean(1, keepdim=True) + eps).sqrt()
    yield "The mean was left in, as RMSNorm does.", scale * x.double() / size + offset
    yield "Gain and bias are missing.", away / (sigma.square() + eps).sqrt()
    yield "The bias is missing.", right_one(*given) - offset
    yield "The gain is missing.", away / (sigma.square() + eps).sqrt() + offset
    yield "The bias is multiplied by the gain as well.", scale * (away / (sigma.square() + eps).sqrt() + offset)
    if d == n:
        yield "The result is (B, n, d): its last two axes are exchanged.", right_one(*given).mT
        right = away / (sigma.square() + eps).sqrt()
        yield "Gain and bias met the tokens, not the features.", gain.double() * right + bias.double()


def expect(norm_middle, x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-12) -> None:
    """Raises NotYet where a number is wrong."""
    found = call(norm_middle, x, gain, bias, eps)
    expect_tensor(found, tuple(x.shape), "norm_middle")
    found, right = found.detach().double(), right_one(x, gain, bias, eps)
    if fair.alike(found, right):
        return
    b, f, t = ((found - right).abs().nan_to_num(torch.inf) > 1e-4 * (1 + right.abs())).nonzero()[0].tolist()
    raise NotYet(
        f"x of shape {tuple(x.shape)}, text {b}, token {t}: feature {f} became {float(found[b, f, t]):.4f}, expected "
        f"{float(right[b, f, t]):.4f}.{likely(found, mistakes(x, gain, bias, eps))}"
    )


def plain(d: int) -> tuple[Tensor, Tensor]:
    return torch.ones(d), torch.zeros(d)


def normalises_each_token(norm_middle, draw: Draw):
    """Each token gets mean 0 and variance 1 over its features."""
    d = draw.between(3, 6)
    expect(norm_middle, 10 * draw.normal(draw.between(2, 4), d, d) + 7, *plain(d))  # the gain has an axis to go along


def applies_gain_and_bias(norm_middle, draw: Draw):
    """Gain and bias go with the features, also where there are as many tokens."""
    d = draw.between(3, 5)
    expect(norm_middle, 10 * draw.normal(2, d, d), draw.normal(d), draw.normal(d))  # so large that no ε counts
    expect(norm_middle, 10 * draw.normal(2, d, d + 2), draw.normal(d), draw.normal(d))


def keeps_epsilon_inside_the_root(norm_middle, draw: Draw):
    """Small numbers, where ε decides."""
    d = draw.between(3, 6)
    expect(
        norm_middle, 0.03 * draw.normal(2, d, 3), *plain(d), 0.001 * draw.between(2, 9)
    )  # squared, fixed: told apart
    expect(norm_middle, 0.003 * draw.normal(2, d, 3), *plain(d), 1e-5)
    expect(norm_middle, draw.normal(2, d, 3), *plain(d), 0.1 * draw.between(1, 9))


def treats_each_token_alone(norm_middle, draw: Draw):
    """One text, one token; float64."""
    d = draw.between(2, 9)
    for shape in ((1, d, 1), (1, d, 7), (3, d, 1)):
        expect(norm_middle, draw.normal(*shape, dtype=torch.float64), draw.normal(d).double(), draw.normal(d).double())


def survives_a_constant_token(norm_middle, draw: Draw):
    """A token whose features are all equal becomes the bias."""
    d = draw.between(2, 6)
    x = draw.normal(2, d, 3)
    x[1, :, 1] = float(draw.between(1, 9))
    expect(norm_middle, x, draw.normal(d), draw.normal(d), 1e-5)
    expect(norm_middle, draw.normal(2, 1, 3), draw.normal(1), draw.normal(1), 1e-5)


def does_it_by_itself(norm_middle, draw: Draw):
    """Nothing else normalises."""
    d = draw.between(3, 6)
    seen = ran(norm_middle, draw.normal(2, d, 3), *plain(d), 1e-5)
    refuse(seen, "means, a root and a quotient are enough", operations=FINISHED)
