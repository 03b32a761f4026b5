"""Attention, step by step: one query of one head, from the dot products to the output, with the model's own vectors."""

import traitlets as t

from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import at_most, loaded, offered, read, start

MODELS = ("paper-gpt2", "little-gpt2", "little-bert")


class Steps(KernelSource, Control):
    """One query of one head: q·k, divided by √d_k, masked, through the softmax, and the weighted sum of the values.

    Args:
        text: what the model reads; without it, the running text (for the paper model "the cat sat").
        model: any name that `labutils.checkpoints.load` knows.
        layer, head, query, key: what is shown first; counted from 0, and a negative number counts from the end.
        step: 1 to 5, how far the calculation goes at first.
        temperature, scale, causal: the reader's three settings; ``causal=None`` is what the model does.
        folded: whether all but the token that asks and the step waits in folds, as where a chapter begins.
        number: the number before the title, such as "4.1".

    Raises:
        ValueError: no such model, layer, head or token, or a text without a token.

    The reader changes all but the number and the folds. Each is a trait: setting it changes the picture.
    """

    TITLE = "Attention, step by step"
    LEDE = "One query of one head. Choose who asks, then walk from the dot products to the output."
    CAP = 24

    text: str | None = setting(default=None)
    model: str = setting(default="little-gpt2")
    layer: int = setting(default=0)
    head: int = setting(default=0)
    query: int = setting(default=-1)
    key: int | None = setting(default=None)
    step: int = setting(default=5, least=1, most=5)
    temperature: float = setting(default=1.0, least=0.1, most=4.0)
    scale: bool = setting(default=True)
    causal: bool | None = setting(default=None)
    folded: bool = fixed(default=False)

    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    finished = t.Dict(help="the head shown first, complete: tokens, and q, k, v as float32 (n, d_k)").tag(sync=True)

    def made(self, said):
        text = start(said.model) if said.text is None else said.text
        reading = read(said.model, text, self.CAP)
        layers, heads, n, _ = reading.q.shape
        layer, head = at_most("layer", said.layer, layers), at_most("head", said.head, heads)
        query = at_most("token", said.query, n)
        best = int(reading.weights[layer, head, query].argmax())
        self.serve(loaded(said.model))
        return {
            "text": text,
            "layer": layer,
            "head": head,
            "query": query,
            "key": best if said.key is None else at_most("token", said.key, n),
            "causal": reading.causal if said.causal is None else said.causal,
            "models": offered(said.model, MODELS),
            "finished": reading.head(layer, head),
        }

    def __repr__(self) -> str:
        return (
            f"Steps(model={self.model!r}, text={self.text!r}, layer={self.layer}, head={self.head}, query={self.query})"
        )
