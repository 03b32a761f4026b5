"""A hole in a text: what a model that reads both ways gives to each token that could stand there."""

from typing import Any

import torch

from labutils.checkpoints import facts
from labutils.controls.reading import fitted
from labutils.controls.script import call
from labutils.controls.whole_words import hole_word

HOLE = "[MASK]"
TITLES = {"title": "What stands in the hole", "lede": "Edit the text, or hide another of its words."}
SHOWN = 5
NUMBERS = "next_word/hole_numbers.js"


def first_hole(checkpoint, text: str, cap: int) -> dict[str, Any]:
    """What the model gives in the hole of a text.

    Raises:
        ValueError: a text without a hole, with several, or with one beyond the tokens that are read; one sentence.
    """
    info, tokenizer = facts.info(checkpoint), checkpoint.tokenizer
    if text.count(HOLE) != 1:
        raise ValueError(call(NUMBERS, "without", text))
    ids = fitted(tokenizer.encode(text), min(cap, info["maxTokens"]))
    mask = tokenizer.token_to_id(HOLE)
    if mask not in ids:
        raise ValueError(call(NUMBERS, "BEYOND", min(cap, info["maxTokens"])))
    at = ids.index(mask)
    with torch.no_grad():
        logits = checkpoint.model(torch.tensor([ids])).logits[0, at]
    seen = call(NUMBERS, "first", info, len(ids), at, logits.double().numpy().astype("<f8").tobytes())
    for i, one in enumerate(seen["top"]):
        one["token"] = tokenizer.pieces(one["id"])
        if i < SHOWN:
            one["word"] = hole_word(checkpoint, ids, at, one["id"])
    return seen | {"text": text}
