"""Story: a text that a model writes to its end, token by token, with the chance that each word had."""

import torch
import traitlets as t

from labutils.checkpoints import facts
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.needed import doubles
from labutils.controls.reading import fitted, following, loaded
from labutils.controls.script import call

START = "One night, a small mouse"


class Story(KernelSource, Control):
    """What a model writes after a few words: each token is drawn by its probability, until the end sign is drawn, or
    the model's positions are taken, 256 at most.

    Args:
        text: the words that are given, up to 32 tokens. seed: of the draws.
        model: any GPT-2 that `labutils.checkpoints.load` knows.
        plays: whether it is written once more, word by word, as soon as it is seen, where the reader allows motion.
        number: the number before the title, such as "12.2".

    Raises:
        ValueError: no such model, a BERT, a text without a token, or a seed that cannot be read.

    What the reader changes is in the traits ``text`` and ``seed``.
    """

    TITLE = "A story that nobody wrote"
    LEDE = "At each place every token had a chance, and one was drawn. Point at a word."
    CAP = 32

    text: str = setting(default=START)
    model: str = fixed(default="little-gpt2")
    seed: int = setting(default=10, least=0, most=2**31 - 1)
    plays: bool = fixed(default=False)

    finished = t.Dict(help="the story that is shown first: its tokens with their probabilities").tag(sync=True)

    def made(self, said):
        checkpoint = loaded(said.model)
        self.serve(checkpoint)
        return {"finished": _finished(checkpoint, said.text, said.seed)}

    def __repr__(self) -> str:
        return f"Story({self.text!r}, seed={self.seed})"


def _finished(checkpoint, text: str, seed: int) -> dict:
    info, tokenizer = facts.info(checkpoint), checkpoint.tokenizer
    if not info["causal"]:
        raise ValueError(f"{checkpoint.name} reads a whole text at once and does not continue one: choose a GPT-2.")
    encoding = tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that could be continued: write at least one word.")
    ids = fitted(encoding, min(Story.CAP, info["maxTokens"]))
    tokens = [{"piece": tokenizer.pieces(i), "p": None} for i in ids]
    most, ahead = call("story/longest.js", "most", info), following(checkpoint.model)
    while len(ids) < most and tokens[-1]["piece"] != "<|endoftext|>":
        logits = doubles(torch.as_tensor(ahead(ids)))
        found = call("story/numbers.js", "step", logits, seed, sum(one["p"] is not None for one in tokens))
        tokens.append({"piece": tokenizer.pieces(found["id"]), "p": found["p"]})
        ids.append(found["id"])
    return {"text": text, "seed": seed, "info": info, "tokens": tokens}
