"""Scores by pattern, against the trace of one story."""

import torch

from labutils.analysis.catalogue import catalogue, texts_of
from labutils.analysis.patterns import PATTERNS, detect
from labutils.checkpoints import load
from labutils.trace import trace
from labutils.world import World


def test_scores_are_those_of_each_story_alone():
    little, stories = load("little-gpt2"), World().stories(5, seed=3)
    texts = texts_of(little.tokenizer, stories)
    scores, alike = catalogue(little.model, little.tokenizer, stories)
    assert list(scores) == list(alike) == list(PATTERNS)
    for i, text in enumerate(texts):
        weights = torch.stack([layer.weights for layer in trace(little.model, text.ids).layers])
        for name, found in detect(weights, text).items():
            torch.testing.assert_close(scores[name][i], found, equal_nan=True, rtol=1e-3, atol=1e-4)
    assert scores["one back"].shape == (5, 4, 8) and alike["one back"].shape == (5,)


def test_a_story_as_each_model_reads_it():
    story = World().parse("The cat slept under the table. It was tired.")
    for name in ("little-gpt2", "little-bert"):
        tokenizer = load(name).tokenizer
        (text,) = texts_of(tokenizer, [story])
        shown = [tokenizer.id_to_token(int(i)) for i in text.ids]
        stops = [shown[place] for place in text.stops]
        assert text.causal == (name == "little-gpt2")
        assert stops == [".", "."] + ["[SEP]"] * (not text.causal)
        assert text.counts[list(text.stops)[0]] == 2  # two full stops in the only story
