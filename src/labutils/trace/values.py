"""What a trace holds: one forward pass over one text, every intermediate by name."""

from collections.abc import Mapping

from jaxtyping import Float, Integer
from torch import Tensor

from labutils.models import family_of
from labutils.models.stages import EMBEDDINGS, IN_BLOCK, Place, in_order


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

    n tokens, d model width, H heads, G key heads (G = H where they are not shared), d_k the width of a head, f
    feed-forward width: input, attention_input, context, attention_output, attention_stream, ffn_input, ffn_output,
    output (n, d); q (H, n, d_k) and k, v (G, n, d_k), as they meet; scores, weights (H, n, n), scores scaled and -inf
    where the key may not be seen; ffn_gate, ffn_hidden, ffn_activated (n, f). Where nothing stands between two of them
    (BERT's input and attention_input), they are one. A second attention of the block has its stages under its name:
    `cross.weights`.
    """

    def __init__(self, stages: Mapping[Place, Tensor], same: Mapping[str, str]):
        super().__init__({place.stage: value for place, value in stages.items() if not place.part}, same)
        parts = {place.part for place in stages} - {""}
        self._parts = {part: _Stages(_of(stages, "part", part), same) for part in parts}

    def __getattr__(self, name: str) -> Tensor:
        parts = self.__dict__.get("_parts", {})
        return parts[name] if name in parts else super().__getattr__(name)

    def __repr__(self) -> str:
        return f"LayerTrace({', '.join(name for name in IN_BLOCK_NAMES if name in self)})"


IN_BLOCK_NAMES = tuple(stage.name for stage in IN_BLOCK)


def _of(stages: Mapping[Place, Tensor], field: str, value) -> dict[str, Tensor]:
    """Those of one part of the model, by the plain names of the stages."""
    return {place.stage: tensor for place, tensor in stages.items() if getattr(place, field) == value}


class Stack(_Stages):
    """A stack of blocks and the text that it reads: tokens, ids (n,), a LayerTrace for each of `layers`, and the stages
    before and after them as attributes.
    """

    def __init__(
        self, tokens: list[str], ids: Integer[Tensor, " n"], stages: Mapping[Place, Tensor], same: Mapping[str, str]
    ):
        super().__init__(_of(stages, "layer", None), same)
        self.tokens, self.ids = tokens, ids
        inside = [place for place in stages if place.layer is not None]
        self.layers = [
            LayerTrace({place: stages[place] for place in inside if place.layer == i}, same)
            for i in range(1 + max((place.layer for place in inside), default=-1))
        ]


class Trace(_Stages):
    """One text through one model. Tensors are detached and lie on the CPU, in the model's precision.

    kind: "gpt2" or "bert", say. tokens, ids (n,). layers: a LayerTrace each. The other stages are attributes: token,
    final (n, d), logits (n, V), and position, segment, embedding_sum, embedding_norm, mlm_transform (n, d), pooled (d,)
    and nsp_logits (2,) in a model that has them. What a model lacks is None: embedding_norm, mlm_transform, and, also
    where padding stood first, pooled and nsp_logits.

    Of a model with two stacks, `encoder` and `decoder` are a `Stack` each, with the source and the target; tokens, ids
    and layers are those of the target.
    """

    def __init__(
        self, kind: str, texts: Mapping[str, tuple[list[str], Integer[Tensor, " n"]]], stages: Mapping[str, Tensor]
    ):
        """texts: for the name of each stack, tokens and ids of what it reads. stages: by their full names."""
        family = family_of(kind)
        self._all = {name: stages[name] for name in in_order(stages, family.stacks)}
        placed = {Place.of(name): value for name, value in self._all.items()}
        self._stacks = {
            name: Stack(*text, {place: value for place, value in placed.items() if place.stack == name}, family.same)
            for name, text in texts.items()
        }
        last = self._stacks[family.stacks[-1]]
        super().__init__(
            {place.stage: value for place, value in placed.items() if place[:2] == ("", None)}, family.same
        )
        self.kind, self.tokens, self.ids, self.layers = kind, last.tokens, last.ids, last.layers

    def __getattr__(self, name: str) -> Tensor | Stack | None:
        stacks = self.__dict__.get("_stacks", {})
        if name in stacks:
            return stacks[name]
        if name in ABSENT and name not in self:
            return None
        return super().__getattr__(name)

    @property
    def embeddings(self) -> dict[str, Float[Tensor, "n d"]]:
        """The parts that are added up before the first block."""
        return {part: getattr(self, part) for part in EMBEDDINGS if part in self}

    def stages(self) -> dict[str, Tensor]:
        """Every tensor by its full name, "token" or "layer 0 weights", in the order in which they are computed."""
        return dict(self._all)

    def __repr__(self) -> str:
        first = self.layers[0] if self.layers else None
        heads = f"{len(first.weights)} heads, " if first is not None and "weights" in first else ""
        width = f"width {self.layers[-1].output.shape[-1]}" if first is not None and "output" in first else ""
        width = f"width {self.final.shape[-1]}" if "final" in self else width or "not all stages"
        return f"Trace({self.kind}, {len(self.tokens)} tokens, {len(self.layers)} layers, {heads}{width})"


ABSENT = ("embedding_norm", "mlm_transform", "pooled", "nsp_logits")  # None where the model has no such stage
