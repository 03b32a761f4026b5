"""Going on with a text: the logits of the token that follows, step by step."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from labutils.layers import Cache


def continuing(model: nn.Module) -> Callable[[list[int]], Float[Tensor, " V"]]:
    """What gives the logits of the token after some ids.

    model: a causal one of ours. Keys and values of the last call are kept: what both
    texts begin with is not computed again, so going on by one token costs one token.
    (The last token is always computed, for its logits.) After new weights nothing is
    kept; what is written through ``.data`` goes unnoticed by PyTorch, so ask for a new
    function after that. Raises ValueError as the model does.

    >>> from labutils.models import paper_model
    >>> after = continuing(paper_model())
    >>> after([0, 1, 2]).argmax(), after([0, 1, 2, 3]).argmax()  # on, the
    (tensor(3), tensor(0))
    """
    cache, known, weights = Cache(), [], ()

    def after(ids: list[int]) -> Float[Tensor, " V"]:
        nonlocal cache, known, weights
        now = tuple(p._version for p in model.parameters())  # rises when one is written
        if now != weights:
            cache, known, weights = Cache(), [], now
        same = 0
        while same < min(len(known), len(ids) - 1) and known[same] == ids[same]:
            same += 1
        cache.forget(same)
        try:
            with torch.no_grad():
                logits = model(torch.tensor([ids[same:]]), cache=cache).logits[0, -1]
        except ValueError:  # nothing is known of what was half read
            cache, known = Cache(), []
            raise
        known = list(ids)
        return logits

    return after
