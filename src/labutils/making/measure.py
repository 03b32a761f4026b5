"""Everything a model card states, measured on held-out stories with the weights that are shipped."""

import hashlib
import math
import random
import re
from collections import Counter
from typing import Any

from labutils.making.copying import copying_card
from labutils.making.drawn import drawn_card
from labutils.making.fit import tokenizer_texts
from labutils.making.heads import heads_card
from labutils.making.leaning import leaning_card
from labutils.making.losses import bert_loss_card, gpt2_loss_card, gpt2_story_losses
from labutils.making.naming import naming_card
from labutils.making.next_sentence import next_sentence_card
from labutils.making.recipes import Recipe
from labutils.making.relations import meant_card, relations_card
from labutils.making.skills import ask, case_of, grammar, skills_card
from labutils.training.threads import one_thread
from labutils.world import RUNNING_TEXT

__all__ = ["about", "fingerprint", "gpt2_story_losses", "held_out_stories", "measured"]


def about(world, tokenizer, recipe: Recipe) -> dict[str, Any]:
    """What is known before training: the shape, the data, what the tokenizer does to words."""
    counts = Counter(m for text in tokenizer_texts(world, recipe) for m in re.findall(r" ?[A-Za-z]+", text))
    form = {}  # a word form and how it most often stands in the text: "The" or " the"
    for word, _ in counts.most_common():
        form.setdefault(word.strip().lower(), word)
    whole = {word for word in counts if len(tokenizer.encode(word, add_special_tokens=False).ids) == 1}
    return {
        "shape": {
            "layers": recipe.runs[-1].n_layers,
            "heads": recipe.n_heads,
            "width": recipe.d_model,
            "head_width": recipe.d_model // recipe.n_heads,
            "feed_forward": 4 * recipe.d_model,
            "vocabulary": len(tokenizer),
            "positions": recipe.n_positions,
        },
        "data": {
            "grammar": f"labutils.world.World(bias={world.bias})",
            "fingerprint": fingerprint(world),
            **({"bare": recipe.bare} if recipe.family.causal else {}),
        },
        "tokenizer": {
            "entries": len(tokenizer),
            "stories": recipe.tokenizer_stories,
            "running_texts": recipe.running_texts,
            "forms": len(form),
            "whole": sum(word in whole for word in form.values()),
            "whole_in_text": sum(n for word, n in counts.items() if word in whole) / counts.total(),
        },
    }


def fingerprint(world, n: int = 200) -> str:
    """A digest of n stories and their probabilities: it changes when the grammar does."""
    lines = [f"{s.text} {s.log_prob:.6f}" for s in world.stories(n, seed=0)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def held_out_stories(world, recipe: Recipe, n: int) -> list:
    """n stories from a generator that training never uses."""
    rng = random.Random(f"{recipe.name} {recipe.seed} held out")
    return [world.story(rng) for _ in range(n)]


@one_thread()
def measured(model, tokenizer, world, recipe: Recipe, n: int) -> dict[str, Any]:
    """All that depends on the weights, from n held-out stories: loss, skills, what the heads look at, leaning, the
    running text, limits.
    """
    held_out, causal = held_out_stories(world, recipe, n), recipe.family.causal
    rng = lambda part: random.Random(f"{recipe.name} {recipe.seed} {part}")
    if causal:
        own = {
            "loss": gpt2_loss_card(model, tokenizer, world, held_out),
            "copying": copying_card(model, tokenizer, held_out[:300], blocks=min(n, 300), rng=rng("blocks")),
            "drawn": drawn_card(model, tokenizer, world, n=min(n, 1000), seed=recipe.seed),
        }
    else:
        own = {
            "loss": bert_loss_card(model, tokenizer, world, recipe, held_out),
            "names": naming_card(model, tokenizer, world, held_out, rng("names")),
        }
        own |= (
            {"next_sentence": next_sentence_card(model, tokenizer, held_out[:1000], rng("halves"))}
            if recipe.pairs
            else {}
        )
    longest = max(len(tokenizer.encode(story.text).ids) for story in held_out) + causal
    return own | {
        "skills": skills_card(model, tokenizer, world, held_out),
        "relations": relations_card(model, tokenizer, held_out[:600]),
        "meant": meant_card(model, tokenizer, held_out),
        "heads": heads_card(model, tokenizer, held_out[:300]),
        "leaning": leaning_card(model, tokenizer, world, rng("leaning"), stories=4 * n),
        "running_text": running_text_card(model, tokenizer, world),
        "limits": limits(world, recipe, longest),
    }


def running_text_card(model, tokenizer, world) -> dict[str, Any]:
    """Each word of the running text: what the model and the grammar give it, and the model's first choices.

    BERT is shown how many pieces are hidden, so its choices are among words of as many pieces, and so is the grammar's
    probability.
    """
    story, rows = world.parse(RUNNING_TEXT), []
    for i, word in enumerate(story.words):
        case = case_of(story, i)
        true = grammar(world, tokenizer, story, case)
        words = list(dict.fromkeys([word.text, *(w for w in sorted(true, key=true.get)[-40:] if w)]))
        said = ask(model, tokenizer, [(case, w) for w in words])
        p = {w: math.exp(answer.log_prob) for w, answer in zip(words, said)}
        top = sorted(p, key=p.get, reverse=True)[:3]
        rows.append(
            {
                "word": word.text,
                "model": round(p[word.text], 4),
                "grammar": round(true.get(word.text, 0.0), 4),
                "top": [[w, round(p[w], 4)] for w in top],
            }
        )
    return {"text": RUNNING_TEXT, "words": rows}


def limits(world, recipe: Recipe, longest: int) -> list[str]:
    """What a reader should not expect, in sentences."""
    lines = [
        "It knows the little world only. Other text gets an answer too, and the answer says nothing about English.",
        (
            f"The longest of the held-out stories has {longest} tokens with its special ones. Positions far beyond were"
            f" hardly ever or never seen in training, up to the last of the {recipe.n_positions}."
        ),
        (
            "The grammar gives occupations a pronoun that they lean to, on purpose; how much of it the model has"
            " learned stands under “Leaning”."
            if world.bias != 0.5
            else "In its grammar no occupation leans to a pronoun."
        ),
    ]
    if not recipe.family.causal:
        lines.append(
            f"The next-sentence head was trained on halves of stories, in {recipe.pairs:.0%} of the rows."
            if recipe.pairs
            else (
                "It was trained on single segments: the pooler and the next-sentence head are in the file as they were"
                " drawn, untrained."
            )
        )
    return lines
