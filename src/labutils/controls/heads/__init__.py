"""Heads: one pass of the little BERT over two texts, and six heads that answer six questions of the same states."""

import torch
import traitlets as t

from labutils.checkpoints.facts import info as info_of
from labutils.controls.control import Control, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import at_most, loaded
from labutils.controls.script import call
from labutils.making import shared

MODEL = "little-bert"
QUESTIONS = ("word", "next", "follows", "being", "tag", "meant")


class Heads(KernelSource, Control):
    """Two texts read once by the little BERT. Six heads ask its last hidden states: which word stands here, which comes
    next, does the second text follow, whom does it name first, a person or an animal, which tag has each token, whom
    does the second text's first word mean?

    Args:
        first, second: the two texts, at most 24 tokens of each.
        head: "word", "next", "follows", "being", "tag" or "meant".
        token: the token that is asked about, counted from 0 in the whole sequence; a negative number counts from the
            end.
        hide: whether [MASK] stands in its place.
        number: the number before the title, such as "9.1".

    Raises:
        ValueError: no such head or token, or a text without a token.

    What the reader changes is in the traits of the same names.
    """

    TITLE = "One pass, six questions"
    LEDE = "The rows stay as they are. Exchange the head, or choose another token."
    CAP = 24

    first: str = setting(default="The cat sat on the mat.")
    second: str = setting(default="It was tired.")
    head: str = setting(default="word", choices=QUESTIONS)
    token: int = setting(default=2)
    hide: bool = setting(default=False)

    heads = t.Dict(help="the matrices of the heads that the model does not bring").tag(sync=True)
    finished = t.Dict(help="the answer that is shown first, with the rows that it was read from").tag(sync=True)

    def made(self, said):
        checkpoint = loaded(MODEL)
        read = [
            _cut(checkpoint.tokenizer, text, which)
            for text, which in zip((said.first, said.second), ("first", "second"))
        ]
        heads, info = _heads(), info_of(checkpoint)
        cls, sep, mask = (checkpoint.tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]", "[MASK]"))
        ids = [cls, *read[0], sep, *read[1], sep]
        token = at_most("token", said.token, len(ids))
        special = token in (0, len(read[0]) + 1, len(ids) - 1)
        asked = [mask if said.hide and i == token and not special else one for i, one in enumerate(ids)]
        split = len(read[0]) + 2
        types = [int(i >= split) for i in range(len(ids))]
        with torch.no_grad():
            out = checkpoint.model(torch.tensor([asked]), type_ids=torch.tensor([types]))
        doubles = lambda x: x.double().numpy().astype("<f8").tobytes()
        names = checkpoint.tokenizer.pieces
        given = {"info": info, "first": said.first, "second": said.second, "split": split, "hide": said.hide}
        seen = call(
            "heads/numbers.js",
            "first",
            given | {"tokens": [names(i) for i in ids], "token": token, "head": said.head},
            heads,
            *(doubles(x) for x in (out.hidden_states[-1][0], out.logits[0, token], out.nsp_logits[0])),
        )
        for one in seen["bars"]:
            if "id" in one:
                one["name"] = names(one["id"])
        self.serve(checkpoint)
        return {"token": token, "heads": heads, "finished": seen}

    def __repr__(self) -> str:
        return f"Heads({self.first!r}, {self.second!r}, head={self.head!r})"


def _cut(tokenizer, text: str, which: str) -> list[int]:
    """The ids of one text without special tokens, at most `CAP`.

    Raises:
        ValueError: it has none.
    """
    ids = list(tokenizer.encode(text, add_special_tokens=False).ids)[: Heads.CAP]
    if not ids:
        raise ValueError(f"The {which} text {text!r} has no token: write at least one word.")
    return ids


def _heads() -> dict:
    """What a page needs of the small heads: float32 matrices and labels."""
    made = {}
    for name, head in shared.heads().items():
        tensors = {key: value.numpy().astype("<f4").tobytes() for key, value in head.state_dict().items()}
        made[name] = {"tensors": tensors, "classes": list(shared.HEADS[name].classes)}
    return made
