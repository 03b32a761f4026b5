"""Reuse: a model writes on, token by token; which rows are computed, again or for the first time, which are kept."""

import numpy as np
import torch
import traitlets as t

from labutils.checkpoints import facts
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import at_most, fitted, following, loaded
from labutils.trace import trace

END = "<|endoftext|>"
SHOWN = {"layer": 1, "head": 6}


class Reuse(KernelSource, Control):
    """What the little GPT-2 computes to write a few tokens, without a cache and with one, side by side.

    The reader first guesses which share of the rows is computed in vain, and then lets it write.

    Args:
        text: the words that are given, up to 8 tokens.
        step: how many tokens are written, 1 to `steps`; the first reads the given words.
        share: the guess, in percent. placed: whether it was made, so that the model writes.
        layer, head: the head whose newest query is shown with all keys, counted from 0; without them 1 and 6, or the
            last of a model that has fewer.
        steps: how many tokens are written at most, 1 to 8.
        model: any GPT-2 that `labutils.checkpoints.load` knows.
        number: the number before the title, such as "11.1".

    Raises:
        ValueError: a text without a token, a BERT, or no such step, layer or head.

    What the reader changes is in the traits of the same names; steps, model and number stay.
    """

    TITLE = "Each time, from the beginning?"
    LEDE = "Guess how much of the work is done in vain without a cache. Then let the model write, token by token."
    CAP = 8

    text: str = setting(default="The cat sat")
    step: int = setting(default=1, least=1, most=8)
    share: int = setting(default=25, least=0, most=100)
    placed: bool = setting(default=False)
    layer: int | None = setting(default=None, least=0)
    head: int | None = setting(default=None, least=0)
    steps: int = fixed(default=6)
    model: str = fixed(default="little-gpt2")

    finished = t.Dict(help="the text that is written first: its tokens, and the weights of every head").tag(sync=True)

    def made(self, said):
        if not 1 <= said.steps <= 8:
            raise ValueError(f"steps={said.steps} is outside 1 to 8.")
        checkpoint = loaded(said.model)
        finished = _finished(checkpoint, said.text, said.steps)
        sizes = {name: finished["info"][f"{name}s"] for name in SHOWN}
        given = {name: getattr(said, name) for name in SHOWN}
        shown = {
            name: min(SHOWN[name], sizes[name] - 1) if one is None else at_most(name, one, sizes[name])
            for name, one in given.items()
        }
        self.serve(checkpoint)
        return {"finished": finished} | shown

    def __repr__(self) -> str:
        return f"Reuse({self.text!r}, step={self.step})"


def _finished(checkpoint, text: str, steps: int) -> dict:
    """The text with what the model writes, always the most probable token, and weights (L, H, n, n) of its n rows."""
    info, tokenizer = facts.info(checkpoint), checkpoint.tokenizer
    if not info["causal"]:
        raise ValueError(f"{checkpoint.name} reads a whole text at once and does not continue one: choose a GPT-2.")
    encoding = tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that could be continued: write at least one word.")
    ids = fitted(encoding, min(Reuse.CAP, info["maxTokens"] - 1))
    start, following_ = len(ids), following(checkpoint.model)
    while len(ids) < min(start + steps, info["maxTokens"]) and tokenizer.pieces(ids[-1]) != END:
        ids.append(int(torch.as_tensor(following_(ids)).argmax()))
    weights = np.stack([layer.weights.numpy() for layer in trace(checkpoint.model, ids[:-1]).layers])
    return {
        "text": text,
        "info": info,
        "start": start,
        "tokens": [tokenizer.pieces(i) for i in ids],
        "weights": weights.astype("<f4").tobytes(),
    }
