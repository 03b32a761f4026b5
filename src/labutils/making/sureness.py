"""Is a small head as sure as it is right? Two heads on the little BERT as it is, trained on few and on many stories.

    python -m labutils.making.sureness      # two minutes: sureness.csv

Both read the mean of a story's last hidden states and say whether the first being in it is a person or an animal.
What is stored are their logits for fresh stories, so that chapter 9 can ask any question of them.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from labutils.checkpoints import load
from labutils.models import one_vector
from labutils.training import pad
from labutils.world import World

STORED = Path(__file__).with_name("sureness.csv")
FEW, MANY, FRESH, STEPS = 200, 2000, 1000, 200


class Fresh(NamedTuple):
    """Logits of the two classes, (m, 2) each, by the head trained on `FEW` and on `MANY` stories; the classes, (m,)."""

    few: Tensor
    many: Tensor
    label: Tensor


def states(n: int, seed: int) -> tuple[Tensor, Tensor]:
    """The mean last hidden state of n stories, (n, d), and 1 where the first being is an animal, else 0, (n,)."""
    bert, drawn = load("little-bert"), World().stories(n, seed=seed)
    parts = []
    for i in range(0, n, 100):
        ids = pad([bert.tokenizer.encode(story.text).ids for story in drawn[i : i + 100]], 0)
        seen = (ids != 0).long()
        with torch.no_grad():
            parts.append(one_vector(bert.model(ids, seen).hidden_states[-1], seen, "mean"))
    kinds = [[w.entity for w in story.words if w.entity in ("PERSON", "ANIMAL")] for story in drawn]
    return torch.cat(parts), torch.tensor([int(kind[:1] == ["ANIMAL"]) for kind in kinds])


def trained(x: Tensor, label: Tensor) -> nn.Linear:
    """A matrix and a bias for two classes, trained as in chapter 9."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        head = nn.Linear(x.shape[1], 2)
    adam = torch.optim.AdamW(head.parameters(), lr=1e-2, weight_decay=0.1)
    for _ in range(STEPS):
        adam.zero_grad()
        cross_entropy(head(x), label).backward()
        adam.step()
    return head


def write(path: Path = STORED) -> None:
    """Train both heads and store what they say of stories that neither has seen."""
    (x, label), (fresh, asked) = states(MANY, 10), states(FRESH, 12)
    heads = [trained(x[:n], label[:n]) for n in (FEW, MANY)]
    with torch.no_grad():
        # two classes: softmax knows only the difference of the logits
        said = [(logits[:, 1] - logits[:, 0]).tolist() for logits in (head(fresh) for head in heads)]
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("few", "many", "animal"))
        rows.writerows((f"{a:.3f}", f"{b:.3f}", c) for a, b, c in zip(*said, asked.tolist()))


def fresh() -> Fresh:
    """What both heads say of `FRESH` stories, as `write` has stored it."""
    with STORED.open(encoding="utf-8", newline="") as file:
        few, many, label = zip(*[(float(r["few"]), float(r["many"]), int(r["animal"])) for r in csv.DictReader(file)])
    two = lambda odds: torch.stack([torch.zeros(len(odds)), torch.tensor(odds)], -1)
    return Fresh(two(few), two(many), torch.tensor(label))


if __name__ == "__main__":
    torch.set_num_threads(1)
    write()
