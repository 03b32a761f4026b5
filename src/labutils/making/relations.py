"""The table of relations on a model's card: the best head beside the best distance and the best simple rule."""

from typing import Any

from labutils.analysis.antecedents import NEAR, RULES, answers
from labutils.analysis.estimates import mean_by, share_by
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
    scored = {
        kind: dict(zip(("right", "error"), share_by(values, found.stories))) for kind, values in found.right.items()
    }
    ahead, error = mean_by(found.ahead, found.stories)
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


def meant_card(model, tokenizer, stories: list) -> dict[str, Any]:
    """Whom a pronoun means where two of those mentioned before could be meant, see `labutils.analysis.antecedents`.

    {"stories", "n", "head", "near", "parsed", "ahead", "ahead_error"}: the head, the rule that knows no sentences and
    the one that does are the best of the first half of the stories, with "right" and "error" in the second; ahead is
    the head of the better rule. {"stories", "n": 0} where one half has no such pronoun.
    """
    middle = len(stories) // 2
    first, second = (answers(model, tokenizer, part) for part in (stories[:middle], stories[middle:]))
    if not first.story or not second.story:
        return {"stories": len(stories), "n": 0}
    n_all, rules = model.config.n_layers * model.config.n_heads, list(RULES)
    pick = int(first.heads.mean(0).argmax())
    near = int(first.rules[:, : len(NEAR)].mean(0).argmax())
    parsed = len(NEAR) + int(first.rules[:, len(NEAR) :].mean(0).argmax())
    layer, head = divmod(pick % n_all, model.config.n_heads)
    scored = lambda values: dict(zip(("right", "error"), share_by(values.tolist(), second.story)))
    best = max(near, parsed, key=first.rules.mean(0).tolist().__getitem__)
    ahead, error = mean_by((second.heads[:, pick] - second.rules[:, best]).tolist(), second.story)
    return {
        "stories": len(stories),
        "n": len(second.story),
        "head": {"layer": layer, "head": head, "predicting": pick >= n_all, **scored(second.heads[:, pick])},
        **{kind: {"is": rules[i], **scored(second.rules[:, i])} for kind, i in (("near", near), ("parsed", parsed))},
        "ahead": ahead,
        "ahead_error": error,
    }
