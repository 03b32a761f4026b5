"""The optimiser and its learning rate."""

import math

import torch


def warmup_cosine(step: int, steps: int, peak: float, warmup: float = 0.05, final: float = 0.02) -> float:
    """Learning rate at `step` (0-based) of `steps`: a straight rise to `peak`, then half a cosine down to `final * peak`.

    `warmup` is the share of the steps spent rising (at least one step). The first step already moves: its rate is
    `peak / rise`, not 0. Source: Loshchilov and Hutter 2017 (SGDR), section 3, with linear warm-up.

    >>> [round(warmup_cosine(s, 102, 1.0, warmup=0.01, final=0.0), 2) for s in (0, 1, 51, 101)]
    [1.0, 1.0, 0.5, 0.0]
    """
    rise = max(1, round(warmup * steps))
    if step < rise:
        return peak * (step + 1) / rise
    down = (step - rise) / max(1, steps - 1 - rise)
    return peak * (final + (1 - final) * 0.5 * (1 + math.cos(math.pi * down)))


def adamw(model: torch.nn.Module, lr: float, betas: tuple[float, float], weight_decay: float) -> torch.optim.AdamW:
    """AdamW (Loshchilov and Hutter 2019) that decays matrices only: a bias or a LayerNorm gain has no reason to be small.

    Tied parameters appear once, because `model.parameters()` yields a shared tensor once.
    """
    matrices = [p for p in model.parameters() if p.requires_grad and p.dim() >= 2]
    vectors = [p for p in model.parameters() if p.requires_grad and p.dim() < 2]
    groups = [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr, betas=betas, fused=True)
