"""Masks: who may see whom. Boolean, True where the query of a row may see the key of a
column.

They are combined with `&`: a key is seen if every mask lets it be seen.
"""

import torch
from jaxtyping import Bool, Integer
from torch import Tensor


def causal_mask(n: int, past: int = 0, device=None) -> Bool[Tensor, "n past+n"]:
    """Each row sees itself and the rows before it: the lower triangle, and all of the
    `past`, whose keys are cached.

    >>> causal_mask(3).int()
    tensor([[1, 0, 0],
            [1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    >>> causal_mask(2, past=2).int()
    tensor([[1, 1, 1, 0],
            [1, 1, 1, 1]], dtype=torch.int32)
    """
    return torch.ones(n, past + n, dtype=torch.bool, device=device).tril(past)


def seen_of_all(real: Bool[Tensor, "B m"], n: int) -> Bool[Tensor, "B 1 n m"]:
    """What each of the last n of m tokens sees: no padding, and nothing that comes
    later.

    >>> seen_of_all(torch.tensor([[0, 1, 1]]), n=2).int()
    tensor([[[[0, 1, 0],
              [0, 1, 1]]]], dtype=torch.int32)
    """
    return causal_mask(n, real.shape[1] - n, real.device) & padding_mask(real)


def padding_mask(
    attention_mask: Integer[Tensor, "B n"] | Bool[Tensor, "B n"],
) -> Bool[Tensor, "B 1 1 n"]:
    """No row sees a padding token. `attention_mask` is 1 for a token of the text and 0
    for padding.

    The two axes of length 1 stand for every head and every query.

    >>> padding_mask(torch.tensor([[1, 1, 0]])).shape
    torch.Size([1, 1, 1, 3])
    """
    return attention_mask.bool()[:, None, None, :]
