"""Where heads look that look at no word in particular: the first token, [SEP], a fixed distance, the full stop.

Sinks: Xiao et al. 2024, "Efficient Streaming Language Models with Attention Sinks"; [SEP] and full stops: Clark et al.
2019, section 3.
"""

import statistics
from typing import Any

import torch
from torch import Tensor

from labutils.analysis.estimates import largest
from labutils.analysis.gold_words import SENTENCE_ENDS, read
from labutils.analysis.passes import passes
from labutils.models import family_of

FROM = 10  # the first token's weight is taken from the 10th token on: before, there is little else to look at
FAR = 8  # the largest distance of a positional head
POSITIONAL = 0.5  # mean weight at one distance that makes a head positional


def heads_card(model, tokenizer, stories: list) -> dict[str, Any]:
    """{"stories", "first", "last" (BERT), "full_stop", each {"layer", "head", "weight", "error", "median", "even"},
    "bare" (GPT-2), "positional": [{"layer", "head", "offset", "weight", "error"}]}.

    "even" is the weight that a head has there that looks at everything it may see alike; "median" is over the heads.
    "bare": the first token, when no end sign stands before the story.
    """
    causal = family_of(model).causal
    found: dict[str, list[Tensor]] = {name: [] for name in ("first", "last", "full_stop", "offsets")}
    even: dict[str, list[float]] = {name: [] for name in ("first", "last", "full_stop")}
    given = [read(tokenizer, story) for story in stories]
    for i, made in passes(model, [ids for ids, _ in given], weights=True):
        if len(given[i][0]) <= FROM:
            continue
        stops = [pieces[0] for word, pieces in zip(stories[i].words, given[i][1]) if word.text[0] in SENTENCE_ENDS]
        looked = {
            "first": first_token(made.weights, causal),
            "full_stop": full_stops(made.weights, stops, causal),
            **({} if causal else {"last": (made.weights[..., -1].mean(-1), 1 / len(given[i][0]))}),
        }
        for name, (weight, alike) in looked.items():
            found[name].append(weight)
            even[name].append(alike)
        found["offsets"].append(offsets(made.weights))
    card = {
        name: (
            largest(torch.stack(found[name]))
            | {
                "median": round(float(torch.stack(found[name]).mean(0).median()), 4),
                "even": round(statistics.fmean(even[name]), 4),
            }
        )
        for name in even
        if found[name]
    }
    if causal:
        rows = [ids[1:] for ids, _ in given if len(ids) > FROM + 1]
        bare = torch.stack([first_token(made.weights, causal)[0] for _, made in passes(model, rows, weights=True)])
        card["bare"] = largest(bare) | {"median": round(float(bare.mean(0).median()), 4)}
    return {"stories": len(found["offsets"]), **card, "positional": positional(torch.stack(found["offsets"]))}


def first_token(weights: Tensor, causal: bool) -> tuple[Tensor, float]:
    """Mean weight of each head on the first token, from the FROM-th token on; and the weight if all were looked at
    alike.
    """
    n = weights.shape[-1]
    alike = statistics.fmean(1 / (i + 1) for i in range(FROM, n)) if causal else 1 / n
    return weights[:, :, FROM:, 0].mean(-1), alike


def full_stops(weights: Tensor, stops: list[int], causal: bool) -> tuple[Tensor, float]:
    """Mean weight of each head on the marks that end a sentence, its own place left out, over all tokens that have one
    in sight.
    """
    n = weights.shape[-1]
    seen = torch.zeros(n, n)  # (query, key): 1 for a mark in sight
    seen[:, stops] = 1.0
    seen = seen.tril(-1) if causal else seen.fill_diagonal_(0.0)
    asks = seen.sum(-1) > 0
    in_sight = torch.arange(1, n + 1) if causal else torch.full((n,), n)
    return (weights * seen).sum(-1)[:, :, asks].mean(-1), float((seen.sum(-1) / in_sight)[asks].mean())


def offsets(weights: Tensor) -> Tensor:
    """Mean weight of each head at each distance from -FAR to FAR: (L, H, n, n) -> (L, H, 2 FAR + 1)."""
    at = [weights.diagonal(by, -2, -1) for by in range(-FAR, FAR + 1)]
    return torch.stack([w.mean(-1) if w.shape[-1] else w.new_zeros(w.shape[:2]) for w in at], -1)


def positional(looked: Tensor) -> list[dict[str, Any]]:
    """The heads with more than POSITIONAL of their weight at one distance, from `offsets` of each story (S, L, H, 2 FAR
    + 1).
    """
    heads = []
    for layer, head, by in (looked.mean(0) > POSITIONAL).nonzero().tolist():
        one = largest(looked[:, layer : layer + 1, head : head + 1, by])
        heads.append({"layer": layer, "head": head, "offset": by - FAR, "weight": one["weight"], "error": one["error"]})
    return heads
