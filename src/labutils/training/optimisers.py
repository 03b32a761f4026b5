"""Optimisers by hand: from a gradient to a step.

Each is a class with one method, `step(parameters, gradients)`, which changes the parameters in place; what it keeps
between steps is an attribute. PyTorch's, which the loop uses, are the same rules, and the tests compare them.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor


class SGD:
    """Downhill by `lr` times the gradient; with `momentum` μ, by lr times a sum in which older gradients fade by μ.

    Source: Robbins and Monro 1951; momentum as Polyak 1964, in PyTorch's form.
    """

    def __init__(self, lr: float, momentum: float = 0.0):
        self.lr, self.momentum, self.velocity = lr, momentum, None

    def step(self, parameters: Sequence[Tensor], gradients: Sequence[Tensor]) -> None:
        if self.velocity is None:
            self.velocity = [torch.zeros_like(p) for p in parameters]
        for p, g, v in zip(parameters, gradients, self.velocity, strict=True):
            v.mul_(self.momentum).add_(g)
            p.sub_(self.lr * v)


class Adam:
    """Each number gets a step of about `lr`, whatever the size of its gradient: mean gradient over mean size.

    Both means start at 0, so the early ones are too small by 1 - β^t and are divided by it (Kingma and Ba 2015,
    algorithm 1). `weight_decay` is added to the gradient here, as in PyTorch, so it is rescaled with it.
    """

    def __init__(self, lr: float, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8, weight_decay=0.0):
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.t, self.mean, self.square = 0, None, None

    def step(self, parameters: Sequence[Tensor], gradients: Sequence[Tensor]) -> None:
        if self.mean is None:
            self.mean, self.square = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
        self.t += 1
        for p, g, m, s in zip(parameters, gradients, self.mean, self.square, strict=True):
            self._one(p, self.decay(p, g), m, s)

    def decay(self, p: Tensor, g: Tensor) -> Tensor:
        """The gradient to go on with."""
        return g + self.weight_decay * p

    def _one(self, p: Tensor, g: Tensor, m: Tensor, s: Tensor) -> None:
        first, second = self.betas
        m.mul_(first).add_((1 - first) * g)
        s.mul_(second).add_((1 - second) * g * g)
        mean, square = m / (1 - first**self.t), s / (1 - second**self.t)
        p.sub_(self.lr * mean / (square.sqrt() + self.eps))


class AdamW(Adam):
    """Adam whose decay stays outside the gradient: every weight shrinks by the same share, lr · weight_decay, as in
    PyTorch.

    Source: Loshchilov and Hutter 2019, algorithm 2, whose share is the schedule times the decay, without the rate.
    """

    def decay(self, p: Tensor, g: Tensor) -> Tensor:
        p.mul_(1 - self.lr * self.weight_decay)
        return g


def clip(gradients: Sequence[Tensor], most: float) -> float:
    """Shorten all gradients together, in place, to a common length of at most `most`; the length before is returned.

    One factor for all keeps the direction. Source: Pascanu, Mikolov and Bengio 2013, algorithm 1.
    """
    length = math.sqrt(sum(float(g.square().sum()) for g in gradients))
    for g in gradients:
        g.mul_(min(1.0, most / (length + 1e-6)))
    return length
