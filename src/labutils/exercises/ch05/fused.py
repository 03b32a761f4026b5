"""Exercise 5.2: queries, keys and values out of one fused Conv1D, as GPT-2 files have it, into three Linear layers."""

from collections.abc import Callable, Mapping
from itertools import permutations

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import Mistake, outcomes
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


def unfuse(weight, bias):
    parts = zip(("query", "key", "value"), weight.chunk(3, -1), bias.chunk(3))
    state = {}
    for name, W, b in parts:
        state[f"{name}.weight"], state[f"{name}.bias"] = W.T, b
    return state


def _swapped(part: str, other: str, kind: str, piece: str, said: str = "") -> Mistake:
    """What is one part's is handed out as another's."""
    code = f'state["{part}.{kind}"] = {piece.format(PARTS.index(other))}'
    name = f"gives the {part} the {kind} of the {other}{said}"
    return name, f"That is the {kind} of the {other}{said}.", "return state", f"{code}\n    return state"


OTHERS = tuple(permutations(PARTS, 2))
RIGHT = (unfuse,)
# fmt: off
MISTAKES = (
    ("not transposed", "It was not transposed: Conv1D holds (in, out), nn.Linear (out, in), and both are square.",
     "W.T", "W"),
    *(_swapped(*two, "weight", "weight.chunk(3, -1)[{}].T") for two in OTHERS),
    *(_swapped(*two, "weight", "weight.chunk(3, -1)[{}]", ", not transposed") for two in OTHERS),
    ("every third column", "Every third column was taken; the three stand side by side.", "weight.chunk(3, -1)",
     "(weight[:, i::3] for i in range(3))"),
    ("cuts the weight anew", "The tensor was cut anew (view, reshape) instead of being transposed.",
     "weight.chunk(3, -1)", "weight.reshape(3, *2 * [len(weight)])", "W.T", "W"),
    ("cuts the weight anew and transposes it", "The tensor was cut anew (view, reshape) instead of being split.",
     "weight.chunk(3, -1)", "weight.reshape(3, *2 * [len(weight)])"),
    *(_swapped(*two, "bias", "bias.chunk(3)[{}]") for two in OTHERS),
    ("interleaves the bias", "Every third number was taken; the three biases stand one after the other.",
     "bias.chunk(3)", "(bias[i::3] for i in range(3))"),
    ("leaves the bias out", "The bias is left out.", "W.T, b", "W.T, 0 * b"),
)
REFUSED = (
    ("keys first", "query.weight differs. That is the weight of the key", '"query", "key"', '"key", "query"'),
    ("keys first, not transposed", "That is the weight of the value, not transposed", '"query", "key", "value"',
     '"value", "key", "query"', "W.T", "W"),
    ("splits the bias in another order", "So they do with biases\n.*query.bias differs. That is the bias of the key",
     "bias.chunk(3)", "[bias.chunk(3)[i] for i in (1, 0, 2)]"),
    ("names of its own", "'query.weight' is missing: the names are", '"query", "key", "value"', '"q", "k", "v"'),
    ("does not split the weight", "query.weight has the shape .* It still holds all three", "W.T", "weight"),
    ("returns a tuple", "unfuse should return a dict of tensors by name", "return state",
     "return tuple(state.values())"),
)
# fmt: on


def tensors(answer: Unfuse, weight: Tensor, bias: Tensor) -> Mapping[str, Tensor]:
    """The reader's tensors. Raises NotYet where names or shapes are not the six that are wanted."""
    found, d = call(answer, weight, bias), len(weight)
    expect_type(found, Mapping, "unfuse", "a dict of tensors by name")
    right = unfuse(weight, bias)
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


def expect(answer: Unfuse, weight: Tensor, bias: Tensor) -> None:
    found, right, d = tensors(answer, weight, bias), unfuse(weight, bias), len(weight)
    for name in right:
        if fair.alike(found[name].detach(), right[name]):
            continue
        part = name.partition(".")[0]
        gives, wanted = sent(found, part, d), sent(right, part, d)
        i = int((gives - wanted).abs().argmax())  # a place where it shows
        cause = likely(found[name], outcomes(MISTAKES, unfuse, weight, bias, part=name))
        raise NotYet(
            f"With d = {d}, x = ones({d}): number {i} of the {part} is {show(gives[i])}, expected"
            f" {show(wanted[i])}; {name} differs.{cause}"
        )


def sent(state: Mapping[str, Tensor], part: str, d: int) -> Tensor:
    """What the Linear layer of this part makes of a row of ones."""
    return torch.ones(d) @ state[f"{part}.weight"].detach().float().T + state[f"{part}.bias"].detach().float()


def names_six_tensors(answer: Unfuse, draw: Draw):
    """Six tensors, with the names and shapes that the layer has."""
    tensors(answer, *fused(draw, draw.between(4, 8)))


def computes_the_same_without_bias(answer: Unfuse, draw: Draw):
    """Queries, keys and values come out as from the Conv1D."""
    d = draw.between(4, 8)
    expect(answer, fused(draw, d)[0], torch.zeros(3 * d))


def brings_the_biases_along(answer: Unfuse, draw: Draw):
    """So they do with biases."""
    expect(answer, *fused(draw, draw.between(4, 8)))


def loads_into_a_layer(answer: Unfuse, draw: Draw):
    """The layer of the package loads them, and its heads get what the Conv1D would give them."""
    H, d_k, n = draw.between(2, 3), draw.between(2, 3), draw.between(2, 5)
    (weight, bias), x = fused(draw, H * d_k), draw.normal(1, n, H * d_k)
    layer = MultiHeadAttention(H * d_k, H)
    layer.load_state_dict(dict(tensors(answer, weight, bias)), strict=False)
    q, k, v = (x @ weight + bias).split(H * d_k, -1)
    for name, found, right in zip(PARTS, (layer.query(x), layer.key(x), layer.value(x)), (q, k, v)):
        if not torch.allclose(found, right, atol=1e-4):
            raise NotYet(f"In the layer the {name} differs by {float((found - right).detach().abs().max()):.2f}.")


def takes_odd_sizes(answer: Unfuse, draw: Draw):
    """d = 1 and d = 3, and float64."""
    expect(answer, *fused(draw, 1))
    expect(answer, *fused(draw, 3))
    expect(answer, draw.normal(5, 15, dtype=torch.float64), draw.normal(15, dtype=torch.float64))


def does_it_by_itself(answer: Unfuse, draw: Draw):
    """The package's map of weights does not do it."""
    refuse(ran(answer, *fused(draw, 4)), "PyTorch alone is enough")
