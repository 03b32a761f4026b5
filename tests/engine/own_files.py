"""Files of GPT-2 as HuggingFace writes them, with drawn weights: for a page to read."""

import json
import struct
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import GPT2Config, GPT2LMHeadModel

SMALL = {"n_layer": 2, "n_embd": 128, "n_head": 2, "n_positions": 40, "vocab_size": 301}


def drawn(seed: int = 0, dtype: torch.dtype = torch.float32, **sizes) -> GPT2LMHeadModel:
    """A GPT-2 of HuggingFace's in which no parameter is zero or one, its numbers exact in `dtype`."""
    torch.manual_seed(seed)
    model = GPT2LMHeadModel(GPT2Config(**(SMALL | sizes), attn_implementation="eager")).eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            gain = name.endswith(("ln_1.weight", "ln_2.weight", "ln_f.weight"))
            scale = 0.1 if p.dim() == 1 else 0.02
            p.copy_((gain + scale * torch.randn_like(p)).to(dtype).float())
    return model


def folder(model: GPT2LMHeadModel, path: Path) -> Path:
    """As `save_pretrained` writes it, with "transformer." in front of the names."""
    model.save_pretrained(path)
    return path


def published(model: GPT2LMHeadModel, path: Path, dtype: torch.dtype = torch.float32) -> Path:
    """As GPT-2's own file is: plain names, the head not repeated, and the mask of each layer beside its weights."""
    n = model.config.n_positions
    tensors = {name.removeprefix("transformer."): p.to(dtype).contiguous() for name, p in model.named_parameters()}
    tensors |= {f"h.{i}.attn.bias": torch.tril(torch.ones(1, 1, n, n)) for i in range(model.config.n_layer)}
    save_file(tensors, path, metadata={"format": "pt"})
    return path


def altered(path: Path, to: Path, change) -> Path:
    """The file `path` with another header: `change` alters it in place, and the numbers stay."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    to.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length :])
    return to
