"""Neurons: found where they were planted, and numbers against slower ways to the same."""

import math

import pytest
import torch

from labutils.analysis.neurons import active, fewest, memory, separation, strongest
from labutils.checkpoints import load
from labutils.layers import ACTIVATIONS, FeedForward, Recorder
from labutils.trace import trace


def drawn(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def test_the_strongest_tokens_are_those_of_a_sort_over_all_texts():
    texts = [drawn(n, 5, seed=n) for n in (4, 1, 0, 7)]
    every = sorted(
        ((t, i, float(rows[i, 3])) for t, rows in enumerate(texts) for i in range(len(rows))), key=lambda x: -x[2]
    )
    assert [tuple(one) for one in strongest(texts, 3, top=6)] == every[:6]
    assert len(strongest(texts, 3, top=99)) == 12


def test_of_equals_the_earlier_comes_first():
    assert [(one.text, one.token) for one in strongest([torch.ones(2, 1), torch.ones(1, 1)], 0)] == [
        (0, 0),
        (0, 1),
        (1, 0),
    ]


def test_a_planted_neuron_fires_at_its_token():
    network = FeedForward(6, 11, "relu")
    key = torch.zeros(6)
    key[2] = 5.0
    with torch.no_grad():
        network.expand.weight[7], network.expand.bias[7] = key, -4.0
    rows = torch.zeros(9, 6)
    rows[4, 2] = 1.0
    see = Recorder()
    network(rows[None], see)
    best, second = strongest([see.stages["ffn_activated"][0]], 7, top=2)
    assert (best.token, best.value) == (4, 1.0) and second.value == 0.0


@pytest.mark.parametrize(
    "texts, neuron, words",
    [
        ([], 0, "no text"),
        ([torch.ones(2, 3)], 3, "no neuron 3"),
        ([torch.ones(2, 3)], -1, "no neuron -1"),
        ([torch.ones(2, 3), torch.ones(2, 4)], 0, r"\[3, 4\]"),
    ],
)
def test_what_is_not_there_is_refused(texts, neuron, words):
    with pytest.raises(ValueError, match=words):
        strongest(texts, neuron)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("rows, d, f", [(1, 1, 1), (5, 3, 7), (4, 8, 2)])
def test_the_sum_over_neurons_is_the_output_of_the_network(rows, d, f, dtype):
    network = FeedForward(d, f, "gelu").to(dtype)
    seen = {}
    see = lambda name, value: seen.setdefault(name, value)
    x = drawn(1, rows, d, dtype=dtype)
    out = network(x, see)
    parts, total = memory(seen["ffn_activated"], network.contract.weight.T, network.contract.bias)
    assert parts.shape == (1, rows, f, d)
    torch.testing.assert_close(total, out)


def test_the_share_that_is_active():
    assert active(torch.tensor([[1.0, -1.0, 0.0, 2.0]])).tolist() == [0.5]
    hidden = drawn(40, 50)
    for name in ("relu", "gelu", "gelu_tanh", "silu"):
        torch.testing.assert_close(active(ACTIVATIONS[name](hidden)), active(hidden))


def test_the_fewest_that_make_a_share():
    assert fewest(torch.tensor([[3.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]), 0.5).tolist() == [1, 2]
    assert fewest(torch.full((7,), 0.1), 1.0).item() == 7
    for wrong in (0.0, 1.5, math.nan):
        with pytest.raises(ValueError, match="at most 1"):
            fewest(torch.ones(3), wrong)
    with pytest.raises(ValueError, match="negative"):
        fewest(torch.tensor([1.0, -1.0]))


def test_separation_counts_pairs():
    activated = drawn(30, 4).round(decimals=0)  # with many ties
    kind = torch.arange(30) % 3 == 0
    for j, found in enumerate(separation(activated, kind)):
        pairs = [(a, b) for a in activated[kind, j] for b in activated[~kind, j]]
        assert float(found) == pytest.approx(
            sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in pairs) / len(pairs)
        )
    for wrong, words in ((torch.ones(30, dtype=torch.bool), "Both kinds"), (kind[:9], r"\(9,\).*30 rows")):
        with pytest.raises(ValueError, match=words):
            separation(activated, wrong)


@pytest.mark.parametrize("name", ["little-gpt2", "little-bert"])
def test_it_reads_traces_of_both_models(name):
    model = load(name)
    texts = [trace(model.model, text, model.tokenizer) for text in ("The cat sat on the mat.", "It was tired.")]
    first = strongest([t.layers[1].ffn_activated for t in texts], 5, top=1)[0]
    assert first.value == max(float(t.layers[1].ffn_activated[:, 5].max()) for t in texts)
    assert texts[first.text].layers[1].ffn_activated[first.token, 5] == first.value
