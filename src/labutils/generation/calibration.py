"""Calibration: whether what is given 30% comes in 30 of 100 cases.

Guo et al. 2017, "On Calibration of Modern Neural Networks".
"""

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn


def calibration_error(
    sure: Float[Tensor, " m"], right: Bool[Tensor, " m"], bins: int = 10
) -> float:
    """The expected calibration error: cases are sorted into equal bins by how sure the
    model was; in each the mean of `sure` is compared with the share that was right, and
    the differences are averaged by how many cases lie there.

    >>> calibration_error(torch.tensor([0.9, 0.9]), torch.tensor([True, False]))
    0.4
    """
    place = (sure * bins).long().clamp(max=bins - 1)
    off = torch.zeros(bins, dtype=torch.float64)
    off.scatter_add_(0, place, sure.double() - right.double())
    return round(float(off.abs().sum() / len(sure)), 7)


def fit_temperature(
    logits: Float[Tensor, "m V"], labels: Integer[Tensor, " m"]
) -> float:
    """The temperature with which these logits are least surprised by the labels.

    It has to be fitted on cases that are not scored afterwards.

    >>> logits = torch.tensor([[2.0, 0.0]]).expand(4, 2)  # 88% for what comes in 75%
    >>> round(fit_temperature(logits, torch.tensor([0, 0, 0, 1])), 2)
    1.82
    """
    slope = torch.zeros((), dtype=torch.float64, requires_grad=True)  # log of 1 / tau
    rule = torch.optim.LBFGS([slope], max_iter=50, line_search_fn="strong_wolfe")

    def loss():
        rule.zero_grad()
        value = nn.functional.cross_entropy(logits.double() * slope.exp(), labels)
        value.backward()
        return value

    rule.step(loss)
    return float((-slope.detach()).exp())
