"""Penalties: tokens that stand in the text already become less probable.

The repetition penalty is HuggingFace's `RepetitionPenaltyLogitsProcessor`. Keskar et
al. 2019, section 4.1, divide every logit, which makes a token with a negative one more
probable; multiplying those is HuggingFace's repair. The frequency penalty is that of
OpenAI's interface; HuggingFace has none. vLLM counts only what was written, ours counts
the prompt too.
"""

import math

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor


def repetition_penalty(
    logits: Float[Tensor, "B V"],
    ids: Integer[Tensor, "B n"],
    penalty: float,
    real: Bool[Tensor, "B n"] | None = None,
) -> Float[Tensor, "B V"]:
    """The logit of a token of `ids` is divided by the penalty if it is positive, and
    multiplied if it is negative: either way it falls, if the penalty is above 1.

    How often a token stands there makes no difference. real: which of the ids are no
    padding. The rule asks for the zero of the logits, which the softmax does not know:
    add 5 to all of them and it does something else. Raises ValueError for a penalty
    that is not above 0 or not finite.

    >>> repetition_penalty(torch.tensor([[2.0, -1.0, 3.0]]), torch.tensor([[0, 1]]), 2)
    tensor([[ 1., -2.,  3.]])
    """
    if not 0 < penalty < math.inf:
        raise ValueError(
            "A repetition penalty is a number above 0, and 1 does nothing; not"
            f" {penalty}."
        )
    lower = torch.where(logits < 0, logits * penalty, logits / penalty)
    return lower.where(_counted(logits, ids, real) > 0, logits)


def frequency_penalty(
    logits: Float[Tensor, "B V"],
    ids: Integer[Tensor, "B n"],
    penalty: float,
    real: Bool[Tensor, "B n"] | None = None,
) -> Float[Tensor, "B V"]:
    """Each time that a token stands in `ids` takes the penalty off its logit: e to that
    power off its odds, before they are shared again.

    Unlike the repetition penalty it knows how often, and moving all logits by the same
    makes no difference. A negative penalty favours what was said. Raises ValueError for
    one that is not finite.

    >>> ids = torch.tensor([[0, 1, 1]])
    >>> frequency_penalty(torch.tensor([[2.0, -1.0, 3.0]]), ids, 0.5)
    tensor([[ 1.5000, -2.0000,  3.0000]])
    """
    if not math.isfinite(penalty):
        raise ValueError(
            f"A frequency penalty is a number, and 0 does nothing; not {penalty}."
        )
    return logits - penalty * _counted(logits, ids, real)


def _counted(
    logits: Float[Tensor, "B V"],
    ids: Integer[Tensor, "B n"],
    real: Bool[Tensor, "B n"] | None,
) -> Integer[Tensor, "B V"]:
    """How often each token stands in its text, padding left out."""
    counts = logits.new_zeros(logits.shape, dtype=int)
    return counts.scatter_add(
        -1, ids, (ids >= 0).long() if real is None else real.long()
    )
