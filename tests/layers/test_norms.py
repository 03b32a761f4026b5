"""RMSNorm and BatchNorm against PyTorch and HuggingFace, forward and backward; what each of the three looks at."""

import pytest
import torch
from torch import nn
from transformers.models.llama.modeling_llama import LlamaRMSNorm
from transformers.models.t5.modeling_t5 import T5LayerNorm

from labutils.checkpoints import load
from labutils.layers import BatchNorm, LayerNorm, RMSNorm

# of two rows BatchNorm makes ±1 whatever they were: their gradient is a difference of nearly equal numbers
SHAPES = [(2, 3), (4, 5, 7), (2, 1, 1), (9, 1)]
TOLERANCE = {torch.float32: dict(rtol=1e-5, atol=1e-4), torch.float64: dict(rtol=1e-11, atol=1e-12)}


def filled(module: nn.Module, dtype: torch.dtype) -> nn.Module:
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(1.0)
    return module.to(dtype)


def same(ours: nn.Module, theirs: nn.Module, x: torch.Tensor, call_theirs=None) -> None:
    """Output, gradient at the input and at every parameter; both list them as gain, bias."""
    with torch.no_grad():
        for a, b in zip(ours.parameters(), theirs.parameters()):
            b.copy_(a)
    x, y = x.clone().requires_grad_(), x.clone().requires_grad_()
    pick = torch.randn_like(x)
    one, other = ours(x), (call_theirs or theirs)(y)
    (one * pick).sum().backward(), (other * pick).sum().backward()
    how = TOLERANCE[x.dtype]
    torch.testing.assert_close(one, other, **how)
    torch.testing.assert_close(x.grad, y.grad, **how)
    for a, b in zip(ours.parameters(), theirs.parameters()):
        torch.testing.assert_close(a.grad, b.grad, **how)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "library, dtype",
    [(nn.RMSNorm, torch.float32), (nn.RMSNorm, torch.float64)]
    + [(theirs, torch.float32) for theirs in (LlamaRMSNorm, T5LayerNorm)],  # these compute in float32 in any case
)
def test_rms_norm(shape, library, dtype):
    x = 3 * torch.randn(shape, dtype=dtype) + 1
    same(filled(RMSNorm(shape[-1], 1e-6), dtype), library(shape[-1], 1e-6).to(dtype), x)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("training", [True, False])
def test_batch_norm(shape, dtype, training):
    torch.manual_seed(0)
    d = shape[-1]
    ours, theirs = filled(BatchNorm(d), dtype), nn.BatchNorm1d(d).to(dtype)
    flat = lambda x: theirs(x.flatten(0, -2)).view(x.shape)
    for _ in range(3):  # the running statistics move with each batch
        same(ours, theirs, 3 * torch.randn(shape, dtype=dtype) + 1, flat)
        ours.zero_grad(), theirs.zero_grad()
    torch.testing.assert_close(ours.running_mean, theirs.running_mean)
    torch.testing.assert_close(ours.running_variance, theirs.running_var)
    ours.train(training), theirs.train(training)
    same(ours, theirs, torch.randn(shape, dtype=dtype), flat)


def test_one_row_is_no_batch():
    norm = BatchNorm(3)
    with pytest.raises(ValueError, match="two or more"):
        norm(torch.randn(1, 3))
    assert norm.eval()(torch.randn(1, 3)).shape == (1, 3)


@pytest.mark.parametrize("norm, alone", [(LayerNorm, True), (RMSNorm, True), (BatchNorm, False)])
def test_which_of_them_look_at_other_rows(norm, alone):
    x = torch.randn(4, 5)
    other = x.clone()
    other[3] += 7
    norm = norm(5)
    assert torch.equal(norm(x)[:3], norm(other)[:3]) == alone


def test_rms_norm_forgets_the_scale_of_a_row_and_keeps_its_offset():
    norm, x = RMSNorm(6, eps=0.0).double(), torch.randn(2, 6, dtype=torch.float64)
    torch.testing.assert_close(norm(3 * x), norm(x))
    assert not torch.allclose(norm(x + 5), norm(x))


def test_rows_can_be_turned_through_a_norm_only_if_its_gains_are_folded_away():
    """A turn that keeps (1, …, 1) passes a bare LayerNorm. BERT's norms stand in the rows' own path, gains and all."""
    norm = load("little-bert", dtype=torch.float64).model.blocks[0].norm1
    d, bare = len(norm.gain), LayerNorm(len(norm.gain), norm.eps).double()
    turn = torch.full((d, d), 2 / d, dtype=torch.float64) - torch.eye(d)
    assert torch.allclose(turn @ turn.T, torch.eye(d).double())  # it mirrors all but (1, …, 1) ...
    turn = turn.roll(1, dims=1)  # ... and moves each column by one
    rows = torch.randn(5, d, dtype=torch.float64)
    torch.testing.assert_close(bare(rows @ turn), bare(rows) @ turn)
    assert (norm(rows @ turn) - norm(rows) @ turn).abs().max() > 0.1
