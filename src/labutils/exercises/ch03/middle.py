"""Exercise 3.3: LayerNorm where the features stand in the middle axis."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes

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
        is_right_far_from_0,
        repeat="check_middle(norm_middle, seed={seed})",
        seed=seed,
    )


def norm_middle(x, gain, bias, eps):
    away = x - x.mean(1, keepdim=True)
    variance = away.square().mean(1, keepdim=True)
    return gain[:, None] * away / (variance + eps).sqrt() + bias[:, None]


RIGHT = (norm_middle,)
ROOT, SCALED, ADDED = "(variance + eps).sqrt()", "gain[:, None] * away", " + bias[:, None]"
ALL = SCALED + " / " + ROOT + ADDED
EXACT = 1e-9  # how far apart numbers of float64 may be
OWN = "here, whatever was given."
# fmt: off
MISTAKES = (
    ("n - 1", "The variance was divided by d − 1; here it is divided by d.", "away.square().mean(1", "x.var(1"),
    ("sigma + eps", "ε was added to σ. It belongs under the root, to the variance.", ROOT, "(variance.sqrt() + eps)"),
    ("no eps", "ε was left out, or it is too small to count.", ROOT, "variance.sqrt()"),
    ("eps squared", "ε was squared. It is added as it is.", "+ eps", "+ eps**2"),
    ("an eps of its own", f"ε is 1e-5 {OWN}", "+ eps", "+ 1e-5"),
    ("a smaller eps of its own", f"ε is 1e-6 {OWN}", "+ eps", "+ 1e-6"),
    ("no root", "The variance stands below the line without its root.", ROOT, "(variance + eps)"),
    ("over the batch", "Mean and variance were taken over the batch, so each text hears the others.", "(1, ", "(0, "),
    ("over the last axis, as in the chapter",
     "Mean and variance were taken along the last axis, which is that of the tokens here.", "(1, ", "(2, "),
    ("BatchNorm's axes", "Mean and variance were taken over texts and tokens, one for each feature, as BatchNorm does.",
     "(1, ", "((0, 2), "),
    ("over the whole text", "Mean and variance were taken over all tokens of a text together.", "(1, ", "((1, 2), "),
    ("keeps the mean", "The mean was not taken away.", SCALED, "gain[:, None] * x"),
    ("RMSNorm", "The mean was left in, as RMSNorm does.", "x - x.mean(1, keepdim=True)", "x"),
    ("no gain, no bias", "Gain and bias are missing.", SCALED, "away", ADDED, ""),
    ("no bias", "The bias is missing.", ADDED, ""),
    ("no gain", "The gain is missing.", SCALED, "away"),
    ("multiplies the bias too", "The bias is multiplied by the gain as well.", ALL,
     f"gain[:, None] * (away / {ROOT}{ADDED})"),
    ("does not turn back", "The result is (B, n, d): its last two axes are exchanged.", ALL, f"({ALL}).mT"),
    ("gain along the tokens", "Gain and bias met the tokens, not the features.", "gain[:, None]", "gain",
     "bias[:, None]", "bias"),
)
REFUSED = (
    ("the mean of the squares minus the square of the mean", "far from 0|whose features are all equal",
     "away.square().mean(1, keepdim=True)",
     "x.square().mean(1, keepdim=True) - x.mean(1, keepdim=True).square()"),
    ("float32 for float64", "float64", "away = x - x.mean(1, keepdim=True)",
     "dtype, x = x.dtype, x.float()\n    away = x - x.mean(1, keepdim=True)", ADDED,
     f"{ADDED}.to(dtype)"),
    ("lets PyTorch do it", "layer_norm` ran in your function", ALL,
     "torch.nn.LayerNorm(x.shape[1], eps, elementwise_affine=False)(x.mT).mT * gain[:, None]" + ADDED),
    ("lets PyTorch's instance norm do it", "instance_norm` ran in your function", ALL,
     "torch.nn.functional.instance_norm(x.mT, eps=eps).mT * gain[:, None]" + ADDED),
    ("lets PyTorch's batch norm do it", "batch_norm` ran in your function", """
        def norm_middle(x, gain, bias, eps):
            rows = x.mT.flatten(0, 1).T
            rows = torch.nn.functional.batch_norm(rows, None, None, training=True, eps=eps).T
            return rows.unflatten(0, (len(x), -1)).mT * gain[:, None] + bias[:, None]"""),
)
# fmt: on


def expect(answer, x: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-12) -> None:
    """Raises NotYet where a number is wrong."""
    found = call(answer, x, gain, bias, eps)
    expect_tensor(found, tuple(x.shape), "norm_middle")
    given = x.double(), gain.double(), bias.double(), eps
    found, right = found.detach().double(), norm_middle(*given)
    if fair.alike(found, right, EXACT if x.dtype == torch.float64 else 1e-4):
        return
    if fair.alike(found, right):
        raise NotYet("For float64 the numbers are no better than those of float32: leave the type as it is given.")
    b, f, t = ((found - right).abs().nan_to_num(torch.inf) > 1e-4 * (1 + right.abs())).nonzero()[0].tolist()
    raise NotYet(
        f"x of shape {tuple(x.shape)}, text {b}, token {t}: feature {f} became {float(found[b, f, t]):.4f}, expected "
        f"{float(right[b, f, t]):.4f}.{likely(found, outcomes(MISTAKES, norm_middle, *given))}"
    )


def plain(d: int) -> tuple[Tensor, Tensor]:
    return torch.ones(d), torch.zeros(d)


def normalises_each_token(answer, draw: Draw):
    """Each token gets mean 0 and variance 1 over its features."""
    d = draw.between(3, 6)
    expect(answer, 10 * draw.normal(draw.between(2, 4), d, d) + 7, *plain(d))  # the gain has an axis to go along


def applies_gain_and_bias(answer, draw: Draw):
    """Gain and bias go with the features, also where there are as many tokens."""
    d = draw.between(3, 5)
    expect(answer, 10 * draw.normal(2, d, d), draw.normal(d), draw.normal(d))  # so large that no ε counts
    expect(answer, 10 * draw.normal(2, d, d + 2), draw.normal(d), draw.normal(d))


def keeps_epsilon_inside_the_root(answer, draw: Draw):
    """Small numbers, where ε decides."""
    d = draw.between(3, 6)
    expect(answer, 0.03 * draw.normal(2, d, 3), *plain(d), 0.001 * draw.between(2, 9))  # squared, fixed: told apart
    expect(answer, 0.003 * draw.normal(2, d, 3), *plain(d), 1e-5)
    expect(answer, draw.normal(2, d, 3), *plain(d), 0.1 * draw.between(1, 9))


def treats_each_token_alone(answer, draw: Draw):
    """One text, one token; float64."""
    d = draw.between(2, 9)
    for shape in ((1, d, 1), (1, d, 7), (3, d, 1)):
        expect(answer, draw.normal(*shape, dtype=torch.float64), draw.normal(d).double(), draw.normal(d).double())


def survives_a_constant_token(answer, draw: Draw):
    """A token whose features are all equal becomes the bias."""
    d = draw.between(2, 6)
    x = draw.normal(2, d, 3)
    x[1, :, 1] = float(draw.between(1, 9))
    expect(answer, x, draw.normal(d), draw.normal(d), 1e-5)
    expect(answer, draw.normal(2, 1, 3), draw.normal(1), draw.normal(1), 1e-5)


def is_right_far_from_0(answer, draw: Draw):
    """Features far from 0, which differ little."""
    d = draw.between(3, 6)
    gain, bias = (x.double() for x in plain(d))
    expect(answer, 10_000 + draw.normal(3, d, 40, dtype=torch.float64), gain, bias, 1e-5)


def does_it_by_itself(answer, draw: Draw):
    """Nothing else normalises."""
    d = draw.between(3, 6)
    seen = ran(answer, draw.normal(2, d, 3), *plain(d), 1e-5)
    refuse(seen, "means, a root and a quotient are enough", operations=FINISHED)
