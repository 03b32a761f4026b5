"""A GPT-2 in other columns gives the same answers, if (1, 1, …, 1) stays where it is."""

import pytest
import torch

from labutils.analysis import next_word, random_turn, turned
from labutils.checkpoints import load


@pytest.mark.parametrize(("seed", "keep"), [(0, True), (1, True), (2, False)])
def test_only_a_turn_about_the_ones_changes_nothing(seed, keep):
    one = load("little-gpt2", dtype=torch.float64)
    ids = one.tokenizer.encode("The cat sat on the mat. It was").ids
    R = random_turn(128, keep, seed)
    torch.testing.assert_close(R @ R.T, torch.eye(128, dtype=torch.float64))
    with torch.no_grad():
        before = one.model(torch.tensor([ids])).logits[0, -1].softmax(-1)
    assert torch.allclose(next_word(turned(one.model, R), ids), before, atol=1e-10) == keep


def test_the_model_itself_stays_as_it_was():
    one = load("paper-gpt2", dtype=torch.float64)
    kept = {name: value.clone() for name, value in one.model.state_dict().items()}
    turned(one.model, random_turn(4))
    assert all(torch.equal(value, kept[name]) for name, value in one.model.state_dict().items())
