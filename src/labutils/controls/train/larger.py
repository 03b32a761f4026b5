"""What a larger run writes on its way: `python -m labutils.controls.train.larger`, some minutes on one core.

The run is that of the little GPT-2 (`labutils.making.recipes`), whose curve stands in its growth.csv. Its first steps
are taken again, with its own trainer, stories and seed, and at each of `STEPS` the model tells `STORIES` stories, each
time with the same dice: the first is kept, and of all how many the grammar follows to their end. The last ones are told
by the weights that ship, so they can be told again in seconds.
"""

import json
import random
from itertools import accumulate
from pathlib import Path
from typing import Any

import torch

from labutils.checkpoints import load
from labutils.controls.engine.stories import END, MODEL
from labutils.controls.train.record import lawful
from labutils.models.continuing import continuing
from labutils.world import World

FILE = Path(__file__).with_name("larger.json")
STEPS = (0, 50, 100, 200, 400)  # and the last one
STORIES, MOST = 50, 100  # told each time, each with its own number as the seed of its dice; tokens of one


def written(model: torch.nn.Module, end: int, seed: int) -> list[int]:
    """The tokens of a story, each drawn with the model's own chances, its end sign included if it comes in time."""
    after, ids, dice = continuing(model.eval()), [end], random.Random(seed)
    while len(ids) <= MOST and (len(ids) == 1 or ids[-1] != end):
        sums, drawn = list(accumulate(after(ids).double().softmax(-1).tolist())), dice.random()
        ids.append(next((i for i, total in enumerate(sums) if drawn < total), len(sums) - 1))
    return ids[1:]


def point(model: torch.nn.Module, step: int, tokens: int, grown: Any) -> dict[str, Any]:
    """A point of the record; `grown` knows the stories on which the loss is measured."""
    from labutils.making.losses import gpt2_story_losses

    losses, counts = gpt2_story_losses(model, grown.tokenizer, [story.text for story in grown.stories])
    end, world = grown.tokenizer.token_to_id(END), World()
    told = [written(model, end, seed) for seed in range(STORIES)]
    held = [lawful(world, ids) for ids in told]
    whole = sum(ids[-1] == end and many == len(ids) for ids, many in zip(told, held, strict=True))
    loss = round(sum(losses) / sum(counts), 4)
    return {"step": step, "tokens": tokens, "loss": loss, "whole": whole, "ids": told[0], "lawful": held[0]}


def made(steps: tuple[int, ...] = STEPS) -> list[dict[str, Any]]:
    """Take the first steps of the run again, and end with the weights that ship."""
    from labutils.making.fit import as_ours, fit, hf_config
    from labutils.making.growth import Growth
    from labutils.making.make import repeatable
    from labutils.making.recipes import RECIPES

    recipe, shipped, points = RECIPES[MODEL], load(MODEL), []
    world, grown = World(recipe.bias), Growth(World(recipe.bias), shipped.tokenizer, recipe, FILE)
    config = hf_config(recipe, shipped.tokenizer)

    def watch(model: torch.nn.Module, progress: Any) -> None:
        if progress.step in steps:
            points.append(point(as_ours(config, model), progress.step, progress.tokens, grown))

    with repeatable():
        fit(world, shipped.tokenizer, recipe, stop_at=max(1, *steps), watch=watch)
        told = shipped.card["training"]
        points.append(point(shipped.model, told["steps"], told["tokens"], grown))
    return points


def recorded() -> list[dict[str, Any]]:
    """The points as they were recorded."""
    return json.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in made())
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
