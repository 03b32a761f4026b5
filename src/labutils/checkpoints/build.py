"""From a checked folder to a model: ours, or HuggingFace's."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from labutils.checkpoints.errors import CheckpointError
from labutils.checkpoints.folder import Folder, first_line
from labutils.checkpoints.weights import CONSTANTS, read_weights

MLM_HEAD = "cls.predictions."  # BERT files saved without the head for hidden words lack all tensors of this name
NSP_HEAD = "cls.seq_relationship.weight"  # those saved without the next-sentence head lack this one
POOLER = re.compile(r"(bert\.)?pooler\.dense\.(weight|bias)")  # and some of those keep what only that head would read


def build_ours(folder: Folder, dtype: torch.dtype) -> torch.nn.Module:
    """`labutils.models.GPT2` or `Bert`, the latter without the next-sentence head if the file has none."""
    from labutils.models import GPT2, Bert, BertConfig, GPT2Config

    weights = _weights_with_a_head(folder, dtype)
    if folder.config.get("tie_word_embeddings") is False:
        raise CheckpointError(f"{folder.path.name} has an output head of its own (tie_word_embeddings is false), where labutils' models use the "
                              "token table: load it with library='transformers'.")
    try:
        if folder.kind == "gpt2":
            model = GPT2(GPT2Config.from_hf(folder.config))
        else:
            model = Bert(BertConfig.from_hf(folder.config, nsp=NSP_HEAD in weights))
        model.to(dtype).load_hf_state_dict(weights)
    except ValueError as error:
        raise CheckpointError(f"{folder.path.name}: {error}") from None
    except RuntimeError as error:  # torch has no room for such a size
        raise CheckpointError(f"A model of the sizes in {folder.path.name} cannot be made ({first_line(error)}).") from None
    return model


def build_theirs(folder: Folder, dtype: torch.dtype) -> torch.nn.Module:
    """HuggingFace's GPT2LMHeadModel, BertForPreTraining, or BertForMaskedLM if the file has no next-sentence head."""
    weights = _weights_with_a_head(folder, dtype)  # first, so that a damaged file is reported as such
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
    except Exception as error:  # another library, whose exceptions are its own
        raise CheckpointError(f"HuggingFace could not load {folder.path.name} ({type(error).__name__}: {first_line(error)}).") from None
    _all_loaded(folder, info)
    return model


def _weights_with_a_head(folder: Folder, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    weights = read_weights(folder, dtype)
    if folder.kind == "bert" and not any(name.startswith(MLM_HEAD) for name in weights):
        raise CheckpointError(f"{folder.path.name} is a BERT without its head for hidden words (no tensor is named {MLM_HEAD}…), so it gives "
                              "no logits: take a checkpoint of BertForPreTraining or BertForMaskedLM.")
    return weights


def _all_loaded(folder: Folder, info: dict[str, Any]) -> None:
    for name, found, wanted in sorted(info["mismatched_keys"]):
        raise CheckpointError(f"{folder.path.name}: tensor {name} has shape {tuple(found)}, the configuration asks for {tuple(wanted)}.")
    if info["missing_keys"]:
        raise CheckpointError(f"{folder.path.name}: tensor {sorted(info['missing_keys'])[0]} is missing in the weights file.")
    unexpected = sorted(name for name in info["unexpected_keys"] if not POOLER.fullmatch(name) and not name.endswith(CONSTANTS))
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
