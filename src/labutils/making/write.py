"""A model folder in HuggingFace format, written in one go."""

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from labutils.checkpoints.folder import CARD, CONFIG, WEIGHTS
from labutils.making.cards import card_markdown


def write_folder(
    folder: Path, config: dict[str, Any], weights: dict[str, torch.Tensor], tokenizer: Any, card: dict[str, Any] | None
) -> None:
    """Write `folder` anew: configuration, weights, the tokenizer's files, the card (if there is one) as numbers and as
    a page.

    The folder is made beside its place and then moved there, so that a reader never meets half of it.
    """
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    _write_json(fresh / CONFIG, config)
    save_file({name: t.contiguous() for name, t in weights.items()}, fresh / WEIGHTS, metadata={"format": "pt"})
    (fresh / WEIGHTS).chmod(0o644)  # save_file makes it private
    tokenizer.save(fresh)
    if card is not None:
        write_card(fresh, card)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def write_card(folder: Path, card: dict[str, Any]) -> None:
    """card.json and, rendered from it, README.md."""
    _write_json(folder / CARD, card)
    (folder / "README.md").write_text(card_markdown(card), encoding="utf-8")


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
