"""LayerNorm backwards against autograd and torch, and a row that can be worked out by hand; the slopes of activations."""

import pytest
import torch
from torch.nn import functional as F

from labutils.layers import ACTIVATIONS, SLOPES, layer_norm_backward

CLOSE = {torch.float32: (1e-4, 1e-5), torch.float64: (1e-10, 1e-12)}


@pytest.mark.parametrize("dtype", CLOSE, ids=str)
@pytest.mark.parametrize("shape", [(7,), (1, 1), (5, 3), (2, 3, 17), (0, 4)], ids=str)
@pytest.mark.parametrize("eps", [1e-12, 1e-5, 0.1])
def test_all_three_gradients_equal_those_of_torch(shape, eps, dtype):
    g, (rtol, atol), d = torch.Generator().manual_seed(3), CLOSE[dtype], shape[-1]
    eps = 0.1 if d == 1 else max(eps, 1e-5) if dtype == torch.float32 else eps  # a row of one number has no variance
    x, upstream = (torch.randn(shape, generator=g, dtype=dtype) * 3 + 1 for _ in range(2))
    gain, bias = (torch.randn(d, generator=g, dtype=dtype) for _ in range(2))
    leaves = [t.clone().requires_grad_() for t in (x, gain, bias)]
    F.layer_norm(leaves[0], (d,), *leaves[1:], eps).backward(upstream)
    for name, found, leaf in zip("x gain bias".split(), layer_norm_backward(upstream, x, gain, eps), leaves):
        torch.testing.assert_close(found, leaf.grad, rtol=rtol, atol=atol, msg=lambda m, name=name: f"{name}: {m}")


def test_row_sat_by_hand():
    """The normed row is (1, −1, −1, 1), the deviation 2. From (1, 0, 0, 0) its mean, 1/4, is taken out, then 1/4 of the
    normed row; half of what is left is (1/4, 0, 0, −1/4).
    """
    row = torch.tensor([3.0, -1.0, -1.0, 3.0])
    found = layer_norm_backward(torch.tensor([1.0, 0.0, 0.0, 0.0]), row, torch.ones(4), eps=0.0)
    assert found.x.tolist() == [0.25, 0.0, 0.0, -0.25]
    assert found.gain.tolist() == [1.0, 0.0, 0.0, 0.0] and found.bias.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_no_gradient_asks_for_another_mean_or_another_length():
    g = torch.Generator().manual_seed(0)
    x, upstream, gain = (torch.randn(n, 9, generator=g, dtype=torch.float64) for n in (6, 6, 1))
    found = layer_norm_backward(upstream, x, gain[0], eps=1e-12).x
    centred = x - x.mean(-1, keepdim=True)
    torch.testing.assert_close(found.sum(-1), torch.zeros(6, dtype=torch.float64))
    torch.testing.assert_close((found * centred).sum(-1), torch.zeros(6, dtype=torch.float64))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", SLOPES)
def test_each_slope_is_the_one_of_autograd(name, dtype):
    x = torch.cat([torch.linspace(-9, 9, 181), torch.zeros(1)]).to(dtype).requires_grad_()
    ACTIVATIONS[name](x).sum().backward()
    close = {"rtol": 1e-12, "atol": 1e-13} if dtype == torch.float64 else {"rtol": 1e-4, "atol": 1e-6}
    torch.testing.assert_close(SLOPES[name](x.detach()), x.grad, **close)
    assert set(SLOPES) == set(ACTIVATIONS)


def test_where_a_gelu_falls():
    """The least value of GELU is −0.17, at −0.75: there the slope changes its sign."""
    x = torch.linspace(-3, 0, 3001, dtype=torch.float64)
    lowest = int(ACTIVATIONS["gelu"](x).argmin())
    assert f"{x[lowest]:.2f}" == "-0.75" and f"{ACTIVATIONS['gelu'](x)[lowest]:.2f}" == "-0.17"
    slope = SLOPES["gelu"](x)
    assert (slope[: lowest - 1] < 0).all() and (slope[lowest + 2 :] > 0).all()
