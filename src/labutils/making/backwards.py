"""Writing a text backwards, trained longer than a chapter can wait: `python -m labutils.making.backwards`.

The task and the training are those of chapter 1. What came out is stored in `backwards.json`, one row for each run,
and `stored` reads it. A run is one score, one longest text, one width, a number of steps and a seed.
"""

import csv
import json
from functools import cache
from pathlib import Path

import torch
from torch import Tensor, nn

from labutils.layers import Seq2Seq

STORED = Path(__file__).with_suffix(".json")
PLACES = Path(__file__).with_name("backwards_places.csv")  # word by word, of the runs of 400 steps with seed 0
WORDS = "the cat sat on mat . it was tired".split()  # symbols 1 to 9; 0 begins
READ = "the cat sat on the mat . it was tired . it sat on the cat".split()  # as many words as a row says
SHOWN = (3, 4, 6, 8, 10, 12, 14, 16)
LENGTHS = (4, 8, 16, 32)
FRESH = 99  # the seed of the texts that are written; no training draws from it
# score, longest text, width, steps
PLAN = (
    (None, 16, 64, 100),
    ("dot", 16, 64, 100),
    (None, 16, 64, 400),
    ("dot", 16, 64, 400),
    (None, 16, 32, 400),
    (None, 16, 64, 4000),
    (None, 32, 64, 400),
    ("dot", 32, 64, 400),
    (None, 32, 64, 2000),
    ("dot", 16, 64, 4000),
    ("dot", 32, 64, 2000),
    (None, 16, 128, 400),
    ("additive", 16, 64, 400),
)
LONG = ((None, 16, 64, 16000), (None, 32, 64, 16000))  # these take minutes each, so two seeds have to do
RUNS = tuple((seed, *run) for seeds, plan in (((0, 1, 2), PLAN), ((0, 1), LONG)) for seed in seeds for run in plan)


def task(n: int, how_many: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Random texts of n of nine symbols, and the same backwards."""
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, source.flip(1)


def train(score: str | None = None, longest=16, steps=400, d=64, seed=0) -> Seq2Seq:
    """Reader and writer, trained on texts of 3 to `longest` symbols.

    The 64 texts of a batch have one length.
    """
    torch.manual_seed(seed)
    draws, model = torch.Generator().manual_seed(seed), Seq2Seq(10, d, score)
    adam = torch.optim.Adam(model.parameters(), lr=0.005)
    slower = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.05, steps)
    for _ in range(steps):
        n = int(torch.randint(3, longest + 1, (), generator=draws))
        source, right = task(n, 64, draws)
        loss = nn.functional.cross_entropy(model(source, n, right).mT, right)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        slower.step()
    return model


@torch.no_grad()
def accuracy(model: Seq2Seq, n: int) -> float:
    """The share of right symbols in 500 fresh texts that the model writes by itself."""
    source, right = task(n, 500, torch.Generator().manual_seed(FRESH))
    return float((model(source, n).argmax(-1) == right).float().mean())


def one_run(score: str | None, longest: int, d: int, steps: int, seed: int) -> dict:
    """A row of the stored table."""
    model = train(score, longest, steps, d, seed)
    right = {str(n): round(accuracy(model, n), 3) for n in LENGTHS}
    return {"score": score, "longest": longest, "d": d, "steps": steps, "seed": seed, "right": right}


@cache
def _rows() -> tuple[dict, ...]:
    return tuple(json.loads(STORED.read_text(encoding="utf-8")))


def stored(score: str | None, n: int, longest: int = 16, d: int = 64, steps: int = 400) -> list[float]:
    """The share of right words in texts of n words, one number for each seed.

    Raises ValueError where no such run is stored.
    """
    wanted = {"score": score, "longest": longest, "d": d, "steps": steps}
    found = [row["right"][str(n)] for row in _rows() if wanted.items() <= row.items() and str(n) in row["right"]]
    if not found:
        raise ValueError(f"No run with {wanted} is stored that wrote {n} words.")
    return found


def word_by_word(score: str | None) -> list[tuple[str, int, str, str]]:
    """Rows of `PLACES`: who wrote, how many words, the share of right words at each place, and what became of READ."""
    model, rows = train(score).requires_grad_(False), []
    for n in SHOWN:
        source, right = task(n, 500, torch.Generator().manual_seed(FRESH))
        shares = (model(source, n).argmax(-1) == right).float().mean(0)
        ids = torch.tensor([[1 + WORDS.index(word) for word in READ[:n]]])  # (1, n)
        wrote = [WORDS[i - 1] if i else "–" for i in model(ids, n).argmax(-1)[0]]
        rows.append((score or "last state", n, " ".join(f"{share:.3f}" for share in shares), " ".join(wrote)))
    return rows


def places(score: str | None, n: int) -> tuple[list[float], list[str]]:
    """The share of right words at each of n places, in the order of writing, and what was written for READ[:n]."""
    with PLACES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (row["writer"], row["words"]) == (score or "last state", str(n)):
                return [float(share) for share in row["right"].split()], row["wrote"].split()
    raise ValueError(f"Nothing is stored for {n} words.")


def main() -> None:
    """Every run that is planned and not stored yet; the table is written after each."""
    torch.set_num_threads(1)
    if not PLACES.exists():
        with PLACES.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("writer", "words", "right", "wrote"))
            writer.writerows(row for score in (None, "dot") for row in word_by_word(score))
    rows = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    for seed, score, longest, d, steps in RUNS:
        run = {"score": score, "longest": longest, "d": d, "steps": steps, "seed": seed}
        if any(run.items() <= row.items() for row in rows):
            continue
        rows.append(one_run(score, longest, d, steps, seed))
        print(rows[-1], flush=True)
        lines = ",\n".join(json.dumps(row) for row in rows)
        STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
