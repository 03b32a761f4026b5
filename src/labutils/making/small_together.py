"""A small GPT trained by several processes: the same result as by one.

    torchrun --nproc_per_node 2 -m labutils.making.small_together run.safetensors
    python -m labutils.making.small_together run.safetensors

`accelerate launch --multi_gpu --num_processes 2 -m labutils.making.small_together` starts it too, with or without a
GPU, since it sets the variables that torchrun sets. The library itself is not needed here: adding up gradients is one
call of torch.distributed (`training.together`).
The state file is written by the first process. Where it exists the run goes on from it, on however many processes.
"""

import argparse
from pathlib import Path

import torch

from labutils.making.small import Batch, train_small
from labutils.training import Progress, next_token_loss
from labutils.training.together import Place, together


def share_of(batch: Batch, place: Place) -> tuple[Batch, float]:
    """The rows of this process, and their share of the tokens that the whole batch predicts."""
    rows = place.part(len(batch.ids))
    mine = Batch(batch.ids[rows], batch.mask[rows])
    return mine, float(mine.mask[:, 1:].sum() / batch.mask[:, 1:].sum())


def loss_on(place: Place):
    """The loss of this process's rows, as its part of the mean over the whole batch."""

    def loss(model: torch.nn.Module, batch: Batch, done: float) -> torch.Tensor:
        mine, share = share_of(batch, place)
        return share * next_token_loss(model(mine.ids, attention_mask=mine.mask).logits, mine.ids, mine.mask)

    return loss


def main(arguments: list[str] | None = None) -> Progress:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state", type=Path, help="where the run is kept, a .safetensors file")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--width", type=int, default=64)
    asked = parser.parse_args(arguments)
    with together() as place:
        torch.set_num_threads(1)
        report = {} if place.rank == 0 else {"report": lambda progress: None}
        how = {"loss": loss_on(place), "state": asked.state, **report}
        progress = train_small("gpt2", asked.steps, asked.width, **how).progress
        if place.rank == 0:
            print(f"{progress.step:,} steps, {progress.tokens:,} tokens, processes: {place.size}")
        return progress


if __name__ == "__main__":
    main()
