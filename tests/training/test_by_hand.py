"""What stands in the rooms of training by hand gives PyTorch's numbers, or HuggingFace's."""

import math
from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from labutils.layers import attention, layer_norm_backward
from labutils.training import IGNORE, cross_entropy
from labutils.training.backward import (
    attention_backward,
    by_differences,
    cross_entropy_backward,
    embedding_backward,
    linear_backward,
    softmax_backward,
)
from labutils.training.optimisers import SGD, Adam, AdamW, clip
from labutils.training.precision import LossScaler
from labutils.training.recomputing import kept_numbers, recomputed
from labutils.training.schedules import cosine, linear, noam
from labutils.training.surprise import divergence, entropy, perplexity

PAPER = torch.tensor([1 / 8, 1 / 16, 1 / 16, 1 / 2, 1 / 4], dtype=torch.float64)


def drawn(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def asked(*tensors):
    return [t.clone().requires_grad_() for t in tensors]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5), st.integers(1, 6), st.integers(2, 9), st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 99))
def test_cross_entropy_and_its_gradient_are_pytorchs(B, n, V, smoothing, seed):
    logits, ids = drawn(B, n, V, seed=seed), torch.randint(V, (B, n), generator=torch.Generator().manual_seed(seed))
    labels = ids.masked_fill(drawn(B, n, seed=seed + 1) > 0.5, IGNORE)
    labels[0, 0] = ids[0, 0]
    (leaf,) = asked(logits)
    theirs = F.cross_entropy(leaf.flatten(0, 1), labels.flatten(), label_smoothing=smoothing)
    theirs.backward()
    torch.testing.assert_close(cross_entropy(logits, labels, smoothing), theirs.detach())
    torch.testing.assert_close(cross_entropy_backward(logits, labels, smoothing), leaf.grad)
    counted = int((labels != IGNORE).sum())
    torch.testing.assert_close(cross_entropy(logits, labels, reduction="sum"), counted * cross_entropy(logits, labels))


def test_the_paper_models_surprise():
    label = torch.tensor([3])
    assert entropy(PAPER).item() / math.log(2) == pytest.approx(1.875)
    assert cross_entropy(PAPER.log()[None], label).item() / math.log(2) == pytest.approx(1)
    assert cross_entropy_backward(PAPER.log()[None], label)[0].tolist() == pytest.approx(
        [1 / 8, 1 / 16, 1 / 16, -1 / 2, 1 / 4]
    )
    assert perplexity(math.log(1000)) == pytest.approx(1000)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 999))
def test_cross_entropy_is_entropy_and_divergence(seed):
    p, q = drawn(2, 6, seed=seed).softmax(-1)
    torch.testing.assert_close(-(p * q.log()).sum(), entropy(p) + divergence(p, q))
    assert divergence(p, q) > 0 == divergence(p, p).item()


def test_among_all_distributions_the_counted_shares_lose_least():
    """Maximum likelihood: descending the loss of a table of logits ends at the shares in which tokens occur."""
    labels = torch.tensor([0] * 4 + [1] * 3 + [2])
    logits = torch.zeros(3, dtype=torch.float64)
    for _ in range(500):
        logits -= cross_entropy_backward(logits.expand(8, 3), labels).sum(0)
    assert logits.softmax(-1).tolist() == pytest.approx([4 / 8, 3 / 8, 1 / 8], abs=1e-6)


@pytest.mark.parametrize(
    "labels, said",
    [
        (torch.zeros(3, dtype=torch.long), r"need labels of shape \(2, 3\).*have \(3,\)"),
        (torch.zeros(2, 3), "whole numbers.*float32"),
        (torch.tensor([[0, 1, 2], [3, 4, 5]]), "5 is no token: ids go from 0 to 4"),
        (torch.tensor([[0, 1, 2], [3, 4, -1]]), "-1 is no token"),
    ],
)
@pytest.mark.parametrize("asks", [cross_entropy, cross_entropy_backward])
def test_labels_that_do_not_fit_are_refused(asks, labels, said):
    with pytest.raises(ValueError, match=said):
        asks(torch.zeros(2, 3, 5), labels)


def test_the_way_back_through_each_layer_is_autograds():
    x, W, b, up = drawn(2, 5, 4), drawn(4, 3, seed=1), drawn(3, seed=2), drawn(2, 5, 3, seed=3)
    leaves = asked(x, W, b)
    theirs = torch.autograd.grad(leaves[0] @ leaves[1] + leaves[2], leaves, up)
    for mine, other in zip(linear_backward(up, x, W), theirs, strict=True):
        torch.testing.assert_close(mine, other)

    q, k, v, up = drawn(2, 5, 4), drawn(2, 6, 4, seed=1), drawn(2, 6, 3, seed=2), drawn(2, 5, 3, seed=3)
    mask = torch.ones(5, 6, dtype=torch.bool).tril()
    leaves = asked(q, k, v)
    out, weights = attention(*leaves, mask)
    for mine, other in zip(attention_backward(up, q, k, v, weights.detach()), torch.autograd.grad(out, leaves, up)):
        torch.testing.assert_close(mine, other)

    ids = torch.tensor([[2, 0, 2], [1, 2, 0]])
    (table,) = asked(drawn(4, 3))
    up = drawn(2, 3, 3, seed=1)
    torch.testing.assert_close(embedding_backward(up, ids, 4), torch.autograd.grad(table[ids], table, up)[0])


def test_a_whole_block_backwards_by_hand():
    """A norm, one head, a sum, a head of logits and the loss: the rules in a row give what autograd gives."""
    x, gain, W, label = drawn(4, 6), drawn(6, seed=1), drawn(6, 5, seed=2), torch.tensor([1, 4, 0, 2])
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    leaves = asked(x, gain, W)
    a = F.layer_norm(leaves[0], (6,), leaves[1])
    F.cross_entropy((leaves[0] + attention(a, a, a, mask)[0]) @ leaves[2], label).backward()

    a = F.layer_norm(x, (6,), gain)
    mixed, weights = attention(a, a, a, mask)
    at_stream, at_W, _ = linear_backward(cross_entropy_backward((x + mixed) @ W, label), x + mixed, W)
    at_norm = layer_norm_backward(sum(attention_backward(at_stream, a, a, a, weights)), x, gain)
    for mine, leaf in zip((at_stream + at_norm.x, at_norm.gain, at_W), leaves, strict=True):
        torch.testing.assert_close(mine, leaf.grad)


def test_small_moves_find_the_same_gradient():
    scores, up = drawn(2, 4), drawn(2, 4, seed=1)
    found = by_differences(lambda s: (up * s.softmax(-1)).sum(), scores)
    torch.testing.assert_close(found, softmax_backward(up, scores.softmax(-1)), atol=1e-8, rtol=0)


PAIRS = {
    "SGD": (SGD(0.1), torch.optim.SGD, {"lr": 0.1}),
    "momentum": (SGD(0.1, 0.9), torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}),
    "Adam": (Adam(0.1, (0.9, 0.98), 1e-3, 0.1), torch.optim.Adam, {"lr": 0.1, "betas": (0.9, 0.98), "eps": 1e-3, "weight_decay": 0.1}),
    "AdamW": (AdamW(0.1, (0.9, 0.98), 1e-3, 0.1), torch.optim.AdamW, {"lr": 0.1, "betas": (0.9, 0.98), "eps": 1e-3, "weight_decay": 0.1}),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_optimisers_are_pytorchs(name):
    ours, theirs, how = PAIRS[name]
    mine = [drawn(3, 2), drawn(4, seed=1)]
    other = asked(*mine)
    optimiser = theirs(other, **how)
    for step in range(7):
        for p in other:
            p.grad = torch.sin(3 * p.detach() + step)
        ours.step(mine, [torch.sin(3 * p + step) for p in mine])
        optimiser.step()
        for p, q in zip(mine, other):
            torch.testing.assert_close(p, q.detach())


@pytest.mark.parametrize("most", [0.5, 1e3])
def test_clipping_is_pytorchs(most):
    mine = [drawn(3, 2), drawn(4, seed=1)]
    other = asked(*mine)
    for p, g in zip(other, mine):
        p.grad = g.clone()
    length = torch.nn.utils.clip_grad_norm_(other, most)
    assert clip(mine, most) == pytest.approx(length.item())
    for g, p in zip(mine, other):
        torch.testing.assert_close(g, p.grad)


@pytest.mark.parametrize("warmup, steps", [(0, 10), (1, 10), (4, 25), (10, 10)])
def test_schedules_are_huggingfaces(warmup, steps):
    import transformers

    for ours, theirs in (
        (linear, transformers.get_linear_schedule_with_warmup),
        (cosine, transformers.get_cosine_schedule_with_warmup),
    ):
        optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
        schedule = theirs(optimiser, warmup, steps)
        for step in range(steps + 3):
            assert ours(step, warmup, steps) == pytest.approx(schedule.get_last_lr()[0], abs=1e-12)
            optimiser.step()
            schedule.step()


def test_noam_rises_in_a_line_and_falls_with_the_root():
    rates = [noam(step, 100, 64) for step in range(1, 402)]
    assert max(rates) == rates[99] == pytest.approx((64 * 100) ** -0.5) and rates[399] == pytest.approx(rates[99] / 2)
    assert all(b - a == pytest.approx(rates[0]) for a, b in pairwise(rates[:100]))


def test_recomputing_gives_the_same_gradients_and_keeps_less():
    torch.manual_seed(0)
    part = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.GELU(), torch.nn.Linear(32, 8), torch.nn.GELU())
    x = torch.randn(5, 8, requires_grad=True)
    wanted = torch.autograd.grad(part(x).square().sum(), [x, *part.parameters()])
    found = torch.autograd.grad(recomputed(part, x).square().sum(), [x, *part.parameters()])
    for a, b in zip(found, wanted, strict=True):
        assert torch.equal(a, b)
    assert kept_numbers(lambda: recomputed(part, x)) == 5 * 8
    assert kept_numbers(lambda: part(x)) == 5 * (8 + 32 + 32 + 8)


def test_float16_loses_a_small_gradient_and_scaling_saves_it():
    small = torch.tensor(1e-8)
    assert small.half() == 0 and small.bfloat16() > 0
    scaler = LossScaler(2.0**10)
    assert scaler.unscaled([scaler.scaled(small).half()])[0].item() == pytest.approx(1e-8, rel=1e-2)


def test_an_overflow_leaves_a_step_out_and_halves_the_scale():
    scaler = LossScaler(2.0**16, patience=2)
    assert torch.isinf(scaler.scaled(torch.tensor(2.0)).half())  # 131,072 is more than 65,504
    assert scaler.unscaled([torch.ones(2), scaler.scaled(torch.tensor(2.0)).half()]) is None and scaler.scale == 2.0**15
    assert torch.isfinite(scaler.scaled(torch.tensor(1.5)).half())
    for _ in range(2):
        assert scaler.unscaled([torch.ones(2)])[0].tolist() == [2.0**-15] * 2
    assert scaler.scale == 2.0**16
