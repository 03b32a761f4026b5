"""The loss of the two models beside the best possible: the exact entropy, or the best guess of a hidden word."""

import math
import random
import statistics
from typing import Any

import torch

from labutils.analysis.estimates import mean, ratio, share
from labutils.analysis.passes import passes
from labutils.making.recipes import Recipe
from labutils.making.rows import bert_row, gpt2_row
from labutils.making.skills import ask, case_of, hide, told
from labutils.training import IGNORE, mask_words


def gpt2_loss_card(model, tokenizer, world, held_out: list) -> dict[str, Any]:
    """Nats a token beside the exact floor.

    How far the model is above the floor is taken story by story, model minus grammar, and set against the exact
    entropy: the accident of which stories were drawn cancels.
    """
    losses, tokens = gpt2_story_losses(model, tokenizer, [story.text for story in held_out])
    nats = world.entropy()
    floor = world.entropy_per_token(lambda word: len(tokenizer.encode_ids(word)))
    gap, gap_error = mean([(loss + story.log_prob) / nats for loss, story in zip(losses, held_out)])
    loss, error = ratio(losses, tokens)
    rows = [gpt2_row(tokenizer, story.text) for story in held_out]
    # the first token has no place in a bare text
    marked = statistics.fmean(x for row in token_losses(model, rows) for x in row[1:])
    bare = statistics.fmean(x for row in token_losses(model, [row[1:] for row in rows]) for x in row)
    return {
        "stories": len(held_out),
        "tokens": sum(tokens),
        "model": loss,
        "error": error,
        "same_stories": -sum(story.log_prob for story in held_out) / sum(tokens),
        "floor": floor,
        "gap": gap,
        "gap_error": gap_error,
        "entropy_per_story": nats,
        "after_first": {"marked": marked, "bare": bare},
    }


def gpt2_story_losses(model, tokenizer, texts: list[str]) -> tuple[list[float], list[int]]:
    """For each text, the negative log-probability in nats of all its tokens and the end, and how many these are."""
    rows = [gpt2_row(tokenizer, text) for text in texts]
    return [sum(losses) for losses in token_losses(model, rows)], [len(row) - 1 for row in rows]


def token_losses(model, rows: list[list[int]]) -> list[list[float]]:
    """For each row of ids, the negative log-probability in nats of every token after the first."""
    losses: list[list[float]] = [[] for _ in rows]
    for i, made in passes(model, rows):
        losses[i] = torch.nn.functional.cross_entropy(
            made.logits[:-1], torch.tensor(rows[i][1:]), reduction="none"
        ).tolist()
    return losses


def bert_loss_card(model, tokenizer, world, recipe: Recipe, held_out: list) -> dict[str, Any]:
    """The masked loss at the last rate of training; one hidden word beside the best guess."""
    rng = random.Random(f"{recipe.name} {recipe.seed} hidden words")
    rate = recipe.mask_rates[1]
    rows = [bert_row(tokenizer, story.text) for story in held_out]
    masked = [
        mask_words(row.ids, row.words, rate, tokenizer.token_to_id("[MASK]"), range(len(tokenizer)), rng)
        for row in rows
    ]
    losses = [0.0] * len(rows)
    for i, made in passes(model, [ids for ids, _ in masked]):
        losses[i] = float(
            torch.nn.functional.cross_entropy(
                made.logits, torch.tensor(masked[i][1]), ignore_index=IGNORE, reduction="sum"
            )
        )
    tokens = [sum(label != IGNORE for label in labels) for _, labels in masked]
    loss, error = ratio(losses, tokens)
    card = {"stories": len(held_out), "rate": rate, "tokens": sum(tokens), "model": loss, "error": error}
    return card | one_word_hidden(model, tokenizer, world, held_out, rng)


def one_word_hidden(model, tokenizer, world, held_out: list, rng: random.Random) -> dict[str, Any]:
    """One word of each story hidden, any word: the model's first choice, the grammar's, and how often they are the
    same.

    The grammar guesses twice: from all other words, and told besides, as the model is, how many pieces the word has
    ("told"). "above": how much more the word costs the model than the grammar, as a share of the latter.
    """
    cases = [case_of(story, rng.randrange(len(story.words))) for story in held_out]
    words = [case.answers[0] for case in cases]
    open_ = [world.fill(story, case.place) for story, case in zip(held_out, cases)]
    known = [told(tokenizer, case, fill) for case, fill in zip(cases, open_)]
    firsts = [max(fill, key=fill.get) for fill in open_]
    said = ask(model, tokenizer, list(zip(cases, words)))
    # the model's first choice has as many pieces as the word: only one of the grammar's that is as long can be the same
    same = [
        hide(tokenizer, case, first)[0] == hide(tokenizer, case, word)[0] and answer.first
        for case, word, first, answer in zip(cases, words, firsts, ask(model, tokenizer, list(zip(cases, firsts))))
    ]
    loss = [-answer.log_prob for answer in said]
    floor = [-math.log(fill[word]) for fill, word in zip(open_, words)]
    floor_told = [-math.log(fill[word]) for fill, word in zip(known, words)]
    shares = {
        "accuracy": [answer.first for answer in said],
        "best_possible": [first == word for first, word in zip(firsts, words)],
        "best_possible_told": [max(fill, key=fill.get) == word for fill, word in zip(known, words)],
        "agrees_with_best": same,
    }
    card: dict[str, Any] = {"words": len(words)}
    for name, (value, error) in {
        **{name: share(right) for name, right in shares.items()},
        "word_loss": mean(loss),
        "word_floor": mean(floor),
        "word_floor_told": mean(floor_told),
        "above": ratio(loss, floor),
        "above_told": ratio(loss, floor_told),
    }.items():
        card |= {name: value - name.startswith("above"), f"{name}_error": error}
    return card
