"""Penalties: tokens that stand in the text already become less probable.

The repetition penalty is that of Keskar et al. 2019, section 4.1, and HuggingFace's
`RepetitionPenaltyLogitsProcessor`. The frequency penalty is that of OpenAI's interface,
taken over by vLLM and llama.cpp; HuggingFace has none.
"""

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
    that is not above 0.

    >>> repetition_penalty(torch.tensor([[2.0, -1.0, 3.0]]), torch.tensor([[0, 1]]), 2)
    tensor([[ 1., -2.,  3.]])
    """
    if not penalty > 0:
        raise ValueError(
            f"A repetition penalty is above 0, and 1 does nothing; not {penalty}."
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
    makes no difference. A negative penalty favours what was said.

    >>> ids = torch.tensor([[0, 1, 1]])
    >>> frequency_penalty(torch.tensor([[2.0, -1.0, 3.0]]), ids, 0.5)
    tensor([[ 1.5000, -2.0000,  3.0000]])
    """
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
