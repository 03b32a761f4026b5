"""Bold or lawful: stories that the little GPT-2 writes at every temperature and top-p of a plane, and what the grammar
says of each.

    python -m labutils.making.plane

writes 60 finished stories for each setting, a few minutes on one core, and keeps in `plane.json` how many the grammar
accepts, how many different words they use, and twelve of them. The control `Plane` and chapter 12 show them.
"""

import json
import re
from pathlib import Path

import torch

from labutils.checkpoints import load
from labutils.generation import Settings, distinct, generate
from labutils.world import World
from labutils.world.story import OutsideTheWorld

FILE = Path(__file__).with_name("plane.json")
MODEL = "little-gpt2"
TEMPERATURES = (0.0, 0.5, 0.8, 1.0, 1.3)
TOP_PS = (0.5, 0.8, 0.95, 1.0)
STORIES, KEPT = 60, 12  # of each setting: judged, and kept as text
STARTED = 72  # a story that has not ended after MOST tokens is left out
MOST = 200
SEED = 12
SURPRISED = 200  # stories of each kind whose surprise is measured
PENALTIES = (1.0, 1.1, 1.2, 1.5)  # tried at temperatures 0.8 and 1, nothing cut
WAYS = (
    {},
    {"top_k": 10},
    {"top_p": 0.95},
    {"min_p": 0.05},
    {"min_p": 0.1},
    {"typical": 0.95},
    {"frequency": 0.2},
    {"frequency": 0.5},
    {"frequency": 2.0},
)  # other ways to draw, at temperature 1
AGAIN, AGAIN_SEED = 240, 13  # stories of each setting in a second run, of which only the count is kept


def written(settings: Settings, started: int = STARTED, seed: int = SEED) -> tuple[list[str], int]:
    """Finished stories with these settings, told from nothing, and how many of those that were begun did not end."""
    checkpoint = load(MODEL)
    tokens = checkpoint.tokenizer
    end = tokens.token_to_id("<|endoftext|>")
    told = generate(checkpoint.model, [[end]] * started, MOST, end, settings, seed)
    finished = [tokens.decode(ids[:-1]) for ids in told if ids[-1] == end]
    return finished, started - len(finished)


def judged(world: World, text: str) -> dict:
    """The grammar's verdict: the text; if it refuses, where its first wrong word begins and ends, and why.

    A character that the little world does not have is found before any word is read.
    """
    try:
        world.log_prob(text)
        return {"text": text}
    except OutsideTheWorld as refused:
        why = str(refused)
    start, end = first_wrong(world, text)
    return {"text": text, "at": [start, end], "why": why}


def accepts(world: World, text: str) -> bool:
    """Whether the grammar tells the text; where and why it does not takes longer to find."""
    try:
        world.log_prob(text)
    except OutsideTheWorld:
        return False
    return True


def first_wrong(world: World, text: str) -> tuple[int, int]:
    """The characters of the first word with which no story of the grammar goes on; both are the length of the text
    where it may not end.
    """
    for word in re.finditer(r'[A-Za-z]+|[.,?!]"?|\S', text):
        try:
            world.next_word(text[: word.end()])
        except OutsideTheWorld:
            return word.span()
    return len(text), len(text)


def words(text: str) -> list[str]:
    """The words of a text in small letters, without marks."""
    return re.findall(r"[a-z]+", text.lower())


def cell(world: World, temperature: float, top_p: float) -> dict:
    """What the control shows of one setting."""
    finished, endless = written(Settings(temperature=temperature, top_p=top_p))
    stories = [judged(world, text) for text in finished[:STORIES]]
    told = [words(text) for text in finished[:STORIES]]
    return {
        "temperature": temperature,
        "top_p": top_p,
        "accepted": sum("why" not in story for story in stories),
        "words": len({word for text in told for word in text}),
        "different": len(set(finished[:STORIES])),
        "pairs": round(distinct(told, 2), 3),
        "length": round(sum(map(len, told)) / len(told), 1),
        "endless": endless,
        "again": again(world, temperature, top_p),
        "stories": kept(stories),
    }


def kept(stories: list[dict]) -> list[dict]:
    """The first few; where none of them is refused, the last one gives its place to the first that is."""
    first = stories[:KEPT]
    refused = [story for story in stories if "why" in story]
    if refused and refused[0] not in first:
        first[-1] = refused[0]
    return first


def again(world: World, temperature: float, top_p: float) -> int:
    """How many of AGAIN other stories the grammar accepts."""
    finished, _ = written(Settings(temperature=temperature, top_p=top_p), AGAIN + 12, AGAIN_SEED)
    return sum(accepts(world, text) for text in finished[:AGAIN])


def penalised(world: World, temperature: float, penalty: float) -> dict:
    """How many stories the grammar accepts where tokens that were said become less probable."""
    finished, _ = written(Settings(temperature=temperature, penalty=penalty))
    accepted = sum(accepts(world, text) for text in finished[:STORIES])
    return {"temperature": temperature, "penalty": penalty, "accepted": accepted}


def way(world: World, settings: dict[str, float]) -> dict:
    """How many stories the grammar accepts with these settings, and how many different words they use."""
    finished, endless = written(Settings(**settings))
    accepted = sum(accepts(world, text) for text in finished[:STORIES])
    used = {word for text in finished[:STORIES] for word in words(text)}
    return {"settings": settings, "accepted": accepted, "words": len(used), "endless": endless}


@torch.no_grad()
def surprises(world: World) -> dict[str, list]:
    """For the grammar's own stories and for drawn ones, nats and tokens of each story, its end sign included; what was
    drawn at temperature 0 is one story.
    """
    checkpoint = load(MODEL)
    end = checkpoint.tokenizer.token_to_id("<|endoftext|>")
    texts = {"grammar": [story.text for story in world.stories(SURPRISED, seed=SEED)]}
    for temperature in (0.0, 0.5, 1.0, 1.3):
        texts[str(temperature)] = written(Settings(temperature=temperature), SURPRISED if temperature else 1)[0]
    found: dict[str, list] = {}
    for name, stories in texts.items():
        found[name] = []
        for text in stories:
            ids = [*checkpoint.tokenizer.encode(text).ids, end]
            logits = checkpoint.model(torch.tensor([[end, *ids]])).logits[0, :-1]
            nats = torch.nn.functional.cross_entropy(logits, torch.tensor(ids), reduction="sum")
            found[name].append([round(float(nats), 2), len(ids)])
    return found


def measure(temperatures=TEMPERATURES, top_ps=TOP_PS) -> dict:
    """Every setting of the plane, temperature by temperature."""
    world, cells = World(), []
    for temperature in temperatures:
        for top_p in top_ps:
            cells.append(cell(world, temperature, top_p))
            shown = {name: value for name, value in cells[-1].items() if name != "stories"}
            print(shown, flush=True)
    penalties = [penalised(world, temperature, penalty) for temperature in (0.8, 1.0) for penalty in PENALTIES]
    return {
        "temperatures": list(temperatures),
        "top_ps": list(top_ps),
        "stories": STORIES,
        "seed": SEED,
        "again": AGAIN,
        "cells": cells,
        "penalties": penalties,
        "ways": [way(world, settings) for settings in WAYS],
        "surprises": surprises(world),
    }


def stored() -> dict:
    """What `measure` found when it was last run."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def main() -> None:
    torch.set_num_threads(1)
    found = measure()
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in found.items()]
    FILE.write_text(
        "{\n" + ",\n".join(lines).replace('{"temperature"', '\n {"temperature"') + "\n}\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
