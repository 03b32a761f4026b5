"""From a checked folder to a model: ours, or HuggingFace's."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from labutils.checkpoints.errors import CheckpointError
from labutils.checkpoints.folder import Folder, first_line
from labutils.checkpoints.weights import read_weights
from labutils.models.weight_maps import CONSTANTS


def build_ours(folder: Folder, dtype: torch.dtype) -> torch.nn.Module:
    """The model of `labutils.models`, with the heads that the file has."""
    weights = read_weights(folder, dtype)
    heads, _ = _heads(folder, weights)
    try:
        model = folder.family.model(folder.family.config.from_hf(folder.config, **heads))
        model.to(dtype).load_hf_state_dict(weights)
    except ValueError as error:
        raise CheckpointError(f"{folder.path.name}: {error}") from None
    except RuntimeError as error:  # torch has no room for such a size
        raise CheckpointError(
            f"A model of the sizes in {folder.path.name} cannot be made ({first_line(error)})."
        ) from None
    return model


def build_theirs(folder: Folder, dtype: torch.dtype) -> torch.nn.Module:
    """HuggingFace's model of the class that has the heads of the file."""
    _, name = _heads(folder, read_weights(folder, dtype))  # first, so that a damaged file is reported as such
    import transformers

    try:
        with _quiet(transformers):
            model, info = getattr(transformers, name).from_pretrained(
                folder.path,
                dtype=dtype,
                attn_implementation="eager",
                use_safetensors=True,
                local_files_only=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
            )
    except Exception as error:  # another library, whose exceptions are its own
        raise CheckpointError(
            f"HuggingFace could not load {folder.path.name} ({type(error).__name__}: {first_line(error)})."
        ) from None
    _all_loaded(folder, info)
    return model


def _heads(folder: Folder, weights: dict[str, torch.Tensor]) -> tuple[dict[str, Any], str]:
    try:
        return folder.family.heads(weights)
    except ValueError as error:
        raise CheckpointError(f"{folder.path.name} {error}") from None


def _all_loaded(folder: Folder, info: dict[str, Any]) -> None:
    for name, found, wanted in sorted(info["mismatched_keys"]):
        raise CheckpointError(
            f"{folder.path.name}: tensor {name} has shape {tuple(found)}, the configuration asks for {tuple(wanted)}."
        )
    if info["missing_keys"]:
        raise CheckpointError(
            f"{folder.path.name}: tensor {sorted(info['missing_keys'])[0]} is missing in the weights file."
        )
    unexpected = sorted(
        name
        for name in info["unexpected_keys"]
        if not re.fullmatch(folder.family.idle, name) and not name.endswith(CONSTANTS)
    )
    if unexpected:
        raise CheckpointError(f"{folder.path.name}: tensor {unexpected[0]} belongs to no part of the model.")


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """No progress bar and no report on stderr: what is wrong is raised, and a notebook's output stays the model's."""
    log = transformers.utils.logging
    level, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(level)
        if bars:
            log.enable_progress_bar()
