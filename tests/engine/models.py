"""Models for the tests of the engine: shipped ones, and drawn ones in which no parameter is zero."""

from functools import cache

import torch

from labutils.checkpoints import load
from labutils.controls.engine.model_file import model_file
from labutils.models import GPT2, Bert, BertConfig, GPT2Config

# Odd sizes, all different, so that no two axes can be confused; head widths of 1 and up, inner widths wider and narrower.
DRAWN = {
    "drawn gpt2": (GPT2, GPT2Config(vocab_size=31, n_positions=17, d_model=15, n_layers=3, n_heads=3, d_ff=22)),
    "drawn gpt2 relu": (
        GPT2,
        GPT2Config(vocab_size=7, n_positions=9, d_model=10, n_layers=2, n_heads=10, d_ff=7, activation="relu"),
    ),
    "drawn gpt2 gelu": (
        GPT2,
        GPT2Config(vocab_size=13, n_positions=11, d_model=9, n_layers=1, n_heads=1, activation="gelu"),
    ),
    "drawn gpt2 untied": (
        GPT2,
        GPT2Config(vocab_size=12, n_positions=8, d_model=6, n_layers=2, n_heads=2, d_ff=5, tied=False),
    ),
    "drawn bert": (Bert, BertConfig(vocab_size=31, n_positions=17, d_model=15, n_layers=3, n_heads=3, d_ff=22)),
    "drawn bert tanh": (
        Bert,
        BertConfig(
            vocab_size=13,
            n_positions=9,
            n_segments=3,
            d_model=10,
            n_layers=1,
            n_heads=5,
            d_ff=7,
            activation="gelu_tanh",
        ),
    ),
    "drawn bert masked only": (
        Bert,
        BertConfig(vocab_size=11, n_positions=13, d_model=9, n_layers=2, n_heads=1, d_ff=10, nsp=False),
    ),
}
SHIPPED = ("little-gpt2", "little-bert", "paper-gpt2")


@cache
def model_of(name: str) -> torch.nn.Module:
    """The model in the precision that Python shows it in: float64 for the paper model, else float32."""
    if name in SHIPPED:
        return load(name, dtype=torch.float64 if name == "paper-gpt2" else torch.float32).model
    kind, config = DRAWN[name]
    return draw(kind(config))


def draw(model: torch.nn.Module, seed: int = 0) -> torch.nn.Module:
    """Give every parameter a random value that is exactly a float16 number, on a scale where attention is neither flat
    nor a peak.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in model.named_parameters():
            spread = 0.3 if p.ndim == 1 or "embeddings" in name else max(p.shape) ** -0.5
            values = torch.randn(p.shape, generator=generator) * spread + (1.0 if name.endswith("gain") else 0.0)
            p.copy_(values.to(torch.float16))
    return model


def file_of(name: str) -> dict:
    """The content of the model's script file."""
    return model_file(name, model_of(name), "a label")


def ids_of(name: str, n: int, seed: int = 3) -> list[int]:
    """n ids of the model, drawn."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, model_of(name).config.vocab_size, (n,), generator=generator).tolist()
