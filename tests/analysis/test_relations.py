"""A head, a distance and a rule are chosen on one half and scored on the other."""

import torch

from labutils.analysis.relations import TO_DEPENDENT, TO_HEAD, Tally, contest, count, rules_for
from labutils.analysis.rules import OFFSETS, RULES
from labutils.world import World


def tally(heads, offset=None, rule=None) -> Tally:
    n = len(heads)
    offsets, rules = torch.zeros(n, len(OFFSETS)).bool(), torch.zeros(n, len(RULES)).bool()
    if offset is not None:
        offsets[:, 3] = torch.tensor(offset).bool()
    if rule is not None:
        rules[:, 5] = torch.tensor(rule).bool()
    return Tally([torch.tensor(row).bool() for row in heads], list(offsets), list(rules), list(range(n)))


def test_luck_in_the_first_half_does_not_count():
    found = contest(
        tally([[1, 0], [1, 0], [1, 1]], offset=[1, 0, 0], rule=[1, 1, 0]),
        tally([[0, 1], [0, 1], [1, 1]], offset=[0, 1, 1], rule=[0, 0, 1]),
    )
    assert found.pick == {"heads": 0, "offsets": 3, "rules": 5}
    assert found.right == {"heads": [0, 0, 1], "offsets": [0, 1, 1], "rules": [0, 0, 1]}
    assert found.rival == "offsets" and found.ahead == [0, -1, 0]


def test_a_head_made_from_the_gold_annotation_is_always_right():
    story = World().parse("The cat slept under the table. It was tired.")
    weights = torch.full((1, 2, len(story.words), len(story.words)), 0.01)
    for i, word in enumerate(story.words):
        if word.head >= 0:
            weights[0, 0, i, word.head] = 0.9  # head 0 looks at the word that i belongs to
            weights[0, 1, word.head, i] += 0.5  # head 1 at what belongs to it
    tallies = {}
    count(Default(tallies), story.words, weights, causal=False)
    for relation in ("det", "case", "nsubj", "obl"):
        assert all(row[0] for row in tallies[relation, TO_HEAD].heads)
        assert not any(row[0] for row in tallies[relation, TO_DEPENDENT].heads)


def test_a_rule_of_ones_own_is_tried_after_the_others():
    story, tallies = World().parse("The cat slept under the table. It was tired."), {}
    mine = lambda words, place: max((i for i in range(place) if words[i].upos == "ADP"), default=-1)
    weights = torch.ones(1, 1, len(story.words), len(story.words))
    count(Default(tallies), story.words, weights, causal=True, more=[mine])
    (row,) = tallies["case", TO_DEPENDENT].rules  # table asks for under
    assert len(row) == len(rules_for(TO_DEPENDENT)) + 1 and row[-1]
    (fewer,) = tallies["case", TO_DEPENDENT].without_last(1).rules
    assert torch.equal(fewer, row[:-1])


class Default(dict):
    """A dict that makes an empty tally for a name that it does not have, and keeps it in another."""

    def __init__(self, kept):
        self.kept = kept

    def __getitem__(self, name):
        return self.kept.setdefault(name, Tally.empty())


def test_distances_of_up_to_eight_words_are_tried_both_ways():
    assert [offset.by for offset in OFFSETS] == [*range(-8, 0), *range(1, 9)]
