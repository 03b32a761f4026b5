"""BERT and GPT-2 side by side: a table in which each cell is read off a configuration, a model or a tokenizer."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import torch
import transformers
from torch import nn

from labutils.checkpoints import load
from labutils.layers import PreNormBlock
from labutils.models import GPT2, Bert, BertConfig, Family, GPT2Config, family_of

ACTIVATIONS = {"gelu": "GELU", "gelu_tanh": "GELU by tanh", "relu": "ReLU", "silu": "SiLU"}


@dataclass(frozen=True)
class Column:
    """One model: its name for readers, the model itself (perhaps without numbers), its special tokens."""

    name: str
    model: nn.Module
    special: tuple[str, ...]

    @property
    def config(self) -> GPT2Config | BertConfig:
        return self.model.config

    @property
    def family(self) -> Family:
        return family_of(self.model)


def columns() -> list[Column]:
    """The two published models by the defaults of their configurations, without weights, and the two shipped ones."""
    with torch.device("meta"):
        published = [("BERT base", Bert(BertConfig())), ("GPT-2 small", GPT2(GPT2Config()))]
    theirs = [transformers.BertTokenizer, transformers.GPT2Tokenizer]
    return [Column(name, model, _special(kind)) for (name, model), kind in zip(published, theirs)] + [
        Column(f"little {family_of(one.model).title}", one.model, tuple(sorted(one.tokenizer.special_tokens)))
        for one in map(load, ("little-bert", "little-gpt2"))
    ]


def _special(tokenizer: type) -> tuple[str, ...]:
    """The special tokens that a tokenizer of HuggingFace's has if nobody says otherwise."""
    defaults = inspect.signature(tokenizer.__init__).parameters.values()
    return tuple(sorted({one.default for one in defaults if one.name.endswith("_token") and one.default}))


def _objective(one: Column) -> str:
    if one.family.causal:
        return "the next token"
    return "hidden tokens" + (", and whether the second part follows the first" if one.config.nsp else "")


def _tied(one: Column) -> str:
    return "yes" if getattr(one.config, "tied", True) else "no"  # a BERT with a head of its own is not read at all


ROWS: dict[str, Callable[[Column], str]] = {
    "Kind": lambda one: "decoder" if one.family.causal else "encoder",
    "A row attends to": lambda one: "itself and what stands before it" if one.family.causal else "every token",
    "Learns to tell": _objective,
    "Tokenizer": lambda one: one.family.tokenizer,
    "Special tokens": lambda one: " ".join(f"`{token}`" for token in one.special).replace("|", "\\|"),
    "Vocabulary $V$": lambda one: f"{one.config.vocab_size:,}",
    "Longest text": lambda one: f"{one.config.n_positions:,}",
    "Segments": lambda one: str(one.config.n_segments) if one.family.segments else "none",
    "Layers $L$": lambda one: str(one.config.n_layers),
    "Width $d$": lambda one: str(one.config.d_model),
    "Heads $H$": lambda one: str(one.config.n_heads),
    "Width of a head $d_k$": lambda one: str(one.config.head_dim),
    "Inner width $f$": lambda one: f"{one.config.d_ff:,}",
    "Activation": lambda one: ACTIVATIONS[one.config.activation],
    "LayerNorm": lambda one: (
        "before each part, and once at the end"
        if isinstance(one.model.blocks[0], PreNormBlock)
        else "after each part, and once at the start"
    ),
    "ε of LayerNorm": lambda one: f"{one.config.layer_norm_eps:.0e}".replace("e-0", "e-"),
    "Output head is the token table": _tied,
    "Parameters": lambda one: f"{sum(p.numel() for p in one.model.parameters()):,}",
}


def page() -> str:
    """Markdown: one row for each thing that can differ, one column for each model."""
    models = columns()
    head = ["", *(one.name for one in models)]
    rows = [[name, *(cell(one) for one in models)] for name, cell in ROWS.items()]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows]) + "\n"
