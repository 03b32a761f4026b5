"""Weight maps: which of HuggingFace's tensors is which of ours, in both directions,
with nothing left over.

Two things differ beside the names. GPT-2's `Conv1D` holds its weight as (in, out),
`nn.Linear` as (out, in), so it is transposed. And GPT-2 holds the query, key and value
projections in one tensor, side by side, in this order.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

# what old versions stored beside the weights: masks, places and angles, all of them
# made anew by the model
CONSTANTS = (
    "position_ids",
    "token_type_ids",
    ".attn.bias",
    ".attn.masked_bias",
    ".attention.bias",
    ".attention.masked_bias",
    ".rotary_emb.inv_freq",
)


@dataclass(frozen=True)
class Same:
    """One tensor of theirs, and the one of ours it is; or the several, joined along
    their first axis, once `transposed`.
    """

    theirs: str
    ours: tuple[str, ...]
    transposed: bool = False

    def to_ours(self, tensor: Tensor) -> list[Tensor]:
        return list((tensor.mT if self.transposed else tensor).chunk(len(self.ours)))

    def to_theirs(self, tensors: list[Tensor]) -> Tensor:
        joined = torch.cat(tensors)
        return (joined.mT if self.transposed else joined).contiguous()


def of_linear(
    theirs: str, *ours: str, conv1d: bool = False, bias: bool = True
) -> list[Same]:
    """Names of one matrix, with its bias if it has one; several of ours if theirs holds
    them side by side. conv1d: theirs is a `Conv1D`.
    """
    matrix = Same(f"{theirs}.weight", tuple(f"{name}.weight" for name in ours), conv1d)
    if not bias:
        return [matrix]
    return [matrix, Same(f"{theirs}.bias", tuple(f"{name}.bias" for name in ours))]


def of_norm(theirs: str, ours: str) -> list[Same]:
    """Names of gain and bias of one LayerNorm."""
    return [
        Same(f"{theirs}.weight", (f"{ours}.gain",)),
        Same(f"{theirs}.bias", (f"{ours}.bias",)),
    ]


def load(
    model: nn.Module,
    pairs: list[Same],
    state_dict: dict[str, Tensor],
    tied: dict[str, str],
    unused: Iterable[str] = (),
) -> None:
    """Copy HuggingFace's tensors into `model`, in the model's own precision.

    tied: names that may be there as a second name of another tensor; of the two either
    serves. unused: names that are passed over, as constants always are. Raises
    ValueError that names what is missing, unexpected, of the wrong shape, or not tied;
    the model is then unchanged.
    """
    parameters = dict(model.named_parameters())
    expected = {
        pair.theirs: tuple(
            pair.to_theirs([parameters[name].detach() for name in pair.ours]).shape
        )
        for pair in pairs
    }
    state_dict = {
        name: tensor
        for name, tensor in state_dict.items()
        if name in expected or not name.endswith(CONSTANTS)
    }
    for second, first in tied.items():
        if first not in state_dict and second in state_dict:
            state_dict[first] = state_dict[second]
    shape = lambda name: tuple(state_dict[name].shape)
    found = [
        ("missing", sorted(expected.keys() - state_dict.keys())),
        (
            "unexpected",
            sorted(state_dict.keys() - expected.keys() - set(tied) - set(unused)),
        ),
        (
            "of another shape",
            [
                f"{name} {shape(name)} instead of {expected[name]}"
                for name in expected
                if name in state_dict and shape(name) != expected[name]
            ],
        ),
        (
            "not tied",
            [
                f"{second} differs from {first}"
                for second, first in tied.items()
                if second in state_dict
                and first in state_dict
                and not torch.equal(state_dict[second], state_dict[first])
            ],
        ),
    ]
    if any(names for _, names in found):
        what = "; ".join(
            f"{problem}: {_some(names)}" for problem, names in found if names
        )
        raise ValueError(
            f"These weights do not fit this {type(model).__name__}. {what}. Check that"
            " config and weights belong together."
        )
    with torch.no_grad():
        for pair in pairs:
            for name, tensor in zip(pair.ours, pair.to_ours(state_dict[pair.theirs])):
                parameters[name].copy_(tensor)


class Exported:
    """What a model with a weight map gives under HuggingFace's names, each tensor once:
    one that two names share is not written twice.
    """

    def to_hf_state_dict(self) -> dict[str, Tensor]:
        """The weights, detached copies."""
        return self._under_their_names(
            {name: p.detach() for name, p in self.named_parameters()}
        )

    def to_hf_gradients(self) -> dict[str, Tensor]:
        """The gradients of the last backward pass; zeros where a parameter got none."""
        return self._under_their_names(
            {
                name: p.new_zeros(p.shape) if p.grad is None else p.grad
                for name, p in self.named_parameters()
            }
        )

    def _under_their_names(self, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        return {
            pair.theirs: pair.to_theirs([tensors[name] for name in pair.ours])
            for pair in self._map()
        }


def _some(names: list[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (
        f" and {len(names) - most} more" if len(names) > most else ""
    )
