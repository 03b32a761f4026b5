"""The grammar's odds of tokens: pieces of a word multiply to the word's, and a whole story to the story's."""

import pytest
import torch

from labutils.analysis.exact_odds import exact_odds
from labutils.checkpoints import load
from labutils.world import World


def test_the_odds_of_all_tokens_multiply_to_the_storys():
    world, tokens = World(), load("little-gpt2").tokenizer
    end = tokens.token_to_id("<|endoftext|>")
    for story in world.stories(6, seed=3):
        ids, odds = exact_odds(world, tokens, story.text, end)
        assert ids.tolist() == [*tokens.encode(story.text).ids, end]
        torch.testing.assert_close(odds.sum(-1), torch.ones(len(ids), dtype=torch.float64))
        assert float(odds.gather(-1, ids[:, None]).log().sum()) == pytest.approx(story.log_prob)
