"""Next word: what a model gives to each token that could come next, and a text that goes on token by token; of a BERT,
which reads both ways, what it gives to each token that could stand in a hole.
"""

import re
from collections.abc import Sequence
from typing import Any

import torch
import traitlets as t

from labutils.checkpoints import facts
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.next_word.hole import HOLE, TITLES, first_hole
from labutils.controls.reading import fitted, loaded, offered
from labutils.controls.script import call
from labutils.controls.whole_words import name_all

MODELS = ("paper-gpt2", "little-gpt2")
STARTS = {"paper-gpt2": "the cat sat"}
HOLE_MODELS = ("little-bert",)
START_HOLE = "The [MASK] sat on the mat. It was tired."
START = "The cat sat on the mat. It was"
# what is done to the odds before a draw
SET = ("temperature", "top_k", "top_p", "min_p", "typical", "penalty", "frequency")
STEP = re.compile(r"p(\d{1,7})|d(\d{1,7})s\d{1,10}(?:[tkpmyrf]\d{1,6}(?:\.\d{1,6})?){0,7}")  # of a trail


class NextWord(KernelSource, Control):
    """The distribution over the next token; take one of the tokens, or draw one, and go on.

    Args:
        text: what the model reads; without it, "The cat sat on the mat. It was" (for the paper model "the cat sat").
            For a BERT it has a hole, [MASK], or two.
        model: any GPT-2 or BERT that `labutils.checkpoints.load` knows. A GPT-2 goes on with the text, a BERT fills the
            hole; any of its words can be hidden instead, or a second one as well.
        ends: for a BERT, words that the reader may choose as the last of the text.
        trail: how the text went on, "d512s7 p3" for token 512 drawn with seed 7 and then token 3 chosen. A token that
            was drawn with settings names them, "d512s7t1.3k50p0.8m0.02" in the order below; y, r and f name
            the last three.
        seed: of the draws; the same seed draws the same tokens. top: how many tokens are listed, 5, 10 or 20.
        tuned: whether what is done to the odds before a draw can be set.
        temperature, top_k, top_p, min_p, typical: what is done, in this order; 1, 0, 1, 0 and 1 do nothing. What a rule
            cuts is shown as an outline, with its name.
        penalty, frequency: what is done before it to tokens that stand in the text; 1 and 0 do nothing.
        number: the number before the title, such as "8.1".

    Raises:
        ValueError: no such model, a text without a token, a trail or a seed that cannot be read; a hole in the text of
            a GPT-2; no hole, more than two, or one beyond the tokens that are read, in that of a BERT.

    What the reader changes is in the traits ``model``, ``text``, ``trail``, ``seed`` and ``top``, and in those of the
    settings.
    """

    TITLE = "What comes next"
    LEDE = "Each token has a probability of coming next. Choose one, or draw one, and go on."
    CAP = 64

    text: str | None = setting(default=None)
    model: str = setting(default="little-gpt2")
    trail: str = setting(default="")
    seed: int = setting(default=0, least=0, most=2**31 - 1)
    top: int = setting(default=10, choices=(5, 10, 20))
    temperature: float = setting(default=1.0, least=0.0, most=5.0, kw_only=True)
    top_k: int = setting(default=0, least=0, most=100_000, kw_only=True)
    top_p: float = setting(default=1.0, least=0.01, most=1.0, kw_only=True)
    min_p: float = setting(default=0.0, least=0.0, most=1.0, kw_only=True)
    typical: float = setting(default=1.0, least=0.01, most=1.0, kw_only=True)
    penalty: float = setting(default=1.0, least=0.1, most=10.0, kw_only=True)
    frequency: float = setting(default=0.0, least=0.0, most=10.0, kw_only=True)
    tuned: bool = fixed(default=False, kw_only=True)
    ends: Sequence[str] = fixed(default=(), kept=t.List(), kw_only=True)

    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    finished = t.Dict(
        help="the state shown first: the trail with its probabilities, the most probable tokens, the entropy in bits"
    ).tag(sync=True)

    def made(self, said):
        checkpoint = loaded(said.model)
        if not facts.info(checkpoint)["causal"]:
            return self._hole(said, checkpoint)
        text = STARTS.get(said.model, START) if said.text is None else said.text
        finished = _first(checkpoint, text, said.trail, {name: getattr(said, name) for name in SET})
        self.serve(checkpoint)
        return {
            "text": text,
            "trail": finished["trail"],
            "models": [one | {"text": STARTS.get(one["name"], START)} for one in offered(said.model, MODELS)],
            "finished": finished,
        }

    def _hole(self, said, checkpoint):
        text = START_HOLE if said.text is None else said.text
        finished = first_hole(checkpoint, text, self.CAP)
        self.serve(checkpoint)
        own = {"title": self.TITLE, "lede": self.LEDE}
        return {name: TITLES[name] for name in own if getattr(said, name) == own[name]} | {
            "text": text,
            "ends": list(map(str, said.ends)),
            "models": [one | {"text": START_HOLE} for one in offered(said.model, HOLE_MODELS)],
            "finished": finished,
        }

    def __repr__(self) -> str:
        return f"NextWord(model={self.model!r}, text={self.text!r})"


def _first(checkpoint, text: str, trail: str, chosen: dict[str, float]) -> dict[str, Any]:
    """The state after a text and a trail: `numbers.js` makes it of the logits of this model, which may be any, and of
    the settings that were chosen.

    Raises:
        ValueError: a text with a hole or without a token, or a trail that cannot be read.
    """
    info = facts.info(checkpoint)
    if HOLE in text:
        raise ValueError(call("next_word/numbers.js", "WRITES", checkpoint.name))
    encoding = checkpoint.tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that could be continued: write at least one word.")
    ids = fitted(encoding, min(NextWord.CAP, info["maxTokens"]))
    read, steps = len(ids), [_id(word, info["vocab"]) for word in trail.split()]
    if read + len(steps) > info["maxTokens"]:
        raise ValueError(f"The trail is longer than the {info['maxTokens']} positions of {checkpoint.name}.")
    with torch.no_grad():
        logits = checkpoint.model(torch.tensor([ids + steps])).logits
    after = logits[0, read - 1 :]  # the text, and each step
    packed = after.double().numpy().astype("<f8").tobytes()
    seen = call("next_word/numbers.js", "first", info, ids, trail, packed, chosen)
    name_all(checkpoint, ids, seen["steps"], worded=0)
    name_all(checkpoint, ids + steps, seen["top"])
    if "best" in seen:
        name_all(checkpoint, ids + steps, [seen["best"]])
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
