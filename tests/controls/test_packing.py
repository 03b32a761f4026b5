"""The bytes of the explorer's finished state, and what they weigh beside bertviz's text of the same tensor."""

import json
import zlib

import numpy as np
import pytest

from labutils.controls.packing import exact, pack, seen
from labutils.controls.reading import read

LONG = (
    "Tom saw a cat near the old bridge. The cat was tired and it slept on a mat. Then Anna gave the cat a fish. It was"
    " happy. " * 5
)


def attention(n, causal, seed=0):
    scores = np.random.default_rng(seed).normal(size=(2, 3, n, n)) * 2
    if causal:
        scores[..., ~np.tril(np.ones((n, n), bool))] = -np.inf
    powers = np.exp(scores)
    return powers / powers.sum(-1, keepdims=True)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_byte_a_number_and_nothing_for_what_is_masked(n, causal):
    weights = attention(n, causal)
    data = np.frombuffer(zlib.decompress(pack(weights, 1.0, causal)), np.uint8)
    assert len(data) == 2 * 3 * (n * (n + 1) // 2 if causal else n * n)
    assert np.abs(data / 255 - seen(weights, causal).ravel()).max() <= 0.5 / 255 + 1e-12
    assert np.array_equal(np.frombuffer(exact(weights[0, 0], causal), "<f4"), seen(weights[0, 0], causal).astype("f4"))


@pytest.mark.parametrize("model", ["little-gpt2", "little-bert"])
@pytest.mark.parametrize("n", [32, 64, 128])
def test_at_most_a_twentieth_of_what_bertviz_carries(model, n):
    reading = read(model, LONG, n)
    assert len(reading.tokens) == n
    theirs = len(json.dumps(reading.weights.astype("f4").tolist()))  # bertviz puts attn.tolist() into its page
    ours = len(pack(reading.weights, 1.0, reading.causal)) + len(exact(reading.weights[0, 0], reading.causal))
    assert ours * 4 / 3 <= theirs / 20  # base64, as it stands in our page
