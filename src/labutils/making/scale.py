"""What the division by √d_k is for: one wide head learns to look up a pair, with it and without it.

    python -m labutils.making.scale      # half a minute; writes scale.csv

Eight pairs, each one of sixteen letters with one of sixteen numbers, new in every text, and then one of the eight
letters again: the head has to name the number that stood with it. A head that may not look (all its weights are equal)
cannot do better than to guess among the eight numbers, ln 8 nats. The fourth way divides by nothing and starts W_Q and
W_K smaller, each by d^¼, so that its scores start as large as divided ones. Adam, 64 texts a step; each way has its
rate tuned over RATES.
"""

import csv
import math
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from labutils.layers import attention

FILE = Path(__file__).with_name("scale.csv")
WIDTH, SYMBOLS, PAIRS, TEXTS, STEPS = 256, 16, 8, 64, 80
WAYS, RATES, SEEDS = ("√d_k", "nothing", "blind", "small start"), (0.01, 0.003, 0.001, 0.0003), (0, 1, 2)
SHOWN = 0.003  # the rate of the figure: the best of RATES with √d_k


class Run(NamedTuple):
    """One training: what the scores were divided by ("blind": the head may not look; "small start": nothing, but W_Q
    and W_K start smaller), and the loss of each step.
    """

    way: str
    lr: float
    seed: int
    losses: list[float]

    def below(self, loss: float) -> int | None:
        """The first step, counted from 1, whose loss is below this; None if there is none."""
        return next((step for step, one in enumerate(self.losses, 1) if one < loss), None)


class OneHead(nn.Module):
    """Pairs (letter, number) as keys and values, a letter as the query."""

    def __init__(self, way: str, d: int = WIDTH):
        super().__init__()
        self.letter, self.number = (nn.Embedding(SYMBOLS, d) for _ in range(2))
        self.q, self.k, self.v, self.out = (nn.Linear(d, d) for _ in range(4))
        self.name = nn.Linear(d, SYMBOLS)
        self.scale = {"√d_k": 1 / math.sqrt(d), "blind": 0.0}.get(way, 1.0)
        if way == "small start":
            for p in (*self.q.parameters(), *self.k.parameters()):
                p.data *= d**-0.25

    def forward(
        self, letters: Integer[Tensor, "B 8"], numbers: Integer[Tensor, "B 8"], asked: Integer[Tensor, "B 1"]
    ) -> Float[Tensor, "B 16"]:
        rows = self.letter(letters) + self.number(numbers)  # (B, 8, d)
        context, _ = attention(self.q(self.letter(asked)), self.k(rows), self.v(rows), scale=self.scale)
        return self.name(self.out(context))[:, 0]


def trained(way: str, lr: float, seed: int, steps: int = STEPS) -> Run:
    torch.manual_seed(seed)
    head, losses = OneHead(way), []
    adam = torch.optim.Adam(head.parameters(), lr=lr)
    for _ in range(steps):
        letters, numbers = torch.rand(2, TEXTS, SYMBOLS).argsort(-1)[..., :PAIRS]
        place = torch.randint(PAIRS, (TEXTS, 1))
        logits = head(letters, numbers, letters.gather(1, place))
        loss = nn.functional.cross_entropy(logits, numbers.gather(1, place)[:, 0])
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return Run(way, lr, seed, losses)


def stored() -> list[Run]:
    """All runs of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [Run(way, float(lr), int(seed), [float(loss) for loss in losses]) for way, lr, seed, *losses in rows]


def main() -> None:
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["way", "lr", "seed", *range(1, STEPS + 1)])
        for way in WAYS:
            for lr in RATES:
                for seed in SEEDS:
                    run = trained(way, lr, seed)
                    writer.writerow([way, lr, seed, *[f"{loss:.4f}" for loss in run.losses]])


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
