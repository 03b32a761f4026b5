"""Shuffle: the words of a text in another order, and what a model then expects next; with and without positions, with
and without the causal mask.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
import traitlets as t
from torch import Tensor

from labutils.checkpoints import facts
from labutils.checkpoints.facts import SHIPPED
from labutils.controls.control import Control, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.next_word import START, STARTS
from labutils.controls.reading import fitted, loaded, offered
from labutils.controls.script import call
from labutils.controls.whole_words import name_all

MODELS = ("paper-gpt2", "little-gpt2")


class Shuffle(KernelSource, Control):
    """The words of a text to be put into another order, and the next word before and after.

    Args:
        text: what the model reads, up to 16 tokens; without it, "The cat sat on the mat. It was" (for the paper
            model "the cat sat").
        model: any GPT-2 that `labutils.checkpoints.load` knows.
        order: the order shown first, as places in the text: (1, 0, 2) exchanges the first two words.
        positions: whether the model is told where each word stands. mask: whether a word sees only what came before.
        number: the number before the title, such as "3.1".

    Raises:
        ValueError: no such model, a BERT, a text without a token, or an order that is none.

    What the reader changes is in the traits ``model``, ``text``, ``order``, ``positions`` and ``mask``.
    """

    TITLE = "Does the order count?"
    LEDE = "Drag a word to another place. The bars compare what the model expects next, before and after."
    CAP = 16

    text: str | None = setting(default=None)
    model: str = setting(default="little-gpt2")
    order: Sequence[int] | str | None = setting(
        default=None, kept=t.Unicode()
    )  # "1 0 2"; empty for the order as written
    positions: bool = setting(default=True)
    mask: bool = setting(default=True)

    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    finished = t.Dict(help="the state shown first: tokens, order, the most probable tokens before and after").tag(
        sync=True
    )

    def made(self, said):
        text = STARTS.get(said.model, START) if said.text is None else said.text
        checkpoint = _exact(said.model)
        finished = _first(checkpoint, text, said.order, said.positions, said.mask)
        self.serve(checkpoint)
        return {
            "text": text,
            "order": finished["asked"],
            "models": [one | {"text": STARTS.get(one["name"], START)} for one in offered(said.model, MODELS)],
            "finished": finished,
        }

    def __repr__(self) -> str:
        return (
            f"Shuffle(model={self.model!r}, text={self.text!r}, order={self.order!r}, positions={self.positions},"
            f" mask={self.mask})"
        )


def _exact(model: str):
    """A shipped model in float64, as the page computes it, so that rounding is not taken for a difference."""
    from labutils.checkpoints import load  # here, because it takes seconds to import

    return load(model, dtype=torch.float64) if model in SHIPPED else loaded(model)


def _first(checkpoint, text: str, order: Sequence[int] | str | None, positions: bool, mask: bool) -> dict[str, Any]:
    """Both orders through Python's model; `numbers.js` compares them."""
    info = facts.info(checkpoint)
    if not info["causal"]:
        raise ValueError(f"{checkpoint.name} does not say what comes next: choose a GPT-2.")
    encoding = checkpoint.tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that could be moved: write at least one word.")
    ids = fitted(encoding, min(Shuffle.CAP, info["maxTokens"]))
    places = given_order(order, len(ids))
    change = without(info["layers"], positions, mask)
    before, after = (logits(checkpoint.model, row, change) for row in (ids, [ids[i] for i in places]))
    packed = lambda values: values.double().numpy().astype("<f8").tobytes()
    seen = call("shuffle/numbers.js", "first", info, places, before.element_size(), packed(before), packed(after))
    name_all(checkpoint, ids, seen["top"])
    asked = "" if places == sorted(places) else " ".join(map(str, places))
    tokens = [checkpoint.tokenizer.pieces(i) for i in ids]
    return seen | {"text": text, "asked": asked, "tokens": tokens, "positions": positions, "mask": mask}


def given_order(order: Sequence[int] | str | None, n: int) -> list[int]:
    """The places in the text, in their new order.

    >>> given_order("1 0 2", 3), given_order(None, 2)
    ([1, 0, 2], [0, 1])
    """
    words = order.split() if isinstance(order, str) else list(range(n) if order is None else order)
    places = [int(one) for one in words if str(one).isdecimal()] if words else list(range(n))
    if sorted(places) != list(range(n)) or (words and len(places) != len(words)):
        raise ValueError(f"order={order!r} is no order of {n} tokens: it names each of the places 0 to {n - 1} once.")
    return places


def logits(model: torch.nn.Module, ids: list[int], change: dict[str, Callable[[Tensor], Tensor]]) -> Tensor:
    """What a model says after each of the tokens, (n, V)."""
    from labutils.trace import trace  # here, for the same reason

    return trace(model, ids, want=["logits"], change=change).logits


def without(layers: int, positions: bool, mask: bool) -> dict[str, Callable[[Tensor], Tensor]]:
    """What `trace` is to change: the position embeddings become 0, the scores are computed again without a mask."""
    change = {} if positions else {"position": torch.zeros_like}
    for i in range(0 if mask else layers):
        change |= _unmasked(f"layer {i} ")
    return change


def _unmasked(layer: str) -> dict[str, Callable[[Tensor], Tensor]]:
    kept = {}

    def keep(name: str) -> Callable[[Tensor], Tensor]:
        def own(value: Tensor) -> Tensor:
            kept[name] = value
            return value

        return own

    again = lambda scores: kept["q"] @ kept["k"].mT / math.sqrt(kept["q"].shape[-1])  # (…, n, n)
    return {f"{layer}q": keep("q"), f"{layer}k": keep("k"), f"{layer}scores": again}
