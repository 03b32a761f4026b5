"""A model as the text of a script that a page loads: configuration, names, shapes, weights in base64, a checksum."""

import base64
import copy
import json
import zlib
from collections.abc import Mapping

import numpy as np
import torch

from labutils.checkpoints.facts import biases
from labutils.controls.script import call as script_call
from labutils.models import FAMILIES, Family, family_of
from labutils.models.stages import STAGES, Place, titled
from labutils.trace import trace

TOKENS = 9  # of the text that is run before a file is written: tiles of four rows, and one row that is left
CLOSE = 1e-7  # both compute in float64


def model_file(name: str, model: torch.nn.Module, label: str = "") -> dict:
    """The content of a model's file, as `model_file.js` reads it.

    The tensors carry the names of our model's parameters; matrices are (out, in), as torch.nn.Linear keeps them. They
    are float16, or float64 for a model in float64 (the paper model, whose two constants are no short binary fractions).
    `causal`, `norm`, `block`, `scale` and `same` are those of the family's record, `has` its stages, and `biases` the
    stages that a projection with a bias makes; `stages` is the one table of stages.

    One text is run through the file's model in V8, as a page will run it. Raises ValueError for a model that is not
    ours, for one of which a page computes any stage otherwise than `trace` does, whose name it says, and for a weight
    that is no finite number or not exactly a float16.
    """
    if not any(isinstance(model, family.model) for family in FAMILIES.values()):
        ours = " and ".join(family.model.__name__ for family in FAMILIES.values())
        raise ValueError(f"Only {ours} of labutils can be written for a page, not {type(model).__name__}.")
    family = family_of(model)
    if len(family.stacks) > 1 or family.bias:
        what = "two stacks of blocks" if len(family.stacks) > 1 else "something added to its scores"
        raise ValueError(f"{name} cannot be written for a page: a {family.title} has {what}, which no page computes.")
    tensors = {key: p.detach().cpu().numpy() for key, p in model.named_parameters()}
    double = all(t.dtype == np.float64 for t in tensors.values())
    data = b"".join(_bytes(name, key, tensor, double) for key, tensor in tensors.items())
    file = record(name, model, label) | {
        "config": _config(model, tensors),
        "weights": {
            "dtype": "float64" if double else "float16",
            "shapes": {key: list(tensor.shape) for key, tensor in tensors.items()},
            "crc32": zlib.crc32(data),
        },
    }
    _check_page(file, model, data)
    file["weights"]["data"] = base64.b64encode(data).decode("ascii")
    return file


def _check_page(file: dict, model: torch.nn.Module, data: bytes) -> None:
    """Raises ValueError where the engine computes a stage of one text otherwise than `trace` does."""
    c, called = model.config, f"{file['name']} cannot be written for a page"
    ids = [(5 * i * i + 3) % c.vocab_size for i in range(min(TOKENS, c.n_positions))]
    types = [i % getattr(c, "n_segments", 1) for i in range(len(ids))]
    t = trace(copy.deepcopy(model).double(), ids, type_ids=types)
    try:
        found = script_call("engine/outside.js", "stagesOf", file, data, ids, types)
    except ValueError as error:
        raise ValueError(f"{called}: {error}") from None
    for full, value in t.stages().items():
        place = Place.of(full)
        there = np.array(found.get(place.stage, []), dtype=np.float64)  # of a masked score, null becomes nan
        wanted = value.numpy().ravel()
        if place.layer is not None:
            there = there[place.layer * wanted.size :][: wanted.size]
        there = np.where(np.isnan(there), -np.inf, there)
        if there.shape != wanted.shape or not np.allclose(there, wanted, rtol=CLOSE, atol=CLOSE):
            raise ValueError(f"{called}: it would compute another {titled(full)} than Python's trace, in silence.")


def record(name: str, model: torch.nn.Module, label: str = "") -> dict:
    """What a page has to know of a model of ours besides its sizes and its weights: the record of its family, the
    stages and biases that it has, and the one table of stages.
    """
    family = family_of(model)
    return {
        "name": name,
        "label": label or name,
        "kind": family.name,
        "causal": family.causal,
        "norm": family.norm,
        "block": family.block,
        "scale": family.scale,
        "has": _stages(model, family),
        "same": dict(family.same),
        "biases": biases(model),
        "stages": {stage.name: {"axes": stage.axes, "inBlock": stage.in_block} for stage in STAGES.values()},
    }


def script(key: str, content: dict) -> str:
    """One script that hands `content` to the engine under the name `key`: it works from https:, a local server and
    file://.
    """
    plain = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    return f"globalThis.ittModel({json.dumps(key)}, {plain});\n"


def _stages(model: torch.nn.Module, family: Family) -> list[str]:
    """Those of the family's stages that this one of its models computes: it may lack a head."""
    lacks = () if getattr(model, "pooler", None) else ("pooled", "nsp_logits")
    return [name for name in STAGES if name in family.stages and name not in lacks]


def _config(model: torch.nn.Module, tensors: Mapping[str, np.ndarray]) -> dict:
    """What is counted, and whether the output head is the token table."""
    c = model.config
    return {
        "layers": c.n_layers,
        "heads": c.n_heads,
        "keyHeads": c.n_key_heads,
        "headDim": c.head_dim,
        "width": c.d_model,
        "ffn": c.d_ff,
        "vocab": c.vocab_size,
        "maxTokens": c.n_positions,
        "segments": getattr(c, "n_segments", 1),
        "eps": c.eps,
        "activation": c.activation,
        "rotaryBase": c.rotary_base,
        "rotaryDim": c.rotary_dim,
        "tied": "head.weight" not in tensors,
    }


def _bytes(name: str, key: str, tensor: np.ndarray, double: bool) -> bytes:
    """Little-endian bytes in C order."""
    if not np.isfinite(tensor).all():
        raise ValueError(f"{name} cannot be written: {key} holds a value that is no finite number.")
    if double:
        return tensor.astype("<f8").tobytes()
    with np.errstate(over="ignore"):
        half = tensor.astype("<f2")
    if not np.array_equal(half.astype(tensor.dtype), tensor):
        raise ValueError(
            f"{name} cannot be written: {key} is not exactly float16, so Python and the page would compute with other"
            " weights."
        )
    return half.tobytes()
