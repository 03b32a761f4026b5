"""What a trace holds: one forward pass over one text, every intermediate by name."""

from collections.abc import Mapping

from jaxtyping import Float, Integer
from torch import Tensor

from labutils.models import family_of
from labutils.models.stages import EMBEDDINGS, IN_BLOCK, STAGES


class _Stages:
    """Named tensors, each an attribute. A stage that the trace was not asked to keep is named in the error."""

    def __init__(self, stages: Mapping[str, Tensor], same: Mapping[str, str]):
        self._stages, self._same = dict(stages), same

    def __getattr__(self, name: str) -> Tensor:
        if name.startswith("_"):  # copying and pickling ask before anything is there
            raise AttributeError(name)
        try:
            return self._stages[self._same.get(name, name)]
        except KeyError:
            held = ", ".join(self._stages) or "none"
            raise AttributeError(f"This trace does not hold {name!r}. It holds: {held}.") from None

    def __contains__(self, name: str) -> bool:
        return self._same.get(name, name) in self._stages

    def __dir__(self):
        return [*super().__dir__(), *self._stages, *self._same]


class LayerTrace(_Stages):
    """One block: the stages of `labutils.models.stages.IN_BLOCK` as attributes.

    n tokens, d model width, H heads, d_k = d / H, f feed-forward width: input, attention_input, context,
    attention_output, attention_stream, ffn_input, ffn_output, output (n, d); q, k, v (H, n, d_k); scores, weights (H,
    n, n), scores divided by √d_k and -inf where the key may not be seen; ffn_hidden, ffn_activated (n, f). Where
    nothing stands between two of them (BERT's input and attention_input), they are one.
    """

    def __repr__(self) -> str:
        return f"LayerTrace({', '.join(name for name in IN_BLOCK_NAMES if name in self)})"


IN_BLOCK_NAMES = tuple(stage.name for stage in IN_BLOCK)


class Trace(_Stages):
    """One text through one model. Tensors are detached and lie on the CPU, in the model's precision.

    kind: "gpt2" or "bert". tokens, ids (n,). layers: a LayerTrace each. The other stages are attributes: token,
    position, in BERT segment, embedding_sum, final (n, d), logits (n, V); in BERT embedding_norm, mlm_transform (n, d),
    pooled (d,) and nsp_logits (2,) if it has that head and no padding stood first, else None.
    """

    def __init__(
        self,
        kind: str,
        tokens: list[str],
        ids: Integer[Tensor, " n"],
        stages: Mapping[str, Tensor],
        layers: list[Mapping[str, Tensor]],
    ):
        family = family_of(kind)
        super().__init__(stages, family.same)
        self.kind, self.tokens, self.ids = kind, tokens, ids
        self.layers = [LayerTrace(layer, family.same) for layer in layers]

    def __getattr__(self, name: str) -> Tensor | None:
        if name in ABSENT and name not in self:
            return None
        return super().__getattr__(name)

    @property
    def embeddings(self) -> dict[str, Float[Tensor, "n d"]]:
        """The parts that embedding_sum adds up."""
        return {part: getattr(self, part) for part in EMBEDDINGS if part in self}

    def stages(self) -> dict[str, Tensor]:
        """Every tensor by its full name, "token" or "layer 0 weights", in the order in which they are computed."""
        family, found = family_of(self.kind), {}
        for name, stage in STAGES.items():
            if not stage.in_block and name in self:
                found[name] = getattr(self, name)
            if name == IN_BLOCK_NAMES[-1]:
                found |= {
                    f"layer {i} {of}": getattr(layer, of)
                    for i, layer in enumerate(self.layers)
                    for of in IN_BLOCK_NAMES
                    if of in layer and of not in family.same
                }
        return found

    def __repr__(self) -> str:
        first = self.layers[0] if self.layers else None
        heads = f"{len(first.weights)} heads, " if first is not None and "weights" in first else ""
        width = f"width {self.final.shape[-1]}" if "final" in self else "not all stages"
        return f"Trace({self.kind}, {len(self.tokens)} tokens, {len(self.layers)} layers, {heads}{width})"


ABSENT = ("embedding_norm", "mlm_transform", "pooled", "nsp_logits")  # None where the model has no such stage
