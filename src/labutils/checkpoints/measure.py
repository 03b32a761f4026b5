"""Everything a model card states, measured on held-out stories with the weights that are shipped."""

import hashlib
import random
import re
import statistics
from collections import Counter
from typing import Any

import torch

from labutils.checkpoints.fit import tokenizer_texts
from labutils.checkpoints.recipes import Recipe
from labutils.checkpoints.rows import END, FOLLOWS, RANDOM, bert_row, gpt2_row, halves
from labutils.checkpoints.skills import CHOICE, SKILLS, Case, ask, best_head, best_score, cases_of, hide, score, word_log_prob
from labutils.training import IGNORE, mask_words, pad
from labutils.world import RUNNING_TEXT

MOST = 1000  # cases a skill
HEADS = 200  # cases of these for the best head


def about(world, tokenizer, recipe: Recipe) -> dict[str, Any]:
    """What is known before training: the shape, the data, what the tokenizer does to words."""
    counts = Counter(m for text in tokenizer_texts(world, recipe) for m in re.findall(r" ?[A-Za-z]+", text))
    form = {}  # a word form and how it most often stands in the text: "The" or " the"
    for word, n in counts.most_common():
        form.setdefault(word.strip().lower(), word)
    whole = {word for word in counts if len(tokenizer.encode(word, add_special_tokens=False).ids) == 1}
    return {
        "shape": {"layers": recipe.n_layers, "heads": recipe.n_heads, "width": recipe.d_model, "head_width": recipe.d_model // recipe.n_heads,
                  "feed_forward": 4 * recipe.d_model, "vocabulary": len(tokenizer), "positions": recipe.n_positions},
        "data": {"grammar": f"labutils.world.World(bias={world.bias})", "fingerprint": fingerprint(world),
                 **({"bare": recipe.bare} if recipe.kind == "gpt2" else {})},
        "tokenizer": {"entries": len(tokenizer), "stories": recipe.tokenizer_stories, "running_texts": recipe.running_texts,
                      "forms": len(form), "whole": sum(word in whole for word in form.values()),
                      "whole_in_text": sum(n for word, n in counts.items() if word in whole) / counts.total()},
    }


def fingerprint(world, n: int = 200) -> str:
    """A digest of n stories and their probabilities: it changes when the grammar does."""
    lines = [f"{s.text} {s.log_prob:.6f}" for s in world.stories(n, seed=0)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def held_out_stories(world, recipe: Recipe, n: int) -> list:
    """n stories from a generator that training never uses."""
    rng = random.Random(f"{recipe.name} {recipe.seed} held out")
    return [world.story(rng) for _ in range(n)]


def measured(model, tokenizer, world, recipe: Recipe, n: int) -> dict[str, Any]:
    """Loss, skills, the running text, limits: all that depends on the weights."""
    held_out = held_out_stories(world, recipe, n)
    gpt2 = recipe.kind == "gpt2"
    loss = gpt2_loss_card(model, tokenizer, world, held_out) if gpt2 else bert_loss_card(model, tokenizer, world, recipe, held_out)
    longest = max(len(tokenizer.encode(story.text).ids) for story in held_out) + gpt2
    return {"loss": loss, "skills": skills_card(model, tokenizer, world, held_out),
            "running_text": running_text_card(model, tokenizer, world), "limits": limits(recipe, longest)}


def gpt2_loss_card(model, tokenizer, world, held_out: list) -> dict[str, Any]:
    """Nats a token beside the exact floor.

    How far the model is above the floor is taken story by story, model minus grammar, and set against the exact entropy: the
    accident of which stories were drawn cancels.
    """
    losses, tokens = gpt2_story_losses(model, tokenizer, [story.text for story in held_out])
    above = [loss + story.log_prob for loss, story in zip(losses, held_out)]
    nats = world.entropy()
    floor = world.entropy_per_token(lambda word: len(tokenizer.encode_ids(word)))
    gap = statistics.fmean(above) / nats
    rows = [gpt2_row(tokenizer, story.text) for story in held_out]
    marked = statistics.fmean(x for row in token_losses(model, rows) for x in row[1:])  # the first token has no place in a bare text
    bare = statistics.fmean(x for row in token_losses(model, [row[1:] for row in rows]) for x in row)
    return {"stories": len(held_out), "tokens": sum(tokens), "model": sum(losses) / sum(tokens),
            "same_stories": -sum(story.log_prob for story in held_out) / sum(tokens), "floor": floor, "gap": gap,
            "gap_error": statistics.stdev(above) / len(above) ** 0.5 / nats, "entropy_per_story": nats,
            "after_first": {"marked": marked, "bare": bare}}


def gpt2_story_losses(model, tokenizer, texts: list[str]) -> tuple[list[float], list[int]]:
    """For each text, the negative log-probability in nats of all its tokens and the end, and how many these are."""
    rows = [gpt2_row(tokenizer, text) for text in texts]
    return [sum(losses) for losses in token_losses(model, rows)], [len(row) - 1 for row in rows]


def token_losses(model, rows: list[list[int]]) -> list[list[float]]:
    """For each row of ids, the negative log-probability in nats of every token after the first, in batches of 64 rows."""
    losses = []
    for i in range(0, len(rows), 64):
        ids = pad(rows[i : i + 64], IGNORE)
        with torch.no_grad():
            logits = model(ids.clamp(min=0)).logits[:, :-1]
        each = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], ignore_index=IGNORE, reduction="none")
        losses += [row[: len(ids_of) - 1] for row, ids_of in zip(each.tolist(), rows[i : i + 64])]
    return losses


def bert_loss_card(model, tokenizer, world, recipe: Recipe, held_out: list) -> dict[str, Any]:
    """The masked loss at the last rate of training; one hidden word beside the best guess; the next sentence."""
    rng = random.Random(f"{recipe.name} {recipe.seed} hidden words")
    rate = recipe.mask_rates[1]
    loss, tokens = 0.0, 0
    for story in held_out:
        row = bert_row(tokenizer, story.text)
        ids, labels = mask_words(row.ids, row.words, rate, tokenizer.token_to_id("[MASK]"), range(len(tokenizer)), rng)
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0]
        loss += float(torch.nn.functional.cross_entropy(logits, torch.tensor(labels), ignore_index=IGNORE, reduction="sum"))
        tokens += sum(label != IGNORE for label in labels)
    card = {"stories": len(held_out), "rate": rate, "tokens": tokens, "model": loss / tokens}
    card |= one_word_hidden(model, tokenizer, world, held_out, rng)
    return card | ({"next_sentence": next_sentence(model, tokenizer, held_out, rng)} if recipe.pairs else {})


def one_word_hidden(model, tokenizer, world, held_out: list, rng: random.Random) -> dict[str, Any]:
    """One word of each story hidden, any word: the model's first choice, the grammar's, and how often they are the same."""
    right = best = same = 0
    log_model, log_best = [], []
    for story in held_out:
        i = rng.randrange(len(story.words))
        word = story.words[i]
        case = Case("word", story.text, word.start, word.end, i, (word.text,))
        pieces, rows, _ = ask(model, tokenizer, case, word.text)
        chosen, fill = rows.argmax(-1).tolist(), world.fill(story, i)
        first = max(fill, key=fill.get)
        right += chosen == pieces
        best += first == word.text
        same += chosen == hide(tokenizer, case, first)[2]
        log_model.append(-float(rows[range(len(pieces)), pieces].sum()))
        log_best.append(-torch.tensor(fill[word.text]).log().item())
    n = len(held_out)
    return {"words": n, "accuracy": right / n, "best_possible": best / n, "agrees_with_best": same / n,
            "word_loss": statistics.fmean(log_model), "word_floor": statistics.fmean(log_best)}


def next_sentence(model, tokenizer, held_out: list, rng: random.Random) -> dict[str, Any]:
    """Two halves of one story, or of two: how often the next-sentence head is right."""
    right = 0
    for i, story in enumerate(held_out):
        first, second = halves(story.text, rng)
        label = rng.choice((FOLLOWS, RANDOM))
        if label == RANDOM:
            other = held_out[(i + rng.randrange(1, len(held_out))) % len(held_out)]
            second = halves(other.text, rng)[1]
        row = bert_row(tokenizer, first, second)
        with torch.no_grad():
            logits = model(torch.tensor([row.ids]), type_ids=torch.tensor([row.types])).nsp_logits
        right += int(logits.argmax()) == label
    return {"pairs": len(held_out), "accuracy": right / len(held_out)}


def skills_card(model, tokenizer, world, held_out: list, most: int = MOST, heads: int = HEADS) -> list[dict[str, Any]]:
    """One entry a skill: the share that is right, the same for a reader who knows the grammar, the best head."""
    found: dict[str, list] = {skill: [] for skill in SKILLS}
    for story in held_out:
        for case in cases_of(story):
            if len(found[case.skill]) < most:
                found[case.skill].append((story, case))
    card = []
    for skill, pairs in found.items():
        if pairs:
            mine = [case for _, case in pairs]
            best = [best_score(_grammar(world, tokenizer, story, case), case) for story, case in pairs]
            card.append({"name": skill, "asked": SKILLS[skill], "choice": skill in CHOICE, "n": len(mine),
                         "accuracy": statistics.fmean(score(model, tokenizer, case) for case in mine),
                         "best_possible": statistics.fmean(best), "best_head": best_head(model, tokenizer, mine[:heads])})
    return card


def _grammar(world, tokenizer, story, case: Case) -> dict[str, float]:
    """The exact distribution over the word: given the words before (GPT-2), or all other words (BERT)."""
    if END in tokenizer.vocab:
        return world.next_word(story.text[: case.start].rstrip(" "))
    return world.fill(story, case.place)


def running_text_card(model, tokenizer, world) -> dict[str, Any]:
    """Each word of the running text: what the model and the grammar give it, and the model's first choices.

    BERT is shown how many pieces are hidden, so its choices are among words of as many pieces.
    """
    story, rows = world.parse(RUNNING_TEXT), []
    n_pieces = lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
    for i, word in enumerate(story.words):
        case = Case("word", story.text, word.start, word.end, i, (word.text,))
        true = _grammar(world, tokenizer, story, case)
        others = [w for w in sorted(true, key=true.get)[-40:] if w and (END in tokenizer.vocab or n_pieces(w) == n_pieces(word.text))]
        p = {w: float(word_log_prob(model, tokenizer, case, w).exp()) for w in dict.fromkeys([word.text, *others])}
        top = sorted(p, key=p.get, reverse=True)[:3]
        rows.append({"word": word.text, "model": round(p[word.text], 4), "grammar": round(true.get(word.text, 0.0), 4),
                     "top": [[w, round(p[w], 4)] for w in top]})
    return {"text": RUNNING_TEXT, "words": rows}


def limits(recipe: Recipe, longest: int) -> list[str]:
    """What a reader should not expect, in sentences."""
    lines = [
        "It knows the little world only. Other text gets an answer too, and the answer says nothing about English.",
        f"The longest of the held-out stories has {longest} tokens with its special ones. Positions far beyond were hardly "
        f"ever seen in training, up to the last of the {recipe.n_positions}.",
        "The grammar gives occupations a pronoun that they lean to, on purpose; the model has learned that bias.",
    ]
    if recipe.kind == "bert":
        lines.append("The next-sentence head was trained on halves of stories, in "
                     f"{recipe.pairs:.0%} of the rows." if recipe.pairs else
                     "It was trained on single segments: the pooler and the next-sentence head are in the file as they were drawn, untrained.")
    return lines
