"""Gradient checkpointing: keep what goes into a part, forget what happens inside, and compute it again on the way back.

Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost". PyTorch's is `torch.utils.checkpoint`.
"""

from collections.abc import Callable

import torch
from torch import Tensor


class _Recomputed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, part, x, *parameters):
        ctx.part = part
        ctx.save_for_backward(x)  # all that is kept
        with torch.no_grad():
            return part(x)

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        again = x.detach().requires_grad_()
        parameters = [p for p in ctx.part.parameters() if p.requires_grad]
        with torch.enable_grad():  # the same computation, this time with all that lies between
            out = ctx.part(again)
        at_x, *at_parameters = torch.autograd.grad(out, [again, *parameters], upstream)
        return None, at_x, *at_parameters


def recomputed(part: torch.nn.Module, x: Tensor) -> Tensor:
    """part(x), whose inner values are not kept but computed a second time when the gradient comes back.

    The gradients are the same. A part that draws, such as dropout in training, would draw anew: do not give it one.
    """
    return _Recomputed.apply(part, x, *(p for p in part.parameters() if p.requires_grad))


def kept_numbers(run: Callable[[], Tensor]) -> int:
    """How many numbers autograd keeps for the way back, parameters left out.

    A tensor that is kept twice is counted once.
    """
    kept: dict[tuple, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        if not isinstance(tensor, torch.nn.Parameter) and not (tensor._base is not None and tensor._base.is_leaf):
            kept[tensor.data_ptr(), tensor.shape] = tensor.numel()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        out = run()
    del out
    return sum(kept.values())
