"""Statements about measures of attention: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

from math import log, sqrt

import numpy as np
import pytest
import torch
import transformers

from labutils.layers import causal_mask, softmax
from labutils.models import GPT2, GPT2Config
from labutils.trace import trace

PAPER = torch.tensor([[1.0, 0.0, 0.0], [0.2, 0.8, 0.0], [0.25, 0.25, 0.5]])


def drawn(n, heads=200, causal=False, sharp=3.0):
    """Weights of random heads: the softmax of normal scores with the deviation `sharp`."""
    scores = sharp * torch.randn(heads, n, n, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    return softmax(scores.masked_fill(~causal_mask(n), -torch.inf) if causal else scores)


def blind(n, causal=False):
    """A head that looks everywhere alike."""
    return softmax(torch.zeros(n, n, dtype=torch.float64).masked_fill(~causal_mask(n) & causal, -torch.inf))


def decided(n):
    """A head that gives all to one token in each row."""
    return torch.eye(n, dtype=torch.float64)


def entropies(weights):
    """Of each row, in nats."""
    return torch.special.entr(weights).sum(-1)


def sparsity(weights, threshold=0.01):
    return (weights < threshold).double().mean((-2, -1))


def median(weights):
    return np.median(weights.flatten(-2).numpy(), -1)


def spread(weights):
    return weights.flatten(-2).std(-1, correction=0)


def far(weights):
    """The mean weight of the pairs at distances of 5 and more."""
    places = torch.arange(weights.shape[-1])
    return weights[..., (places - places[:, None]).abs() >= 5].mean(-1)


def farthest(n, causal=False):
    """All weight of each row on one token at a distance of 5 or more, where it can see one."""
    away = torch.arange(n)[:, None] - torch.arange(n)
    there = away >= 5 if causal else away.abs() >= 5
    some, weights = there.any(-1), decided(n)
    weights[some] = torch.nn.functional.one_hot(there[some].int().argmax(-1), n).double()
    return weights


def test_c328_a_weight_of_zero_adds_nothing_and_must_not_be_computed_as_it_stands():
    row = torch.tensor([0.5, 0.25, 0.25, 0.0], dtype=torch.float64)
    assert entropies(row).item() == pytest.approx(1.5 * log(2))
    assert (-(row * row.log())).sum().isnan()


def test_c329_a_row_that_sees_i_tokens_reaches_log_i():
    found = entropies(blind(6, causal=True))
    torch.testing.assert_close(found, torch.arange(1, 7, dtype=torch.float64).log())
    assert (entropies(drawn(6, causal=True)) <= found + 1e-12).all() and found[0] == 0


def test_c330_the_sum_is_n_times_the_mean_of_the_rows():
    weights = drawn(8)
    torch.testing.assert_close(torch.special.entr(weights).sum((-2, -1)), 8 * entropies(weights).mean(-1))
    small, large = entropies(blind(8)), entropies(blind(64))
    assert (large.sum() / small.sum()).item() == pytest.approx(16)
    assert (large.mean() / small.mean()).item() == pytest.approx(2)


def test_c331_the_sum_of_entropies_ends_at_n_log_n():
    assert entropies(blind(8)).sum().item() == pytest.approx(8 * log(8)) and f"{8 * log(8):.2f}" == "16.64"
    assert (entropies(drawn(8, sharp=0.1)).sum(-1) < 8 * log(8)).all()


def test_c332_twenty_tokens_cannot_reach_three_and_a_decided_sum_passes_it():
    assert f"{log(20):.3f}" == "2.996" and log(21) > 3
    assert (entropies(drawn(20, sharp=0.1)).mean(-1) < 3).all()
    weights = torch.full((24, 24), 0.03 / 23, dtype=torch.float64).fill_diagonal_(0.97)
    assert f"{entropies(weights).sum():.2f}" == "5.49"


def test_c333_three_numbers_bear_the_name_of_confidence():
    rows = PAPER.amax(-1)
    assert rows.tolist() == pytest.approx([1, 0.8, 0.5]) and rows.max() == PAPER.max() == 1
    assert f"{rows.mean():.2f}" == "0.77"


def test_c334_the_largest_weight_is_one_over_n_at_least_and_one_under_a_causal_mask():
    for n in (2, 5, 9):
        assert (drawn(n).amax((-2, -1)) > 1 / n).all() and blind(n).max().item() == pytest.approx(1 / n)
    torch.manual_seed(0)
    for layer in trace(GPT2(GPT2Config(31, 16, 24, 2, 3)), [3, 1, 4, 1, 5]).layers:
        assert (layer.weights.amax((-2, -1)) == 1).all()


def test_c335_the_bounds_read_the_length_and_the_mask():
    assert (drawn(12, causal=True, sharp=0.1).amax((-2, -1)) == 1).all()
    assert [f"{blind(n).max():.2f}" for n in (3, 64)] == ["0.33", "0.02"] and blind(3).max() > 0.3


def test_c336_a_mask_alone_lifts_the_mean_of_the_largest_weights():
    assert f"{blind(8, causal=True).amax(-1).mean():.2f}" == "0.34" and blind(8).amax(-1).mean() == 0.125
    assert f"{PAPER.amax(-1).mean():.2f}" == "0.77"


def test_c338_the_share_of_the_matrix_is_the_mean_of_the_shares_of_the_rows():
    weights = drawn(12)
    torch.testing.assert_close(sparsity(weights), (weights < 0.01).double().mean(-1).mean(-1))
    assert 0 < sparsity(weights).mean() < 1


def test_c339_one_threshold_calls_a_blind_head_dense_or_sparse_by_the_length():
    assert [sparsity(blind(n)).item() for n in (50, 100, 101, 128)] == [0, 0, 1, 1]


def test_c340_a_mask_is_half_of_the_sparsity_and_a_row_keeps_one_weight():
    for n in (4, 16, 60):
        assert sparsity(blind(n, causal=True)).item() == pytest.approx((n - 1) / (2 * n))
        assert (sparsity(drawn(n)) <= (n - 1) / n).all() and sparsity(decided(n)).item() == pytest.approx((n - 1) / n)
    assert f"{15 / 32:.2f}" == "0.47"


def test_c342_half_of_the_weights_are_as_large_as_the_median():
    """So it is 2/n at most."""
    for n in (4, 13, 14, 41):
        assert (median(drawn(n)) <= 2 / n).all()
    assert 2 / 40 == 0.05 > 2 / 41 and 2 / 13 > 0.15 > 2 / 14


def test_c343_the_mean_is_the_same_in_every_head_and_the_median_falls_among_the_smallest():
    for weights in (drawn(9), drawn(9, causal=True), blind(9)):
        torch.testing.assert_close(weights.mean((-2, -1)), torch.full(weights.shape[:-2], 1 / 9, dtype=torch.float64))
    one = drawn(9, heads=1, causal=True)[0]
    seen = one[causal_mask(9)].sort().values
    assert (seen < median(one)).double().mean() == pytest.approx(4 / 45)  # 4 of 45 that can be seen


def test_c344_where_all_weights_are_alike_the_deviation_is_zero():
    assert spread(blind(9)).item() == pytest.approx(0, abs=1e-12)
    assert spread(drawn(9, sharp=0.1)).max() < spread(drawn(9, sharp=6.0)).min()


def test_c345_the_deviation_ends_at_the_root_of_n_minus_one_over_n():
    for n in (2, 3, 24, 99):
        bound = sqrt(n - 1) / n
        assert spread(decided(n)).item() == pytest.approx(bound) and bound <= 0.5
        assert (spread(drawn(n, heads=50)) <= bound).all()


def test_c346_a_decided_head_cannot_reach_the_bounds():
    assert spread(decided(23)) > 0.2 > spread(decided(24)) and spread(decided(98)) > 0.1 > spread(decided(99))


def test_c357_a_row_has_not_enough_weight_for_all_far_pairs():
    for n in (14, 15, 30):
        assert (far(drawn(n, sharp=6.0)) <= far(farthest(n)) + 1e-12).all()
    assert far(farthest(14)) > 0.15 > far(farthest(15)) and far(farthest(40)) < 0.04
    assert far(farthest(10, causal=True)) > 0.15 > far(farthest(11, causal=True))
    assert far(blind(5)).isnan() and not far(blind(6)).isnan()


def test_c377_a_batch_remains_and_without_eager_there_is_nothing():
    sizes = {"vocab_size": 31, "n_positions": 16, "n_embd": 24, "n_layer": 2, "n_head": 3}
    config = transformers.GPT2Config(**sizes, bos_token_id=0, eos_token_id=0)
    given = {}
    for way in ("sdpa", "eager"):
        model = transformers.GPT2Model(config).eval()
        model.set_attn_implementation(way)
        with torch.no_grad():
            given[way] = model(torch.tensor([[1, 2, 3, 4]]), output_attentions=True).attentions
    assert not given["sdpa"] and len(given["eager"]) == 2
    assert np.max([layer.numpy() for layer in given["eager"]], axis=0).shape == (1, 3, 4, 4)
    assert torch.stack(given["eager"])[:, 0].amax(0).shape == (3, 4, 4)
