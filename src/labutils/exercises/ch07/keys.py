"""Exercise 7.2: the tensors of one of BERT's layers under the names of `nn.TransformerEncoderLayer`."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

Rename = Callable[[Mapping[str, Tensor]], Mapping[str, Tensor]]


def check_rename(rename: Rename, seed: int | None = None) -> None:
    """Check `rename`: the state dict of HuggingFace's BertLayer -> that of PyTorch's layer.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        rename,
        names_every_tensor,
        keeps_the_shapes,
        joins_three_in_one,
        places_the_rest,
        takes_any_width,
        repeat="check_rename(rename, seed={seed})",
        seed=seed,
    )


def rename(given):
    parts = ("query", "key", "value")
    made = {
        "self_attn.in_proj_weight": torch.cat([given[f"attention.self.{p}.weight"] for p in parts]),
        "self_attn.in_proj_bias": torch.cat([given[f"attention.self.{p}.bias"] for p in parts]),
    }
    places = {
        "self_attn.out_proj": "attention.output.dense",
        "linear1": "intermediate.dense",
        "linear2": "output.dense",
        "norm1": "attention.output.LayerNorm",
        "norm2": "output.LayerNorm",
    }
    for ours, theirs in places.items():
        for kind in ("weight", "bias"):
            made[f"{ours}.{kind}"] = given[f"{theirs}.{kind}"]
    return made


RIGHT = (rename,)
NORM1, NORM2 = '"norm1": "attention.output.LayerNorm"', '"norm2": "output.LayerNorm"'
# fmt: off
MISTAKES = (
    ("keys first", "The three are joined in another order: query, key, value, from top to bottom.",
     '("query", "key", "value")', '("key", "query", "value")'),
    ("values first", "The three are joined in another order: query, key, value, from top to bottom.",
     '("query", "key", "value")', '("value", "key", "query")'),
    ("turns the matrices", "It was transposed: both sides are nn.Linear and hold (out, in).",
     '[given[f"attention.self.{p}.weight"] for p', '[given[f"attention.self.{p}.weight"].T for p'),
    ("turns the projection of the heads", "It was transposed: both sides are nn.Linear and hold (out, in).",
     "return made", 'made["self_attn.out_proj.weight"] = made["self_attn.out_proj.weight"].T\n    return made'),
    ("swaps the norms", "That is the other LayerNorm: norm1 stands after attention, norm2 after the network.", NORM1,
     '"norm1": "output.LayerNorm"', NORM2, '"norm2": "attention.output.LayerNorm"'),
    ("takes one norm twice", "That is the other LayerNorm: norm1 stands after attention, norm2 after the network.",
     NORM2, '"norm2": "attention.output.LayerNorm"'),
    ("the same norm, the first forgotten", "That is the other LayerNorm: norm1 stands after attention, norm2 after the"
     " network.", NORM1, '"norm1": "output.LayerNorm"'),
)
REFUSED = (
    ("joins side by side", "has the shape", 'weight"] for p in parts])', 'weight"] for p in parts], 1)'),
    ("swaps the network's matrices", "has the shape", '"linear1": "intermediate', '"linear1": "output', '"linear2":'
     ' "output', '"linear2": "intermediate'),
    ("keeps the three apart", "self_attn.in_proj_weight is missing", "self_attn.in_proj_weight", "self_attn.q_weight"),
    ("forgets the biases", "is missing", '("weight", "bias")', '("weight",)'),
    ("gives lists", "tensors under all names", "return made",
     "return {name: value.tolist() for name, value in made.items()}"),
    ("adds one", "which the layer does not have", "return made",
     'made["pooler"] = made["norm1.bias"]\n    return made'),
)
# fmt: on


def layer(draw: Draw, d: int, f: int) -> dict[str, Tensor]:
    """A layer as HuggingFace's file has it, with numbers that are all different."""
    shapes = {f"attention.self.{part}": (d, d) for part in ("query", "key", "value")}
    shapes |= {"attention.output.dense": (d, d), "intermediate.dense": (f, d), "output.dense": (d, f)}
    given = {f"{name}.weight": draw.normal(*shape) for name, shape in shapes.items()}
    given |= {f"{name}.bias": draw.normal(shape[0]) for name, shape in shapes.items()}
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        given |= {f"{name}.weight": draw.normal(d) + 1, f"{name}.bias": draw.normal(d)}
    return given


def asked(answer, given: dict) -> dict[str, Tensor]:
    found = call(answer, given)
    expect_type(found, Mapping, "rename", "a dictionary from names to tensors")
    for name, value in found.items():
        expect_type(value, Tensor, "rename", f"tensors under all names, {name} among them")
    return dict(found)


def wanted_names(d: int, f: int) -> dict[str, tuple[int, ...]]:
    with torch.device("meta"):
        state = nn.TransformerEncoderLayer(d, 1, f).state_dict()
    return {name: tuple(value.shape) for name, value in state.items()}


def names_every_tensor(answer, draw: Draw):
    """Every tensor of PyTorch's layer has a name, and no other."""
    found, wanted = asked(answer, layer(draw, 4, 6)), wanted_names(4, 6)
    for name in wanted:
        if name not in found:
            raise NotYet(f"{name} is missing.")
    for name in found:
        if name not in wanted:
            raise NotYet(f"There is {name}, which the layer does not have.")


def keeps_the_shapes(answer, draw: Draw):
    """Every tensor has the shape that the layer expects."""
    found = asked(answer, layer(draw, 4, 6))
    for name, shape in wanted_names(4, 6).items():
        if tuple(found[name].shape) != shape:
            raise NotYet(f"{name} has the shape {tuple(found[name].shape)}, expected {shape}.")


def expect(answer, given: dict, names: list[str]) -> None:
    found, wanted = asked(answer, given), rename(given)
    for name in names:
        if not fair.alike(found[name], wanted[name], 0):
            said = likely(found[name], outcomes(MISTAKES, rename, given, part=name), 0)
            raise NotYet(f"{name} holds other numbers than expected.{said}")


def joins_three_in_one(answer, draw: Draw):
    """Query, key and value are one tensor, one below the other."""
    expect(answer, layer(draw, 4, 6), ["self_attn.in_proj_weight", "self_attn.in_proj_bias"])


def places_the_rest(answer, draw: Draw):
    """The rest stands where it belongs."""
    expect(answer, layer(draw, 4, 6), list(wanted_names(4, 6)))


def takes_any_width(answer, draw: Draw):
    """Any width, and one."""
    for d, f in ((draw.between(2, 7), draw.between(8, 12)), (1, 1)):
        expect(answer, layer(draw, d, f), list(wanted_names(d, f)))
