"""Segments: two texts become one row of tokens, with special tokens, type ids, attention mask and positions."""

import traitlets as t

from labutils.controls.control import Control, setting
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import loaded
from labutils.controls.script import call
from labutils.text.unicode import table

END = "<|endoftext|>"
# Templates are those of `labutils.text`. GPT-2 has none of its own: its one special token stands between the texts.
LANES = [
    {
        "name": "little-bert",
        "title": "BERT",
        "note": "",
        "single": [["[CLS]", 0], ["A", 0], ["[SEP]", 0]],
        "pair": [["[CLS]", 0], ["A", 0], ["[SEP]", 0], ["B", 1], ["[SEP]", 1]],
    },
    {
        "name": "little-gpt2",
        "title": "GPT-2",
        "note": "The model has no segments and never looks at type ids",
        "single": [["A", 0], [END, 0]],
        "pair": [["A", 0], [END, 0], ["B", 0]],
    },
]


class Segments(KernelSource, Control):
    """Two texts as one sequence, as BERT and as GPT-2 read them: cut to a length or padded to it.

    Args:
        first, second: the two texts, at most 160 characters of each; without a second text there is one segment.
        length: how many positions the sequence has, 4 to 48: what is longer is cut, longest text first, what is shorter
            is padded.
        number: the number before the title, such as "2.3".

    Raises:
        ValueError: a length outside 4 to 48, or a text that a tokenizer cannot read.

    What the reader changes is in the traits ``first``, ``second`` and ``length``.
    """

    TITLE = "Two texts, one sequence"
    LEDE = "Each column is one position. Change the length to see what is cut off, and what is filled up."
    CAP = 160  # characters of each text

    first: str = setting(default="The cat sat.")
    second: str = setting(default="It was tired.")
    length: int = setting(default=16, least=4, most=48)

    finished = t.Dict(help="the two texts as they are shown first, laid out by both tokenizers").tag(sync=True)

    def made(self, said):
        checkpoints = [loaded(lane["name"]) for lane in LANES]
        files = [tokenizer_file(checkpoint.tokenizer) for checkpoint in checkpoints]
        texts = (said.first[: self.CAP], said.second[: self.CAP])
        lanes = call("segments/numbers.js", "first", files, table(), LANES, texts, said.length)
        for checkpoint in checkpoints:
            self.serve(checkpoint)
        return {"finished": {"first": texts[0], "second": texts[1], "length": said.length, "lanes": lanes}}

    def __repr__(self) -> str:
        return f"Segments({self.first!r}, {self.second!r}, length={self.length})"
