"""Sinusoids, their rotation, Shaw's vectors and T5's buckets: against formulas, against HuggingFace, and by hand."""

import inspect
import math

import pytest
import torch
import transformers
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertSelfAttention

from labutils.authoring.pages.parity_parts import t5_twins
from labutils.layers import (
    ShawPositions,
    attention,
    merge_heads,
    relative_places,
    rotation,
    sinusoids,
    speeds,
    split_heads,
    t5_buckets,
)
from labutils.making import fit


@pytest.mark.parametrize("n, d", [(1, 2), (50, 8), (7, 5), (3, 1), (0, 4)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_sinusoids_are_the_formula_of_the_paper(n, d, dtype):
    table = sinusoids(n, d, dtype=dtype)
    assert table.shape == (n, d) and table.dtype == dtype
    for p in range(n):
        for column in range(d):
            angle = p / 10000 ** ((column - column % 2) / d)
            assert table[p, column].item() == pytest.approx((math.sin, math.cos)[column % 2](angle), abs=1e-6)


def test_the_models_that_ship_began_with_these_sinusoids():
    torch.testing.assert_close(sinusoids(256, 128), fit.sinusoids(256, 128), rtol=0, atol=2e-5)


def test_another_base_makes_other_speeds():
    assert speeds(6, base=8.0).tolist() == pytest.approx([1, 1 / 2, 1 / 4])
    assert not torch.equal(sinusoids(5, 6, base=100.0), sinusoids(5, 6))


@pytest.mark.parametrize("d", [2, 6, 128])
@pytest.mark.parametrize("shift", [1, 5, -3, 0.5])
def test_a_shift_is_a_rotation(d, shift):
    table, matrix = sinusoids(40, d, dtype=torch.float64), rotation(shift, d)
    torch.testing.assert_close(matrix @ matrix.T, torch.eye(d, dtype=torch.float64), rtol=0, atol=1e-14)
    assert torch.linalg.det(matrix).item() == pytest.approx(1)
    if shift == 5:
        torch.testing.assert_close(table[:-5] @ matrix, table[5:], rtol=0, atol=1e-12)
    if shift == -3:
        torch.testing.assert_close(table[3:] @ matrix, table[:-3], rtol=0, atol=1e-12)
    if shift == 0.5:
        torch.testing.assert_close(matrix @ matrix, rotation(1, d), rtol=0, atol=1e-14)


def test_an_odd_width_cannot_be_rotated():
    with pytest.raises(ValueError, match="5 columns do not fall into pairs"):
        rotation(1, 5)


def test_the_queries_are_the_last_of_the_keys():
    assert relative_places(3, 3).tolist() == [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    assert torch.equal(relative_places(1, 7)[0], relative_places(7, 7)[-1])


@pytest.mark.parametrize("both_ways", [True, False])
@pytest.mark.parametrize("buckets, farthest", [(32, 128), (16, 40), (8, 20), (64, 1000)])
def test_t5_buckets_are_those_of_huggingface(both_ways, buckets, farthest):
    places = torch.arange(-1500, 1501)
    theirs = T5Attention._relative_position_bucket(places, both_ways, buckets, farthest)
    assert torch.equal(t5_buckets(places, buckets, farthest, both_ways), theirs)


@pytest.mark.parametrize("decoder", [True, False])
@pytest.mark.parametrize("n_q, n_k", [(1, 1), (7, 7), (2, 9), (150, 150)])
def test_t5_bias_and_its_gradient_are_those_of_huggingface(decoder, n_q, n_k):
    ours, theirs = t5_twins(decoder)
    past = {
        "past_seen_tokens": n_k - n_q,
        "cache_position": torch.arange(n_k - n_q, n_k),
    }  # its name since, and in, 5.0
    takes = inspect.signature(theirs.compute_bias).parameters
    right = theirs.compute_bias(n_q, n_k, **{name: value for name, value in past.items() if name in takes})[0]
    assert torch.equal(ours(n_q, n_k), right)
    pick = torch.randn(right.shape)
    (ours(n_q, n_k) * pick).sum().backward(), (right * pick).sum().backward()
    torch.testing.assert_close(ours.table.weight.grad, theirs.relative_attention_bias.weight.grad)


@pytest.mark.parametrize("n", [1, 5, 13])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_shaws_keys_are_those_of_huggingface(n, dtype):
    """Wav2Vec2-BERT is the model of transformers 5 that has them."""
    config = transformers.Wav2Vec2BertConfig(
        hidden_size=12,
        num_attention_heads=3,
        position_embeddings_type="relative_key",
        left_max_position_embeddings=4,
        right_max_position_embeddings=2,
        attn_implementation="eager",
    )
    theirs = Wav2Vec2BertSelfAttention(config).eval().to(dtype)
    shaw = ShawPositions(4, 2, 4).to(dtype)
    with torch.no_grad():
        shaw.table.weight.copy_(theirs.distance_embedding.weight)
    x = torch.randn(2, n, 12, dtype=dtype)
    out, weights = theirs(x)
    q, k, v = (split_heads(linear(x), 3) for linear in (theirs.linear_q, theirs.linear_k, theirs.linear_v))
    mixed, ours = attention(q, k, v, bias=shaw.to_scores(q, n))
    torch.testing.assert_close(ours, weights)
    torch.testing.assert_close(theirs.linear_out(merge_heads(mixed)), out)
    pick = torch.randn_like(out)
    (theirs.linear_out(merge_heads(mixed)) * pick).sum().backward(), (out * pick).sum().backward()
    torch.testing.assert_close(shaw.table.weight.grad, theirs.distance_embedding.weight.grad)


def test_shaws_values_by_hand():
    """Two tokens that share their weight: each mixture gets half of each distance's vector."""
    shaw = ShawPositions(1, 1, 2).double()
    with torch.no_grad():
        shaw.table.weight.copy_(torch.tensor([[2.0, 0.0], [0.0, 4.0], [6.0, 6.0]]))  # -1, 0, 1
    halves = torch.full((2, 2), 0.5, dtype=torch.float64)
    assert shaw.to_context(halves).tolist() == [[3.0, 5.0], [1.0, 2.0]]
    assert torch.equal(shaw(1, 9)[0, :8], shaw.table.weight[:1].expand(8, 2))  # what is far is one distance
