"""What is told of a model, ours or HuggingFace's: its name and its sizes."""

from pathlib import Path
from typing import Any

import torch

from labutils.world import RUNNING_TEXT

SHIPPED = {  # name -> what the reader sees, and the text to start with
    "paper-gpt2": ("Paper model", "the cat sat"),
    "little-gpt2": ("Little GPT-2", RUNNING_TEXT),
    "little-bert": ("Little BERT", RUNNING_TEXT),
}
PUBLISHED = {"gpt2": "GPT-2 itself", "bert-base-uncased": "BERT itself, uncased"}  # whose tokenizers come along


def title(name: str) -> str:
    """What the reader sees of a name; of a folder, its last part."""
    return PUBLISHED.get(name) or SHIPPED.get(name, (Path(name).name or name,))[0]


def info(checkpoint) -> dict[str, Any]:
    """What ``source.info`` says in the browser: the facts of `describe`, and the sizes that a control draws by."""
    config = _config(checkpoint.model)
    return describe(checkpoint) | {
        "layers": config.n_layers,
        "heads": config.n_heads,
        "keyHeads": config.n_key_heads,
        "headDim": config.head_dim,
        "width": config.d_model,
        "ffn": config.d_ff or 4 * config.d_model,
        "vocab": config.vocab_size,
        "activation": config.activation,
        "eps": config.eps,
        "rotaryBase": config.rotary_base,
    }


def describe(checkpoint) -> dict[str, Any]:
    """The part that both homes share. The label is the control's last line."""
    from labutils.models.family import family_of  # here, because the models take seconds to import

    model, name, family = checkpoint.model, checkpoint.name, family_of(checkpoint.model)
    parameters = sum(p.numel() for p in model.parameters())
    seed = checkpoint.card.get("training", {}).get("seed")
    return {
        "name": name,
        "kind": family.name,
        "causal": family.causal,
        "norm": family.norm,
        "biases": biases(model),
        "parameters": parameters,
        "maxTokens": _config(model).n_positions,
        "label": f"{title(name)}, {parameters:,} parameters" + (f", seed {seed}" if seed is not None else ""),
    }


PROJECTIONS = {  # stage of a block -> the part of ours that makes it
    "q": "attention.query",
    "k": "attention.key",
    "v": "attention.value",
    "attention_output": "attention.output",
    "ffn_gate": "feed_forward.gate",
    "ffn_hidden": "feed_forward.expand",
    "ffn_output": "feed_forward.contract",
}


def biases(model: torch.nn.Module) -> list[str]:
    """The stages of a block that a projection with a bias makes, in order; of HuggingFace's model as well."""
    from labutils.models.family import family_of

    family = family_of(model)
    if isinstance(model, family.model):
        places = {stage: f"blocks.0.{path}" for stage, path in PROJECTIONS.items()}
    else:
        made = {names: place.rstrip(">").format(i=0) for names, place in family.places.items() if place.endswith(">")}
        places = {stage: place for names, place in made.items() for stage in names.split()}
    parts = dict(model.named_modules())
    return [stage for stage in PROJECTIONS if getattr(parts.get(places.get(stage)), "bias", None) is not None]


def _config(model: torch.nn.Module):
    """The configuration in our own words, whosever model it is."""
    from labutils.models.family import family_of

    family = family_of(model)
    return model.config if isinstance(model, family.model) else family.config.from_hf(model.config.to_dict())
