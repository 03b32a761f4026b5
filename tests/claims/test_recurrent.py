"""Statements about recurrent networks that are right, or right with a condition: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test. Most of those that are loose
have a box in More on recurrent networks.
"""

import pytest
import torch
from torch import nn

from labutils.layers import (
    FeedForward,
    LayerNorm,
    LSTMCell,
    MultiHeadAttention,
    PostNormBlock,
    Recorder,
    RNNCell,
    Seq2Seq,
    attention,
    run,
)
from labutils.places import BOOK


def lengths_of_the_gradient(network: nn.Module, n: int = 60, d: int = 64) -> torch.Tensor:
    """The gradient of the last output at each word, one length each: (n,)."""
    x = torch.randn(1, n, d, generator=torch.Generator().manual_seed(0)).requires_grad_()
    out = network(x)
    (out[0] if isinstance(out, tuple) else out)[0, -1].sum().backward()
    return x.grad[0].norm(dim=-1)


def test_c001_the_gradient_of_a_plain_network_decays():
    torch.manual_seed(0)
    lengths = lengths_of_the_gradient(nn.RNN(64, 64, batch_first=True))
    every_tenth = lengths[::10].flip(0)  # from the near words to the far ones
    assert (every_tenth[1:] < 0.1 * every_tenth[:-1]).all()
    assert lengths[0] < 1e-12 * lengths[-1]


def test_c003_states_are_made_one_after_another():
    cell, calls = RNNCell(3, 4), []
    cell.register_forward_hook(lambda *_: calls.append(1))
    states, _ = run(cell, torch.randn(1, 9, 3))
    assert len(calls) == 9
    _, weights = attention(states, states, states)  # one call
    assert weights.shape == (1, 9, 9) and (weights > 0).all()


def test_c006_a_window_takes_one_length():
    window = nn.Linear(3 * 4, 5)
    assert window(torch.randn(3, 4).flatten()).shape == (5,)
    for n in (2, 4):
        with pytest.raises(RuntimeError):
            window(torch.randn(n, 4).flatten())


def test_c007_with_attention_an_early_state_reaches_the_writer_and_is_still_made_in_turn():
    """A reader that keeps nothing: without attention the first word is lost, with it it is found."""
    source, other = torch.tensor([[1, 2, 3, 4]]), torch.tensor([[5, 2, 3, 4]])
    for score, reaches in ((None, False), ("dot", True), ("additive", True)):
        torch.manual_seed(0)
        model, calls = Seq2Seq(6, 8, score, LSTMCell), []
        with torch.no_grad():
            model.reader.from_input.bias[8:16] = -200.0  # the forget gate is shut
            model.reader.from_state.weight.zero_()
        model.reader.register_forward_hook(lambda *_, calls=calls: calls.append(1))
        assert torch.equal(model(source, 2), model(other, 2)) != reaches
        assert len(calls) == 2 * 4


def test_c008_the_first_word_is_as_near_as_the_last():
    torch.manual_seed(0)
    lengths = lengths_of_the_gradient(MultiHeadAttention(64, 4))
    assert 0.1 < lengths[0] / lengths[30] < 10


def test_c010_the_transformer_is_of_2017():
    entry = (BOOK / "bibliography.md").read_text(encoding="utf-8").split("### Vaswani et al. 2017")[1][:300]
    assert "Attention Is All You Need" in entry and "NeurIPS 2017" in entry and "1706.03762" in entry


def test_c009_a_third_of_a_block_is_attention():
    """BERT base: the rest is the feed-forward network and the norms."""
    block = PostNormBlock(
        MultiHeadAttention(768, 12), LayerNorm(768, 1e-12), FeedForward(768, 3072, "gelu"), LayerNorm(768, 1e-12)
    )
    count = lambda part: sum(p.numel() for p in part.parameters())
    assert count(block) == 7_087_872 and count(block.attention) == 2_362_368
    assert round(count(block.attention) / count(block), 2) == 0.33


def test_c011_another_order_another_state():
    torch.manual_seed(0)
    x = torch.randn(1, 7, 3, generator=torch.Generator().manual_seed(0))
    for cell in (RNNCell(3, 4), LSTMCell(3, 4)):
        (_, one), (_, other) = run(cell, x), run(cell, x.flip(1))
        assert (one[0] - other[0]).abs().max() > 1e-3
    block, see = MultiHeadAttention(8, 2), Recorder()
    rows = torch.randn(1, 7, 8, generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(block(rows, see=see).mean(1), block(rows.flip(1)).mean(1))  # attention does not know
