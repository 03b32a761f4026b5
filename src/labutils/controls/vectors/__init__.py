"""Vectors: the q, k and v of every token of one head as heat maps, and how one query meets every key."""

import traitlets as t

from labutils.controls.control import Control, widget
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import at_most, loaded, offered, read, start

CAP = 24
MODELS = ("paper-gpt2", "little-gpt2", "little-bert")


class Vectors(KernelSource, Control):
    """The q, k and v of all tokens of one head; below, for one query and each key: cosine similarity, score, weight.

    Args:
        text: what the model reads; without it, the running text (for the paper model "the cat sat").
        model: any name that `labutils.checkpoints.load` knows.
        layer, head, query: what is shown first; counted from 0, and a negative number counts from the end.
        page: which 16 columns of the vectors are shown first, where a head is wider than 16.
        number: the number before the title, such as "4.2".

    Raises:
        ValueError: no such model, layer, head, token or page, or a text without a token.

    What the reader changes is in the traits ``model``, ``text``, ``layer``, ``head``, ``query`` and ``page``.
    """

    _esm = widget("vectors")
    control = t.Unicode("vectors").tag(sync=True)
    title = t.Unicode("Three vectors for each token").tag(sync=True)
    lede = t.Unicode(
        "Each row is a token, each column a number of its vector. Choose who asks, and compare its query with every"
        " key."
    ).tag(sync=True)
    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    model, text = t.Unicode().tag(sync=True), t.Unicode().tag(sync=True)
    layer, head, query, page = (t.Int(0).tag(sync=True) for _ in range(4))
    finished = t.Dict(help="the head shown first, complete: tokens, and q, k, v as float32 (n, d_k)").tag(sync=True)

    def __init__(
        self,
        text: str | None = None,
        model: str = "little-gpt2",
        layer: int = 0,
        head: int = 0,
        query: int = -1,
        page: int = 0,
        number: str = "",
        name: str = "",
        **more,
    ):
        text = start(model) if text is None else text
        reading = read(model, text, CAP)
        layers, heads, n, d = reading.q.shape
        layer, head, query = at_most("layer", layer, layers), at_most("head", head, heads), at_most("token", query, n)
        super().__init__(
            text=text,
            model=model,
            layer=layer,
            head=head,
            query=query,
            page=at_most("page", page, -(-d // 16)),
            number=number,
            name=name,
            models=offered(model, MODELS),
            finished=reading.head(layer, head),
            **more,
        )
        self.serve(loaded(model))

    def __repr__(self) -> str:
        return (
            f"Vectors(model={self.model!r}, text={self.text!r}, layer={self.layer}, head={self.head},"
            f" query={self.query})"
        )
