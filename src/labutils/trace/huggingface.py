"""The stages of HuggingFace's models, caught by forward hooks; nothing of their code is changed or copied.

Scores are the output of no module. They are computed again from the caught q and k with the model's own mask, and their
softmax must equal the attention weights that the model itself returned.
"""

import math
from contextlib import contextmanager

import torch
from torch import Tensor, nn

_KINDS = {"GPT2LMHeadModel": "gpt2", "BertForPreTraining": "bert", "BertForMaskedLM": "bert"}


def kind(model: nn.Module) -> str | None:
    return next((_KINDS[c.__name__] for c in type(model).__mro__ if c.__name__ in _KINDS), None)


def stages(model: nn.Module, batch) -> tuple[dict, list[dict]]:
    """Run `model` on `batch`; the stages of the model, and of each block, each with the batch in front.

    Raises ValueError if the model does not compute attention "eager", for then it hands out no attention weights, and
    AssertionError if the scores computed here do not explain the weights of the model.
    """
    if model.config._attn_implementation != "eager":
        raise ValueError(
            f"This model computes attention with {model.config._attn_implementation!r}, which returns no weights: "
            'load it with attn_implementation="eager", or call model.set_attn_implementation("eager").'
        )
    places = _gpt2_places(model) if kind(model) == "gpt2" else _bert_places(model)
    seen: dict = {}
    with _hooks(places, seen):
        arguments = {"attention_mask": batch.attention_mask, "position_ids": batch.position_ids}
        if kind(model) == "bert":
            arguments["token_type_ids"] = batch.type_ids
        model(batch.ids, **arguments)
    n_layers = model.config.num_hidden_layers
    top = {name: tensor for name, tensor in seen.items() if isinstance(name, str)}
    top["embeddings"] = {name: top.pop(name).expand_as(top["embedding_sum"]) for name in ("token", "position", "segment") if name in top}
    layers = [{name: tensor for (*_, name), tensor in ((key, t) for key, t in seen.items() if key[0] == i)} for i in range(n_layers)]
    for i, layer in enumerate(layers):
        _heads_and_scores(layer, model.config.num_attention_heads, batch.attention_mask.bool(), i)
    top.setdefault("final", layers[-1]["output"])
    return top, layers


def _gpt2_places(model) -> list[tuple]:
    """(name of the stage, module, what to take there). A block's stages are named (layer, name)."""
    body = model.transformer
    places = [("token", body.wte, "output"), ("position", body.wpe, "output"), ("embedding_sum", body.drop, "input"),
              ("final", body.ln_f, "output"), ("logits", model.lm_head, "output")]
    for i, block in enumerate(body.h):
        places += [((i, name), module, what) for name, module, what in [
            ("input", block, "input"), ("attention_input", block.ln_1, "output"),
            ("qkv", block.attn.c_attn, "output"), ("mask", block.attn, "mask"), ("weights", block.attn, "weights"),
            ("context", block.attn.c_proj, "input"), ("attention_output", block.attn.c_proj, "output"),
            ("attention_stream", block.ln_2, "input"), ("ffn_input", block.ln_2, "output"),
            ("ffn_hidden", block.mlp.c_fc, "output"), ("ffn_activated", block.mlp.c_proj, "input"),
            ("ffn_output", block.mlp.c_proj, "output"), ("output", block, "output"),
        ]]
    return places


def _bert_places(model) -> list[tuple]:
    """The same for BERT."""
    body, table = model.bert, model.bert.embeddings
    places = [("token", table.word_embeddings, "output"), ("position", table.position_embeddings, "output"),
              ("segment", table.token_type_embeddings, "output"), ("embedding_sum", table.LayerNorm, "input"),
              ("embedding_norm", table.LayerNorm, "output"), ("mlm_transform", model.cls.predictions.transform, "output"),
              ("logits", model.cls.predictions, "output")]
    if body.pooler is not None:
        places += [("pooled", body.pooler, "output"), ("nsp_logits", model.cls.seq_relationship, "output")]
    for i, block in enumerate(body.encoder.layer):
        inner = block.attention.self
        places += [((i, name), module, what) for name, module, what in [
            ("input", block, "input"), ("attention_input", inner.query, "input"),
            ("q", inner.query, "output"), ("k", inner.key, "output"), ("v", inner.value, "output"),
            ("mask", inner, "mask"), ("weights", inner, "weights"),
            ("context", block.attention.output.dense, "input"), ("attention_output", block.attention.output.dense, "output"),
            ("attention_stream", block.attention.output.LayerNorm, "output"), ("ffn_input", block.intermediate.dense, "input"),
            ("ffn_hidden", block.intermediate.dense, "output"), ("ffn_activated", block.output.dense, "input"),
            ("ffn_output", block.output.dense, "output"), ("output", block.output.LayerNorm, "output"),
        ]]
    return places


@contextmanager
def _hooks(places: list[tuple], seen: dict):
    """While this lasts, each place writes what passes through it into `seen`."""
    def hook(name, what):
        def catch(module, args, kwargs, result):
            if what == "input":
                seen[name] = args[0] if args else kwargs["hidden_states"]
            elif what == "mask":
                seen[name] = kwargs.get("attention_mask", args[1] if len(args) > 1 else None)
            elif what == "weights":
                seen[name] = result[1]
            else:
                seen[name] = result[0] if isinstance(result, tuple) else result
        return catch

    handles = [module.register_forward_hook(hook(name, what), with_kwargs=True) for name, module, what in places]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _heads_and_scores(layer: dict, n_heads: int, real: Tensor, number: int) -> None:
    """Cut q, k and v into heads, compute the scores, and check them against the weights of the model."""
    if "qkv" in layer:
        layer["q"], layer["k"], layer["v"] = layer.pop("qkv").chunk(3, dim=-1)
    for name in ("q", "k", "v"):
        B, n, d = layer[name].shape
        layer[name] = layer[name].view(B, n, n_heads, d // n_heads).transpose(1, 2)     # (B, n, d) -> (B, H, n, d_k)
    scores = layer["q"] @ layer["k"].mT / math.sqrt(layer["q"].shape[-1])               # (B, H, n, n)
    mask = layer.pop("mask")                    # (B or 1, 1, n, n), added to the scores: 0 where visible, else a huge negative number
    if mask is not None:
        scores = scores.masked_fill(mask < 0, -torch.inf)
    layer["scores"] = scores

    rows = real[:, None, :, None]               # a row of padding may see nothing at all
    again = torch.where(rows, scores, 0.0).softmax(-1)
    gap = torch.where(rows, again - layer["weights"], 0.0).abs().max()
    tolerance = 1e-10 if scores.dtype == torch.float64 else 1e-5 if scores.dtype == torch.float32 else 1e-2
    if not gap <= tolerance:
        raise AssertionError(
            f"The scores of layer {number}, computed again, give weights that differ by {gap:.1e} from the model's own: "
            "this version of transformers computes attention in a way that the trace does not know."
        )
