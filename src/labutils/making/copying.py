"""Does GPT-2 copy what it has never seen? Random blocks told twice, and the two heads that such copying needs.

Olsson et al. 2022, "In-context Learning and Induction Heads": a head that looks one token back, and in a later layer an
induction head, which looks at the token that came after the earlier copy of the present one.
"""

import random
from typing import Any

import torch

from labutils.analysis.estimates import largest, mean
from labutils.analysis.passes import passes
from labutils.making.rows import END, gpt2_row

LENGTH = 24  # tokens of a block
LONG = 100  # a block longer than any of training


def copying_card(model, tokenizer, held_out: list, blocks: int, rng: random.Random) -> dict[str, Any]:
    """{"blocks", "length", "accuracy", "error", "long", "induction", "previous_in_blocks", "previous_in_stories"}, the
    last three heads with their mean weight; "long" has the first four for blocks of LONG tokens.

    The accuracy is that of the second telling from its second token on: nothing announces the first.
    """
    rows = random_blocks(tokenizer, blocks, rng)
    accuracy, induction, back = [], [], []
    for i, made in passes(model, rows, weights=True):
        second = range(1 + LENGTH, 2 * LENGTH)  # whose next token has been seen after an earlier copy
        accuracy.append(_copied(made.logits, rows[i]))
        induction.append(made.weights[:, :, second, range(2, LENGTH + 1)].mean(-1))
        back.append(looks_back(made.weights))
    long = [
        _copied(made.logits, row)
        for row in random_blocks(tokenizer, max(1, blocks // 3), rng, LONG)
        for _, made in passes(model, [row])
    ]
    stories = [
        looks_back(made.weights)
        for _, made in passes(model, [gpt2_row(tokenizer, story.text) for story in held_out], weights=True)
    ]
    return {
        **_told_again(accuracy, LENGTH),
        "long": _told_again(long, LONG),
        "induction": largest(torch.stack(induction)),
        "previous_in_blocks": largest(torch.stack(back)),
        "previous_in_stories": largest(torch.stack(stories)),
        "stories": len(stories),
    }


def _told_again(accuracy: list[float], length: int) -> dict[str, float]:
    value, error = mean(accuracy)
    return {"blocks": len(accuracy), "length": length, "accuracy": value, "error": error}


def _copied(logits: torch.Tensor, row: list[int]) -> float:
    """The share of right first choices in the second telling of a `row`, from its second token on: logits (n, V)."""
    again = len(row) // 2 + 1  # the row is the end sign and a block twice
    return float((logits[again:-1].argmax(-1) == torch.tensor(row[again + 1 :])).double().mean())


def random_blocks(tokenizer, n: int, rng: random.Random, length: int = LENGTH) -> list[list[int]]:
    """n rows: the end sign, then `length` different tokens of the vocabulary, any of them but the end sign, twice."""
    end = tokenizer.token_to_id(END)
    ordinary = [i for i in range(len(tokenizer)) if i != end]
    return [[end, *block, *block] for block in (rng.sample(ordinary, length) for _ in range(n))]


def looks_back(weights: torch.Tensor) -> torch.Tensor:
    """Mean weight of every head on the token before, over all places that have one: (L, H, n, n) -> (L, H)."""
    return weights.diagonal(-1, -2, -1).mean(-1)
