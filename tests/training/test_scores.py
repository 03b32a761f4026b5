"""Scores of yes-or-no answers, each against another way to compute it."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from labutils.training.scores import Boxes, boxes


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 60), st.floats(0.1, 0.9), st.floats(0.1, 0.9), st.integers(0, 999))
def test_scores_are_what_their_names_say(n, often, agreeing, seed):
    rng = np.random.default_rng(seed)
    true = rng.random(n) < often
    said = np.where(rng.random(n) < agreeing, true, ~true)
    found = boxes(torch.tensor(said), torch.tensor(true))
    assert sum(found) == n and found.accuracy == pytest.approx((said == true).mean())
    if said.any() and true.any() and (said & true).any():
        precision, recall = (said & true).sum() / said.sum(), (said & true).sum() / true.sum()
        assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall))
    else:
        assert found.f1 == 0
    if said.std() and true.std():
        assert found.matthews == pytest.approx(np.corrcoef(said, true)[0, 1])
    else:
        assert found.matthews == 0


def test_who_always_says_no_is_often_right_and_knows_nothing():
    found = Boxes(hits=0, alarms=0, misses=10, passed=90)
    assert (found.accuracy, found.f1, found.matthews) == (0.9, 0.0, 0.0)


@pytest.mark.parametrize("said, true", [(torch.ones(2).bool(), torch.ones(3).bool()), (torch.ones(0).bool(),) * 2])
def test_answers_that_fit_no_labels_are_refused(said, true):
    with pytest.raises(ValueError, match="cannot be scored by labels of"):
        boxes(said, true)
