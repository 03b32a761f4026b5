"""Vectors: how one query of a head meets every key, and the q, k and v of every token as heat maps."""

import traitlets as t

from labutils.controls.control import Control, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import at_most, loaded, offered, read, start
from labutils.controls.script import call

MODELS = ("paper-gpt2", "little-gpt2", "little-bert")


class Vectors(KernelSource, Control):
    """For one query of a head and each key: cosine similarity, score, weight. Or the q, k and v of all its tokens. A
    page shows one of the two, the still picture both.

    Args:
        text: what the model reads; without it, the running text (for the paper model "the cat sat").
        model: any name that `labutils.checkpoints.load` knows.
        layer, head, query: what is shown first; counted from 0, and a negative number counts from the end.
        page: which 16 columns of the vectors are shown first, where a head is wider than 16.
        view: "keys", the query and every key, or "numbers", the three heat maps.
        number: the number before the title, such as "4.2".

    Raises:
        ValueError: no such model, layer, head, token, page or view, or a text without a token.

    What the reader changes is in the traits ``model``, ``text``, ``layer``, ``head``, ``query``, ``page`` and
    ``view``.
    """

    TITLE = "Three vectors for each token"
    LEDE = "Choose who asks, and see how its query meets every key."
    CAP = 24

    text: str | None = setting(default=None)
    model: str = setting(default="little-gpt2")
    layer: int = setting(default=0)
    head: int = setting(default=0)
    query: int = setting(default=-1)
    page: int = setting(default=0)
    view: str = setting(default="keys", choices=("keys", "numbers"))

    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    finished = t.Dict(help="the head shown first, complete: tokens, and q, k, v as float32 (n, d_k)").tag(sync=True)

    def made(self, said):
        text = start(said.model) if said.text is None else said.text
        reading = read(said.model, text, self.CAP)
        layers, heads, n, d = reading.q.shape
        layer, head = at_most("layer", said.layer, layers), at_most("head", said.head, heads)
        self.serve(loaded(said.model))
        return {
            "text": text,
            "layer": layer,
            "head": head,
            "query": at_most("token", said.query, n),
            "page": at_most("page", said.page, call("vectors/numbers.js", "pages", d)),
            "models": offered(said.model, MODELS),
            "finished": reading.head(layer, head),
        }

    def __repr__(self) -> str:
        return (
            f"Vectors(model={self.model!r}, text={self.text!r}, layer={self.layer}, head={self.head},"
            f" query={self.query})"
        )
