"""Back through a whole block: heads, network, two norms and two sums, in either layout.

The rules of `labutils.training.backward`, one after the other. `upstream` is the gradient at what came out; each
function returns the gradient at what went in, and those of its parameters by the names that they have in the layer.
Dropout is taken to be off, as when a model is read. The tests compare every number with torch.autograd.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from labutils.layers import PreNormBlock, attention, layer_norm_backward, merge_heads, split_heads
from labutils.layers.feed_forward import ACTIVATIONS
from labutils.layers.slopes import SLOPES
from labutils.training.backward import attention_backward, linear_backward

Gradients = dict[str, Tensor]
Back = tuple[Float[Tensor, "B n d"], Gradients]


def _linear(layer: nn.Linear, upstream: Tensor, x: Tensor, name: str) -> tuple[Tensor, Gradients]:
    """nn.Linear keeps its matrix as (out, in)."""
    at_x, at_W, at_b = linear_backward(upstream, x, layer.weight.T)
    return at_x, {f"{name}.weight": at_W.T, f"{name}.bias": at_b}


def _norm(norm: nn.Module, upstream: Tensor, x: Tensor, name: str) -> tuple[Tensor, Gradients]:
    back = layer_norm_backward(upstream, x, norm.gain, norm.eps)
    return back.x, {f"{name}.gain": back.gain, f"{name}.bias": back.bias}


@torch.no_grad()
def heads_backward(layer: nn.Module, upstream: Float[Tensor, "B n d"], x: Float[Tensor, "B n d"], mask=None) -> Back:
    """Of multi-head attention, as many key heads as heads.

    The output mixes the heads, so the gradient comes to each head through it, cut into the same strips. A row of x
    served three times, as query, key and value: it gets the sum.
    """
    q, k, v = (split_heads(made(x), layer.n_heads) for made in (layer.query, layer.key, layer.value))
    mixed, weights = attention(q, k, v, mask)
    at_mixed, found = _linear(layer.output, upstream, merge_heads(mixed), "output")
    back = attention_backward(split_heads(at_mixed, layer.n_heads), q, k, v, weights)
    at_x = torch.zeros_like(x)
    for name, at in (("query", back.q), ("key", back.k), ("value", back.v)):
        more, its = _linear(getattr(layer, name), merge_heads(at), x, name)
        at_x, found = at_x + more, found | its
    return at_x, found


@torch.no_grad()
def network_backward(network: nn.Module, upstream: Float[Tensor, "B n d"], x: Float[Tensor, "B n d"]) -> Back:
    """Of the feed-forward network: between its two products stands the slope of the activation."""
    hidden = network.expand(x)
    at_active, found = _linear(network.contract, upstream, ACTIVATIONS[network.activation](hidden), "contract")
    at_x, more = _linear(network.expand, at_active * SLOPES[network.activation](hidden), x, "expand")
    return at_x, found | more


@torch.no_grad()
def block_backward(block: nn.Module, upstream: Float[Tensor, "B n d"], x: Float[Tensor, "B n d"], mask=None) -> Back:
    """Of GPT-2's block (pre-norm) or BERT's (post-norm).

    A sum hands its gradient to both of its parts. In pre-norm the stream gets `upstream` itself and what comes through
    a norm on top of it; in post-norm all of it has to pass the norm first.
    """
    pre = isinstance(block, PreNormBlock)
    heads: Callable = lambda read: block.attention(read, mask)
    y = x + heads(block.norm1(x)) if pre else block.norm1(x + heads(x))  # the stream between the halves
    halves = (
        ("norm2", "feed_forward", y, lambda up, read: network_backward(block.feed_forward, up, read)),
        ("norm1", "attention", x, lambda up, read: heads_backward(block.attention, up, read, mask)),
    )
    found: Gradients = {}
    for name, part, into, back in halves:
        norm, run = getattr(block, name), heads if part == "attention" else block.feed_forward
        if pre:
            at_read, its = back(upstream, norm(into))
            at_into, of_norm = _norm(norm, at_read, into, name)
            upstream = upstream + at_into
        else:
            at_sum, of_norm = _norm(norm, upstream, into + run(into), name)
            at_read, its = back(at_sum, into)
            upstream = at_sum + at_read
        found |= of_norm | {f"{part}.{key}": value for key, value in its.items()}
    return upstream, found
