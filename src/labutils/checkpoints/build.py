"""From a checked folder to a model: ours, or HuggingFace's."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from labutils.checkpoints.errors import CheckpointError
from labutils.checkpoints.folder import Folder, read_weights

NSP_HEAD = "cls.seq_relationship.weight"  # BERT files saved without the next-sentence head lack it


def build_ours(folder: Folder, dtype: torch.dtype) -> torch.nn.Module:
    """`labutils.models.GPT2` or `Bert`, the latter without the next-sentence head if the file has none."""
    from labutils.models import GPT2, Bert, BertConfig, GPT2Config

    weights = read_weights(folder, dtype)
    try:
        if folder.kind == "gpt2":
            model = GPT2(GPT2Config.from_hf(folder.config))
        else:
            model = Bert(BertConfig.from_hf(folder.config, nsp=NSP_HEAD in weights))
        model.to(dtype).load_hf_state_dict(weights)
    except (ValueError, TypeError) as error:
        raise CheckpointError(f"{folder.path.name}: {error}") from None
    return model


def build_theirs(folder: Folder, dtype: torch.dtype) -> torch.nn.Module:
    """HuggingFace's GPT2LMHeadModel, BertForPreTraining, or BertForMaskedLM if the file has no next-sentence head."""
    weights = read_weights(folder, dtype)  # first, so that a damaged file is reported as such
    import transformers

    if folder.kind == "gpt2":
        cls = transformers.GPT2LMHeadModel
    else:
        cls = transformers.BertForPreTraining if NSP_HEAD in weights else transformers.BertForMaskedLM
    try:
        with _quiet(transformers):
            model, info = cls.from_pretrained(
                folder.path, dtype=dtype, attn_implementation="eager", use_safetensors=True, local_files_only=True,
                output_loading_info=True, ignore_mismatched_sizes=True)
    except (OSError, RuntimeError, ValueError, TypeError, KeyError) as error:
        raise CheckpointError(f"HuggingFace could not load {folder.path.name}: {str(error).splitlines()[0]}") from None
    _all_loaded(folder, info)
    return model


def _all_loaded(folder: Folder, info: dict[str, Any]) -> None:
    for name, found, wanted in sorted(info["mismatched_keys"]):
        raise CheckpointError(f"{folder.path.name}: tensor {name} has shape {tuple(found)}, the configuration asks for {tuple(wanted)}.")
    if info["missing_keys"]:
        raise CheckpointError(f"{folder.path.name}: tensor {sorted(info['missing_keys'])[0]} is missing in the weights file.")
    if info["unexpected_keys"]:
        raise CheckpointError(f"{folder.path.name}: tensor {sorted(info['unexpected_keys'])[0]} belongs to no part of the model.")


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
