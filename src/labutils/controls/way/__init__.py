"""Way: a sentence on its way through a whole model as one drawing; rows are tokens, columns are stages."""

from collections.abc import Sequence

import numpy as np
import torch
import traitlets as t

from labutils.checkpoints import facts
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.needed import doubles, without_each_head
from labutils.controls.reading import fitted, loaded
from labutils.controls.script import call
from labutils.controls.whole_words import name_all

START = "The cat sat on the"
SAMPLES = ("One night, a small mouse", "The cat sat on the mat. It was")


class Way(KernelSource, Control):
    """The rows of a text after each block, one head that the answer needs, and the next words; it plays from left to
    right.

    Args:
        text: what the model reads, up to 16 tokens. samples: texts that are offered beside it.
        model: any GPT-2 that `labutils.checkpoints.load` knows.
        row: the token that is followed; -1 is the last one. column: the stage that is looked at; -1 is none.
        plays: whether it plays once as soon as it is shown, where the reader allows motion.
        number: the number before the title, such as "0.1".

    Raises:
        ValueError: no such model, a BERT, or a text without a token.

    What the reader changes is in the traits ``text``, ``row`` and ``column``.
    """

    TITLE = "The way of a sentence"
    LEDE = "Rows are tokens, columns are stages. Point at a token, a strip or a weight."
    CAP = 16

    text: str = setting(default=START)
    model: str = fixed(default="little-gpt2")
    row: int = setting(default=-1)
    column: int = setting(default=-1)
    plays: bool = fixed(default=False)
    samples: Sequence[str] = fixed(default=SAMPLES, kept=t.List())

    finished = t.Dict(
        help="the text that is shown first: its rows after each stage, the head, what each row would say, in float32"
    ).tag(sync=True)

    def made(self, said):
        checkpoint = loaded(said.model)
        self.serve(checkpoint)
        return {"samples": list(said.samples), "finished": _finished(checkpoint, said.text)}

    def __repr__(self) -> str:
        return f"Way({self.text!r}, model={self.model!r})"


def _finished(checkpoint, text: str) -> dict:
    info, encoding = facts.info(checkpoint), checkpoint.tokenizer.encode(text)
    if not info["causal"]:
        raise ValueError(f"{checkpoint.name} reads a whole text at once and does not continue one: choose a GPT-2.")
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that {checkpoint.name} could read: write at least one word.")
    ids = fitted(encoding, min(Way.CAP, info["maxTokens"]))
    states, lens, weights, without = _numbers(checkpoint.model, ids)
    found = call("way/numbers.js", "first", info, len(ids), doubles(lens), doubles(weights), doubles(without))
    for at in range(len(ids)):
        name_all(checkpoint, ids[: at + 1], [*(rows[at] for rows in found["lens"]), *found["next"][at]])
    layer, head = found["head"]["layer"], found["head"]["head"]
    return found | {
        "text": text,
        "info": info,
        "ids": ids,
        "tokens": [checkpoint.tokenizer.pieces(i) for i in ids],
        "states": _floats(states),
        "weights": _floats(weights[layer, head]),
    }


def _numbers(model, ids: list[int]) -> tuple[torch.Tensor, ...]:
    """Of a text of n tokens: its rows before and after each of L blocks (L + 1, n, d); the logits of each of them, if
    it went to the output head at once (L + 1, n, V); all weights (L, H, n, n); and the last row of logits without each
    head (L, H, V).
    """
    from labutils.trace import trace  # here, because the models take seconds to import

    whole = trace(model, ids)
    states = torch.stack([whole.layers[0].input, *(layer.output for layer in whole.layers)])
    ahead = f"layer {len(whole.layers) - 1} output"
    lens = [trace(model, ids, change={ahead: lambda x, row=row: row.view_as(x)}).logits for row in states]
    return states, torch.stack(lens), *without_each_head(model, ids)


def _floats(values: torch.Tensor) -> bytes:
    return np.ascontiguousarray(values.float().numpy(), dtype="<f4").tobytes()
