"""Stories that GPT-2 tells by itself, and how many of them the grammar could have told."""

from typing import Any

import torch

from labutils.analysis.estimates import share
from labutils.layers import AttentionOptions, unseen
from labutils.making.rows import END
from labutils.world import OutsideTheWorld

SHOWN = 5  # rejected stories that are kept


def drawn_card(model, tokenizer, world, n: int, seed: int) -> dict[str, Any]:
    """{"stories", "accepted", "error", "rejected": [{"text", "why"}]}: n stories, each drawn from the end sign to the
    end sign.
    """
    end, most = tokenizer.token_to_id(END), model.config.n_positions - 1
    accepted, rejected = [], []
    for ids in draw(model, end, n, torch.Generator().manual_seed(seed), most):
        text = tokenizer.decode(ids)
        why = why_not(world, text) if len(ids) < most else f"It has not ended after {most} tokens."
        accepted.append(not why)
        rejected += [{"text": text, "why": why}] if why else []
    value, error = share(accepted)
    return {"stories": n, "accepted": value, "error": error, "rejected": rejected[:SHOWN]}


def why_not(world, text: str) -> str:
    """Why the grammar cannot tell this text, naming the first word that cannot be; "" if it can."""
    try:
        world.log_prob(text)
    except OutsideTheWorld as error:
        return str(error)
    return ""


@torch.no_grad()
def draw(model, end: int, n: int, generator: torch.Generator, most: int) -> list[list[int]]:
    """n rows of ids, each drawn token by token from the model's own probabilities (temperature 1) until `end` comes,
    which is left out, or until `most` tokens stand.
    """
    rows: list[list[int]] = [[] for _ in range(n)]
    going = torch.arange(n)
    latest = torch.full((n,), end)
    kept = [None] * len(model.blocks)
    for place in range(most):
        logits, kept = step(model, latest, place, kept)
        latest = torch.multinomial(logits.softmax(-1), 1, generator=generator)[:, 0]
        goes_on = latest != end
        going, latest = going[goes_on], latest[goes_on]
        kept = [(k[goes_on], v[goes_on]) for k, v in kept]
        for row, token in zip(going.tolist(), latest.tolist()):
            rows[row].append(token)
        if not len(going):
            break
    return rows


def step(model, ids: torch.Tensor, place: int, kept: list) -> tuple[torch.Tensor, list]:
    """One token (B,) at `place` given the keys and values of all before it: the logits (B, V), and keys and values with
    its own.

    Keys and values of earlier tokens never change, so each token passes through the model once.
    """
    x = model.embeddings(ids[:, None], torch.full((len(ids), 1), place))  # (B, 1, d)
    now = []
    for block, before in zip(model.blocks, kept):
        keep = lambda k, v, before=before: now.append(_joined(before, (k, v))) or now[-1]
        x = block(x, None, unseen, AttentionOptions(cache=keep))
    return (model.final_norm(x) @ model.embeddings.token.weight.T)[:, 0], now


def _joined(before: tuple | None, new: tuple) -> tuple:
    """Keys and values (B, H, place + 1, d_k) each."""
    return tuple(torch.cat(pair, 2) for pair in zip(before, new)) if before else new
