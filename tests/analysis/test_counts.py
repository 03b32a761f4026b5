"""Counting neighbours, by hand and by the function."""

import math

import torch

from labutils.analysis import ppmi


def test_ppmi_by_hand():
    """Two texts, 0 1 and 0 2: each word stands in two of four places beside another; 0 stands before both."""
    rows = ppmi([torch.tensor([0, 1]), torch.tensor([0, 2])], 3)
    # counts: 0 has 1 and 2 after it; 1 and 2 have 0 before them. Of 4 pairs, chance(0, after 1) = 2 · 1 / 4
    expected = torch.zeros(3, 6, dtype=torch.float64)
    expected[0, 3 + 1] = expected[0, 3 + 2] = math.log(1 / (2 * 1 / 4))
    expected[1, 0] = expected[2, 0] = math.log(1 / (1 * 2 / 4))
    torch.testing.assert_close(rows, expected)


def test_texts_are_not_joined():
    apart = ppmi([torch.tensor([0, 1]), torch.tensor([2, 1])], 3)
    assert apart[1, 2] > 0 and apart[2, 1] == 0  # nothing stands before 2


def test_what_never_occurs_is_all_zeros():
    assert not ppmi([torch.tensor([0, 1])], 4)[2:].any()
