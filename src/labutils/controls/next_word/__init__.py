"""Next word: what a model gives to each token that could come next, and a text that goes on token by token."""

import re
from typing import Any

import torch
import traitlets as t

from labutils.checkpoints import facts
from labutils.controls.control import Control, widget
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import fitted, loaded, offered
from labutils.controls.script import call
from labutils.controls.whole_words import name_all

CAP = 64
MODELS = ("paper-gpt2", "little-gpt2")
STARTS = {"paper-gpt2": "the cat sat"}
START = "The cat sat on the mat. It was"
TOP = (5, 10, 20)
STEP = re.compile(r"p(\d{1,7})|d(\d{1,7})s\d{1,10}")  # of a trail


class NextWord(KernelSource, Control):
    """The distribution over the next token; take one of the tokens, or draw one, and go on.

    Args:
        text: what the model reads; without it, "The cat sat on the mat. It was" (for the paper model "the cat sat").
        model: any GPT-2 that `labutils.checkpoints.load` knows.
        trail: how the text went on, "d512s7 p3" for token 512 drawn with seed 7 and then token 3 chosen.
        seed: of the draws; the same seed draws the same tokens. top: how many tokens are listed, 5, 10 or 20.
        number: the number before the title, such as "8.1".

    Raises:
        ValueError: no such model, a BERT, a text without a token, a trail or a seed that cannot be read.

    What the reader changes is in the traits ``model``, ``text``, ``trail``, ``seed`` and ``top``.
    """

    _esm = widget("next_word")
    control = t.Unicode("next_word").tag(sync=True)
    title = t.Unicode("What comes next").tag(sync=True)
    lede = t.Unicode("Each token has a probability of coming next. Choose one, or draw one, and go on.").tag(sync=True)
    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    model, text, trail = (t.Unicode().tag(sync=True) for _ in range(3))
    seed, top = t.Int(0, min=0).tag(sync=True), t.Int(10).tag(sync=True)
    finished = t.Dict(
        help="the state shown first: the trail with its probabilities, the most probable tokens, the entropy in bits"
    ).tag(sync=True)

    def __init__(
        self,
        text: str | None = None,
        model: str = "little-gpt2",
        trail: str = "",
        seed: int = 0,
        top: int = 10,
        number: str = "",
        name: str = "",
        **more,
    ):
        if not 0 <= seed < 2**31:
            raise ValueError(f"A seed is a whole number from 0 to {2**31 - 1}, not {seed}.")
        if top not in TOP:
            raise ValueError(f"top={top} tokens cannot be listed: choose 5, 10 or 20.")
        text = STARTS.get(model, START) if text is None else text
        finished = _first(loaded(model), text, trail)
        models = [one | {"text": STARTS.get(one["name"], START)} for one in offered(model, MODELS)]
        super().__init__(
            text=text,
            model=model,
            trail=finished["trail"],
            seed=seed,
            top=top,
            number=number,
            name=name,
            models=models,
            finished=finished,
            **more,
        )
        self.serve(loaded(model))

    def __repr__(self) -> str:
        return f"NextWord(model={self.model!r}, text={self.text!r})"


def _first(checkpoint, text: str, trail: str) -> dict[str, Any]:
    """The state after a text and a trail: `numbers.js` makes it of the logits of this model, which may be any.

    Raises:
        ValueError: a model that does not continue texts, a text without a token, or a trail that cannot be read.
    """
    info = facts.info(checkpoint)
    if not info["causal"]:
        raise ValueError(f"{checkpoint.name} reads a whole text at once and does not continue one: choose a GPT-2.")
    encoding = checkpoint.tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that could be continued: write at least one word.")
    ids = fitted(encoding, min(CAP, info["maxTokens"]))
    read, steps = len(ids), [_id(word, info["vocab"]) for word in trail.split()]
    if read + len(steps) > info["maxTokens"]:
        raise ValueError(f"The trail is longer than the {info['maxTokens']} positions of {checkpoint.name}.")
    with torch.no_grad():
        logits = checkpoint.model(torch.tensor([ids + steps])).logits
    after = logits[0, read - 1 :]  # the text, and each step
    seen = call("next_word/numbers.js", "first", info, read, trail, after.double().numpy().astype("<f8").tobytes())
    name_all(checkpoint, ids, seen["steps"], worded=0)
    name_all(checkpoint, ids + steps, seen["top"])
    return seen | {"text": text, "before": checkpoint.tokenizer.pieces([*ids, *steps][-1])}


def _id(word: str, vocab: int) -> int:
    """The token of one step of a trail."""
    match = STEP.fullmatch(word)
    if not match or int(match[1] or match[2]) >= vocab:
        raise ValueError(
            f"The trail has {word!r}: a step is p and an id below {vocab}, such as p12, or for a drawn token also s and"
            " the seed, such as d12s0."
        )
    return int(match[1] or match[2])
