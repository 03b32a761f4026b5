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
    """What the model gives in the hole of a text, or in its two holes.

    Raises:
        ValueError: a text without a hole, with more than two, or with one beyond the tokens that are read.
    """
    info, tokenizer = facts.info(checkpoint), checkpoint.tokenizer
    if wrong := call(NUMBERS, "without", text):
        raise ValueError(wrong)
    ids = fitted(tokenizer.encode(text), min(cap, info["maxTokens"]))
    mask = tokenizer.token_to_id(HOLE)
    holes = [i for i, token in enumerate(ids) if token == mask]
    if len(holes) < text.count(HOLE):
        raise ValueError(call(NUMBERS, "BEYOND", min(cap, info["maxTokens"])))
    logits = _logits(checkpoint, ids)
    given = [logits[at] for at in holes]
    if len(holes) > 1:
        filled = [int(given[0].argmax()) if i == holes[0] else token for i, token in enumerate(ids)]
        given.append(_logits(checkpoint, filled)[holes[1]])
    rows = (row.double().numpy().astype("<f8").tobytes() for row in given)
    seen = call(NUMBERS, "first", info, len(ids), holes, *rows)
    for one in [seen, seen["other"]] if seen["other"] else [seen]:
        for i, choice in enumerate([*one["top"], *([one["filled"]["best"]] if "filled" in one else [])]):
            choice["token"] = tokenizer.pieces(choice["id"])
            if i < SHOWN:
                choice["word"] = hole_word(checkpoint, ids, one["at"], choice["id"])
    return seen | {"text": text}


def _logits(checkpoint, ids: list[int]) -> torch.Tensor:
    with torch.no_grad():
        return checkpoint.model(torch.tensor([ids])).logits[0]
