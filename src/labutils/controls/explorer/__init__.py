"""Attention explorer: the weights of every head of a text, one head large, one row or column as words."""

import traitlets as t

from labutils.checkpoints.facts import info
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.packing import exact, pack
from labutils.controls.reading import Reading, at_most, loaded, offered, read, start
from labutils.controls.script import call
from labutils.controls.whole_words import name_all

MODELS = ("little-gpt2", "little-bert")


class Explorer(KernelSource, Control):
    """The attention of all layers and heads on one text, up to 64 tokens.

    Args:
        text: what the model reads; without it, the running text.
        model: any name that `labutils.checkpoints.load` knows.
        layer, head, query, key: what is shown first; counted from 0, and a negative number counts from the end.
        measure: "weights", or "contributions": the length of weight times value through W_O.
        part: "row" (whom the query gives to) or "column" (who gives to the key).
        numbers: the numbers in the cells. labels: a label on every token, even where the map then has to scroll.
        off: the heads that are switched off once the model is there, as "1.6 2.4": layer, head.
        watch: a word, of which the reader sees what is left when a head is switched off, and of tried heads alone: all
            maps stand open beside the one that is chosen and the words that may come next. Where the choices of
            ``guess`` are heads, such as "0.6", the first head that is switched off is the guess.
        folded: whether model, text and settings wait in a fold below the picture.
        number: the number before the title, such as "4.2".

    Raises:
        ValueError: no such model, layer, head, token, measure or part, a text without a token, or a word to watch
            that is not one token of a causal model.

    What the reader changes is in the traits of the same names. Setting one of them changes the picture.
    """

    TITLE = "All heads, one text"
    LEDE = "Rows ask, columns answer. Point at a cell or use the arrow keys; choose a head in the grid."
    CAP = 64

    text: str | None = setting(default=None)
    model: str = setting(default="little-gpt2")
    layer: int = setting(default=0)
    head: int = setting(default=0)
    query: int = setting(default=-1)
    key: int | None = setting(default=None)
    measure: str = setting(default="weights", choices=("weights", "contributions"))
    part: str = setting(default="row", choices=("row", "column"))
    numbers: bool = setting(default=False)
    labels: bool = setting(default=False)
    off: str = setting(default="")
    folded: bool = fixed(default=False)
    watch: str = fixed(default="", kept=t.Dict(help="word, its id, and at which token it is expected"))

    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    finished = t.Dict(help="all heads in bytes, the head shown first in float32").tag(sync=True)

    def made(self, said):
        text = start(said.model) if said.text is None else said.text
        reading = read(said.model, text, self.CAP)
        layers, heads, n, _ = reading.weights.shape
        layer, head = at_most("layer", said.layer, layers), at_most("head", said.head, heads)
        query = at_most("token", said.query, n)
        best = int(reading.weights[layer, head, query].argmax())
        watch = _watched(said.model, said.watch, query)
        self.serve(loaded(said.model))
        return {
            "text": text,
            "layer": layer,
            "head": head,
            "query": query,
            "key": best if said.key is None else at_most("token", said.key, n),
            "watch": watch,
            "models": offered(said.model, MODELS),
            "finished": _finished(reading, layer, head, query, watch),
        }

    def __repr__(self) -> str:
        return f"Explorer(model={self.model!r}, text={self.text!r}, layer={self.layer}, head={self.head})"


def _watched(model: str, word: str, query: int) -> dict:
    """A word as the token that would follow the text."""
    if not word:
        return {}
    tokenizer, ids = loaded(model).tokenizer, []
    if info(loaded(model))["causal"]:
        ids = tokenizer.encode(f" {word}").ids
    if len(ids) != 1:
        raise ValueError(f"watch={word!r} is not one token of a causal model: choose a word that {model} holds whole.")
    return {"word": word, "id": ids[0], "at": query}


def _finished(reading: Reading, layer: int, head: int, query: int, watch: dict) -> dict:
    causal, top = reading.causal, call("explorer/numbers.js", "ceiling", [float(reading.contributions.max())])
    return {
        "text": reading.text,
        "info": reading.info,
        "tokens": reading.tokens,
        "shape": list(reading.weights.shape[:3]),
        "causal": causal,
        "layer": layer,
        "head": head,
        "tops": {"weights": 1.0, "contributions": float(top)},
        "weights": pack(reading.weights, 1.0, causal),
        "contributions": pack(reading.contributions, top, causal),
        "exact_weights": exact(reading.weights[layer, head], causal),
        "exact_contributions": exact(reading.contributions[layer, head], causal),
        "off": "",
        "ahead": _ahead(reading, query, watch),
    }


def _ahead(reading: Reading, query: int, watch: dict) -> list[list[dict]]:
    """For each token, what the model expects most there, with its names; at the one that asks, with whole words."""
    n, vocab = reading.logits.shape
    watched = [watch["id"]] if watch else []
    rows = call("explorer/ahead.js", "first", n, vocab, reading.logits.astype("<f8").tobytes(), watched)
    for i, row in enumerate(rows):
        name_all(loaded(reading.info["name"]), reading.ids[: i + 1], row, None if i == query else 0)
    return rows
