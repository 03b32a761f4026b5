"""Principal components against PyTorch's eigenvectors of the covariance, and in planted data."""

import json

import pytest
import torch
from by_scikit_learn import CASES, KEPT

from labutils.analysis import principal_components


@pytest.mark.parametrize("n, d", [(2, 2), (9, 4), (5, 11), (40, 1)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_components_are_eigenvectors_of_the_covariance(n, d, dtype):
    torch.manual_seed(n)
    rows = torch.randn(n, d, dtype=dtype) @ torch.diag(torch.arange(1, d + 1, dtype=dtype)) + 3
    k = min(n - 1, d)
    found = principal_components(rows, k)
    values, vectors = torch.linalg.eigh(torch.cov(rows.T).reshape(d, d).double())
    close = dict(rtol=1e-3, atol=1e-3) if dtype == torch.float32 else dict(rtol=1e-8, atol=1e-9)
    torch.testing.assert_close(found.shares.double(), (values / values.sum()).flip(0)[:k], **close)
    turned = (found.directions.double() @ vectors.flip(1)[:, :k]).abs()  # up to the sign
    torch.testing.assert_close(turned, torch.eye(k, dtype=torch.float64), **close)
    torch.testing.assert_close(found.places @ found.directions + found.mean, rows, **close)
    torch.testing.assert_close(found.place(rows), found.places, **close)
    assert found.places.dtype == dtype


@pytest.mark.parametrize("n, d, k", [(9, 4, 3), (5, 11, 4), (60, 16, 2)])
def test_components_are_those_of_torchs_own_pca_up_to_sign(n, d, k):
    """With as many directions as there are it leaves nothing out."""
    rows = (
        torch.randn(n, d, dtype=torch.float64, generator=torch.Generator().manual_seed(n)) @ torch.randn(d, d).double()
    )
    found = principal_components(rows, k)
    torch.manual_seed(0)  # it begins with random directions
    _, sizes, directions = torch.pca_lowrank(rows, q=min(n, d), center=True, niter=8)
    turned = (found.directions @ directions[:, :k]).abs()
    torch.testing.assert_close(turned, torch.eye(k, dtype=torch.float64), rtol=0, atol=1e-6)
    shares = sizes.square() / sizes.square().sum()
    torch.testing.assert_close(found.shares, shares[:k], rtol=1e-8, atol=1e-10)


SCIKIT = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CASES)
def test_components_are_those_of_scikit_learn_up_to_sign(name):
    """The nouns are those that chapter 3 draws."""
    rows, k = CASES[name][0](), CASES[name][1]
    found = principal_components(rows, k)
    mean, directions, places, shares = (torch.tensor(part, dtype=torch.float64) for part in SCIKIT[name])
    sign = (found.directions * directions).sum(1).sign()
    close = dict(rtol=0, atol=1e-9)
    torch.testing.assert_close(found.mean, mean, **close)
    torch.testing.assert_close(found.directions * sign[:, None], directions, **close)
    torch.testing.assert_close(found.places * sign, places, **close)
    torch.testing.assert_close(found.shares, shares, **close)


def test_a_planted_direction_is_found_and_signs_are_fixed():
    torch.manual_seed(0)
    along = torch.tensor([0.6, -0.8, 0.0])
    rows = torch.randn(200, 1) * 5 * along + 0.1 * torch.randn(200, 3)
    found = principal_components(rows, 2)
    torch.testing.assert_close(found.directions[0], -along, rtol=0, atol=0.02)  # its largest entry is positive
    assert found.shares[0] > 0.99 and found.shares.sum() <= 1
    torch.testing.assert_close(principal_components(-rows, 2).directions[0], found.directions[0])


def test_shuffled_rows_have_the_same_components():
    rows = torch.randn(12, 5, dtype=torch.float64)
    order = torch.randperm(12)
    one, other = principal_components(rows, 3), principal_components(rows[order], 3)
    torch.testing.assert_close(one.directions, other.directions)
    torch.testing.assert_close(one.places[order], other.places)


@pytest.mark.parametrize(
    "rows, k, said",
    [
        (torch.randn(1, 3), 1, "two or more rows"),
        (torch.randn(3), 1, "two or more rows"),
        (torch.randn(4, 3), 4, "1 to 3 components, not 4"),
        (torch.randn(4, 3), 0, "not 0"),
        (torch.ones(4, 3), 1, "all equal"),
    ],
)
def test_what_has_no_components_is_refused(rows, k, said):
    with pytest.raises(ValueError, match=said):
        principal_components(rows, k)
