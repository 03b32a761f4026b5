"""Tokenizer playground: one text cut by two tokenizers, and the steps that cut each word."""

from collections.abc import Sequence
from typing import Any

import traitlets as t

from labutils.checkpoints.facts import title
from labutils.controls.control import Control, fixed, setting
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import tokenizer_of
from labutils.controls.script import call
from labutils.text.unicode import table

TEXT = "The cat sat on the mat. It was unbelievably tired."
SAMPLES = [
    ["Running text", "The cat sat on the mat. It was tired."],
    ["A rare word", TEXT],
    ["Accents, emoji", "Crème brûlée for the cat 🐈 and 猫"],
    ["Special tokens", "The [MASK] sat.<|endoftext|>It was tired."],
]


PUBLISHED = [
    {"name": "gpt2", "title": title("gpt2"), "kind": "bpe"},
    {"name": "bert-base-uncased", "title": title("bert-base-uncased"), "kind": "wordpiece"},
]


class Tokenizer(KernelSource, Control):
    """Two tokenizers side by side: pieces, ids, bytes and characters, and how a word was cut.

    Args:
        text: what is cut, at most 160 characters of it.
        models: two names that `labutils.checkpoints.load` knows; their tokenizers are compared.
        side, piece: the token that is explained, as lane (0 or 1) and index; without them, the first of a word in
            several pieces.
        step: how many of its merges, or of its pieces, are shown; without it, all.
        under: what stands below each piece: 0 its id, 1 its bytes, 2 its characters.
        real: 1 to begin with the published vocabularies of GPT-2 and BERT, which a reader can choose in any case.
        merge: how many merges are shown of the training on the words of the text.
        trains: whether that training is shown at all.
        folded: whether how a word was cut waits until a token is chosen, as where a chapter begins, and the training
            in a fold.
        number: the number before the title, such as "2.1".

    Raises:
        ValueError: no such model, not two of them, or a text that one of the tokenizers cannot read.

    What the reader changes is in the traits ``text``, ``real``, ``side``, ``piece``, ``step``, ``under``
    and ``merge``.
    """

    TITLE = "One text, two tokenizers"
    LEDE = "Each colour is a word, each chip a token. Choose a chip to see how its word was cut."
    CAP = 160  # characters

    text: str = setting(default=TEXT)
    models: Sequence[str] = fixed(default=("little-gpt2", "little-bert"))
    side: int = setting(default=0)
    piece: int = setting(default=-1)
    step: int = setting(default=-1)
    under: int = setting(default=0)
    merge: int = setting(default=0)
    real: int = setting(default=0)
    trains: bool = fixed(default=True)
    folded: bool = fixed(default=False)

    samples = t.List(help="texts to try: (name, text)").tag(sync=True)
    published = t.List(help="the other two tokenizers: name, title, kind").tag(sync=True)
    finished = t.Dict(help="the first text, cut by both").tag(sync=True)

    def made(self, said):
        models, text = said.models, said.text[: self.CAP]
        if isinstance(models, str) or len(models) != 2:
            raise ValueError(f'models= takes two names, such as ("little-gpt2", "little-bert"), not {models!r}.')
        own = [tokenizer_of(model) for model in models]
        files = [tokenizer_file(tokenizer) for tokenizer in own]
        cuts = call("tokenizer/numbers.js", "first", files, table(), text)
        lanes = [_about(*three) | cut for *three, cut in zip(models, own, files, cuts)]
        self.listen()
        return {"published": PUBLISHED, "samples": SAMPLES, "finished": {"text": text, "lanes": lanes}}

    def __repr__(self) -> str:
        return f"Tokenizer(text={self.text!r}, models={tuple(lane['name'] for lane in self.finished['lanes'])})"


def _about(name: str, tokenizer, file: dict[str, Any]) -> dict[str, Any]:
    """What the readout says of one tokenizer. `kind` is that of its file: bpe, wordpiece or words."""
    return {
        "name": name,
        "title": title(name),
        "kind": file["kind"],
        "size": len(tokenizer),
        "merges": len(file.get("merges", ())),
    }
