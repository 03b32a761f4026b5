"""Train: a small GPT that is trained in the page, from random weights to stories, beside what counting reaches and the
floor that the grammar itself leaves.
"""

import csv
import json
from base64 import b64decode
from importlib.resources import files
from typing import Any

import traitlets as t

from labutils.controls.control import Control, fixed, setting
from labutils.controls.engine import stories
from labutils.controls.train import larger, record

LARGER = files("labutils.checkpoints") / "little-gpt2"
BROKEN = tuple(record.BROKEN)


class Train(Control):
    """A GPT with two layers of width 64 learns to tell stories, in the reader's browser, in a minute or two.

    The reader first drags a line to where its curve will stop; only then the lines of counting and the exact floor
    appear.

    Args:
        rate: the highest learning rate. warmup: the steps in which it is reached. batch: stories a step. clip: how long
            a gradient may be; 0 is no clipping. All can be changed while it trains.
        broken: "rate" (30 times the rate) or "labels" (not shifted: the model is taught to repeat what it reads).
        line: the guess, in nats a token. placed: whether it was made, so that the lines are shown.
        beside: whether the recorded curve of the little GPT-2 is drawn beside it.
        seed: of the weights at the start.
        number: the number before the title, such as "10.1".

    Raises:
        ValueError: a value that is out of its range or not among its choices.

    The reader changes all but seed and number.
    """

    TITLE = "A small GPT learns to tell stories"
    LEDE = "First drag the line to where you think the curve will stop. Then let it learn."

    rate: float = setting(default=record.PLAN["rate"], least=1e-5, most=10.0)
    warmup: int = setting(default=record.PLAN["rise"], least=0, most=1000)
    batch: int = setting(default=record.PLAN["batch"], least=1, most=64)
    clip: float = setting(default=record.PLAN["most"], least=0.0, most=1000.0)
    broken: str = setting(default="nothing", choices=BROKEN)
    line: float = setting(default=4.0, least=0.0, most=8.0)
    placed: bool = setting(default=False)
    beside: bool = setting(default=False)
    seed: int = fixed(default=record.SEED)

    references = t.Dict(help="nats a token: blind, tokens, pairs, triples, floor").tag(sync=True)
    task = t.Dict(help="config of the model, and the spread of its weights at the start").tag(sync=True)
    info = t.Dict(help="parameters, stories, tokens, the first settings, the size of the larger model").tag(sync=True)
    finished = t.List(help="the recorded run: step, tokens, loss and what was written at each point").tag(sync=True)
    sick = t.Dict(help="the recorded runs in which something is broken, with the loss they train on").tag(sync=True)
    larger = t.List(help="the recorded run of the larger model: tokens and loss").tag(sync=True)
    told = t.Dict(help="what the larger model is, and what it wrote on its way").tag(sync=True)

    def made(self, said):
        data, plan = stories.stored(), record.PLAN
        self.on_msg(self._hear)
        config = {"vocab": data["vocabulary"], **record.SIZES}
        return {
            "references": data["lines"],
            "task": {"config": config, "spread": record.SPREAD},
            "info": {
                "stories": data["stories"],
                "tokens": data["tokens"],
                "usual": {"rate": plan["rate"], "warmup": plan["rise"], "batch": plan["batch"], "clip": plan["most"]},
                "larger": json.loads((LARGER / "card.json").read_text(encoding="utf-8"))["parameters"],
            },
            "finished": [_shown(point) for point in record.recorded()],
            "sick": {name: [_shown(point) for point in record.recorded(name)] for name in BROKEN[1:]},
            "larger": _larger(),
            "told": _told(),
        }

    def _hear(self, _: Any, content: dict, buffers: list) -> None:
        """The stories, for a page in JupyterLab: once, when the reader lets it train."""
        if isinstance(content, dict) and content.get("ask") == "stories":
            data = stories.stored()
            known = {name: data[name] for name in ("order", "end", "pieces")}
            self.send({"id": content.get("id"), "stories": known}, [b64decode(data[x]) for x in ("told", "fresh")])

    def __repr__(self) -> str:
        return f"Train(rate={self.rate}, batch={self.batch})"


def _told() -> dict[str, Any]:
    """What the larger model is, the floor of the stories that it is measured on, and the points of its record."""
    card = json.loads((LARGER / "card.json").read_text(encoding="utf-8"))
    shape, training = card["shape"], card["training"]
    return {
        **{name: shape[name] for name in ("layers", "width")},
        "parameters": card["parameters"],
        "tokens": training["tokens"],
        "minutes": round(training["seconds"] / 60),
        "floor": card["growth"]["floor"],
        "stories": larger.STORIES,
        "points": [{**_shown(point), "followed": point["whole"]} for point in larger.recorded()],
    }


def _larger() -> list[list[float]]:
    """Tokens and nats a token of the larger model, each time that it was looked at; the untrained one has no place on
    an axis that doubles.
    """
    with (LARGER / "growth.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [[int(row["tokens"]), round(float(row["loss"]), 3)] for row in rows if int(row["tokens"])]


def _shown(point: dict) -> dict:
    """A point as the page draws it: what the grammar follows, the rest, and whether the story was ended."""
    data = stories.stored()
    ended = point["ids"][-1] == data["end"]
    words = lambda ids: "".join(data["pieces"][i] for i in ids if i != data["end"]).replace("␣", " ")
    held = point["lawful"]
    return {
        **{key: point[key] for key in ("step", "tokens", "loss", "trained") if key in point},
        "held": words(point["ids"][:held]),
        "rest": words(point["ids"][held:]),
        "ended": ended,
        "whole": ended and held == len(point["ids"]),
    }
