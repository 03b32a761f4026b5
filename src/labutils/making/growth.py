"""How a model grows: every few hundred steps of its training a row of growth.csv, measured on small sets drawn once.

The sets are small because they are asked often: a share of 60 cases has a standard error of up to six hundredths. What
the finished model can do is measured on far larger sets and stands on its card.
"""

import csv
import math
import os
import random
import statistics
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from labutils.analysis.estimates import largest
from labutils.analysis.passes import passes
from labutils.making.copying import copying_card, looks_back
from labutils.making.fit import as_ours, hf_config
from labutils.making.losses import gpt2_story_losses
from labutils.making.next_sentence import next_sentence_card
from labutils.making.recipes import Recipe
from labutils.making.rows import bert_row
from labutils.making.skills import case_of, cases_of, grammar, hide, scores
from labutils.training import IGNORE, Progress, mask_words

FILE = "growth.csv"
STORIES = 60  # for the loss
CASES = 60  # of each skill
WORDS = 120  # hidden words
BLOCKS = 12  # random blocks to copy, and stories for the heads
PAIRS = 50  # of each kind
SKILLS = ("agreement", "pronoun", "recall", "refrain")


def due(step: int) -> bool:
    """Whether a row is written after `step` steps: often at first, when most happens, then every 250 and every 500
    steps.

    >>> [step for step in range(1101) if due(step)]
    [0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1000]
    """
    return step % (50 if step <= 500 else 100 if step <= 1000 else 250 if step <= 5000 else 500) == 0


class Growth:
    """Called with the model after every step (`watch` of `labutils.training.train`), it writes the rows that are due to
    `path`.

    A run that was interrupted does some steps a second time. Their rows come a second time too, with the same numbers,
    and take the place of the first ones: the file has one row a step, in order, and is the same as without the
    interruption.
    """

    def __init__(self, world, tokenizer, recipe: Recipe, path: Path):
        self.tokenizer, self.recipe, self.path = tokenizer, recipe, path
        rng = random.Random(f"{recipe.name} {recipe.seed} growth")
        self.stories = [world.story(rng) for _ in range(STORIES)]
        self.cases = _cases(world, rng)
        self.masked = [] if recipe.family.causal else _masked(tokenizer, recipe, self.stories, rng)
        self.words = [] if recipe.family.causal else _words(world, tokenizer, rng)

    def __call__(self, model: torch.nn.Module, progress: Progress) -> None:
        if due(progress.step) or progress.step == self.recipe.steps:
            config = hf_config(self.recipe.run_of(progress.step), self.tokenizer)
            self._write({"step": progress.step, "tokens": progress.tokens, **self.row(as_ours(config, model))})

    def row(self, model: torch.nn.Module) -> dict[str, Any]:
        """What is measured, by column: losses in nats a token, shares right, the largest mean weight of a head and
        which it is.
        """
        measured = _gpt2_row if self.recipe.family.causal else _bert_row
        shares = {
            skill: statistics.fmean(scores(model, self.tokenizer, cases))
            for skill, cases in self.cases.items()
            if cases
        }
        return {
            name: round(x, 4) if isinstance(x, float) else x for name, x in {**measured(self, model), **shares}.items()
        }

    def _write(self, row: dict[str, Any]) -> None:
        """Put `row` after the rows of earlier steps; rows of this step and of later ones are from before an
        interruption.
        """
        rows = [old for old in read(self.path) if old["step"] < row["step"]] if self.path.exists() else []
        fresh = self.path.with_suffix(".new")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(row), lineterminator="\n")
            writer.writeheader()
            writer.writerows([*rows, row])
        os.replace(fresh, self.path)


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a growth.csv, numbers as numbers; a head stays a text, "layer.head" counted from 0."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    value = lambda name, x: int(x) if name in ("step", "tokens") else x if name.endswith("_head") else float(x)
    return [{name: value(name, x) for name, x in row.items()} for row in rows]


def _gpt2_row(growth: Growth, model) -> dict[str, Any]:
    """`loss` and `floor` on the same stories, `above` the share by which the one exceeds the other; copying of random
    blocks.
    """
    losses, tokens = gpt2_story_losses(model, growth.tokenizer, [story.text for story in growth.stories])
    loss, floor = sum(losses) / sum(tokens), -sum(story.log_prob for story in growth.stories) / sum(tokens)
    card = copying_card(model, growth.tokenizer, growth.stories[:BLOCKS], BLOCKS, random.Random(growth.recipe.seed))
    heads = {**_head("previous", card["previous_in_blocks"]), **_head("induction", card["induction"])}
    return {"loss": loss, "floor": floor, "above": loss / floor - 1, "copying": card["accuracy"], **heads}


def _bert_row(growth: Growth, model) -> dict[str, Any]:
    """`loss` as in training, at the last share of hidden words; `above`, by how much one hidden word costs more than
    the best possible, as a share of that; the next sentence by kind; the heads that look one token back and one ahead.
    """
    lost = 0.0
    for i, made in passes(model, [ids for ids, _ in growth.masked]):
        labels = torch.tensor(growth.masked[i][1])
        lost += float(cross_entropy(made.logits, labels, ignore_index=IGNORE, reduction="sum"))
    loss = lost / sum(label != IGNORE for _, labels in growth.masked for label in labels)
    word = 0.0
    for i, made in passes(model, [ids for ids, *_ in growth.words]):
        _, places, pieces, _ = growth.words[i]
        word -= float(made.logits[places].log_softmax(-1)[range(len(pieces)), pieces].sum())
    best = sum(floor for *_, floor in growth.words)
    kinds = next_sentence_card(model, growth.tokenizer, growth.stories[:PAIRS], random.Random(growth.recipe.seed))[
        "kinds"
    ]
    rows = [growth.tokenizer.encode(story.text).ids for story in growth.stories[:BLOCKS]]
    weights = [made.weights for _, made in passes(model, rows, weights=True)]
    back, ahead = (largest(torch.stack([looks_back(w if to < 0 else w.mT) for w in weights])) for to in (-1, 1))
    return {
        "loss": loss,
        "word_loss": word / len(growth.words),
        "word_floor": best / len(growth.words),
        "above": word / best - 1,
        **{kind: card["accuracy"] for kind, card in kinds.items()},
        **_head("previous", back),
        **_head("next", ahead),
    }


def _head(name: str, best: dict[str, Any]) -> dict[str, Any]:
    return {name: best["weight"], f"{name}_head": f"{best['layer']}.{best['head']}"}


def _cases(world, rng: random.Random) -> dict[str, list]:
    """CASES cases of each of the SKILLS, from as many stories as that needs, but at most 600."""
    found: dict[str, list] = {skill: [] for skill in SKILLS}
    for _ in range(600):
        for case in cases_of(world.story(rng)):
            if len(found.get(case.skill, range(CASES))) < CASES:
                found[case.skill].append(case)
        if all(len(cases) == CASES for cases in found.values()):
            break
    return found


def _masked(tokenizer, recipe: Recipe, stories: list, rng: random.Random) -> list[tuple[list[int], list[int]]]:
    mask_id, rate = tokenizer.token_to_id("[MASK]"), recipe.mask_rates[1]
    rows = [bert_row(tokenizer, story.text) for story in stories]
    return [mask_words(row.ids, row.words, rate, mask_id, range(len(tokenizer)), rng) for row in rows]


def _words(world, tokenizer, rng: random.Random) -> list[tuple[list[int], list[int], list[int], float]]:
    """WORDS stories with one word hidden: the ids, the hidden places, what belongs there, and the nats that it costs at
    best, for a reader who knows the grammar and, as the model does, how many pieces the word has.
    """

    def hidden(story) -> tuple[list[int], list[int], list[int], float]:
        case = case_of(story, rng.randrange(len(story.words)))
        return *hide(tokenizer, case, case.answers[0]), -math.log(
            grammar(world, tokenizer, story, case)[case.answers[0]]
        )

    return [hidden(world.story(rng)) for _ in range(WORDS)]
