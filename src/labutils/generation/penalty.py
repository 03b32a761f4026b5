"""Repetition penalty: tokens that stand in the text already become less probable.

Keskar et al. 2019, section 4.1; HuggingFace's `RepetitionPenaltyLogitsProcessor`.
"""

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

    >>> import torch
    >>> repetition_penalty(torch.tensor([[2.0, -1.0, 3.0]]), torch.tensor([[0, 1]]), 2)
    tensor([[ 1., -2.,  3.]])
    """
    if not penalty > 0:
        raise ValueError(
            f"A repetition penalty is above 0, and 1 does nothing; not {penalty}."
        )
    said = logits.new_zeros(logits.shape, dtype=int)
    said = said.scatter_add(-1, ids, (ids >= 0).long() if real is None else real.long())
    lower = (logits < 0) * logits * penalty + (logits >= 0) * logits / penalty
    return lower.where(said > 0, logits)
