"""Small models as folders that HuggingFace wrote, with every number drawn, and a tokenizer that fits."""

import json
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from twins import randomise

from labutils.text import ByteLevelBPE, WordPiece

TEXTS = ["the cat sat on the mat"] * 3
IDS = torch.tensor([[2, 7, 8, 3, 9]])
SIZES = {
    "gpt2": dict(vocab_size=270, n_positions=11, n_embd=12, n_layer=2, n_head=3, bos_token_id=0, eos_token_id=0),
    "bert": dict(
        vocab_size=40,
        max_position_embeddings=11,
        hidden_size=12,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=20,
    ),
}


def make(folder: Path, cls: type = transformers.GPT2LMHeadModel, **settings) -> Path:
    """A folder with a model of this class of transformers and a tokenizer."""
    kind = "bert" if "Bert" in cls.__name__ else "gpt2"
    model = cls(cls.config_class(**SIZES[kind] | settings))
    randomise(model, spread=1.5)
    model.save_pretrained(folder)
    tokenizer = ByteLevelBPE.train(TEXTS, 265) if kind == "gpt2" else WordPiece.train(TEXTS, 40)
    tokenizer.save(folder)
    return folder


def edit_config(folder: Path, **changes) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def edit_weights(folder: Path, change) -> None:
    """Write change(tensors) in place of the tensors."""
    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path, {"format": "pt"})


def logits(model: torch.nn.Module) -> torch.Tensor:
    """What either library's model says of IDS."""
    out = model(IDS)
    return out.logits if hasattr(out, "logits") else out.prediction_logits
