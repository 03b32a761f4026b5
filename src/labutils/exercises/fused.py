"""Exercise 5.2: queries, keys and values out of one fused Conv1D, as GPT-2 files have it, into three Linear layers."""

from collections.abc import Callable, Iterator, Mapping

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.showing import show
from labutils.layers import MultiHeadAttention

PARTS = ("query", "key", "value")
Unfuse = Callable[[Tensor, Tensor], Mapping[str, Tensor]]


def check_unfuse(unfuse: Unfuse, seed: int | None = None) -> None:
    """Check `unfuse`: the weight (d, 3d) and the bias (3d,) of a Conv1D -> six tensors by name, for nn.Linear.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        unfuse,
        names_six_tensors,
        computes_the_same_without_bias,
        brings_the_biases_along,
        loads_into_a_layer,
        takes_odd_sizes,
        does_it_by_itself,
        repeat="check_unfuse(unfuse, seed={seed})",
        seed=seed,
    )


def fused(draw: Draw, d: int) -> tuple[Tensor, Tensor]:
    return draw.normal(d, 3 * d), draw.normal(3 * d)


def right_of(weight: Tensor, bias: Tensor) -> dict[str, Tensor]:
    weights, biases = weight.chunk(3, -1), bias.chunk(3)
    return {f"{name}.weight": w.T for name, w in zip(PARTS, weights)} | {
        f"{name}.bias": b for name, b in zip(PARTS, biases)
    }


def tensors(unfuse: Unfuse, weight: Tensor, bias: Tensor) -> Mapping[str, Tensor]:
    """The reader's tensors. Raises NotYet where names or shapes are not the six that are wanted."""
    found, d = call(unfuse, weight, bias), len(weight)
    expect_type(found, Mapping, "unfuse", "a dict of tensors by name")
    right = right_of(weight, bias)
    for name in [*right, *found]:
        if name not in found or name not in right:
            verb = "is missing" if name in right else "is not one of the six"
            raise NotYet(f"{show(name)} {verb}: the names are {', '.join(right)}.")
        expect_type(found[name], Tensor, f"{name} of unfuse", "a tensor")
        if found[name].shape != right[name].shape:
            cause = ""
            if tuple(found[name].shape) == (d, 3 * d):
                cause = " It still holds all three."
            raise NotYet(
                f"{name} has the shape {tuple(found[name].shape)}, expected {tuple(right[name].shape)}, for d = {d}."
                f"{cause}"
            )
    return found


def weight_mistakes(weight: Tensor, name: str) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each makes of the weight of one part."""
    d, i = len(weight), PARTS.index(name)
    parts = weight.chunk(3, -1)
    yield "It was not transposed: Conv1D holds (in, out), nn.Linear (out, in), and both are square.", parts[i]
    for other in PARTS:
        if other != name:
            yield f"That is the weight of the {other}.", parts[PARTS.index(other)].T
            yield f"That is the weight of the {other}, not transposed.", parts[PARTS.index(other)]
    yield "Every third column was taken; the three stand side by side.", weight[:, i::3].T
    yield "The tensor was cut anew (view, reshape) instead of being transposed.", weight.reshape(3, d, d)[i]
    yield "The tensor was cut anew (view, reshape) instead of being split.", weight.reshape(3, d, d)[i].T


def expect(unfuse: Unfuse, weight: Tensor, bias: Tensor) -> None:
    found, right, d = tensors(unfuse, weight, bias), right_of(weight, bias), len(weight)
    for name in right:
        if fair.alike(found[name].detach(), right[name]):
            continue
        part = name.partition(".")[0]
        causes = weight_mistakes(weight, part) if name.endswith("weight") else bias_mistakes(bias, part)
        gives, wanted = sent(found, part, d), sent(right, part, d)
        i = int((gives - wanted).abs().argmax())  # a place where it shows
        raise NotYet(
            f"With d = {d}, x = ones({d}): number {i} of the {part} is {show(gives[i])}, expected"
            f" {show(wanted[i])}; {name} differs.{likely(found[name], causes)}"
        )


def sent(state: Mapping[str, Tensor], part: str, d: int) -> Tensor:
    """What the Linear layer of this part makes of a row of ones."""
    return torch.ones(d) @ state[f"{part}.weight"].detach().float().T + state[f"{part}.bias"].detach().float()


def bias_mistakes(bias: Tensor, name: str) -> Iterator[tuple[str, Tensor]]:
    i, d = PARTS.index(name), len(bias) // 3
    for other in PARTS:
        if other != name:
            yield f"That is the bias of the {other}.", bias.chunk(3)[PARTS.index(other)]
    yield "Every third number was taken; the three biases stand one after the other.", bias[i::3]
    yield "The bias is left out.", torch.zeros(d)


def names_six_tensors(unfuse: Unfuse, draw: Draw):
    """Six tensors, with the names and shapes that the layer has."""
    tensors(unfuse, *fused(draw, draw.between(4, 8)))


def computes_the_same_without_bias(unfuse: Unfuse, draw: Draw):
    """Queries, keys and values come out as from the Conv1D."""
    d = draw.between(4, 8)
    expect(unfuse, fused(draw, d)[0], torch.zeros(3 * d))


def brings_the_biases_along(unfuse: Unfuse, draw: Draw):
    """So they do with biases."""
    expect(unfuse, *fused(draw, draw.between(4, 8)))


def loads_into_a_layer(unfuse: Unfuse, draw: Draw):
    """The layer of the package loads them, and its heads get what the Conv1D would give them."""
    H, d_k, n = draw.between(2, 3), draw.between(2, 3), draw.between(2, 5)
    (weight, bias), x = fused(draw, H * d_k), draw.normal(1, n, H * d_k)
    layer = MultiHeadAttention(H * d_k, H)
    layer.load_state_dict(dict(tensors(unfuse, weight, bias)), strict=False)
    q, k, v = (x @ weight + bias).split(H * d_k, -1)
    for name, found, right in zip(PARTS, (layer.query(x), layer.key(x), layer.value(x)), (q, k, v)):
        if not torch.allclose(found, right, atol=1e-4):
            raise NotYet(f"In the layer the {name} differs by {float((found - right).detach().abs().max()):.2f}.")


def takes_odd_sizes(unfuse: Unfuse, draw: Draw):
    """d = 1 and d = 3, and float64."""
    expect(unfuse, *fused(draw, 1))
    expect(unfuse, *fused(draw, 3))
    expect(unfuse, draw.normal(5, 15, dtype=torch.float64), draw.normal(15, dtype=torch.float64))


def does_it_by_itself(unfuse: Unfuse, draw: Draw):
    """The package's map of weights does not do it."""
    refuse(ran(unfuse, *fused(draw, 4)), "PyTorch alone is enough")
