"""Questions about the words of a story, and probes that read the answers layer by layer."""

import torch

from labutils.analysis.knowing import SORTED_KINDS, TAGS, by_layer, meant, named_last, place, tag, use
from labutils.world import World

TOLD = World().parse("The cat sat on the mat. It was tired.")


def test_each_question_has_its_gold_answer():
    assert [TAGS[c] for _, c in tag(TOLD)][:4] == ["DET", "NOUN", "VERB", "ADP"]
    assert [i for i, _ in tag(TOLD)] == list(range(len(TOLD.words)))
    assert place(TOLD)[:3] == [(0, 0), (1, 1), (2, 2)]
    assert [(TOLD.words[i].text, SORTED_KINDS[c]) for i, c in meant(TOLD)] == [("It", "pet")]
    assert use(TOLD) == []


def test_a_word_of_two_uses_is_a_noun_or_a_verb():
    found = {
        (story.words[i].text.lower(), story.words[i].upos, c)
        for story in World().stories(300, seed=70)
        for i, c in use(story)
    }
    assert ("play", "NOUN", 0) in found and ("play", "VERB", 1) in found
    assert all(c == (upos == "VERB") for _, upos, c in found)


def test_the_kind_that_was_named_last():
    assert named_last([TOLD]) == 1.0


def test_a_probe_reads_what_was_put_into_a_layer_and_is_scored_on_the_other_stories():
    """Layer 0 is noise; layer 1 has the class as a column, but for the last story, where it is turned round."""
    torch.manual_seed(0)
    stories = [TOLD] * 40
    asked = lambda story: [(0, 0), (1, 1), (2, 0)]
    states = [torch.randn(2, len(TOLD.words), 3) for _ in stories]
    for rows in states:
        rows[1, :3, 0] = torch.tensor([0.0, 9.0, 0.0])
    states[-1][1, :3, 0] = torch.tensor([9.0, 0.0, 9.0])
    noise, told = by_layer(states, stories, asked, half=20)
    assert noise < 0.85 and told == 19 / 20
