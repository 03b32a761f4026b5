"""Does a BERT copy a name? One of two equal names is hidden, the other stands in sight.

A GPT-2 learns to copy from blocks told twice, which its training holds (`copying.py`). BERT's holds none.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from labutils.analysis.estimates import ratio, share
from labutils.analysis.passes import passes
from labutils.making.skills import Case, ask, case_of, grammar, hide


def twins(stories: Sequence, rng: random.Random, pairs: bool = False) -> list[tuple[Any, Case]]:
    """Of each story in which a name stands again, one such name at one of its later places, drawn. `pairs`: only where
    two names stand together again, “Ada and Emma … Ada and Emma”.
    """
    found = []
    for story in stories:
        again = _together(story) if pairs else _places(story)
        if later := sorted(i for places in again.values() for i in sum(places[1:], ())):
            found.append((story, case_of(story, rng.choice(later))))
    return found


def _places(story) -> dict[Any, list[tuple[int, ...]]]:
    """Where each name stands."""
    found: dict[Any, list[tuple[int, ...]]] = {}
    for i, word in enumerate(story.words):
        if word.upos == "PROPN":
            found.setdefault(word.text, []).append((i,))
    return found


def _together(story) -> dict[Any, list[tuple[int, ...]]]:
    """Where each two names stand with *and* between them, in this order."""
    found: dict[Any, list[tuple[int, ...]]] = {}
    for i, (one, link, other) in enumerate(zip(story.words, story.words[1:], story.words[2:])):
        if one.upos == other.upos == "PROPN" and link.text == "and":
            found.setdefault((one.text, other.text), []).append((i, i + 2))
    return found


def naming_card(model, tokenizer, world, stories: Sequence, rng: random.Random) -> dict[str, Any]:
    """{"one": …, "pairs": …, "words", "gap"} of a BERT; "one" is any name with its twin in sight. A kind that no
    story holds is left out.

    Each has "n" stories, how often the hidden name is the model's first choice ("accuracy", "error"), how often it is
    the grammar's ("best_possible"), and how often the first choice is a name that the story lacks ("absent"). "words"
    and "gap": the share of names among all words, and in the distance of the model's loss from the grammar's, from one
    word of each story; each with its "_error".
    """
    known = {word.text.lower() for story in stories for word in story.words if word.upos == "PROPN"}
    card: dict[str, Any] = {}
    for kind in ("one", "pairs"):
        if not (asked := twins(stories, rng, kind == "pairs")):
            continue
        card[kind] = right_names(model, tokenizer, asked, known)
        best = [(grammar(world, tokenizer, story, case), case) for story, case in asked]
        card[kind]["best_possible"], _ = share([max(p, key=p.get) == case.answers[0] for p, case in best])
    return card | _part_of_the_distance(model, tokenizer, world, stories, rng)


def right_names(model, tokenizer, asked: Sequence[tuple[Any, Case]], known: set[str]) -> dict[str, float]:
    """How often the first choice is the hidden name, and how often one of the `known` names that its story lacks."""
    said = first_choices(model, tokenizer, [case for _, case in asked])
    right = [word == case.answers[0].lower() for word, (_, case) in zip(said, asked)]
    lacks = [
        word in known and word not in {w.text.lower() for w in story.words} for word, (story, _) in zip(said, asked)
    ]
    (accuracy, error), (absent, absent_error) = share(right), share(lacks)
    return {"n": len(asked), "accuracy": accuracy, "error": error, "absent": absent, "absent_error": absent_error}


def _part_of_the_distance(model, tokenizer, world, stories: Sequence, rng: random.Random) -> dict[str, float]:
    """What names are of all words, and of the distance to the best possible: one word of each story, any word."""
    cases = [case_of(story, rng.randrange(len(story.words))) for story in stories]
    names = [story.words[case.place].upos == "PROPN" for story, case in zip(stories, cases)]
    floor = [-math.log(grammar(world, tokenizer, story, case)[case.answers[0]]) for story, case in zip(stories, cases)]
    loss = [-answer.log_prob for answer in ask(model, tokenizer, [(case, case.answers[0]) for case in cases])]
    above = [mine - best for mine, best in zip(loss, floor)]
    gap, gap_error = ratio([x * name for x, name in zip(above, names)], above)
    words, words_error = share(names)
    return {"words": words, "words_error": words_error, "gap": gap, "gap_error": gap_error}


def first_choices(model, tokenizer, cases: Sequence[Case]) -> list[str]:
    """What the model would write in the place of each hidden word, in small letters; it is told how many pieces."""
    rows = [hide(tokenizer, case, case.answers[0]) for case in cases]
    found = [""] * len(rows)
    for i, made in passes(model, [ids for ids, _, _ in rows]):
        found[i] = tokenizer.decode(made.logits[rows[i][1]].argmax(-1).tolist()).lower()
    return found
