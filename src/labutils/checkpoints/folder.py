"""One folder in HuggingFace format: read it, and say in one sentence what is wrong with it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from labutils.checkpoints.errors import CheckpointError

CONFIG, WEIGHTS, CARD = "config.json", "model.safetensors", "card.json"
KINDS = ("gpt2", "bert")
PICKLES = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


@dataclass(frozen=True)
class Folder:
    """What a folder says of itself: its `path`, the `kind` of model ("gpt2" or "bert"), `config` and, if there is one, `card`."""

    path: Path
    kind: str
    config: dict[str, Any]
    card: dict[str, Any]


def read_folder(path: Path) -> Folder:
    """Check that `path` holds a model this package can read, without reading the weights.

    Raises CheckpointError for a folder that is not there, a file that is missing or no JSON, a kind of model other than GPT-2
    and BERT, a model that wants to run code of its own, and weights that exist only as a pickle.
    """
    if not path.is_dir():
        raise CheckpointError(f"There is no folder {path}. Give the folder that holds {CONFIG} and {WEIGHTS}.")
    config = _json(path / CONFIG)
    kind = config.get("model_type")
    if kind not in KINDS:
        raise CheckpointError(f"{path.name} is a model of type {kind!r}; the loader reads {' and '.join(KINDS)}.")
    if config.get("auto_map"):
        raise CheckpointError(f"{path.name} asks to run code of its own (auto_map in {CONFIG}), which the loader never does.")
    if not (path / WEIGHTS).is_file():
        _explain_missing_weights(path)
    return Folder(path, kind, config, _json(path / CARD) if (path / CARD).exists() else {})


def read_weights(folder: Folder, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """The tensors of `model.safetensors`, floating ones converted to `dtype`. Raises CheckpointError if the file is damaged."""
    path = folder.path / WEIGHTS
    try:
        tensors = load_file(path)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is damaged ({_first_line(error)}). Copy or download it again.") from None
    return {name: t.to(dtype) if t.is_floating_point() else t for name, t in tensors.items()}


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise CheckpointError(f"{path.name} is missing in {path.parent}. A model folder holds {CONFIG}, {WEIGHTS} and the tokenizer's files.")
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path} is damaged ({_first_line(error)}). Copy or download it again.") from None
    if not isinstance(value, dict):
        raise CheckpointError(f"{path} is damaged (it holds no JSON object). Copy or download it again.")
    return value


def _explain_missing_weights(path: Path) -> None:
    pickles = sorted(p.name for pattern in PICKLES for p in path.glob(pattern))
    if pickles:
        raise CheckpointError(
            f"{path.name} holds its weights only as {pickles[0]}, a pickle, which can run code when it is opened. "
            f"Convert it to {WEIGHTS} on a machine that you trust.")
    if (path / f"{WEIGHTS}.index.json").exists():
        raise CheckpointError(f"{path.name} splits its weights over several files. Save it again as one {WEIGHTS}.")
    raise CheckpointError(f"{WEIGHTS} is missing in {path}. Copy or download it again.")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
