"""What models with rotary positions share: how their config.json tells the angles, and
the turn that attention gives to queries and keys.

Su et al. 2021, "RoFormer", section 3.2.2. Llama and GPT-NeoX are such models; of the
second only the first columns of each head are turned.
"""

from collections.abc import Callable

import torch
from jaxtyping import Integer
from torch import Tensor

from labutils.layers import turned

BASE = 10_000.0  # where a config.json does not say one


def base_of(config: dict) -> float:
    """The base of the angles in the content of a config.json.

    Raises ValueError for angles that are stretched or chosen in another way.
    """
    told = config.get("rope_parameters") or {}
    kind = told.get("rope_type", "default")
    if kind != "default":
        raise ValueError(
            f"Rotary positions of type {kind!r} are not supported, only 'default'."
        )
    return told.get("rope_theta", BASE)


def entries_of(base: float) -> dict:
    """What `base_of` reads, as config.json says it."""
    return {"rope_parameters": {"rope_type": "default", "rope_theta": base}}


def turning(
    positions: Integer[Tensor, "B n"], base: float = BASE, dim: int | None = None
) -> Callable[[Tensor], Tensor]:
    """The `turn` of `AttentionOptions` for rows at `positions`: (B, H, n, d_k) to the
    same shape. dim: how many columns are turned, the first ones; None turns all.

    >>> turn = turning(torch.tensor([[0, 1]]), dim=2)
    >>> turn(torch.ones(1, 1, 2, 3)).round(decimals=2)
    tensor([[[[ 1.0000,  1.0000,  1.0000],
              [-0.3000,  1.3800,  1.0000]]]])
    """

    def turn(x: Tensor) -> Tensor:
        if dim is None or dim == x.shape[-1]:
            return turned(x, positions, base)
        return torch.cat([turned(x[..., :dim], positions, base), x[..., dim:]], dim=-1)

    return turn
