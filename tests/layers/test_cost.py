"""Operations counted from the sizes are those that torch counts while a layer runs."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from labutils.layers import (
    Cache,
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PreNormBlock,
    Recorder,
    cache_bytes,
    operations,
    parameters,
    weights_kept,
)
from labutils.models import GPT2, GPT2Config


@pytest.mark.parametrize("n, d, heads, inner", [(32, 64, 4, 256), (7, 24, 3, 96), (1, 8, 1, 8), (200, 16, 8, 40)])
def test_torch_counts_the_same(n, d, heads, inner):
    x, counted = torch.randn(1, n, d), operations(n, d, heads, inner)
    for layer, expected in [
        (MultiHeadAttention(d, heads), counted.projecting + counted.comparing),
        (FeedForward(d, inner, "gelu"), counted.feed_forward),
    ]:
        with FlopCounterMode(display=False) as counter:
            layer(x)
        assert counter.get_total_flops() == expected


@pytest.mark.parametrize("d, heads", [(64, 1), (64, 4), (768, 12), (1600, 25)])
def test_the_crossovers_are_at_two_and_six_widths(d, heads):
    def at(n):
        return operations(n, d, heads, 4 * d)

    assert at(2 * d).comparing == at(2 * d).projecting
    assert at(2 * d - 1).comparing < at(2 * d - 1).projecting
    assert at(6 * d).comparing == at(6 * d).projecting + at(6 * d).feed_forward
    assert at(6 * d + 1).comparing > at(6 * d + 1).projecting + at(6 * d + 1).feed_forward
    assert at(1024) == (8 * 1024 * d**2, 4 * 1024**2 * d, 16 * 1024 * d**2)


def test_a_layer_holds_as_many_weights_as_counted():
    see = Recorder()
    MultiHeadAttention(24, 3)(torch.randn(1, 7, 24), see=see)
    assert see.stages["weights"].numel() == weights_kept(7, 3) == 3 * 7 * 7


def test_heads_that_do_not_divide_the_width_are_refused():
    with pytest.raises(ValueError, match="10 columns cannot be cut into 4 heads"):
        operations(5, 10, 4)


@pytest.mark.parametrize("d, heads, inner", [(64, 4, 256), (24, 3, 7), (1, 1, 1), (40, 8, 160)])
def test_a_block_has_as_many_parameters_as_counted(d, heads, inner):
    block = PreNormBlock(LayerNorm(d), MultiHeadAttention(d, heads), LayerNorm(d), FeedForward(d, inner, "relu"))
    of = lambda *parts: sum(p.numel() for part in parts for p in part.parameters())
    counted = parameters(d, inner)
    assert counted == (of(block.attention), of(block.feed_forward), of(block.norm1, block.norm2))
    assert sum(counted) == of(block)


def test_a_gated_network_has_three_matrices_and_no_bias():
    gated = [torch.nn.Linear(*sizes, bias=False) for sizes in ((12, 20), (12, 20), (20, 12))]
    assert parameters(12, 20, gated=True).feed_forward == sum(p.numel() for m in gated for p in m.parameters())
    assert parameters(12, 32, gated=True).feed_forward == 8 * 12**2  # an inner width of 8/3 d keeps the count


def test_the_paper_models_block_by_hand():
    """4 · (16 + 4), 10 + 12 and two LayerNorms of 8."""
    assert parameters(4, 2) == (80, 22, 16)


def test_a_width_below_one_is_refused():
    with pytest.raises(ValueError, match="at least 1; these are 4 and, inside, 0"):
        parameters(4, 0)


@pytest.mark.parametrize("past, n", [(0, 5), (7, 1), (9, 3)])
def test_torch_counts_the_same_behind_a_past(past, n):
    gpt2, cache = GPT2(GPT2Config(31, 16, 24, 2, 3)), Cache()
    if past:
        gpt2(torch.ones(1, past, dtype=torch.long), cache=cache)
    with FlopCounterMode(display=False) as counter:
        gpt2(torch.ones(1, n, dtype=torch.long), cache=cache)
    assert counter.get_total_flops() == 2 * sum(operations(n, 24, 3, 96, past)) + 2 * n * 31 * 24
    kept = sum(one.nbytes for i in range(2) for one in cache.layer(i).pair)
    assert kept == cache_bytes(past + n, 2, 3, 8)


@pytest.mark.parametrize("t", [1, 10, 1024])
def test_a_pass_over_t_tokens_costs_t_times_what_the_last_one_costs(t):
    assert sum(operations(t, 768, 12, 3072)) == t * sum(operations(1, 768, 12, 3072, past=t - 1))
    assert sum(operations(1, 768, 12, 3072, past=t - 1)) == 24 * 768**2 + 4 * t * 768
