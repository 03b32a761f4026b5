"""One folder in HuggingFace format: read it, and say in one sentence what is wrong with it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labutils.checkpoints.errors import CheckpointError
from labutils.models import FAMILIES, Family
from labutils.models.configuration import check_entries

CONFIG, WEIGHTS, INDEX, CARD = "config.json", "model.safetensors", "model.safetensors.index.json", "card.json"
PICKLES = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


@dataclass(frozen=True)
class Folder:
    """What a folder says of itself: its `path`, the `family` of its model, its `config` and its `card`, if any."""

    path: Path
    family: Family
    config: dict[str, Any]
    card: dict[str, Any]


def read_folder(path: Path) -> Folder:
    """Check that `path` holds a model this package can read, without reading the weights.

    Raises CheckpointError for a folder that is not there, a file that is missing or no JSON, a kind of model other than
    GPT-2 and BERT, a size or number of which no model can be made, a model that wants to run code of its own, and
    weights that exist only as a pickle.
    """
    check_is_there(path)
    config = read_json(path / CONFIG)
    kind = config.get("model_type")
    family = FAMILIES.get(kind) if isinstance(kind, str) else None
    if family is None:
        raise CheckpointError(f"{path.name} is a model of type {kind!r}; the loader reads {' and '.join(FAMILIES)}.")
    if config.get("auto_map"):
        raise CheckpointError(
            f"{path.name} asks to run code of its own (auto_map in {CONFIG}), which the loader never does."
        )
    try:
        check_entries(config, family.entries)
    except ValueError as error:
        raise CheckpointError(f"{path.name}: {CONFIG} cannot be used, because {error}") from None
    if not (path / WEIGHTS).is_file() and not (path / INDEX).is_file():
        _explain_missing_weights(path)
    return Folder(path, family, config, read_json(path / CARD) if (path / CARD).exists() else {})


def check_is_there(path: Path) -> None:
    """Raises CheckpointError for a folder that is not there."""
    if not path.is_dir():
        raise CheckpointError(f"There is no folder {path}. Give the folder that holds {CONFIG} and {WEIGHTS}.")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file. Raises CheckpointError for a file that is missing, is no JSON, or holds no object."""
    if not path.is_file():
        raise CheckpointError(
            f"{path.name} is missing in {path.parent}. A model folder holds {CONFIG}, {WEIGHTS} and the tokenizer's"
            " files."
        )
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))  # some editors mark the byte order
    except (OSError, RecursionError, ValueError) as error:
        raise CheckpointError(f"{path} is damaged ({first_line(error)}). Copy or download it again.") from None
    if not isinstance(value, dict):
        raise CheckpointError(f"{path} is damaged (it holds no JSON object). Copy or download it again.")
    return value


def _explain_missing_weights(path: Path) -> None:
    pickles = sorted(p.name for pattern in PICKLES for p in path.glob(pattern))
    if pickles:
        raise CheckpointError(
            f"{path.name} holds its weights only as {pickles[0]}, a pickle, which can run code when it is opened. "
            f"Convert it to {WEIGHTS} on a machine that you trust."
        )
    raise CheckpointError(f"{WEIGHTS} is missing in {path}. Copy or download it again.")


def first_line(error: Exception) -> str:
    """What an error of another library says, on one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]
