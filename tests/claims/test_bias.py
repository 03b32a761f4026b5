"""Statements about scores of bias and of benchmarks: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import torch

# probabilities of the stereotype, of the anti-stereotype and of the unrelated word
TRIPLES = [(4, 2, 1), (2, 4, 1), (4, 1, 2), (8, 4, 2)]


def stereotype_score(pairs):
    """The percentage of pairs in which the stereotype is the more probable."""
    return 100 * sum(stereotype > other for stereotype, other in pairs) / len(pairs)


def language_score(triples):
    """The percentage of comparisons in which one that has a meaning beats the unrelated word."""
    won = [meant > unrelated for *both, unrelated in triples for meant in both]
    return 100 * sum(won) / len(won)


def icat(lms, ss, whole=100):
    return lms * min(ss, whole - ss) / (whole / 2)


def best(heads, cost):
    """The accurate and cheap ones: no other is at least as good in both and better in one."""
    beats = lambda a, b: a[0] >= b[0] and cost(a) <= cost(b) and (a[0] > b[0] or cost(a) < cost(b))
    return [one for one in heads if not any(beats(other, one) for other in heads)]


def test_c390_a_mean_of_ratios_is_not_the_share_of_pairs():
    pairs = [(7, 1), (3, 5), (3, 5), (3, 5)]
    assert sum(a / (a + b) for a, b in pairs) / 4 == 0.5 and stereotype_score(pairs) == 25


def test_c391_both_scales_say_the_same_and_the_middle_hides_two_halves():
    assert all(icat(80, ss) == icat(80, ss / 100, whole=1) for ss in (0, 25, 50, 75, 100))
    assert stereotype_score([(99, 1)] * 3 + [(1, 99)] * 3) == stereotype_score([(51, 49)] * 3 + [(49, 51)] * 3) == 50


def test_c392_85_and_60_make_68():
    assert icat(85, 60) == 68 and icat(85, 0.6, whole=1) == 68
    assert icat(100, 50) == 100 and icat(100, 100) == 0


def test_c393_each_triple_is_two_comparisons():
    assert language_score(TRIPLES) == 87.5 and language_score([(2, 2, 1), (3, 4, 2)]) == 100


def test_c398_the_lowest_score_is_not_the_fairest():
    heads = [(90, 60), (85, 46), (80, 44), (70, 51), (70, 53)]  # accuracy, stereotype score
    assert best(heads, lambda head: abs(head[1] - 50)) == [(90, 60), (85, 46), (70, 51)]
    assert best(heads, lambda head: head[1]) == [(90, 60), (85, 46), (80, 44)]
    assert best([(70, 30), (70, 50)], lambda head: head[1]) == [(70, 30)]


def test_c401_one_pair_of_noise_in_twenty_passes():
    """32 heads, 6 measures, 9 tasks, 30 models each; a correlation of 30 pairs passes 5% beyond 0.361."""
    g = torch.Generator().manual_seed(0)
    measures, tasks = torch.randn(32 * 6, 30, generator=g), torch.randn(9, 30, generator=g)
    found = torch.corrcoef(torch.cat([measures, tasks]))[: 32 * 6, 32 * 6 :]
    assert found.numel() == 1728 and 60 < (found.abs() > 0.361).sum() < 115
