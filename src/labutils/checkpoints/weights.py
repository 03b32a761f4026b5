"""The tensors of a folder: one file or several, each number finite, in the precision asked for."""

import re
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from labutils.checkpoints.errors import CheckpointError
from labutils.checkpoints.folder import INDEX, WEIGHTS, Folder, first_line, read_json
from labutils.models.weight_maps import CONSTANTS

SHARD = re.compile(r"\w[\w.-]*\.safetensors", re.ASCII)  # a plain name: no file outside the folder has one
WRAPPERS = ("module.", "_orig_mod.", "model.")  # of DataParallel, torch.compile, and trainers that hold the model


def read_weights(folder: Folder, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """The tensors of `model.safetensors`, or of the files that its index names, floating ones converted to `dtype`.

    Raises CheckpointError for a file that is missing or damaged, an index that does not fit its files, a tensor that
    holds nan or infinity, numbers that `dtype` cannot hold, and weights that are stored as whole numbers.
    """
    whole = folder.path / WEIGHTS
    tensors = _read(whole) if whole.is_file() else _read_shards(folder.path)
    tensors = _unwrapped(tensors, tuple(folder.family.blocks.values()))
    return {name: _converted(folder.path.name, name, tensor, dtype) for name, tensor in tensors.items()}


def _unwrapped(tensors: dict[str, torch.Tensor], paths: tuple[str, ...]) -> dict[str, torch.Tensor]:
    """Without what programs put around a model in front of all names; `paths` are the model's own."""
    for wrapper in WRAPPERS * len(WRAPPERS):  # one may stand around another
        own = any(path.startswith(wrapper) for path in paths)
        if tensors and not own and all(name.startswith(wrapper) for name in tensors):
            tensors = {name.removeprefix(wrapper): tensor for name, tensor in tensors.items()}
    return tensors


def _read(path: Path) -> dict[str, torch.Tensor]:
    if not path.is_file():
        raise CheckpointError(f"{path.name} is missing in {path.parent}. Copy or download it again.")
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is damaged ({first_line(error)}). Copy or download it again.") from None


def _read_shards(path: Path) -> dict[str, torch.Tensor]:
    where = read_json(path / INDEX).get("weight_map")
    if (
        not isinstance(where, dict)
        or not where
        or not all(isinstance(file, str) and SHARD.fullmatch(file) for file in where.values())
    ):
        raise CheckpointError(
            f"{path / INDEX} does not say which file of its folder holds which tensor. Copy or download it again."
        )
    tensors = {}
    for file in sorted(set(where.values())):
        found, named = _read(path / file), {name for name in where if where[name] == file}
        if found.keys() != named:
            name = min(found.keys() ^ named)
            raise CheckpointError(
                f"{path.name}: {INDEX} and {file} do not fit together at tensor {name}. Copy or download both again."
            )
        tensors |= found
    return tensors


def _converted(folder: str, name: str, tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    if name.endswith(CONSTANTS):  # whatever it holds, no model reads it
        return tensor
    if not tensor.is_floating_point():
        raise CheckpointError(
            f"{folder}: tensor {name} holds {tensor.dtype}, no floating numbers; the loader reads no quantised models."
        )
    converted = tensor.to(dtype)
    if not converted.isfinite().all():
        if tensor.double().isfinite().all():
            raise CheckpointError(f"{folder}: tensor {name} holds numbers too large for {dtype}. Choose torch.float32.")
        raise CheckpointError(
            f"{folder}: tensor {name} holds nan or infinity, with which nothing can be computed. Copy or download the"
            " folder again."
        )
    return converted
