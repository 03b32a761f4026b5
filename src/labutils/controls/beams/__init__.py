"""Beams: a beam search as a tree, on the reader's text and with as many beams as the reader likes."""

import math
import re
from typing import Any

import traitlets as t

from labutils.checkpoints import facts
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import fitted, loaded
from labutils.controls.whole_words import in_pieces, whole_word

WIDTHS = (1, 2, 3, 4)
END = "<|endoftext|>"


class Beams(KernelSource, Control):
    """A tree of what was continued and what was dropped, step by step; a path can be followed with its odds.

    Args:
        text: what is continued, up to 24 tokens.
        model: any GPT-2 that `labutils.checkpoints.load` knows.
        most: how many tokens are added, 1 to 6.
        width: how many beams are kept. step: as far as the tree is drawn; without it, to the end.
        node: the path that is spoken of, the ids of its tokens with a dot between, such as "3.0"; without it, the best.
        number: the number before the title, such as "12.2".

    Raises:
        ValueError: no such model, a BERT, a text without a token, or no room for so many tokens.

    What the reader changes is in the traits ``text``, ``width``, ``step`` and ``node``. The searches shown first are
    `labutils.generation`'s; `numbers.js` searches after a text that was typed, and a test compares the two.
    """

    TITLE = "Several beginnings at once"
    LEDE = "Choose how many beams are kept. Each box is a beginning, with the odds of all its words together."
    CAP = 24

    text: str = setting(default="the cat sat")
    model: str = fixed(default="paper-gpt2")
    most: int = fixed(default=3)
    width: int = setting(default=1, choices=WIDTHS)
    step: int | None = setting(default=None, least=1, most=6)
    node: str = setting(default="")

    finished = t.Dict(help="of each width the steps, each a list of beginnings, and the best text").tag(sync=True)

    def made(self, said):
        checkpoint = loaded(said.model)
        info = facts.info(checkpoint)
        if not info["causal"]:
            raise ValueError(f"{checkpoint.name} reads a whole text at once and does not continue one: choose a GPT-2.")
        if not 1 <= said.most <= 6:
            raise ValueError(f"A tree has 1 to 6 steps, not {said.most}.")
        encoding = checkpoint.tokenizer.encode(said.text)
        if not encoding.ids:
            raise ValueError(f"The text {said.text!r} has no token that could be continued: write at least one word.")
        ids = fitted(encoding, min(self.CAP, info["maxTokens"] - said.most))
        self.serve(checkpoint)
        return {
            "step": said.most if said.step is None else min(said.step, said.most),
            "finished": {
                "text": said.text,
                "label": info["label"],
                "most": said.most,
                "end": checkpoint.tokenizer.token_to_id(END),
                "widths": {str(width): _search(checkpoint, ids, width, said.most) for width in WIDTHS},
            },
        }

    def __repr__(self) -> str:
        return f"Beams({self.text!r}, width={self.width})"


def _search(checkpoint, ids: list[int], width: int, most: int) -> dict[str, Any]:
    """The steps of one search: every beginning that was looked at, and how it fared."""
    from labutils.generation import beam_search, beam_steps  # here, because torch takes seconds to import

    end = checkpoint.tokenizer.token_to_id(END)
    model = checkpoint.model
    steps = [
        [_told(checkpoint, ids, beam, fate) for fate in ("running", "ended", "dropped") for beam in getattr(step, fate)]
        for step in beam_steps(model, ids, width, most, end)
    ]
    best = beam_search(model, ids, width, most, end)[0]
    return {"steps": steps, "best": _path(best.ids)}


def _told(checkpoint, ids: list[int], beam, fate: str) -> dict[str, Any]:
    before, token = [*ids, *beam.ids[:-1]], beam.ids[-1]
    piece = checkpoint.tokenizer.pieces(token)
    word = whole_word(checkpoint, before, token) if in_pieces(checkpoint) and not beam.ended else piece
    inside = in_pieces(checkpoint) and re.match(r"[^\W\d_]", piece) is not None and not beam.ended
    told = {"path": _path(beam.ids), "token": piece, "word": word, "inside": inside}
    return told | {"p": math.exp(beam.log_prob), "fate": fate}


def _path(ids) -> str:
    return ".".join(map(str, ids))
