"""Norms, activations, positions and masks against torch and against numbers computed by hand."""

import pytest
import torch
from torch.nn import functional as F
from transformers.activations import ACT2FN

from labutils.layers import (
    BertEmbeddings,
    FeedForward,
    GPT2Embeddings,
    LayerNorm,
    LearnedPositions,
    MultiHeadAttention,
    PostNormBlock,
    PreNormBlock,
    causal_mask,
    count_positions,
    gelu,
    gelu_tanh,
    padding_mask,
    relu,
    silu,
    softmax,
)


def same_forward_and_backward(ours, theirs, x):
    a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
    pick = torch.linspace(-1, 1, x.numel(), dtype=x.dtype).view(x.shape)
    (ours(a) * pick).sum().backward(), (theirs(b) * pick).sum().backward()
    torch.testing.assert_close(ours(a), theirs(b), rtol=1e-12, atol=1e-13)
    torch.testing.assert_close(a.grad, b.grad, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("eps", [1e-12, 1e-5, 0.1])
def test_layer_norm_equals_torch(eps):
    norm = LayerNorm(7, eps).double()
    with torch.no_grad():
        norm.gain.normal_(), norm.bias.normal_()
    same_forward_and_backward(
        norm,
        lambda x: F.layer_norm(x, (7,), norm.gain, norm.bias, eps),
        torch.randn(3, 5, 7, dtype=torch.float64) * 3 + 1,
    )


def test_layer_norm_by_hand():
    """Row "sat" of the paper model: mean 1, variance 4. With the n - 1 variance it would be ±0.866."""
    norm = LayerNorm(4, eps=0.0)
    row = torch.tensor([3.0, -1.0, -1.0, 3.0])
    assert norm(row).tolist() == [1.0, -1.0, -1.0, 1.0]
    assert norm(3 * row + 5).tolist() == [1.0, -1.0, -1.0, 1.0]  # scale and offset of a row are forgotten


@pytest.mark.parametrize(
    "ours, theirs",
    [(relu, F.relu), (gelu, F.gelu), (gelu_tanh, lambda x: F.gelu(x, approximate="tanh")), (silu, F.silu)],
    ids=["relu", "gelu", "gelu_tanh", "silu"],
)
def test_activations_equal_torch(ours, theirs):
    same_forward_and_backward(ours, theirs, torch.cat([torch.linspace(-9, 9, 181), torch.zeros(1)]).double())


@pytest.mark.parametrize(
    "ours, name",
    [(relu, "relu"), (gelu, "gelu"), (gelu_tanh, "gelu_new"), (gelu_tanh, "gelu_pytorch_tanh"), (silu, "silu")],
)
def test_activations_equal_huggingfaces_by_the_name_in_a_configuration(ours, name):
    same_forward_and_backward(ours, ACT2FN[name], torch.linspace(-9, 9, 182).double())  # 0 is not among them


def test_the_two_gelus_differ_as_documented():
    x = torch.linspace(-6, 6, 120001, dtype=torch.float64)
    gap = (gelu(x) - gelu_tanh(x)).abs()
    assert f"{gap.max():.3g}" == "0.000473" and f"{x[gap.argmax()].abs():.2f}" == "2.70"


def test_positions_beyond_the_table():
    table = LearnedPositions(5, 3)
    assert table(torch.tensor([[0, 4]])).shape == (1, 2, 3)
    for wrong in (5, -1):
        with pytest.raises(ValueError, match="positions 0 to 4"):
            table(torch.tensor([[0, wrong]]))


def test_positions_do_not_count_padding():
    mask = torch.tensor([[1, 1, 1, 0], [0, 0, 1, 1], [0, 1, 1, 0]])
    assert count_positions(torch.zeros(3, 4), mask).tolist() == [[0, 1, 2, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    assert count_positions(torch.zeros(2, 3)).tolist() == [[0, 1, 2], [0, 1, 2]]


def test_masks_combine():
    """Padding on the left under a causal mask: the padded row sees nothing, every other sees the text before it."""
    both = causal_mask(3) & padding_mask(torch.tensor([[0, 1, 1]]))
    assert both.int().tolist() == [[[[0, 0, 0], [0, 1, 0], [0, 1, 1]]]]


def test_embeddings_drop_nothing_unless_asked():
    ids = torch.tensor([[1, 2, 3]])
    for embeddings, more in ((GPT2Embeddings(5, 4, 600), ()), (BertEmbeddings(5, 4, 2, 600, 1e-5, None), (ids * 0,))):
        embeddings.train()
        assert torch.equal(embeddings(ids, ids, *more), embeddings.eval()(ids, ids, *more))


@pytest.mark.parametrize("Block", [PreNormBlock, PostNormBlock])
def test_blocks_drop_nothing_unless_asked(Block):
    norms, network = [LayerNorm(60, 1e-5), LayerNorm(60, 1e-5)], FeedForward(60, 90, "relu")
    heads = MultiHeadAttention(60, 2)
    block = (
        Block(norms[0], heads, norms[1], network)
        if Block is PreNormBlock
        else Block(heads, norms[0], network, norms[1])
    )
    x = torch.randn(2, 8, 60)
    assert torch.equal(block.train()(x), block.eval()(x))


def test_softmax_of_a_list_is_one_sentence():
    with pytest.raises(ValueError, match="reads a tensor, not a list"):
        softmax([1, 2])
