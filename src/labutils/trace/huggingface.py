"""The stages of HuggingFace's models, caught by forward hooks; nothing of their code is changed or copied.

Scores are the output of no module. They are computed again from the caught q and k with the model's own mask, and their
softmax must equal the attention weights that the model itself returned.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from labutils.models import Family
from labutils.models.stages import EMBEDDINGS

QKV = ("q", "k", "v")
TOGETHER = {*QKV, "scores", "weights", "attention", "q k v"}  # each of these is taken or computed with the others


def stages(model: nn.Module, family: Family, batch, want: Callable[[str], bool], change: Mapping) -> dict[str, Tensor]:
    """Run `model` on `batch`: the wanted stages by their full names, each with the batch in front.

    Raises ValueError if the model does not compute attention "eager", for then it hands out no attention weights, or if
    a stage is to be changed; AssertionError if the scores computed here do not explain the weights of the model.
    """
    if change:
        raise ValueError("Only the stages of our own models can be changed: load it with library='labutils'.")
    if model.config._attn_implementation != "eager":
        raise ValueError(
            f"This model computes attention with {model.config._attn_implementation!r}, which returns no weights: "
            'load it with attn_implementation="eager", or call model.set_attn_implementation("eager").'
        )
    heads = any(want(name) for name in TOGETHER)
    needed = lambda name: heads if name in TOGETHER else want(name) or name == "embedding_sum"
    seen: dict[str, Tensor] = {}
    with _hooks(list(_places(model, family, needed)), seen):
        types = {"token_type_ids": batch.type_ids} if family.segments else {}
        model(batch.ids, attention_mask=batch.attention_mask, position_ids=batch.position_ids, **types)
    for name in EMBEDDINGS:
        if name in seen:  # (1, n, d) where all rows have the same
            seen[name] = seen[name].expand_as(seen["embedding_sum"])
    for i in range(model.config.num_hidden_layers if heads else 0):
        _heads_and_scores(seen, f"layer {i} ", model.config.num_attention_heads, batch.attention_mask.bool())
    return {name: tensor for name, tensor in seen.items() if want(name)}


def _places(model: nn.Module, family: Family, needed: Callable[[str], bool]) -> Iterator[tuple[str, nn.Module, str]]:
    """(full name of the stage, module, what to take there) of all needed stages that this model has."""
    modules = dict(model.named_modules())
    for name, place in family.places.items():
        if not needed(name):
            continue
        what = "input" if place.startswith(">") else "output" if place.endswith(">") else "attention"
        path = place.strip(">")
        layers = range(model.config.num_hidden_layers) if "{i}" in path else [None]
        for i in layers:
            module = modules.get(path if i is None else path.format(i=i))
            if module is not None:  # a head that this model does not have
                yield name if i is None else f"layer {i} {name}", module, what


@contextmanager
def _hooks(places: list[tuple], seen: dict):
    """While this lasts, each place writes what passes through it into `seen`."""

    def hook(name, what):
        def catch(module, args, kwargs, result):
            if what == "input":
                seen[name] = args[0] if args else kwargs["hidden_states"]
            elif what == "attention":
                seen[name.replace("attention", "mask")] = kwargs.get(
                    "attention_mask", args[1] if len(args) > 1 else None
                )
                seen[name.replace("attention", "weights")] = result[1]
            else:
                seen[name] = result if isinstance(result, Tensor) else result[0]

        return catch

    handles = [module.register_forward_hook(hook(name, what), with_kwargs=True) for name, module, what in places]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _heads_and_scores(seen: dict, layer: str, n_heads: int, real: Tensor) -> None:
    """Cut q, k and v of a layer into heads, compute the scores, and check them against the weights of the model."""
    if f"{layer}q k v" in seen:  # one projection makes all three
        parts = seen.pop(f"{layer}q k v").chunk(3, dim=-1)
        seen |= {layer + name: part for name, part in zip(QKV, parts)}
    for name in QKV:
        B, n, d = seen[layer + name].shape
        seen[layer + name] = (
            seen[layer + name].view(B, n, n_heads, d // n_heads).transpose(1, 2)
        )  # (B, n, d) -> (B, H, n, d_k)
    q, k = seen[layer + "q"], seen[layer + "k"]
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # (B, H, n, n)
    mask = seen.pop(
        layer + "mask"
    )  # (B or 1, 1, n, n), added to the scores: 0 where visible, else a huge negative number
    if mask is not None:
        scores = scores.masked_fill(mask < 0, -torch.inf)
    seen[layer + "scores"] = scores

    rows = real[:, None, :, None]  # a row of padding may see nothing at all
    again = torch.where(rows, scores, 0.0).softmax(-1)
    gap = torch.where(rows, again - seen[layer + "weights"], 0.0).abs().max()
    largest = torch.where(rows & scores.isfinite(), scores, 0.0).abs().max()
    tolerance = 1e-10 if scores.dtype == torch.float64 else 64 * torch.finfo(scores.dtype).eps * (1 + float(largest))
    if not gap <= tolerance:
        raise AssertionError(
            f"The scores of {layer.strip()}, computed again, give weights that differ by {gap:.1e} from the model's"
            " own: this version of transformers computes attention in a way that the trace does not know."
        )
