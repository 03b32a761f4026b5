"""Statements about how attention carries information on: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import pytest
import torch

from labutils.checkpoints import load_tokenizer
from labutils.layers import causal_mask, softmax
from labutils.models import GPT2, GPT2Config
from labutils.trace import trace

TEXT = "The cat sat on the mat. It was tired."


def drawn(n, spread, trials=10, causal=False):
    """Weights of 144 heads: the softmax of normal scores with a deviation. (trials, 144, n, n)"""
    scores = spread * torch.randn(trials, 144, n, n, generator=torch.Generator().manual_seed(n))
    return softmax(scores.masked_fill(~causal_mask(n), -torch.inf) if causal else scores)


def largest(weights, asking, asked):
    """The largest weight from one sentence to another, over all heads and pairs."""
    return weights[..., asking, asked].amax((-3, -2, -1))


def both_ways(weights, a, b):
    """The mean of both directions over all pairs of one head."""
    return (weights[..., a, b] + weights[..., b, a].mT).mean((-2, -1))


def halves(n):
    return slice(0, n // 2), slice(n // 2, n)


def nodes(k, depth):
    """Below one node of a tree with k children each."""
    return 0 if depth == 0 else k * (1 + nodes(k, depth - 1))


def test_c367_the_last_matrix_alone_never_meets_the_first_word():
    first, last = torch.eye(3), torch.eye(3)
    first[1], last[2] = torch.tensor([1.0, 0, 0]), torch.tensor([0, 1.0, 0])  # 1 reads 0, then 2 reads 1
    assert (last @ first)[2, 0] == 1
    assert all(torch.linalg.matrix_power(last, steps)[2, 0] == 0 for steps in (1, 2, 3, 10))


def test_c368_the_first_token_is_its_own_child_and_the_strongest_comes_last():
    torch.manual_seed(0)
    weights = trace(GPT2(GPT2Config(31, 16, 24, 1, 3)), [3, 1, 4, 1, 5]).layers[0].weights[0]
    assert weights[0].argmax() == 0 and weights[0, 0] == 1
    row = torch.tensor([0.1, 0.6, 0.3])
    assert row.argsort()[-2:].tolist() == [2, 1]


def test_c369_three_children_and_three_levels_make_39_nodes():
    assert [nodes(3, depth) for depth in (1, 2, 3)] == [3, 3 + 9, 39] and nodes(2, 10) == 2**11 - 2


def test_c370_the_mean_is_symmetric_bounded_and_falls_with_the_length():
    a, b = slice(0, 2), slice(2, 6)
    weights = drawn(6, 3.0)
    torch.testing.assert_close(both_ways(weights, a, b), both_ways(weights, b, a))
    assert (both_ways(weights, a, b) <= 1 / 2 + 1 / 4).all()
    for n in (6, 20):
        assert both_ways(softmax(torch.zeros(n, n)), *halves(n)).item() == pytest.approx(2 / n)


def test_c371_the_largest_of_many_is_near_one_and_falls_with_the_length():
    found = [largest(drawn(n, 2.0), *halves(n)).mean().item() for n in (12, 60)]
    assert f"{found[0]:.2f}" == "0.98" and found[1] > 0.9


def test_c372_the_largest_weight_has_a_direction_and_the_mean_has_none():
    weights = drawn(12, 2.0)
    (a, b), (back, there) = halves(12), (halves(12)[1], halves(12)[0])
    assert (largest(weights, a, b) != largest(weights, back, there)).all()
    torch.testing.assert_close(both_ways(weights, a, b), both_ways(weights, back, there))


def test_c373_chance_passes_the_bound_or_does_not_by_the_null():
    passed = [(largest(drawn(n, spread), *halves(n)) > 0.6).float().mean() for n, spread in ((12, 2.0), (60, 2.0))]
    assert passed == [1, 1]
    assert (largest(drawn(12, 1.0), *halves(12)) > 0.6).all()
    assert (largest(drawn(60, 1.0), *halves(60)) > 0.6).float().mean() < 0.3


def test_c374_the_diagonal_is_no_stronger_than_the_rest():
    weights, (a, b) = drawn(12, 2.0), halves(12)
    inside, across = (largest(weights, a, place).mean() for place in (a, b))
    assert abs(inside - across) < 0.02 and inside > 0.95
    assert (largest(drawn(12, 0.1, causal=True), a, a) == 1).all()


def test_c375_an_earlier_sentence_sees_nothing_of_a_later_one():
    torch.manual_seed(0)
    layers = trace(GPT2(GPT2Config(31, 16, 24, 2, 3)), [3, 1, 4, 1, 5, 9]).layers
    weights = torch.stack([layer.weights for layer in layers])
    assert largest(weights, slice(0, 3), slice(3, 6)).max() == 0 < largest(weights, slice(3, 6), slice(0, 3)).min()


def test_c376_a_number_that_is_never_raised_is_the_same_for_all_tokens():
    encoded = load_tokenizer("bert-base-uncased").encode(TEXT)
    sentence, printed = 0, []
    for _ in encoded.tokens:
        printed.append(sentence)
    second = TEXT.index("It")
    meant = [None if special else int(begin >= second) for special, (begin, _) in
             zip(encoded.special_tokens_mask, encoded.offsets, strict=True)]  # fmt: skip
    assert set(printed) == {0} and meant == [None] + [0] * 7 + [1] * 4 + [None]


def test_c379_some_ribbons_end_where_they_begin():
    n = 6
    drawn_ones = (drawn(n, 1.0, 1, causal=True)[0, 0] > 0).nonzero().tolist()
    assert all(asked <= asking for asking, asked in drawn_ones) and len(drawn_ones) == n * (n + 1) // 2
    assert sum(asked == asking for asking, asked in drawn_ones) == n


def test_c380_a_separator_alone_makes_two_sentences_look_close():
    """Two words, a separator that is counted to the first sentence, two words; every row looks at the separator."""
    weights = torch.zeros(1, 5, 5)
    weights[..., 2] = 1
    assert largest(weights, slice(3, 5), slice(0, 3)) == 1
    assert largest(weights, slice(3, 5), slice(0, 2)) == 0
