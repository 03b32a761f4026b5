"""The gradients of a whole block by hand are autograd's: of the stream and of every parameter, in both layouts."""

import pytest
import torch

from labutils.layers import (
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PostNormBlock,
    PreNormBlock,
    attention,
    causal_mask,
)
from labutils.models import GPT2, Bert, BertConfig, GPT2Config
from labutils.training.backward import attention_backward
from labutils.training.block_backward import block_backward, heads_backward


def drawn(*shape, seed):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def compare(part, found, x, upstream, mask=None):
    leaf = x.clone().requires_grad_()
    part(leaf, mask).backward(upstream)
    at_x, its = found
    torch.testing.assert_close(at_x, leaf.grad)
    assert its.keys() == dict(part.named_parameters()).keys()
    for name, p in part.named_parameters():
        torch.testing.assert_close(its[name], p.grad, msg=lambda words, name=name: f"{name}: {words}")


@pytest.mark.parametrize("mask", [None, causal_mask(5)])
@pytest.mark.parametrize("layout", ["pre", "post"])
@pytest.mark.parametrize("activation", ["gelu_tanh", "gelu", "relu"])
def test_a_block_backwards_is_autograds(layout, activation, mask):
    torch.manual_seed(0)
    norms, heads = (LayerNorm(12), LayerNorm(12)), MultiHeadAttention(12, 3)
    network = FeedForward(12, 30, activation)
    if layout == "pre":
        block = PreNormBlock(norms[0], heads, norms[1], network)
    else:
        block = PostNormBlock(heads, norms[0], network, norms[1])
    block.double()
    for name, p in block.named_parameters():  # gains and biases that are not all alike
        if p.dim() < 2:
            torch.nn.init.normal_(p, mean=float(name.endswith("gain")), std=0.3)
    x, upstream = drawn(2, 5, 12, seed=1), drawn(2, 5, 12, seed=2)
    compare(block, block_backward(block, upstream, x, mask), x, upstream, mask)


def test_heads_alone_and_one_row():
    """With one row each weight is 1: nothing goes back through queries and keys."""
    torch.manual_seed(0)
    heads = MultiHeadAttention(8, 2).double()
    x, upstream = drawn(1, 1, 8, seed=1), drawn(1, 1, 8, seed=2)
    found = heads_backward(heads, upstream, x)
    compare(heads, found, x, upstream)
    assert not found[1]["query.weight"].any() and not found[1]["key.weight"].any() and found[1]["value.weight"].any()


def test_blocks_of_both_models():
    torch.manual_seed(0)
    x, upstream = drawn(2, 6, 16, seed=3), drawn(2, 6, 16, seed=4)
    gpt = GPT2(GPT2Config(50, 24, 16, 1, 4)).double().eval().blocks[0]
    compare(gpt, block_backward(gpt, upstream, x, causal_mask(6)), x, upstream, causal_mask(6))
    bert = Bert(BertConfig(50, n_positions=24, d_model=16, n_layers=1, n_heads=4, nsp=False)).double().eval().blocks[0]
    compare(bert, block_backward(bert, upstream, x), x, upstream)


def test_the_equation_of_a_score_as_the_page_writes_it():
    """At score (i, j), before it is divided: weight times (asked of j - the row's weighted mean of that) / √d_k. The
    code says the same, and so does autograd.
    """
    q, k, v, upstream = (drawn(4, 3, seed=seed) for seed in range(4))
    scores = (q @ k.T).requires_grad_()
    ((scores / 3**0.5).softmax(-1) @ v).backward(upstream)
    weights, asked = attention(q, k, v)[1], upstream @ v.T
    mean = (weights * asked).sum(-1, keepdim=True)
    torch.testing.assert_close(weights * (asked - mean) / 3**0.5, scores.grad)
    torch.testing.assert_close(attention_backward(upstream, q, k, v, weights).q, scores.grad @ k)
