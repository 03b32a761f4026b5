"""The runs of small models that chapter 10 shows, and what they are compared with.

    python -m labutils.making.small_runs            # some minutes; writes small_runs.json
    python -m labutils.making.small_runs unshifted  # one of them

A run is stored as the mean loss of every ten steps, and its loss on 400 stories that it has not seen. The models are
those of `labutils.making.small`.
"""

import json
import math
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from labutils.checkpoints import load
from labutils.making import small
from labutils.making.rows import gpt2_row
from labutils.training import IGNORE, cross_entropy, masked_language_loss
from labutils.world import World

FILE = Path(__file__).with_name("small_runs.json")
EVERY = 10  # steps that one number of a curve averages
EIGHT = small.STORIES["gpt2"]
SICK_STEPS, FEW, FEW_STEPS = 500, 100, 400
RATES = (
    0.0001,
    0.0003,
    0.001,
    0.003,
    0.01,
    0.03,
    0.1,
    0.3,
    1.0,
)  # peaks, the healthy run's and the sick one's among them
COUNTED, PRIORS = (
    12_000,
    (0.3, 1.0, 3.0, 10.0),
)  # stories whose pairs and triples are counted; how much the shorter weighs


def unshifted(model, batch, done=0.0):
    """The mistake: each row is asked for the token that it has just read."""
    labels = batch.ids.masked_fill(batch.mask == 0, IGNORE)
    return masked_language_loss(model(batch.ids, attention_mask=batch.mask).logits, labels)


def kept(curve: list[float]) -> list[float]:
    """Means of EVERY steps, rounded."""
    return [round(sum(curve[i : i + EVERY]) / EVERY, 4) for i in range(0, len(curve) - EVERY + 1, EVERY)]


def run(kind: str = "gpt2", steps: int = SICK_STEPS, told=small.as_told, **how) -> dict[str, Any]:
    made = small.train_small(kind, steps, told=told, show=False, **how)
    return {
        "steps": steps,
        "tokens": made.progress.tokens,
        "curve": kept(made.curve),
        "held_out": round(small.held_out(kind, made.model, made.tokenizer, told=told), 4),
    }


def few(dropout: float = 0.0, weight_decay: float = 0.05, smoothing: float = 0.0) -> dict[str, Any]:
    """The same 100 stories again and again: the loss on them, and on stories that are new, every 20 steps."""
    world, rng = World(), random.Random("small few")
    model, tokenizer = small.fresh("gpt2", dropout=dropout)
    batches = [
        small.batch_of("gpt2", tokenizer, [world.story(rng).text for _ in range(EIGHT)], rng)
        for _ in range(FEW // EIGHT)
    ]
    plan = small.Plan(FEW_STEPS, 0.01, weight_decay=weight_decay, warmup=small.WARMUP["gpt2"] / FEW_STEPS)
    rows: list[list[float]] = []

    def loss(net, batch, done):
        logits = net(batch.ids, attention_mask=batch.mask).logits
        labels = batch.ids[:, 1:].masked_fill(batch.mask[:, 1:] == 0, IGNORE)
        return cross_entropy(logits[:, :-1], labels, smoothing)

    @torch.no_grad()
    def watch(net, progress):
        if progress.step % 20 == 0:
            seen = sum(float(small.loss_of(net, b)) for b in batches[:6]) / 6
            rows.append([round(seen, 4), round(small.held_out("gpt2", net, tokenizer, stories=60), 4)])

    small.train(model, loss, lambda i: batches, plan, watch=watch)
    return {"stories": len(batches) * EIGHT, "seen": [a for a, _ in rows], "new": [b for _, b in rows]}


def lines() -> dict[str, float]:
    """Nats a token of guesses that count: single tokens, pairs, triples; and the exact floor, and ln V.

    A longer context is mixed with the next shorter one, as if that had been seen `prior` times (MacKay and Peto 1995);
    the prior is chosen on 200 stories and scored on 400 others.
    """
    world, tokenizer = World(), load("little-gpt2").tokenizer
    told = _rows(world, tokenizer, "counted", COUNTED)
    counts = [Counter(gram for row in told for gram in grams(row, n)) for n in (1, 2, 3)]
    before = [Counter() for _ in counts]
    for shorter, found in zip(before, counts):
        for gram, times in found.items():
            shorter[gram[:-1]] += times
    V = len(tokenizer)

    def chance(gram: tuple[int, ...], prior: float) -> float:
        n = len(gram)
        less = chance(gram[1:], prior) if n > 1 else 1 / V
        return (counts[n - 1][gram] + prior * less) / (before[n - 1][gram[:-1]] + prior)

    def loss(told: list[list[int]], n: int, prior: float) -> float:
        found = [chance(tuple(row[max(0, i - n + 1) : i + 1]), prior) for row in told for i in range(1, len(row))]
        return -sum(map(math.log, found)) / len(found)

    choose, score = (_rows(world, tokenizer, name, n) for name, n in (("choose", 200), ("score", 400)))
    found = {"ln V": math.log(V), "floor": world.entropy_per_token(lambda word: len(tokenizer.encode_ids(word)))}
    for name, n in (("single tokens", 1), ("pairs", 2), ("triples", 3)):
        best = min(PRIORS, key=lambda prior: loss(choose, n, prior))
        found[name] = loss(score, n, best)
    return {name: round(nats, 4) for name, nats in found.items()}


def _rows(world: World, tokenizer, name: str, n: int) -> list[list[int]]:
    rng = random.Random(name)
    return [gpt2_row(tokenizer, world.story(rng).text) for _ in range(n)]


def grams(row: list[int], n: int) -> Iterator[tuple[int, ...]]:
    """All n tokens in a row that end in a token which is predicted."""
    return (tuple(row[i - n + 1 : i + 1]) for i in range(max(1, n - 1), len(row)))


def rates() -> dict[str, Any]:
    """The healthy run with other peak rates: the last ten steps, and the loss on stories that it has not seen."""
    made = [run(rate=rate) for rate in RATES]
    return {
        "rates": list(RATES),
        "end": [one["curve"][-1] for one in made],
        "held_out": [one["held_out"] for one in made],
    }


RUNS: dict[str, Callable[[], Any]] = {
    "lines": lines,
    "gpt2": lambda: run(steps=1500),
    "bert": lambda: run("bert", 2000, layers=2),
    "healthy": run,
    "shuffled": lambda: run(told=small.shuffled),
    "no warm-up": lambda: run(warmup=1),
    "rate x 30": lambda: run(rate=30 * small.RATE["gpt2"]),
    "unshifted": lambda: run(loss=unshifted),
    "few": few,
    "few, dropout": lambda: few(dropout=0.2),
    "few, decay": lambda: few(weight_decay=1.0),
    "few, smoothing": lambda: few(smoothing=0.1),
    "rates": rates,
}


def stored() -> dict[str, Any]:
    """All runs of the file, by name."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def main(names: list[str]) -> None:
    for name in names or RUNS:
        found = RUNS[name]()
        known = stored() if FILE.exists() else {}
        known[name] = found
        fresh = FILE.with_suffix(f".{os.getpid()}")
        text = ",\n".join(f" {json.dumps(key)}: {json.dumps(known[key])}" for key in RUNS if key in known)
        fresh.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
        os.replace(fresh, FILE)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1:])
