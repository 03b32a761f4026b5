"""Probes: the closed form against PyTorch's least squares, planted classes found, random ones not."""

import pytest
import torch

from labutils.analysis import fit_probe, shuffled


@pytest.mark.parametrize("n, d, c", [(30, 4, 3), (50, 7, 2), (41, 1, 5)])
def test_without_ridge_it_is_least_squares(n, d, c):
    torch.manual_seed(n)
    rows = torch.randn(n, d, dtype=torch.float64) + 2
    classes = torch.randint(c, (n,))
    probe = fit_probe(rows, classes, c, ridge=0.0)
    with_one = torch.cat([rows, torch.ones(n, 1, dtype=torch.float64)], 1)
    wanted = torch.nn.functional.one_hot(classes, c).double()
    right = torch.linalg.lstsq(with_one, wanted).solution
    torch.testing.assert_close(probe.matrix, right[:-1])
    torch.testing.assert_close(probe.offset, right[-1])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_planted_classes_are_read_off_other_rows(dtype):
    torch.manual_seed(0)
    centres, classes = 3 * torch.randn(5, 32, dtype=dtype), torch.randint(5, (400,))
    rows = centres[classes] + torch.randn(400, 32, dtype=dtype)
    probe = fit_probe(rows[:300], classes[:300])
    assert probe.accuracy(rows[300:], classes[300:]) > 0.97
    by_heart = fit_probe(rows[:300], shuffled(classes[:300]), 5)
    assert by_heart.accuracy(rows[300:], classes[300:]) < 0.45
    assert probe(rows.view(20, 20, 32)).shape == (20, 20)


def test_more_columns_than_rows_are_no_trouble():
    rows, classes = torch.randn(6, 40), torch.tensor([0, 1, 2, 0, 1, 2])
    assert fit_probe(rows, classes).accuracy(rows, classes) == 1.0
    assert fit_probe(torch.ones(6, 3), classes).matrix.isfinite().all()  # columns that say nothing


def test_a_class_that_never_occurs_may_be_named():
    assert fit_probe(torch.randn(4, 2), torch.tensor([0, 1, 0, 1]), n_classes=5).matrix.shape == (2, 5)


def test_shuffled_keeps_the_classes():
    classes = torch.arange(50)
    assert sorted(shuffled(classes).tolist()) == classes.tolist() != shuffled(classes).tolist()
    assert torch.equal(shuffled(classes, seed=3), shuffled(classes, seed=3))


def test_rows_and_classes_must_fit():
    with pytest.raises(ValueError, match="one class for each row"):
        fit_probe(torch.randn(4, 2), torch.zeros(3, dtype=torch.long))
