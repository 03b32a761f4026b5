"""Does BERT's next-sentence head tell whether the second segment follows the first? Three kinds of pairs."""

import random
from typing import Any

from labutils.analysis.estimates import share
from labutils.analysis.passes import passes
from labutils.making.rows import FOLLOWS, RANDOM, bert_row, halves

KINDS = {
    "following": "the two halves of a story",
    "other": "the second half is another story's",
    "swapped": "the two halves, the second one first",
}


def next_sentence_card(model, tokenizer, held_out: list, rng: random.Random) -> dict[str, Any]:
    """{"pairs" of each kind, "kinds": {kind: {"accuracy", "error"}}, "accuracy", "error" of all}: only halves in their
    order follow.
    """
    told = [halves(story, rng) for story in held_out if len(story.sentences) > 1]
    pairs: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS}
    for i, (first, second) in enumerate(told):
        other = told[(i + rng.randrange(1, len(told))) % len(told)][1]
        for kind, pair in zip(KINDS, ((first, second), (first, other), (second, first))):
            pairs[kind].append(pair)
    right = {
        kind: following(model, tokenizer, mine, FOLLOWS if kind == "following" else RANDOM)
        for kind, mine in pairs.items()
    }
    shares = {kind: share(mine) for kind, mine in right.items()}
    accuracy, error = share(sum(right.values(), []))
    return {
        "pairs": len(told),
        "accuracy": accuracy,
        "error": error,
        "kinds": {kind: {"accuracy": value, "error": e} for kind, (value, e) in shares.items()},
    }


def following(model, tokenizer, pairs: list[tuple[str, str]], label: int) -> list[bool]:
    """For each pair, whether the model says `label` of it."""
    rows = [bert_row(tokenizer, *pair) for pair in pairs]
    right = [False] * len(rows)
    for i, made in passes(model, [row.ids for row in rows], [row.types for row in rows]):
        right[i] = int(made.nsp_logits.argmax()) == label
    return right
