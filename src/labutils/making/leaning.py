"""What pronoun a model gives an occupation, beside the probability with which the grammar gives it.

The texts are stories of the world. Where the first pronoun for an occupation stands, both "he" and "she" are possible;
GPT-2 is asked there after the words before, BERT with the pronoun hidden. The exact answer comes from `World.next_word`
and `World.fill`.
"""

import math
import random
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from labutils.analysis.antecedents import PRONOUNS
from labutils.analysis.estimates import mean
from labutils.analysis.gold_words import SENTENCE_ENDS
from labutils.making.rows import END
from labutils.making.skills import Case, ask, case_of

SHE, HE = ("she", "her", "hers", "herself"), ("he", "him", "his", "himself")
SELDOM = 15  # places of a template below which it is put with the others


@dataclass(frozen=True)
class Lean:
    """One place for the pronoun of an occupation: its template, who else is there (see `beside`), the two forms that
    could stand there, the exact p(she) of the two.
    """

    occupation: str
    template: str
    beside: str
    case: Case
    she: str
    he: str
    exact: float


def leaning_card(model, tokenizer, world, rng: random.Random, stories: int, most: int = 12) -> dict[str, Any]:
    """p(she) / (p(she) + p(he)) by occupation and by template, the grammar's and the model's.

    From `stories` fresh stories, at most `most` places of each occupation in each template. {"cases", "difference",
    "error", "mean_absolute", "largest_absolute" (over single places), "pull", "pull_error", "templates": [...],
    "beside": [...], "occupations": [...]}; a difference is model minus grammar. The pull is how much larger the
    difference is beside one whose pronoun is "she" than beside one whose pronoun is "he": the grammar has none.
    """
    leans = places(world, END in tokenizer.vocab, rng, stories, most)
    if not leans:
        return {"cases": 0, "templates": [], "beside": [], "occupations": []}
    said = iter(ask(model, tokenizer, [(lean.case, form) for lean in leans for form in (lean.she, lean.he)]))
    shares = [1 / (1 + math.exp(he.log_prob - she.log_prob)) for she, he in ((next(said), next(said)) for _ in leans)]
    groups: dict[str, dict[str, list]] = {kind: defaultdict(list) for kind in ("templates", "beside", "occupations")}
    often = Counter(lean.template for lean in leans)
    for lean, p in zip(leans, shares):
        groups["templates"][lean.template if often[lean.template] >= SELDOM else "elsewhere"].append((p, lean.exact))
        groups["beside"][lean.beside].append((p, lean.exact))
        groups["occupations"][lean.occupation].append((p, lean.exact))
    rows = {
        kind: [
            {"name": name, **_differences(mine)}
            for name, mine in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
        ]
        for kind, found in groups.items()
    }
    whole = _differences([(p, lean.exact) for lean, p in zip(leans, shares)])
    return {"stories": stories, **whole, **_pull(rows["beside"]), **rows}


def _pull(beside: list[dict[str, Any]]) -> dict[str, float]:
    """{"pull", "pull_error"} from the rows by who else is there; nothing where one of the two is lacking."""
    rows = {row["name"]: row for row in beside}
    if not {"she", "he"} <= set(rows):
        return {}
    she, he = rows["she"], rows["he"]
    return {"pull": she["difference"] - he["difference"], "pull_error": math.hypot(she["error"], he["error"])}


def places(world, before_only: bool, rng: random.Random, stories: int, most: int) -> list[Lean]:
    """The places in fresh stories where the grammar leaves "he" and "she" open: given the words before, or all other
    words.
    """
    leans: list[Lean] = []
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for story in (world.story(rng) for _ in range(stories)):
        for probe in story.probes:
            named = story.words[probe.sources[0]] if probe.kind == "lean" else None
            if not named or named.upos != "NOUN":
                continue
            kind = named.lemma, template(story.words, probe.target)
            she, he = (next((word for word in probe.answers if word.lower() in forms), "") for forms in (SHE, HE))
            if not she or not he or counts[kind] >= most:
                continue
            case = case_of(story, probe.target)
            exact = (
                world.next_word(story.text[: case.start].rstrip(" "))
                if before_only
                else world.fill(story, probe.target)
            )
            if exact.get(she) and exact.get(he):  # later words may have settled it
                counts[kind] += 1
                who = beside(story.words, probe.sources[0], probe.target if before_only else len(story.words))
                leans.append(Lean(*kind, who, case, she, he, exact[she] / (exact[she] + exact[he])))
    return leans


def beside(words, one: int, until: int) -> str:
    """Who else the words before place `until` speak of, seen from the occupation at place `one`: the pronoun of single
    persons whose word decides it ("she" for Anna and queens, "he" for Tom and kings), "both", or "nobody".
    """
    certain = {
        PRONOUNS[word.lemma]
        for word in words[:until]
        if PRONOUNS.get(word.lemma) in ("she", "he") and word.text.lower() == word.lemma.lower()
        if word.chain != words[one].chain
    }
    return certain.pop() if len(certain) == 1 else "both" if certain else "nobody"


def template(words, i: int) -> str:
    """The shape of the sentence around the pronoun at place i: what stands before it, and what it is there."""
    before, relation = words[i - 1], words[i].deprel.split(":")
    form = "she …" if relation[0] == "nsubj" else "her …" if relation[-1] == "poss" else "her"
    if before.text[0] in SENTENCE_ENDS:
        return form.capitalize()
    return f"… {before.text if before.upos in ('SCONJ', 'CCONJ', 'ADV', 'ADP') else f'({before.upos.lower()})'} {form}"


def _differences(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Model and grammar: how many pairs, both means, the mean difference with its error, the mean and the largest
    without their sign.
    """
    apart = [model - exact for model, exact in pairs]
    difference, error = mean(apart)
    return {
        "cases": len(pairs),
        "model": statistics.fmean(p for p, _ in pairs),
        "grammar": statistics.fmean(p for _, p in pairs),
        "difference": difference,
        "error": error,
        "mean_absolute": statistics.fmean(map(abs, apart)),
        "largest_absolute": max(map(abs, apart)),
    }
