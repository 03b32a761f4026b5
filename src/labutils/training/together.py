"""One run on several processes: each takes a part of every batch, and all step by the gradient of the whole batch.

A script that is started by `torchrun`, or by `accelerate launch`, which sets the same variables, finds itself here: its
rank, and how many there are. Started alone it is rank 0 of 1, and nothing is sent.

The loss is a mean over tokens, and parts have different numbers of tokens. So the mean of their means is not the mean
of the whole; each part is weighted by its share of the tokens, and the gradients are added.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import torch
import torch.distributed as dist


class Place(NamedTuple):
    """Which process this is, of how many."""

    rank: int
    size: int

    def part(self, rows: int) -> slice:
        """Which rows of a batch are this process's. Raises ValueError where there are fewer rows than processes."""
        if rows < self.size:
            raise ValueError(f"A batch of {rows} rows cannot be shared by {self.size} processes: each needs a row.")
        return slice(rows * self.rank // self.size, rows * (self.rank + 1) // self.size)


@contextmanager
def together() -> Iterator[Place]:
    """Join the processes of this run, over gloo, which needs no GPU; leave them at the end."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Place(0, 1)
        return
    dist.init_process_group("gloo")
    try:
        yield Place(dist.get_rank(), size)
    finally:
        dist.destroy_process_group()


def joined() -> bool:
    """Whether this process is one of several."""
    return dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1


def is_first() -> bool:
    """Whether this process is the one that writes files."""
    return not joined() or dist.get_rank() == 0


def add_up(model: torch.nn.Module, loss: float) -> float:
    """Add up the gradients of all processes, in place, and their parts of the loss, which is returned."""
    if not joined():
        return loss
    found = [p.grad for p in model.parameters() if p.grad is not None]
    flat = torch.cat([*(g.flatten() for g in found), torch.tensor([loss])])
    dist.all_reduce(flat)  # one message: many small ones would each wait for the slowest process
    for g, sums in zip(found, flat[:-1].split([g.numel() for g in found])):
        g.copy_(sums.view_as(g))
    return float(flat[-1])
