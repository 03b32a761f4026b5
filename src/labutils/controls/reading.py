"""One text read by one model, as the controls want it: the trace with every layer and head in one array each."""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from labutils.analysis.contributions import contributions
from labutils.checkpoints.facts import SHIPPED, title
from labutils.checkpoints.facts import info as info_of
from labutils.world import RUNNING_TEXT


@dataclass(frozen=True)
class Reading:
    """L layers, H heads, n tokens, d_k the width of a head. `info` is what ``source.info`` says in the browser."""

    text: str
    info: dict[str, Any]
    tokens: list[str]
    ids: list[int]
    q: np.ndarray  # (L, H, n, d_k), as k and v
    k: np.ndarray
    v: np.ndarray
    weights: np.ndarray  # (L, H, n, n)
    contributions: np.ndarray  # (L, H, n, n): the length of weight times value through W_O
    logits: np.ndarray  # (n, V)

    @property
    def causal(self) -> bool:
        return self.info["causal"]

    def head(self, layer: int, head: int) -> dict[str, Any]:
        """One head, complete, as a control keeps it for its finished state: tokens, and q, k, v as float32 (n, d_k)."""
        one = lambda values: values[layer, head].astype("<f4").tobytes()
        return {
            "text": self.text,
            "info": self.info,
            "tokens": self.tokens,
            "layer": layer,
            "head": head,
            "shape": list(self.q.shape),
            "q": one(self.q),
            "k": one(self.k),
            "v": one(self.v),
        }


GIVEN: dict[str, Any] = {}  # name -> the checkpoint that a control was given


@cache
def loaded(name: str):
    """The checkpoint of a name, kept: several controls of a chapter read one model. The paper model needs float64."""
    from labutils.checkpoints import load  # here, because torch and transformers take seconds to import

    return GIVEN.get(name) or load(name, dtype=torch.float64 if name == "paper-gpt2" else torch.float32)


def named(model: Any) -> Any:
    """The name of a model that was given: of a path its text, and of what `load` returned the name that it was loaded
    by, which from here on means this very model. Anything else comes back as it is.
    """
    from labutils.checkpoints import Checkpoint  # here, for the same reason

    if isinstance(model, Path):
        return str(model)
    if not isinstance(model, Checkpoint):
        return model
    if GIVEN.get(model.name) is not model:
        GIVEN[model.name] = model
        loaded.cache_clear()
    return model.name


@lru_cache(maxsize=4)
def following(model: torch.nn.Module):
    """What gives the logits (V) of the token after some ids, for a causal model; ours keeps what it has read."""
    from labutils.models import family_of  # here, for the same reason
    from labutils.models.continuing import continuing

    if isinstance(model, family_of(model).model):
        return continuing(model)

    def whole(ids: list[int]) -> torch.Tensor:
        with torch.no_grad():
            return model(torch.tensor([ids])).logits[0, -1]

    return whole


@cache
def tokenizer_of(name: str):
    """The tokenizer of a name, with no need of a model."""
    from labutils.checkpoints import load_tokenizer  # here, for the same reason

    return load_tokenizer(name)


def read(name: str, text: str, cap: int) -> Reading:
    """Trace `text` through the model that the loader knows by `name`; at most `cap` tokens are kept.

    Raises:
        ValueError: the text is empty for this model, or the loader does not find the model.
    """
    from labutils.trace import trace  # here, for the same reason

    checkpoint = loaded(name)
    info = info_of(checkpoint)
    encoding = checkpoint.tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that {name} could read: write at least one word.")
    ids = fitted(encoding, min(cap, info["maxTokens"]))
    t = trace(checkpoint.model, ids)
    stack = lambda field: np.stack([getattr(layer, field).numpy() for layer in t.layers])
    return Reading(
        text=text,
        info=info,
        ids=ids,
        tokens=[checkpoint.tokenizer.pieces(i) for i in ids],
        q=stack("q"),
        k=stack("k"),
        v=stack("v"),
        weights=stack("weights"),
        contributions=contributions(t, checkpoint.model).numpy(),
        logits=t.logits.numpy(),
    )


def fitted(encoding, size: int) -> list[int]:
    """At most `size` ids; a special token at the end, as BERT's [SEP], stays at the end."""
    ids = list(encoding.ids)
    if len(ids) <= size:
        return ids
    last = ids[-1:] if encoding.special_tokens_mask[-1] else []
    return ids[: size - len(last)] + last


def offered(model: str, shipped: tuple[str, ...]) -> list[dict[str, str]]:
    """The models a control lets its reader choose from: the shipped ones, and `model` if it is another."""
    names = [*shipped, *([model] if model not in shipped else [])]
    return [{"name": name, "title": title(name), "text": start(name)} for name in names]


def start(name: str) -> str:
    """The text that a control starts with."""
    return SHIPPED.get(name, (name, RUNNING_TEXT))[1]


def at_most(what: str, value: int, size: int) -> int:
    """`value` if it is an index below `size`, a negative one counted from the end.

    Raises:
        ValueError: there is no such layer, head or token.
    """
    if not -size <= value < size:
        raise ValueError(f"There is no {what} {value}: they go from 0 to {size - 1}.")
    return value % size
