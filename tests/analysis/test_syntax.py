"""The head that follows grammar, its detector, and both against the annotation read by hand."""

import pytest
import torch

from labutils.analysis.patterns import even
from labutils.analysis.planted import MAKERS, planted
from labutils.analysis.syntax import BELONGS, arcs, detect_with_grammar, planted_arcs, texts_of_words
from labutils.world import World

STORY = World().parse("The cat slept under the table. It was tired.")
WHERE = {0: 1, 1: 2, 3: 5, 4: 5, 5: 2, 7: 9, 8: 9}  # article to noun, noun to verb, …; full stops and main words not


def test_arcs_lead_from_a_word_to_the_one_it_belongs_to():
    assert {int(i): int(j) for i, j in arcs(STORY.words).nonzero()} == WHERE


def test_words_are_counted_over_all_stories_and_stops_are_known():
    first, second = texts_of_words([STORY, World().parse("The dog slept under the table. It was tired.")])
    assert first.stops == second.stops == (6, 10)
    assert not first.causal and first.ids[0] == first.ids[4] == second.ids[0]  # The, the
    assert first.counts[[0, 1, 2]].tolist() == [4, 1, 2]


def test_a_made_head_without_noise_looks_where_it_should():
    weights = planted_arcs(STORY.words, noise=0.0)
    assert {i: int(weights[i].argmax()) for i in WHERE} == WHERE
    torch.testing.assert_close(weights[2], torch.full((11,), 1 / 11))  # slept belongs to none: all alike
    assert not torch.equal(planted_arcs(STORY.words), planted_arcs(STORY.words, seed=1))


def test_the_detector_is_the_mean_over_words_that_belong_to_one():
    (text,) = texts_of_words([STORY])
    weights = torch.rand(11, 11, generator=torch.Generator().manual_seed(0))
    by_hand = sum(float(weights[i, j]) for i, j in WHERE.items()) / len(WHERE)
    assert float(detect_with_grammar(weights, text, STORY.words)[BELONGS]) == pytest.approx(by_hand)


@pytest.mark.parametrize("name", [*MAKERS, BELONGS])
def test_of_twelve_made_heads_each_detector_finds_its_own(name):
    """Beyond an even look, its own detector gives it most, and of all made heads it gives most to its own."""
    tales = World().stories(12, seed=11)
    texts, rows = texts_of_words(tales), {}
    for made in (*MAKERS, BELONGS):
        scores, alike = [], []
        for seed, (text, tale) in enumerate(zip(texts, tales)):
            head = planted_arcs(tale.words, seed=seed) if made == BELONGS else planted(made, text, seed=seed)
            scores.append(torch.stack(list(detect_with_grammar(head, text, tale.words).values())))
            alike.append(torch.stack(list(detect_with_grammar(even(text), text, tale.words).values())))
        even_look = torch.stack(alike).nanmean(0)
        rows[made] = (torch.stack(scores).nanmean(0) - even_look) / (1 - even_look)
    own = list(rows).index(name)
    assert rows[name][own] > 0.6 and rows[name].argmax() == own
    assert max(rows, key=lambda made: float(rows[made][own])) == name
