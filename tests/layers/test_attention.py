"""Attention against a plain loop, against torch, and against what it must never do."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from labutils.layers import (
    MultiHeadAttention,
    Recorder,
    attention,
    causal_mask,
    merge_heads,
    padding_mask,
    softmax,
    split_heads,
)


def draw(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def by_loop(q, k, v, mask):
    """One query, one key at a time, for (n_q, d_k), (n_k, d_k), (n_k, d_v)."""
    out = []
    for i in range(len(q)):
        seen = [j for j in range(len(k)) if mask is None or mask[i, j]]
        powers = [math.exp(float(sum(q[i] * k[j])) / math.sqrt(q.shape[1])) for j in seen]
        out.append(sum((p / sum(powers) * v[j] for p, j in zip(powers, seen)), torch.zeros(v.shape[1], dtype=v.dtype)))
    return torch.stack(out)


@pytest.mark.parametrize("masked", [False, True], ids=["full", "causal"])
def test_equals_the_loop(masked):
    q, k, v = draw(5, 3), draw(5, 3, seed=1), draw(5, 4, seed=2)
    mask = causal_mask(5) if masked else None
    torch.testing.assert_close(attention(q, k, v, mask)[0], by_loop(q, k, v, mask), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n_q, n_k", [(7, 7), (1, 1), (3, 8), (8, 3), (1, 5)], ids=str)
@pytest.mark.parametrize("mask", ["none", "causal", "padding", "drawn"])
def test_equals_torch_forward_and_backward(n_q, n_k, mask):
    """Self-attention and cross-attention, each mask, output and all three gradients."""
    visible = {
        "none": None,
        "causal": torch.ones(n_q, n_k, dtype=torch.bool).tril(),
        "padding": padding_mask(torch.tensor([[1] * n_k, [1] + [0] * (n_k - 1)])),
        "drawn": (draw(2, 3, n_q, n_k, seed=9) > 0) | (torch.arange(n_k) == 0),
    }[mask]
    ours = [
        draw(2, 3, n, width, seed=s).requires_grad_() for s, (n, width) in enumerate([(n_q, 5), (n_k, 5), (n_k, 4)])
    ]
    theirs = [t.detach().clone().requires_grad_() for t in ours]
    a, b = attention(*ours, visible)[0], F.scaled_dot_product_attention(*theirs, attn_mask=visible)
    pick = draw(*a.shape, seed=5)
    (a * pick).sum().backward(), (b * pick).sum().backward()
    torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)
    for mine, other in zip(ours, theirs):
        torch.testing.assert_close(mine.grad, other.grad, rtol=1e-12, atol=1e-12)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_weights_are_a_mixture_of_what_is_visible(n_q, n_k, seed):
    mask = draw(n_q, n_k, seed=seed) > 0
    _, weights = attention(draw(n_q, 4, seed=seed + 1), draw(n_k, 4, seed=seed + 2), draw(n_k, 2, seed=seed + 3), mask)
    assert (weights >= 0).all() and (weights[~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).double())  # 1, or 0 where nothing is visible


def test_a_row_that_sees_nothing_takes_nothing():
    """torch's softmax gives nan here, in the output and in every gradient."""
    q, k, v = (draw(3, 4, seed=s).requires_grad_() for s in range(3))
    mask = torch.tensor([[True, False, False], [False, False, False], [True, True, True]])
    context, weights = attention(q, k, v, mask)
    assert (weights[1] == 0).all() and (context[1] == 0).all()
    context.sum().backward()
    assert all(torch.isfinite(t.grad).all() for t in (q, k, v)) and (q.grad[1] == 0).all()
    assert torch.tensor([-torch.inf, -torch.inf]).softmax(-1).isnan().all()


def test_no_leak():
    """What a row may not see does not move it by one bit, however large."""
    q, k, v = draw(6, 4), draw(6, 4, seed=1), draw(6, 4, seed=2)
    before, _ = attention(q, k, v, causal_mask(6))
    for later in range(1, 6):
        changed = [t.clone().index_fill_(0, torch.arange(later, 6), 1e6) for t in (k, v)]
        after, _ = attention(q, *changed, causal_mask(6))
        assert torch.equal(before[:later], after[:later]) and not torch.equal(before[later], after[later])


def test_permuting_the_keys_changes_nothing_permuting_the_queries_permutes():
    q, k, v, order = draw(6, 4), draw(6, 4, seed=1), draw(6, 4, seed=2), torch.tensor([3, 1, 5, 0, 2, 4])
    context, _ = attention(q, k, v)
    torch.testing.assert_close(attention(q, k[order], v[order])[0], context)
    torch.testing.assert_close(attention(q[order], k, v)[0], context[order])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64], ids=str)
def test_softmax_does_not_overflow(dtype):
    scores = torch.tensor([[6e4, 6e4, -6e4], [-6e4, -6e4, -6e4], [0.0, -torch.inf, 0.0]], dtype=dtype)
    expected = torch.tensor([[1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3], [1 / 2, 0, 1 / 2]], dtype=torch.float64)
    torch.testing.assert_close(softmax(scores).double(), expected, rtol=0, atol=torch.finfo(dtype).eps)


HALF = pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["float16", "bfloat16"])


@HALF
def test_what_hides_a_key_in_half_precision(dtype):
    """−∞ and the lowest number hide it exactly; −1e9 does so in bfloat16, and float16 has no such number."""
    scores, hidden = torch.tensor([0.0, 1.0, 3.0], dtype=dtype), torch.tensor([False, False, True])
    expected = torch.tensor([1.0, math.e, 0.0]) / (1 + math.e)
    for fill in (-torch.inf, torch.finfo(dtype).min):
        weights = softmax(scores.masked_fill(hidden, fill))
        assert weights[2] == 0
        torch.testing.assert_close(weights.float(), expected, rtol=0, atol=2 * torch.finfo(dtype).eps)
    if dtype == torch.bfloat16:
        assert softmax(scores.masked_fill(hidden, -1e9))[2] == 0
    else:
        assert -1e9 < torch.finfo(dtype).min == -65504 and torch.tensor(-1e9).to(dtype) == -torch.inf
        with pytest.raises(RuntimeError, match="cannot be converted"):
            scores.masked_fill(hidden, -1e9)


@HALF
def test_a_row_of_nothing_but_hidden_keys_in_half_precision(dtype):
    """torch's softmax: nan from −∞, shares by the number of keys from anything finite; ours takes nothing from −∞."""
    scores, hidden = torch.tensor([0.0, 1.0, 3.0], dtype=dtype), torch.ones(3, dtype=torch.bool)
    nothing, lowest = scores.masked_fill(hidden, -torch.inf), scores.masked_fill(hidden, torch.finfo(dtype).min)
    assert nothing.softmax(-1).isnan().all() and (softmax(nothing) == 0).all()
    thirds = torch.full((3,), 1 / 3, dtype=dtype)
    torch.testing.assert_close(lowest.softmax(-1), thirds)
    # added instead of filled in, as HuggingFace does it: the lowest number swallows the scores,
    torch.testing.assert_close((scores + torch.finfo(dtype).min).softmax(-1), thirds)
    # and what goes below it is −∞ after all, where a unit in the last place is as small as float16's
    below = torch.full((3,), -20.0, dtype=dtype) + torch.finfo(dtype).min
    assert (below == -torch.inf).all() == (dtype == torch.float16)
    if dtype == torch.bfloat16:
        torch.testing.assert_close((scores - 1e9).softmax(-1), thirds)  # so does −1e9
    assert not torch.allclose((scores.float() - 1e4).softmax(-1), thirds.float(), atol=0.1)  # not every large number


def test_softmax_equals_torch_forward_and_backward():
    a = draw(4, 7).mul(9).requires_grad_()
    b = a.detach().clone().requires_grad_()
    pick = draw(4, 7, seed=1)
    (softmax(a) * pick).sum().backward(), (b.softmax(-1) * pick).sum().backward()
    torch.testing.assert_close(softmax(a), b.softmax(-1), rtol=1e-13, atol=1e-15)
    torch.testing.assert_close(a.grad, b.grad, rtol=1e-12, atol=1e-15)


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 5), st.integers(1, 4))
def test_merge_undoes_split(B, n, heads, width):
    x = torch.arange(B * n * heads * width).view(B, n, heads * width)
    split = split_heads(x, heads)
    assert split.shape == (B, heads, n, width) and torch.equal(merge_heads(split), x)
    for h in range(heads):
        assert torch.equal(split[:, h], x[..., h * width : (h + 1) * width])  # head h is one strip of the width


def test_multi_head_equals_torch():
    ours = MultiHeadAttention(12, 3).double().eval()
    theirs = torch.nn.MultiheadAttention(12, 3, batch_first=True).double().eval()
    with torch.no_grad():
        for p in ours.parameters():
            p.copy_(draw(*p.shape, seed=p.numel()))
        theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    x = draw(2, 5, 12)
    expected, _ = theirs(x, x, x, attn_mask=~causal_mask(5), need_weights=False)  # True hides there
    torch.testing.assert_close(ours(x, causal_mask(5)), expected, rtol=1e-12, atol=1e-12)


def test_every_value_of_the_formula_is_shown():
    see = Recorder()
    layer = MultiHeadAttention(6, 2)
    layer(torch.randn(1, 4, 6), causal_mask(4), see)
    seen = see.stages
    assert {name: tuple(t.shape) for name, t in seen.items()} == {
        "q": (1, 2, 4, 3),
        "k": (1, 2, 4, 3),
        "v": (1, 2, 4, 3),
        "scores": (1, 2, 4, 4),
        "weights": (1, 2, 4, 4),
        "context": (1, 4, 6),
    }
    assert (seen["scores"][0, 0] == -torch.inf).equal(~causal_mask(4))


@pytest.mark.parametrize(
    "shapes, mask, sentence",
    [
        (((3, 4), (3, 5), (3, 4)), None, "width 4 cannot meet keys of width 5"),
        (((3, 4), (3, 4), (2, 4)), None, "3 keys need 3 values, not 2"),
        (((3, 4), (3, 4), (3, 4)), torch.ones(3, 3), "must be boolean"),
        (((3, 4), (3, 4), (3, 4)), torch.ones(3, 3, dtype=torch.long), "must be boolean"),
        (((3, 4), (3, 4), (3, 4)), torch.ones(3, 2, dtype=torch.bool), "3 queries and 2 keys"),
        (((3, 4), (3, 4), (3, 4)), torch.ones(2, 3, dtype=torch.bool), "2 queries and 3 keys"),
    ],
    ids=str,
)
def test_wrong_arguments_get_a_sentence(shapes, mask, sentence):
    with pytest.raises(ValueError, match=sentence):
        attention(*(draw(*shape) for shape in shapes), mask)


def test_heads_must_divide_the_width():
    with pytest.raises(ValueError, match="10 columns cannot be cut into 4"):
        MultiHeadAttention(10, 4)


def test_the_module_can_be_reached_and_its_function_replaced(monkeypatch):
    """Chapter 04 puts the reader's own function in: it must be the one that the models run."""
    import labutils.layers.multi_head as package

    monkeypatch.setattr(package, "attention", lambda q, k, v, mask, *others: (torch.zeros_like(q), None))
    layer = MultiHeadAttention(8, 2)
    torch.nn.init.constant_(layer.output.bias, 3.0)
    assert torch.equal(layer(torch.randn(1, 4, 8)), torch.full((1, 4, 8), 3.0))
