"""Going on with a text: the logits of the token that follows, step by step."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from labutils.layers import Cache

from .quick import for_writing, is_plain


def continuing(model: nn.Module) -> Callable[[list[int]], Float[Tensor, " V"]]:
    """What gives the logits of the token after some ids.

    model: a causal one of ours. Keys and values of the last call are kept: what both
    texts begin with is not computed again, so going on by one token costs one token.
    (The last token is always computed, for its logits.) A GPT-2 is laid out for writing
    at the first call, as `for_writing` does it. After new weights nothing is kept, also
    where ``.data`` was given another tensor. What is written into ``.data`` itself goes
    unnoticed by PyTorch, and to look at every weight would take as long as half a
    token: ask for a new function after that. Raises ValueError as the model does.

    >>> from labutils.models import paper_model
    >>> after = continuing(paper_model())
    >>> after([0, 1, 2]).argmax(), after([0, 1, 2, 3]).argmax()  # on, the
    (tensor(3), tensor(0))
    """
    room = model.config.n_positions  # taken once, and only when the first tokens come
    cache, known, weights, reads = Cache(room), [], [], model

    def after(ids: list[int]) -> Float[Tensor, " V"]:
        nonlocal cache, known, weights, reads
        same_parts = is_plain(model) != (reads is model)
        if not same_parts or not _same(weights, list(model.parameters())):
            cache, known, reads = Cache(room), [], for_writing(model, last=1)
            # they share the memory of the weights, so that no other can take its place
            weights = [(p._version, p.detach()) for p in model.parameters()]
        same = 0
        while same < min(len(known), len(ids) - 1) and known[same] == ids[same]:
            same += 1
        cache.forget(same)
        try:
            with torch.no_grad():
                logits = reads(torch.tensor([ids[same:]]), cache=cache).logits[0, -1]
        except ValueError:  # nothing is known of what was half read
            cache, known = Cache(room), []
            raise
        known = list(ids)
        return logits

    return after


def _same(before: list[tuple[int, Tensor]], now: list[nn.Parameter]) -> bool:
    """Whether the weights are those of before: in the same memory, and not written."""
    return len(before) == len(now) and all(
        version == p._version and old.data_ptr() == p.data_ptr()
        for (version, old), p in zip(before, now)
    )
