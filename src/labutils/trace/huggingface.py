"""The stages of HuggingFace's models, caught by forward hooks; nothing of their code is changed or copied.

Scores are the output of no module. They are computed again from the caught q and k, as they meet, with the model's own
mask, and their softmax must equal the attention weights that the model itself returned.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count, takewhile

import torch
from torch import Tensor, nn

from labutils.models import Family
from labutils.models.stages import EMBEDDINGS, Place

QKV = ("q", "k", "v")
TOGETHER = {*QKV, "scores", "weights", "attention"}  # each of these is taken or computed with the others
MASKS = ("attention_mask", "mask")  # what attention calls its mask


def stages(
    model: nn.Module, family: Family, batches, want: Callable[[str], bool], change: Mapping
) -> dict[str, Tensor]:
    """Run `model` on a batch for each stack: the wanted stages by their full names, each with the batch in front.

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
    needed = lambda names: any(heads if name in TOGETHER else want(name) for name in names.split())
    seen: dict[str, Tensor] = {}
    with _hooks(list(_places(model, family, needed)), seen):
        model(**_given(family, batches))
    for name in [name for name in seen if name.split()[-1] in EMBEDDINGS]:
        seen[name] = seen[name].expand(len(batches[family.stacks[0]].ids), -1, -1)  # (1, n, d) where all rows agree
    for name in [name for name in seen if name.endswith("attention")]:
        _heads_and_scores(seen, name.removesuffix("attention"), model, family, batches)
    return {name: tensor for name, tensor in seen.items() if want(name.split(" ")[-1])}


def _given(family: Family, batches) -> dict[str, Tensor]:
    """What the model is called with."""
    first, *second = batches.values()
    given = {"input_ids": first.ids, "attention_mask": first.attention_mask}
    for target in second:
        return given | {"decoder_input_ids": target.ids, "decoder_attention_mask": target.attention_mask}
    types = {"token_type_ids": first.type_ids} if family.segments else {}
    return given | {"position_ids": first.position_ids} | types


def _places(model: nn.Module, family: Family, needed: Callable[[str], bool]) -> Iterator[tuple[str, nn.Module, str]]:
    """(full name of the stage, module, what to take there) of all needed stages that this model has."""
    modules = dict(model.named_modules())
    for called, place in family.places.items():
        stack = next((one for one in family.stacks if one and called.startswith(f"{one} ")), "")
        name = called.removeprefix(f"{stack} ")  # "cross q", or "q k v" where one projection makes all three
        if not needed(name):
            continue
        what = "input" if place.startswith(">") else "output" if place.endswith(">") else "attention"
        path, inside = place.strip(">"), "{i}" in place
        block = family.blocks.get(stack, "")
        layers = takewhile(lambda i: block.format(i=i) in modules, count()) if inside else [None]
        for i in layers:
            module = modules.get(path.format(i=i) if inside else path)
            if module is not None:  # a head that this model does not have
                words = (stack, f"layer {i}" if inside else "", name)
                yield " ".join(filter(None, words)), module, what


@contextmanager
def _hooks(places: list[tuple], seen: dict):
    """While this lasts, each place writes what passes through it into `seen`."""

    def hook(name, what):
        def catch(module, args, kwargs, result):
            if what == "input":
                seen[name] = args[0] if args else kwargs["hidden_states"]
            elif what == "attention":
                mask = next((kwargs[one] for one in MASKS if one in kwargs), args[1] if len(args) > 1 else None)
                seen[name] = (mask, kwargs, result)
            else:
                seen[name] = result if isinstance(result, Tensor) else result[0]

        return catch

    handles = [module.register_forward_hook(hook(name, what), with_kwargs=True) for name, module, what in places]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _heads_and_scores(seen: dict, at: str, model: nn.Module, family: Family, batches) -> None:
    """Cut q, k and v of one attention into heads, compute the scores, and check them against the model's weights.

    at: what stands before the names of its stages, "layer 0 " or "decoder layer 0 cross ".
    """
    mask, given, result = seen.pop(f"{at}attention")
    if f"{at}q k v" in seen:  # one projection makes all three
        parts = seen.pop(f"{at}q k v").chunk(3, dim=-1)
        seen |= {at + name: part for name, part in zip(QKV, parts)}
    n_heads = getattr(model.config, family.entries["n_heads"])
    n_key_heads = getattr(model.config, family.entries.get("n_key_heads", ""), None) or n_heads
    turn = family.turn(given) if family.turn else lambda x: x
    for name, heads in zip(QKV, (n_heads, n_key_heads, n_key_heads)):
        cut = seen[at + name].unflatten(-1, (heads, -1)).transpose(1, 2)  # (B, n, H d_k) -> (B, H, n, d_k)
        seen[at + name] = cut if name == "v" else turn(cut)
    q, k = seen[f"{at}q"], seen[f"{at}k"].repeat_interleave(n_heads // n_key_heads, dim=1)
    layer = Place.of(f"{at}scores").layer
    scale = family.scale_of(model.config, layer) if family.scale_of else family.scale
    scores = q @ k.mT * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)  # (B, H, n, n)
    bias = family.bias(result) if family.bias else None
    scores = scores if bias is None else scores + bias
    if mask is not None:  # (B or 1, 1, n, n), added to the scores: 0 where visible, else a huge negative number
        scores = scores.masked_fill(mask < 0, -torch.inf)
    seen[f"{at}scores"], seen[f"{at}weights"] = scores, result[-1]
    real = batches[Place.of(f"{at}scores").stack].attention_mask.bool()
    _check_weights(scores, result[-1], real, at, family.tolerance)


def _check_weights(scores: Tensor, weights: Tensor, real: Tensor, at: str, exact: float) -> None:
    """Raises AssertionError where the softmax of the scores is not the model's weights."""
    rows = real[:, None, :, None]  # a row of padding may see nothing at all
    gap = torch.where(rows, torch.where(rows, scores, 0.0).softmax(-1) - weights, 0.0).abs().max()
    largest = float(torch.where(rows & scores.isfinite(), scores, 0.0).abs().max())
    rounding = 64 * torch.finfo(scores.dtype).eps * (1 + largest)
    if not gap <= (exact if scores.dtype == torch.float64 else 0.0) + rounding:
        raise AssertionError(
            f"The scores of {at.strip()}, computed again, give weights that differ by {gap:.1e} from the model's"
            " own: this version of transformers computes attention in a way that the trace does not know."
        )
