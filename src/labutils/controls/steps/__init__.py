"""Attention, step by step: one query of one head, from the dot products to the output, with the model's own vectors."""

import traitlets as t

from labutils.controls.control import Control, widget
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import at_most, loaded, offered, read, start

CAP = 24
MODELS = ("paper-gpt2", "little-gpt2", "little-bert")


class Steps(KernelSource, Control):
    """One query of one head: q·k, divided by √d_k, masked, through the softmax, and the weighted sum of the values.

    Args:
        text: what the model reads; without it, the running text (for the paper model "the cat sat").
        model: any name that `labutils.checkpoints.load` knows.
        layer, head, query, key: what is shown first; counted from 0, and a negative number counts from the end.
        step: 1 to 5, how far the calculation goes at first.
        temperature, scale, causal: the reader's three settings; ``causal=None`` is what the model does.
        number: the number before the title, such as "4.1".

    Raises:
        ValueError: no such model, layer, head or token, or a text without a token.

    What the reader changes is in the traits: ``layer``, ``head``, ``query``, ``key``, ``step``, ``temperature``,
    ``scale``, ``causal``, ``text``, ``model``. Setting one of them changes the picture.
    """

    _esm = widget("steps")
    control = t.Unicode("steps").tag(sync=True)
    title = t.Unicode("Attention, step by step").tag(sync=True)
    lede = t.Unicode("One query of one head. Choose who asks, then walk from the dot products to the output.").tag(
        sync=True
    )
    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    model, text = t.Unicode().tag(sync=True), t.Unicode().tag(sync=True)
    layer, head, query, key = (t.Int(0).tag(sync=True) for _ in range(4))
    step = t.Int(5, min=1, max=5).tag(sync=True)
    temperature = t.Float(1.0).tag(sync=True)
    scale, causal = t.Bool(True).tag(sync=True), t.Bool(True).tag(sync=True)
    finished = t.Dict(help="the head shown first, complete: tokens, and q, k, v as float32 (n, d_k)").tag(sync=True)

    def __init__(
        self,
        text: str | None = None,
        model: str = "little-gpt2",
        layer: int = 0,
        head: int = 0,
        query: int = -1,
        key: int | None = None,
        step: int = 5,
        temperature: float = 1.0,
        scale: bool = True,
        causal: bool | None = None,
        number: str = "",
        name: str = "",
        **more,
    ):
        text = start(model) if text is None else text
        reading = read(model, text, CAP)
        layers, heads, n, _ = reading.q.shape
        layer, head, query = at_most("layer", layer, layers), at_most("head", head, heads), at_most("token", query, n)
        best = int(reading.weights[layer, head, query].argmax())
        super().__init__(
            text=text,
            model=model,
            layer=layer,
            head=head,
            query=query,
            key=at_most("token", key, n) if key is not None else best,
            step=step,
            temperature=temperature,
            scale=scale,
            causal=reading.causal if causal is None else causal,
            number=number,
            name=name,
            models=offered(model, MODELS),
            finished=reading.head(layer, head),
            **more,
        )
        self.serve(loaded(model))

    def __repr__(self) -> str:
        return (
            f"Steps(model={self.model!r}, text={self.text!r}, layer={self.layer}, head={self.head}, query={self.query})"
        )
