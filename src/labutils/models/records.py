"""The record of an architecture: all that tells it from the others, in one place."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import nn


@dataclass(frozen=True)
class Family:
    """One architecture.

    name: `model_type` in HuggingFace's config.json. title: how prose calls it. config,
    model: our classes. hf_classes: the classes of transformers that a trace reads, the
    one that our models are trained as first. causal: no row sees the rows after it, and
    a row's logits are about the next token; otherwise they are about the token that
    stands there. segments: takes `type_ids`. places: where HuggingFace's model computes
    each stage, as ">module" for what goes into a module, "module>" for what comes out,
    with {i} for the number of the block. same: stages that are another one again.

    entries: our name -> the name in config.json. heads: from the names of a file's
    tensors, which tell its heads, what `config.from_hf` takes besides, and the one of
    `hf_classes` that has them; raises ValueError for a file without the needed one.
    idle: the pattern of tensors that a file may hold for a head that it lacks.

    layout, tokenizer, begins: what its card says of how it is built, of the usual
    tokenizer, of what stands before a text.
    """

    name: str
    title: str
    config: type
    model: type[nn.Module]
    hf_classes: tuple[str, ...]
    causal: bool
    places: Mapping[str, str]
    entries: Mapping[str, str]
    heads: Callable[[Collection[str]], tuple[dict[str, Any], str]]
    layout: str
    tokenizer: str
    begins: str
    idle: str = r"(?!)"
    segments: bool = False
    same: Mapping[str, str] = field(default_factory=dict)

    @property
    def stages(self) -> frozenset[str]:
        """The stages that the architecture has; those of a head may be absent in one of
        its models.
        """
        there = {name for place in self.places for name in place.split()} - {
            "attention"
        }
        return frozenset(there | {"scores", "weights"} | set(self.same))
