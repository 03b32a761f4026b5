"""The table of relations on a model's card: the best head beside the best distance and the best simple rule."""

from typing import Any

from labutils.analysis.estimates import mean, share
from labutils.analysis.relations import Tally, contest, halves, rules_for, usual
from labutils.analysis.rules import OFFSETS

LEAST = 100  # words that ask, in each half, for a relation to be listed


def relations_card(model, tokenizer, stories: list, least: int = LEAST) -> dict[str, Any]:
    """{"stories", "rows"}: one row a relation with at least `least` queries in each half, the most frequent first.

    A row: "relation", "direction" (of the two the one whose best head is right more often in the first half), "n", and
    "head", "offset", "rule", each with "right" and "error"; "predicting": the head asks where the word is predicted,
    see `labutils.analysis.relations.pointed`; "ahead": by how much the head beats the better of the other two.
    """
    first, second = halves(model, tokenizer, stories)
    rows = []
    for relation in {name for name, _ in first}:
        name = usual(first, relation)
        if len(first[name].heads) >= least and len(second[name].heads) >= least:
            row = _row(first[name], second[name], name[1], model.config)
            rows.append({"relation": relation, "direction": name[1], **row})
    return {"stories": len(stories), "rows": sorted(rows, key=lambda row: (-row["n"], row["relation"]))}


def _row(chosen_on: Tally, scored_on: Tally, direction: str, config) -> dict[str, Any]:
    found = contest(chosen_on, scored_on)
    scored = {kind: dict(zip(("right", "error"), share(values))) for kind, values in found.right.items()}
    ahead, error = mean(found.ahead)
    n_all = config.n_layers * config.n_heads
    layer, head = divmod(found.pick["heads"] % n_all, config.n_heads)
    return {
        "n": len(found.ahead),
        "head": {"layer": layer, "head": head, "predicting": found.pick["heads"] >= n_all, **scored["heads"]},
        "offset": {"by": OFFSETS[found.pick["offsets"]].by, **scored["offsets"]},
        "rule": {"is": str(rules_for(direction)[found.pick["rules"]]), **scored["rules"]},
        "ahead": ahead,
        "ahead_error": error,
    }
