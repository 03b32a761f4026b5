"""Scores by pattern, against the trace of one story."""

import torch

from labutils.analysis.antecedents import answers
from labutils.analysis.catalogue import catalogue, texts_of
from labutils.analysis.gold_words import each_story, read, word_weights
from labutils.analysis.patterns import PATTERNS, detect
from labutils.analysis.relations import halves, queries_of
from labutils.checkpoints import load
from labutils.models import GPT2, GPT2Config
from labutils.trace import trace
from labutils.world import World


def test_scores_are_those_of_each_story_alone():
    little, stories = load("little-gpt2"), World().stories(5, seed=3)
    texts = texts_of(little.tokenizer, stories, causal=True)
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
        tokenizer, causal = load(name).tokenizer, name == "little-gpt2"
        (text,) = texts_of(tokenizer, [story], causal)
        shown = [tokenizer.id_to_token(int(i)) for i in text.ids]
        stops = [shown[place] for place in text.stops]
        assert text.causal == causal and stops == [".", "."] + ["[SEP]"] * (not causal)
        assert text.counts[list(text.stops)[0]] == 2  # two full stops in the only story


def test_what_a_model_sees_its_record_says_and_not_its_tokenizer():
    """A causal model whose tokenizer has no end sign, as Llama's: nothing after a row is asked for."""
    tokenizer, stories = load("little-bert").tokenizer, World().stories(6, seed=3)
    model = GPT2(GPT2Config(len(tokenizer), n_positions=256, d_model=8, n_layers=1, n_heads=2))
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(generator=torch.Generator().manual_seed(p.numel()))
    _, alike = catalogue(model, tokenizer, stories)
    assert alike["one on"].isnan().all() and not alike["one back"].isnan().any()
    found = answers(model, tokenizer, World().stories(60, seed=3))
    assert len(found.story) and found.heads.shape[1] == 2 * 2  # from the pronoun, and from the word before it
    tallies = [tally for half in halves(model, tokenizer, stories) for tally in half.values()]
    assert sum(len(tally.stories) for tally in tallies) == sum(len(queries_of(s.words, causal=True)) for s in stories)
    given = [read(tokenizer, story) for story in stories]
    asked, (ids, pieces) = next((i, one) for i, one in enumerate(given) if any(len(own) > 1 for own in one[1]))
    weights = torch.stack([layer.weights for layer in trace(model, ids).layers])
    between = next(weights for i, weights in each_story(model, tokenizer, stories) if i == asked)
    torch.testing.assert_close(between, word_weights(weights, pieces, causal=True), rtol=1e-4, atol=1e-5)
    assert not torch.allclose(between, word_weights(weights, pieces, causal=False), rtol=1e-4, atol=1e-5)
