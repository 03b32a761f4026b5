"""What a model gives to each token that could come next, and how one is drawn. `ahead.js` does the same on a page.

A trail says how the text went on, token by token: "d512s7" is token 512, drawn with seed 7; "p512" is the same token, chosen.
"""

import re
from typing import Any

import torch

from labutils.controls import facts
from labutils.controls.reading import fitted

STEP = re.compile(r"^(?:p(\d+)|d(\d+)s(\d+))$")
KEPT = 20  # tokens of a distribution that are named


def uniform(seed: int, at: int) -> float:
    """Number `at` (from 0) of the sequence that belongs to a seed, in [0, 1). Mulberry32, T. Ettinger 2017.

    >>> round(uniform(0, 0), 6), round(uniform(0, 1), 6)
    (0.266429, 0.00033)
    """
    x = (seed + (at + 1) * 0x6D2B79F5) & 0xFFFFFFFF
    x = ((x ^ x >> 15) * (x | 1)) & 0xFFFFFFFF
    x ^= (x + ((x ^ x >> 7) * (x | 61))) & 0xFFFFFFFF
    return (x ^ x >> 14) / 2**32


def drawn(probabilities: torch.Tensor, u: float) -> int:
    """The id in whose stretch of the line from 0 to 1 the number `u` falls, when the stretches lie in the order of the ids."""
    return min(int((probabilities.double().cumsum(0) <= u).sum()), len(probabilities) - 1)


def after(checkpoint, ids: list[int]) -> torch.Tensor:
    """The probability of each token after these ids: (V,), float64."""
    with torch.no_grad():
        return checkpoint.model(torch.tensor([ids])).logits[0, -1].double().softmax(-1)


def ahead(checkpoint, text: str, trail: str, cap: int) -> dict[str, Any]:
    """The state of the control after a text and a trail.

    Raises:
        ValueError: a model that does not continue texts, a text without a token, or a trail that cannot be read.
    """
    info, name = facts.info(checkpoint), checkpoint.tokenizer.pieces
    if info["kind"] == "bert":
        raise ValueError(f"{checkpoint.name} reads a whole text at once and does not continue one: choose a GPT-2.")
    encoding = checkpoint.tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that could be continued: write at least one word.")
    ids = fitted(encoding, min(cap, info["maxTokens"]))
    read, steps = len(ids), []
    p = after(checkpoint, ids)
    for word in trail.split():
        i, seed = _step(word, info["vocab"])
        if len(ids) == info["maxTokens"]:
            raise ValueError(f"The trail is longer than the {info['maxTokens']} positions of {checkpoint.name}.")
        if seed is not None and drawn(p, uniform(seed, len(steps))) != i:
            seed = None  # this seed draws another token here
        steps.append({"id": i, "seed": seed, "p": float(p[i]), "token": name(i)})
        ids.append(i)
        p = after(checkpoint, ids)
    level = (p * 1e12).round()  # so that equal probabilities stand in the order of their ids
    order = torch.argsort(level, descending=True, stable=True)[:KEPT].tolist()
    return {
        "info": info, "text": text, "trail": trail_of(steps), "read": read, "steps": steps, "entropy": float(-(p * torch.log2(p)).nansum()),
        "top": [{"id": i, "token": name(i), "p": float(p[i])} for i in order],
    }


def trail_of(steps: list[dict[str, Any]]) -> str:
    """
    >>> trail_of([{"id": 512, "seed": 7}, {"id": 3, "seed": None}])
    'd512s7 p3'
    """
    return " ".join(f"p{step['id']}" if step["seed"] is None else f"d{step['id']}s{step['seed']}" for step in steps)


def _step(word: str, vocab: int) -> tuple[int, int | None]:
    match = STEP.match(word)
    if not match or int(match[1] or match[2]) >= vocab:
        raise ValueError(f"The trail has {word!r}: a step is p and an id below {vocab}, such as p12, or for a drawn token also s and the seed, such as d12s0.")
    return int(match[1] or match[2]), None if match[3] is None else int(match[3])
