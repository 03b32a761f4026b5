"""What counting neighbours knows of 48 nouns, beside the token table of the little GPT-2.

    python -m labutils.making.company      # half a minute; writes company.csv

The grammar has 48 nouns for people and animals, in twelve classes of four. A row is asked three things: is the nearest
of the other 47 nouns of its class, is the nearest class (the mean cosine to its words) its own, and does the sign of
the first principal component of all 48 rows, each of length 1, tell people from animals? Counted rows are those of
`labutils.analysis.ppmi`, whole or cut down to as many numbers as the table has: Levy, Goldberg and Dagan 2015,
"Improving Distributional Similarity with Lessons Learned from Word Embeddings", with the square root of the singular
values that they recommend.
"""

import csv
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from labutils.analysis import cosines, ppmi, principal_components
from labutils.checkpoints import load
from labutils.world import World
from labutils.world.lexicon import KINDS

FILE = Path(__file__).with_name("company.csv")
SEED, STORIES, NUMBERS = 22, (600, 3000, 20_000), 128
FIELDS = ("rows", "stories", "tokens", "numbers", "word", "class", "sides")
NOUNS = [noun for kind in KINDS.values() for noun in kind.nouns.split()]
CLASS = torch.arange(len(KINDS)).repeat_interleave(4)
PEOPLE = CLASS < 7  # the first seven classes


def asked(rows: Float[Tensor, "48 d"]) -> dict[str, int]:
    """How many of the 48 nouns come out right: by the nearest word, by the nearest class, and as person or animal."""
    cos = cosines(rows, rows).double()
    word = CLASS[cos.fill_diagonal_(-2).argmax(-1)]
    groups = cos.fill_diagonal_(0) @ torch.eye(len(KINDS), dtype=torch.float64)[CLASS]
    groups /= 4 - torch.eye(len(KINDS), dtype=torch.float64)[CLASS]  # without the noun itself
    first = principal_components(torch.nn.functional.normalize(rows), k=1).places[:, 0] > 0
    return {
        "word": int((word == CLASS).sum()),
        "class": int((groups.argmax(-1) == CLASS).sum()),
        "sides": max(int((first == side).sum()) for side in (PEOPLE, ~PEOPLE)),
    }


def measured(most: int = STORIES[-1]) -> list[dict]:
    """All lines of the file that need at most `most` stories."""
    gpt2 = load("little-gpt2")
    table = gpt2.model.embeddings.token.weight.detach()
    ids = torch.tensor([gpt2.tokenizer.encode(" " + noun).ids[0] for noun in NOUNS])
    training = gpt2.card["training"]
    found = [{"rows": "trained", "stories": "", "tokens": training["tokens"], "numbers": table.shape[1]}]
    found[0] |= asked(table[ids])
    texts = [torch.tensor(gpt2.tokenizer.encode(story.text).ids) for story in World().stories(most, seed=SEED)]
    for n in STORIES:
        if n > most:
            continue
        counted = ppmi(texts[:n], len(table))
        u, sizes, _ = torch.linalg.svd(counted, full_matrices=False)
        cut = u[:, :NUMBERS] * sizes[:NUMBERS].sqrt()
        for rows in (counted, cut):
            line = {"rows": "counted", "stories": n, "tokens": sum(map(len, texts[:n])), "numbers": rows.shape[1]}
            found.append(line | asked(rows[ids]))
    return found


def stored() -> list[dict]:
    """The lines of the file: each number as a number, "" where there is none."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [{key: int(value) if value.isdigit() else value for key, value in row.items()} for row in rows]


def main() -> None:
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(measured())


if __name__ == "__main__":
    main()
