"""What is told of a model, ours or HuggingFace's: its name, its sizes, and what its heads contribute."""

from pathlib import Path
from typing import Any

import torch

RUNNING_TEXT = "The cat sat on the mat. It was tired."
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


@torch.no_grad()
def contributions(t, model: torch.nn.Module) -> torch.Tensor:
    """(L, H, n, n) for a trace of the model: the norm of weight · value · W_O. Kobayashi et al. 2020, "Attention is Not
    Only a Weight", equation 3.
    """
    found = []
    for i, layer in enumerate(t.layers):
        H = len(layer.weights)
        v = layer.v.repeat_interleave(H // len(layer.v), dim=0)  # (H, n, d_k), where several heads share one
        _, n, d_k = v.shape
        apart = torch.zeros(H, n, H, d_k, dtype=v.dtype)
        for h in range(H):
            apart[h, :, h] = v[h]  # each head's values in its own columns, zeros in the others
        output = _output(model, i)
        device = next(output.parameters()).device
        apart = apart.flatten(2).to(device)  # (H, n, H, d_k) -> (H, n, d)
        # each value, moved to where it is added; the bias is left out
        moved = output(apart) - output(torch.zeros_like(apart))
        found.append(layer.weights * moved.cpu().norm(dim=-1)[:, None, :])  # (H, n, n) · (H, 1, n)
    return torch.stack(found)


def _output(model: torch.nn.Module, layer: int) -> torch.nn.Module:
    """The module of W_O of one layer. In HuggingFace's models it is the one that the context goes into."""
    from labutils.models.family import family_of

    family = family_of(model)
    if isinstance(model, family.model):
        return model.blocks[layer].attention.output
    return model.get_submodule(family.places["context"].removeprefix(">").format(i=layer))
