"""The record of an architecture: all that tells it from the others, in one place."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import nn


@dataclass(frozen=True)
class Family:
    """One architecture.

    name: `model_type` in HuggingFace's config.json. title: how prose calls it. config, model: our classes. hf_classes: the
    classes of transformers that a trace reads, the one that our models are trained as first. causal: no row sees the rows
    after it, and a row's logits are about the next token; otherwise they are about the token that stands there.
    segments: takes `type_ids`. places: where HuggingFace's model computes each stage, as ">module" for what goes into a
    module, "module>" for what comes out, with {i} for the number of the block. same: stages that are another one again.
    """

    name: str
    title: str
    config: type
    model: type[nn.Module]
    hf_classes: tuple[str, ...]
    causal: bool
    places: Mapping[str, str]
    segments: bool = False
    same: Mapping[str, str] = field(default_factory=dict)
