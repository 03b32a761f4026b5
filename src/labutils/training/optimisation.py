"""The optimiser and its learning rate."""

import math

import torch


def warmup_cosine(step: int, steps: int, peak: float, warmup: float = 0.05, final: float = 0.02) -> float:
    """Learning rate at `step` (0-based) of `steps`: a straight rise to `peak`, then half a cosine down to `final *
    peak`.

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
    """AdamW (Loshchilov and Hutter 2019) that decays matrices only: a bias or a LayerNorm gain has no reason to be
    small.

    Tied parameters appear once, because `model.parameters()` yields a shared tensor once.
    """
    return _adamw(list(model.parameters()), lr, betas, weight_decay)


def _adamw(
    parameters: list[torch.nn.Parameter], lr: float, betas: tuple[float, float], weight_decay: float
) -> torch.optim.AdamW:
    matrices = [p for p in parameters if p.requires_grad and p.dim() >= 2]
    vectors = [p for p in parameters if p.requires_grad and p.dim() < 2]
    groups = [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr, betas=betas, fused=True)


NARROW = 16  # a matrix with a side shorter than this is a head of few answers, not a map between two streams


def muon_and_adamw(
    model: torch.nn.Module, lr: float, betas: tuple[float, float], weight_decay: float
) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
    """Muon for the matrices that map one stream to another, AdamW for embeddings, narrow heads and vectors.

    Muon replaces the mean gradient of a matrix by the nearest matrix whose singular values are all equal, so that
    directions with small gradients are learned too (Jordan et al. 2024); its step is scaled to the size of AdamW's, so
    both share one rate (Liu et al. 2025, section 2.2). Embeddings are left to AdamW: a step concerns few of their rows.
    """
    looked_up = {id(m.weight) for m in model.modules() if isinstance(m, torch.nn.Embedding)}
    maps = [
        p
        for p in model.parameters()
        if p.requires_grad and p.dim() == 2 and min(p.shape) >= NARROW and id(p) not in looked_up
    ]
    mapped = {id(p) for p in maps}
    others = [p for p in model.parameters() if id(p) not in mapped]
    return (
        torch.optim.Muon(maps, lr=lr, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw"),
        _adamw(others, lr, betas, weight_decay),
    )
