"""Hooks: a layer hands each value that has a name to `see`, where it stands, and goes
on with what comes back.

    x = x + see("attention_output", self.attention(x))

As a rule `see` is `unseen`, which hands everything back. It may as well keep what it is
shown, or hand back something else: a head switched off, a state from another run.
TransformerLens calls such places hook points (Nanda and Bloom 2022).

>>> import torch
>>> from labutils.layers import attention
>>> seen = Recorder()
>>> _ = attention(*torch.ones(3, 2, 4), see=seen)
>>> seen.stages["weights"]
tensor([[0.5000, 0.5000],
        [0.5000, 0.5000]])
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

See = Callable[[str, Tensor], Tensor]


def unseen(name: str, value: Tensor) -> Tensor:
    """Nobody looks: the value goes on as it is."""
    return value


def within(see: See, part: str) -> See:
    """`see` for a part of a model: the names of its stages get the part's in front, as
    in "cross q" of a second attention or "decoder token" of a second stack.
    """
    return see if see is unseen else lambda name, value: see(f"{part} {name}", value)


def in_layer(see: See, i: int) -> See:
    """`see` for block i of a model: the names of its stages get "layer i " in front."""
    return within(see, f"layer {i}")


def readable(values: Tensor) -> bool:
    """Whether there are values to look at: not while torch compiles or exports a model,
    or maps it over a batch (torch.func.vmap).
    """
    if torch.compiler.is_compiling():
        return False
    return not torch._C._functorch.is_batchedtensor(values)  # has no public name


class Recorder:
    """A `see` that keeps what it is shown, by name, in `stages`, and may exchange it;
    `shown` are all names.

    want: tells from a name whether to keep that value; None keeps all of them. change:
    for a name, what to put in the place of its value, as a function of that value. What
    is kept is what the model went on with.

    >>> see = Recorder(change={"weights": lambda w: w * 0})
    >>> see("weights", 3.0), see("scores", 2.0), see.stages
    (0.0, 2.0, {'weights': 0.0, 'scores': 2.0})
    """

    def __init__(
        self,
        want: Callable[[str], bool] | None = None,
        change: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
    ):
        self.want, self.change = want, change or {}
        self.stages: dict[str, Tensor] = {}
        self.shown: set[str] = set()

    def __call__(self, name: str, value: Tensor) -> Tensor:
        self.shown.add(name)
        if name in self.change:
            value = self.change[name](value)
        if self.want is None or self.want(name):
            self.stages[name] = value
        return value
