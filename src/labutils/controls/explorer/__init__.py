"""Attention explorer: the weights of every head of a text, one head large, one row or column as words."""

import traitlets as t

from labutils.controls.control import Control, widget
from labutils.controls.kernel import KernelSource
from labutils.controls.packing import exact, pack
from labutils.controls.reading import Reading, at_most, loaded, offered, read, start
from labutils.controls.script import call

CAP = 64
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
        number: the number before the title, such as "4.2".

    Raises:
        ValueError: no such model, layer, head, token, measure or part, or a text without a token.

    What the reader changes is in the traits of the same names. Setting one of them changes the picture.
    """

    _esm = widget("explorer")
    control = t.Unicode("explorer").tag(sync=True)
    title = t.Unicode("All heads, one text").tag(sync=True)
    lede = t.Unicode("Rows ask, columns answer. Point at a cell or use the arrow keys; choose a head in the grid.").tag(
        sync=True
    )
    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    model, text = t.Unicode().tag(sync=True), t.Unicode().tag(sync=True)
    layer, head, query, key = (t.Int(0).tag(sync=True) for _ in range(4))
    measure, part = t.Unicode("weights").tag(sync=True), t.Unicode("row").tag(sync=True)
    numbers, labels = t.Bool(False).tag(sync=True), t.Bool(False).tag(sync=True)
    off = t.Unicode("", help='the heads that are switched off, as "1.6 2.4": layer, head').tag(sync=True)
    finished = t.Dict(help="all heads in bytes, the head shown first in float32").tag(sync=True)

    def __init__(
        self,
        text: str | None = None,
        model: str = "little-gpt2",
        layer: int = 0,
        head: int = 0,
        query: int = -1,
        key: int | None = None,
        measure: str = "weights",
        part: str = "row",
        numbers: bool = False,
        labels: bool = False,
        off: str = "",
        number: str = "",
        name: str = "",
        **more,
    ):
        for word, known in ((measure, ("weights", "contributions")), (part, ("row", "column"))):
            if word not in known:
                raise ValueError(f"The explorer does not know {word!r}: choose {known[0]!r} or {known[1]!r}.")
        text = start(model) if text is None else text
        reading = read(model, text, CAP)
        layers, heads, n, _ = reading.weights.shape
        layer, head, query = at_most("layer", layer, layers), at_most("head", head, heads), at_most("token", query, n)
        best = int(reading.weights[layer, head, query].argmax())
        super().__init__(
            text=text,
            model=model,
            layer=layer,
            head=head,
            query=query,
            key=best if key is None else at_most("token", key, n),
            measure=measure,
            part=part,
            numbers=numbers,
            labels=labels,
            off=off,
            number=number,
            name=name,
            models=offered(model, MODELS),
            finished=_finished(reading, layer, head),
            **more,
        )
        self.serve(loaded(model))

    def __repr__(self) -> str:
        return f"Explorer(model={self.model!r}, text={self.text!r}, layer={self.layer}, head={self.head})"


def _finished(reading: Reading, layer: int, head: int) -> dict:
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
        "ahead": _ahead(reading),
    }


def _ahead(reading: Reading) -> list[list[dict]]:
    """For each token, what the model expects most there, with its names."""
    n, vocab = reading.logits.shape
    rows = call("explorer/ahead.js", "first", n, vocab, reading.logits.astype("<f8").tobytes())
    pieces = loaded(reading.info["name"]).tokenizer.pieces
    return [[one | {"token": pieces(one["id"])} for one in row] for row in rows]
