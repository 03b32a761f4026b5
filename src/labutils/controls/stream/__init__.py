"""Stream: what attention and feed-forward add to the row of every token, layer by layer, and the neurons behind it."""

import numpy as np
import torch
import traitlets as t

from labutils.checkpoints.facts import info as info_of
from labutils.controls.control import Control, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.reading import at_most, fitted, loaded, offered, start
from labutils.controls.script import call

MODELS = ("paper-gpt2", "little-gpt2", "little-bert")
STAGES = ("input", "attention_output", "attention_stream", "ffn_output", "output")


class Stream(KernelSource, Control):
    """The residual stream of a text of up to 24 tokens: for each token and half of a layer, how long what is added is
    compared with the row that it is added to. Or the neurons of one layer's feed-forward network. A page shows one of
    the two, the still picture of a network both.

    Args:
        text: what the model reads; without it, the running text (for the paper model "the cat sat").
        model: any name that `labutils.checkpoints.load` knows.
        layer, part, token: the cell shown first; part is "attention" or "feed_forward". Layers and tokens are counted
            from 0, and a negative number counts from the end.
        measure: "added", ‖F(x)‖ / ‖x‖, or "moved", ‖out − x‖ / ‖x‖, which counts a norm behind the sum as well.
        view: "halves", all halves of layers, or "neurons", those of the layer and token.
        neuron: the neuron that is marked; without it, the one that is largest at the token.
        number: the number before the title, such as "6.5".

    Raises:
        ValueError: no such model, layer, part, token, measure, view or neuron, or a text without a token.

    What the reader changes is in the traits of the same names.
    """

    TITLE = "What each half of a layer adds"
    LEDE = "A row for each token, two columns for each layer. Choose a cell, then look at its neurons."
    CAP = 24

    text: str | None = setting(default=None)
    model: str = setting(default="little-gpt2")
    layer: int = setting(default=0)
    part: str = setting(default="attention", choices=("attention", "feed_forward"))
    token: int = setting(default=-1)
    measure: str = setting(default="added", choices=("added", "moved"))
    view: str = setting(default="halves", choices=("halves", "neurons"))
    neuron: int = setting(default=-1)

    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    finished = t.Dict(help="the lengths of all steps, and the neurons of the layer shown first, in float32").tag(
        sync=True
    )

    def made(self, said):
        text = start(said.model) if said.text is None else said.text
        streams, hidden, reading = _read(said.model, text)
        layers, n, neurons = hidden.shape
        layer = at_most("layer", said.layer, layers)
        self.serve(loaded(said.model))
        return {
            "text": text,
            "layer": layer,
            "token": at_most("token", said.token, n),
            "neuron": said.neuron if said.neuron == -1 else at_most("neuron", said.neuron, neurons),
            "models": offered(said.model, MODELS),
            "finished": reading | _finished(streams, hidden, layer),
        }

    def __repr__(self) -> str:
        return (
            f"Stream(model={self.model!r}, text={self.text!r}, layer={self.layer}, part={self.part!r},"
            f" token={self.token})"
        )


def _read(name: str, text: str) -> tuple[np.ndarray, np.ndarray, dict]:
    """The streams (5, L, n, d) and what comes after the activation (L, n, f), with the words that go with them."""
    from labutils.analysis.stream import check_halves  # here, because torch takes seconds to import
    from labutils.models import family_of
    from labutils.trace import trace

    checkpoint = loaded(name)
    check_halves(family_of(checkpoint.model))
    info, encoding = info_of(checkpoint), checkpoint.tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that {name} could read: write at least one word.")
    ids = fitted(encoding, min(Stream.CAP, info["maxTokens"]))
    seen = trace(checkpoint.model, ids, want=(*STAGES, "ffn_activated"))
    whole = lambda stage: torch.stack([getattr(layer, stage) for layer in seen.layers])
    streams = torch.stack([whole(stage) for stage in STAGES])
    tokens = [checkpoint.tokenizer.pieces(i) for i in ids]
    return streams.numpy(), whole("ffn_activated").numpy(), {"text": text, "info": info, "tokens": tokens}


def _finished(streams: np.ndarray, hidden: np.ndarray, layer: int) -> dict:
    _, layers, n, d = streams.shape
    steps = call("stream/numbers.js", "first", layers, n, d, streams.astype("<f8").tobytes())
    return {
        "shape": [layers, n, hidden.shape[-1]],
        "layer": layer,
        "steps": {name: np.array(values, "<f4").tobytes() for name, values in steps.items()},
        "hidden": hidden[layer].astype("<f4").tobytes(),
    }
