"""Rows of words: the mean of a word's pieces, whatever stands beside the story in its batch."""

import torch

from labutils.analysis.gold_words import read
from labutils.analysis.word_states import word_states
from labutils.checkpoints import load
from labutils.world import World


def test_a_word_has_the_mean_of_its_pieces_and_padding_changes_nothing():
    bert, stories = load("little-bert"), World().stories(5, seed=3)
    found = word_states(bert.model, bert.tokenizer, stories)
    for story, rows in zip(stories, found):
        ids, pieces = read(bert.tokenizer, story)
        with torch.no_grad():
            alone = torch.stack(bert.model(torch.tensor([ids])).hidden_states)[:, 0]
        assert rows.shape == (7, len(story.words), 128)
        for w, tokens in enumerate(pieces):
            torch.testing.assert_close(rows[:, w], alone[:, tokens].mean(1), rtol=1e-4, atol=1e-4)
