"""The neurons of a feed-forward network: which tokens fire each, what each adds, and whether one tells two kinds apart.

A network is act(x W_1 + b_1) W_2 + b_2. The j-th of its f hidden numbers, a neuron, is a key (column j of W_1) that a
row is compared with, and a value (row j of W_2) that is added as often as the key says: Geva et al. 2021, "Transformer
Feed-Forward Layers Are Key-Value Memories", section 2. All of this reads tensors; where they come from, a trace says.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class Firing(NamedTuple):
    """How strongly a neuron fires at a token: the text it stands in, its place there, and the number."""

    text: int
    token: int
    value: float


def strongest(activated: Sequence[Float[Tensor, "n f"]], neuron: int, top: int = 10) -> list[Firing]:
    """The tokens of all texts at which one neuron is largest, the largest first; of equals the earlier.

    activated: for each text what comes after the activation, as `trace(…).layers[i].ffn_activated`. A text without a
    token may be among them.

    >>> texts = [torch.tensor([[0.0, 2.0], [1.0, 0.0]]), torch.tensor([[0.5, 3.0]])]
    >>> strongest(texts, neuron=1, top=2)
    [Firing(text=1, token=0, value=3.0), Firing(text=0, token=0, value=2.0)]

    Raises:
        ValueError: no text, or no such neuron.
    """
    of = _column(activated, neuron).detach()
    places = [(text, token) for text, rows in enumerate(activated) for token in range(len(rows))]
    order = torch.sort(of, descending=True, stable=True)
    return [Firing(*places[int(i)], float(value)) for value, i in zip(order.values[:top], order.indices)]


def _column(activated: Sequence[Tensor], neuron: int) -> Float[Tensor, " tokens"]:
    if not len(activated):
        raise ValueError("There is no text to look through.")
    widths = {rows.shape[-1] for rows in activated}
    if len(widths) > 1:
        raise ValueError(f"The texts come from networks of different inner widths: {sorted(widths)}.")
    width = widths.pop()
    if not 0 <= neuron < width:
        raise ValueError(f"There is no neuron {neuron}: they go from 0 to {width - 1}.")
    return torch.cat([rows[:, neuron] for rows in activated])


def active(activated: Float[Tensor, "... f"]) -> Float[Tensor, "..."]:
    """The share of neurons that are above zero. ReLU, GELU and SiLU are above zero exactly where their input is.

    >>> active(torch.tensor([[2.0, 0.0, -0.1, 1.0]]))
    tensor([0.5000])
    """
    return (activated > 0).to(activated.dtype if activated.is_floating_point() else torch.float32).mean(-1)


def memory(
    activated: Float[Tensor, "... f"], values: Float[Tensor, "f d"], bias: Float[Tensor, " d"] | None = None
) -> tuple[Float[Tensor, "... f d"], Float[Tensor, "... d"]]:
    """The output of the network as a sum over its neurons: (each number times its value, their sum with the bias).

    values: a row for each neuron, W_2; in torch's `Linear` that is `weight.T`.

    >>> parts, total = memory(torch.tensor([2.0, 0.0]), torch.tensor([[-5.0, 2.0], [1.0, 0.0]]))
    >>> parts.tolist(), total.tolist()
    ([[-10.0, 4.0], [0.0, 0.0]], [-10.0, 4.0])
    """
    parts = activated[..., None] * values
    total = parts.sum(-2)
    return parts, total if bias is None else total + bias


def fewest(lengths: Float[Tensor, "... f"], share: float = 0.5) -> Float[Tensor, "..."]:
    """How many of the largest it takes to make a share of the sum: few where few neurons do most.

    >>> fewest(torch.tensor([1.0, 6.0, 2.0, 1.0]), share=0.75)
    tensor(2)

    Raises:
        ValueError: lengths below zero, or a share that is not between 0 and 1.
    """
    if not 0 < share <= 1:
        raise ValueError(f"A share lies above 0 and is at most 1, not {share}.")
    if (lengths < 0).any():
        raise ValueError("Lengths are not negative.")
    running = lengths.sort(-1, descending=True).values.cumsum(-1)
    # a sum in another order may differ in its last digit
    enough = running >= share * running[..., -1:] * (1 - 1e-6)
    return enough.to(torch.int64).argmax(-1) + 1


def separation(activated: Float[Tensor, "m f"], kind: Bool[Tensor, " m"]) -> Float[Tensor, " f"]:
    """For each neuron, how often it is larger at a token of the kind than at another token: over all pairs, a tie
    counting half. 1/2 is no better than chance, 1 tells them apart without an error, 0 as well, the other way round.

    This is the area under the ROC curve (Hanley and McNeil 1982). A neuron that was chosen by it on some tokens has to
    be scored on others.

    >>> separation(torch.tensor([[3.0, 1.0], [2.0, 1.0], [0.0, 1.0]]), torch.tensor([True, True, False])).tolist()
    [1.0, 0.5]

    Raises:
        ValueError: kind does not fit, or one of the two kinds is missing.
    """
    if kind.shape != activated.shape[:1]:
        raise ValueError(
            f"kind has the shape {tuple(kind.shape)}; it needs one entry for each of {len(activated)} rows."
        )
    inside, outside = int(kind.sum()), int((~kind).sum())
    if not inside or not outside:
        raise ValueError("Both kinds are needed: tokens that are of the kind, and tokens that are not.")
    found = []
    for column in activated.double().T:  # (m,) each; a column at a time, so that memory stays small
        values, which = column.unique(return_inverse=True)
        counts = torch.bincount(which, minlength=len(values)).double()
        middle = counts.cumsum(0) - (counts - 1) / 2  # the mean rank of equal values, from 1
        rank = middle[which][kind].sum()
        found.append((rank - inside * (inside + 1) / 2) / (inside * outside))
    return torch.stack(found).to(activated.dtype)
