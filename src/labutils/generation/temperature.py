"""Temperature: how sure of itself a distribution is made before a token is drawn.

Ackley, Hinton & Sejnowski 1985; HuggingFace's `TemperatureLogitsWarper`, which takes
no 0.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def temperature(logits: Float[Tensor, "... V"], tau: float) -> Float[Tensor, "... V"]:
    """The logits divided by tau: below 1 the odds get steeper, above 1 flatter.

    tau = 0 is what the rule comes near to as tau shrinks: the largest logit stays and
    all others become -inf, so that drawing is greedy. Of equal ones the first stays.
    The order of the tokens never changes. Raises ValueError for a tau that is negative
    or not finite.

    >>> from labutils.models import paper_model
    >>> logits = paper_model()(torch.tensor([[0, 1, 2]])).logits[0, -1]  # the cat sat
    >>> temperature(logits, 0.5).softmax(-1).mul(1e4).round().tolist()
    [465.0, 116.0, 116.0, 7442.0, 1860.0]
    >>> temperature(logits, 0).softmax(-1).tolist()
    [0.0, 0.0, 0.0, 1.0, 0.0]
    """
    if not 0 <= tau < math.inf:  # later
        raise ValueError(f"A temperature is 0 or more and finite, not {tau}.")
    if tau == 0:
        best = logits.argmax(-1, keepdim=True)
        kept = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, best, True)
        return logits.masked_fill(~kept, -torch.inf)
    return logits / tau
