"""Statements about explanations of a model: each is computed here, on functions small enough to know.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

from itertools import permutations

import numpy as np
import pytest
import torch
import transformers


def integrated(f, x, baseline, steps, first=0.5):
    """Integrated gradients by a sum: `first` is where in each step the slope is read, 0.5 in the middle, 0 on the left."""
    total = torch.zeros_like(x)
    for i in range(steps):
        place = (baseline + (i + first) / steps * (x - baseline)).requires_grad_()
        total += torch.autograd.grad(f(place), place)[0]
    return (x - baseline) * total / steps


def smooth(x):
    g = torch.Generator().manual_seed(0)
    first, second = (
        torch.randn(4, 8, generator=g, dtype=torch.float64),
        torch.randn(8, generator=g, dtype=torch.float64),
    )
    return torch.tanh(x @ first) @ second


def rank_correlation(order):
    """Spearman's, of 0, 1, 2, … with these."""
    n = len(order)
    return 1 - 6 * sum((i - place) ** 2 for i, place in enumerate(order)) / (n * (n**2 - 1))


def test_c384_integrated_gradients_add_up_to_the_difference():
    x, baseline = torch.tensor([[1.0, -2.0, 0.5, 2.0], [0.3, 0.1, -1.0, 0.2]], dtype=torch.float64)
    found = integrated(smooth, x, baseline, 500)
    assert found.sum().item() == pytest.approx((smooth(x) - smooth(baseline)).item(), abs=1e-3)
    product = integrated(torch.prod, torch.tensor([2.0, 3.0]), torch.zeros(2), 100)
    assert product.tolist() == pytest.approx([3, 3], abs=1e-3)


def test_c385_the_rule_counts_as_much_as_the_steps():
    x, zero = torch.tensor(3.0, dtype=torch.float64), torch.tensor(0.0, dtype=torch.float64)
    left, middle = integrated(torch.square, x, zero, 50, first=0), integrated(torch.square, x, zero, 1)
    assert (left.item(), middle.item()) == pytest.approx((8.82, 9))
    x, zero = torch.tensor([[1.0, -2.0, 0.5, 2.0], [0.0] * 4], dtype=torch.float64)
    gaps = [abs((integrated(smooth, x, zero, steps).sum() - smooth(x) + smooth(zero)).item()) for steps in (5, 50, 500)]
    assert gaps[0] > 50 * gaps[1] > 2500 * gaps[2] > 0


def test_c386_a_table_takes_no_half_ids_and_its_rows_can_be_walked():
    sizes = {"vocab_size": 31, "n_positions": 16, "n_embd": 24, "n_layer": 1, "n_head": 3}
    model = transformers.GPT2Model(transformers.GPT2Config(**sizes, bos_token_id=0, eos_token_id=0)).eval()
    ids, baseline = torch.tensor([[4, 7, 9]]), torch.tensor([[0, 0, 0]])
    with pytest.raises(RuntimeError, match="scalar type|Long|Int"):
        model(baseline + 0.25 * (ids - baseline))
    rows = model.wte(ids).detach().requires_grad_()
    model(inputs_embeds=rows).last_hidden_state[0, -1, 0].backward()
    assert rows.grad.shape == (1, 3, 24) and (rows.grad * rows).sum(-1).shape == ids.shape


def test_c387_n_squared_numbers_have_no_correlation_with_n():
    weights, given = np.random.default_rng(0).random((2, 5, 5))
    with pytest.raises(ValueError, match="dimension"):
        np.corrcoef(weights.flatten(), given[0])
    assert -1 < np.corrcoef(weights.mean(0), given[0])[0, 1] < 1


def test_c389_a_correlation_above_a_half_comes_by_chance():
    assert sum(rank_correlation(order) > 0.5 for order in permutations(range(5))) == 21
    assert sum(rank_correlation(order) == 1 for order in permutations(range(3))) == 1
