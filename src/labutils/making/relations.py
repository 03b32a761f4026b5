"""Which head points from a word to the one that it belongs to, and whether a simple rule points there as well.

As in Clark et al. 2019, "What Does BERT Look At?", section 4.2, with one difference: head, distance and rule are all
chosen on one half of the stories and scored on the other.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from labutils.making.estimates import mean, share
from labutils.making.gold_words import each_story
from labutils.making.rows import END
from labutils.making.rules import OFFSETS, RULES, SUBJECTS, kinds_of

LEAST = 100  # words that ask, in each half, for a relation to be listed
TO_HEAD, TO_DEPENDENT, TO_MENTION = "to its head", "from its head", "to the last mention"
OUT = ("punct", "root", "dep")
PERSONAL = ("he", "she", "it", "they", "his", "her", "its", "their", "him", "them")


@dataclass(frozen=True)
class Query:
    """A word that asks, and the words that are right. `name`: the relation and the direction."""

    name: tuple[str, str]
    place: int
    right: frozenset[int]


@dataclass
class Tally:
    """For each query of one name, what was right, one row a query: heads (see `pointed`), OFFSETS, `rules_for` it."""

    heads: list[Tensor]
    offsets: list[Tensor]
    rules: list[Tensor]


def queries_of(words, causal: bool) -> list[Query]:
    """All that is asked of a story: each dependent for its head, each head for its dependents of one relation (any of
    them is right), each pronoun for the last mention of whom it means. If `causal`, only what lies to the left can be
    right: nothing else is seen.
    """
    found: dict[tuple[tuple[str, str], int], set[int]] = defaultdict(set)
    latest: dict[int, int] = {}
    for i, word in enumerate(words):
        relation = word.deprel.split(":")[0]
        if relation not in OUT and word.head >= 0:
            found[(relation, TO_HEAD), i].add(word.head)
            found[(relation, TO_DEPENDENT), word.head].add(i)
        if word.chain >= 0:
            if word.upos == "PRON" and word.lemma in PERSONAL and word.chain in latest:
                found[("pronoun", TO_MENTION), i].add(latest[word.chain])
            latest[word.chain] = i
    seen = {key: frozenset(j for j in right if not causal or j < key[1]) for key, right in found.items()}
    return [Query(name, i, right) for (name, i), right in seen.items() if right]


def relations_card(model, tokenizer, stories: list, least: int = LEAST) -> dict[str, Any]:
    """{"stories", "rows"}: one row a relation with at least `least` queries in each half, the most frequent first.

    A row: "relation", "direction" (of the two the one whose best head is right more often in the first half), "n", and
    "head", "offset", "rule", each with "right" and "error"; "predicting": the head asks where the word is predicted,
    see `pointed`; "ahead": by how much the head beats the better of the other two.
    """
    causal, middle = END in tokenizer.vocab, len(stories) // 2
    halves: list[dict[tuple[str, str], Tally]] = [defaultdict(lambda: Tally([], [], [])) for _ in range(2)]
    for i, weights in each_story(model, tokenizer, stories):
        _count(halves[i >= middle], stories[i].words, weights, causal)
    rows = []
    for relation in {name for name, _ in halves[0]}:
        asked = {name: tally for name, tally in halves[0].items() if name[0] == relation}
        most = max(len(tally.heads) for tally in asked.values())
        usual = [
            name for name, tally in asked.items() if len(tally.heads) > most / 2
        ]  # GPT-2: the direction that can be asked at all
        name = max(usual, key=lambda name: (_shares(asked[name].heads).max(), name))
        if len(asked[name].heads) >= least and len(halves[1][name].heads) >= least:
            rows.append(
                {
                    "relation": relation,
                    "direction": name[1],
                    **_row(asked[name], halves[1][name], name[1], model.config),
                }
            )
    return {"stories": len(stories), "rows": sorted(rows, key=lambda row: (-row["n"], row["relation"]))}


def _count(half: dict[tuple[str, str], Tally], words, weights: Tensor, causal: bool) -> None:
    """Add the queries of one story."""
    places, kinds = pointed(weights, causal).T.tolist(), kinds_of(words)
    for query in queries_of(words, causal):
        tally = half[query.name]
        tally.heads.append(torch.tensor([there in query.right for there in places[query.place]]))
        tally.offsets.append(torch.tensor([offset(kinds, query.place) in query.right for offset in OFFSETS]))
        tally.rules.append(torch.tensor([rule(kinds, query.place) in query.right for rule in rules_for(query.name[1])]))


def pointed(weights: Tensor, causal: bool) -> Tensor:
    """The word with the largest weight for every head and word: weights between words (L, H, W, W) -> places (heads,
    W).

    A word asks itself, and itself is left out: L * H rows. In GPT-2 it is looked for a second time, in L * H more rows,
    where it is predicted: there the word before it asks, which may then point at itself.
    """
    itself = (
        weights.masked_fill(torch.eye(weights.shape[-1], dtype=torch.bool), -1.0).argmax(-1).flatten(0, 1)
    )  # (L * H, W)
    return torch.cat([itself, weights.argmax(-1).flatten(0, 1).roll(1, -1)]) if causal else itself


def rules_for(direction: str) -> list:
    """The rules that are tried: for pronouns also the latest subjects."""
    return RULES + SUBJECTS if direction == TO_MENTION else RULES


def _shares(right: list[Tensor]) -> Tensor:
    return torch.stack(right).double().mean(0)


def _row(chosen_on: Tally, scored_on: Tally, direction: str, config) -> dict[str, Any]:
    """The best of each of the three families in the first half, scored in the second."""
    picks = {kind: int(_shares(getattr(chosen_on, kind)).argmax()) for kind in ("heads", "offsets", "rules")}
    right = {kind: torch.stack(getattr(scored_on, kind))[:, pick].double().tolist() for kind, pick in picks.items()}
    scored = {kind: dict(zip(("right", "error"), share(values))) for kind, values in right.items()}
    other = max(("offsets", "rules"), key=lambda kind: sum(right[kind]))
    ahead, error = mean([a - b for a, b in zip(right["heads"], right[other])])
    n_all = config.n_layers * config.n_heads
    layer, head = divmod(picks["heads"] % n_all, config.n_heads)
    return {
        "n": len(right["heads"]),
        "head": {"layer": layer, "head": head, "predicting": picks["heads"] >= n_all, **scored["heads"]},
        "offset": {"by": OFFSETS[picks["offsets"]].by, **scored["offsets"]},
        "rule": {"is": str(rules_for(direction)[picks["rules"]]), **scored["rules"]},
        "ahead": ahead,
        "ahead_error": error,
    }
