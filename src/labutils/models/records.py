"""The record of an architecture: all that tells it from the others, in one place."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn

from .stages import STAGES


@dataclass(frozen=True)
class Family:
    """One architecture.

    name: `model_type` in HuggingFace's config.json. title: how prose calls it. config,
    model: our classes. hf_classes: the classes of transformers that a trace reads, the
    one that our models are trained as first. causal: no row sees the rows after it, and
    a row's logits are about the next token; otherwise they are about the token that
    stands there. segments: takes `type_ids`. norm: the kind of its norms, "layer" or
    "rms". parallel: a block's network reads what its attention reads, the rows as they
    enter, and both are added to them. stages: of which it has; they also say how it is
    built: one with "position" has a table of positions, one with "ffn_gate" a gated
    network, one with "attention_input" normalises what a sub-layer reads, and where
    that is the `same` as "input", it normalises the stream. What is counted (layers,
    heads, key heads, the base of rotary positions and how many columns of a head they
    turn) stands in the configuration.

    blocks: for each stack of blocks, the path of block {i} in HuggingFace's model; a
    model with one stack calls it "". A model with two reads two texts, a source and a
    target, with its first and its second stack. places: where HuggingFace's model
    computes each stage, as ">module" for what goes into a module, "module>" for what
    comes out. In front of a stage's name stands its stack, if there are two, and what
    tells a second attention of a block from the first: "decoder cross q". same: stages
    that are another one again.

    turn, bias: from what HuggingFace's attention is called with and hands back, what
    its queries and keys go through before they meet, and what is added to the scores.
    scale: of the scores, if it is not 1 / √d_k; scale_of: by what HuggingFace's model
    scales them, of its configuration and a layer, where it has a choice. tolerance: how
    closely HuggingFace's model computes in float64, more where parts of it stay in
    float32; gradient_tolerance: the same of gradients, if that is another.

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
    blocks: Mapping[str, str]
    places: Mapping[str, str]
    entries: Mapping[str, str]
    heads: Callable[[Collection[str]], tuple[dict[str, Any], str]]
    layout: str
    tokenizer: str
    begins: str
    idle: str = r"(?!)"
    segments: bool = False
    norm: str = "layer"
    parallel: bool = False
    same: Mapping[str, str] = field(default_factory=dict)
    turn: Callable[[Mapping[str, Any]], Callable[[Tensor], Tensor]] | None = None
    bias: Callable[[tuple], Tensor | None] | None = None
    scale: float | None = None
    scale_of: Callable[[Any, int], float] | None = None
    tolerance: float = 1e-10
    gradient_tolerance: float | None = None

    @property
    def stages(self) -> frozenset[str]:
        """The stages that the architecture has; those of a head may be absent in one of
        its models.
        """
        there = {name for place in self.places for name in place.split()}
        return frozenset((there | {"scores", "weights", *self.same}) & set(STAGES))

    @property
    def block(self) -> str:
        """Where a block normalises, and what its network reads: "pre-norm", "post-norm"
        or "parallel".
        """
        if self.parallel:
            return "parallel"
        return (
            "post-norm" if self.same.get("attention_input") == "input" else "pre-norm"
        )

    @property
    def stacks(self) -> tuple[str, ...]:
        """The names of its stacks of blocks, in the order in which they run."""
        return tuple(self.blocks)

    def layer_of(self, parameter: str) -> str:
        """The layer that a parameter of HuggingFace's model is of, "layer 3" or
        "decoder layer 3"; "" for one that is of no layer.
        """
        for stack, path in self.blocks.items():
            rule = re.escape(path).replace(r"\{i\}", r"(\d+)")
            if found := re.match(rf"{rule}\.", parameter):
                return f"{stack} layer {found[1]}".strip()
        return ""
