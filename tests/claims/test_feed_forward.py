"""Statements about the feed-forward network and the block that are wrong or loose and have no box, and some that are
right: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import pytest
import torch
from torch import nn

from labutils.checkpoints import load
from labutils.layers import (
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PostNormBlock,
    attention,
    gelu,
    gelu_tanh,
    operations,
    parameters,
    relu,
    silu,
)
from labutils.models import BertConfig, GPT2Config
from labutils.trace import trace

TEXT = "The cat sat on the mat."


def theirs(name):
    return load(name, library="transformers", dtype=torch.float64).model


def logits(name, change=lambda model: None):
    """Of a shipped model of ours, once it has been changed."""
    one = load(name, dtype=torch.float64)
    change(one.model)
    return trace(one.model, TEXT, one.tokenizer).logits


def bends(name):
    def change(model):
        for module in model.modules():
            if isinstance(module, FeedForward):
                module.activation = name

    return change


@pytest.mark.parametrize("config", [GPT2Config(), BertConfig()], ids=["gpt2", "bert"])
def test_c180_the_network_widens_and_then_narrows(config):
    assert config.d_ff == 4 * config.d_model
    network = FeedForward(8, 32, "gelu")
    assert network.expand.weight.shape == (32, 8) and network.contract.weight.shape == (8, 32)


def test_c184_gpt2_with_the_exact_gelu_is_another_model():
    assert load("little-gpt2").model.config.activation == "gelu_tanh"
    gap = (logits("little-gpt2") - logits("little-gpt2", bends("gelu"))).abs().max()
    assert 1e-5 < gap < 1


def test_c185_with_relu_bert_is_another_model():
    assert load("little-bert").model.config.activation == "gelu"
    assert (logits("little-bert") - logits("little-bert", bends("relu"))).abs().max() > 0.01


def test_c186_row_i_is_multiplied_by_the_first_matrix():
    network, rows = FeedForward(3, 5, "relu"), torch.randn(1, 4, 3)
    by_hand = relu(rows[0, 2] @ network.expand.weight.T + network.expand.bias) @ network.contract.weight.T
    torch.testing.assert_close(network(rows)[0, 2], by_hand + network.contract.bias)


def test_c190_rows_and_columns_are_the_same_after_a_transpose():
    W_1, W_2, x = torch.randn(5, 3), torch.randn(3, 5), torch.randn(3)  # f × d and d × f, for a column
    torch.testing.assert_close(W_2 @ gelu(W_1 @ x), gelu(x @ W_1.T) @ W_2.T)


def test_c192_attention_is_linear_in_its_values_only():
    g = torch.Generator().manual_seed(0)
    x, A, B, C = (torch.randn(5, 5, generator=g) for _ in range(4))
    attend = lambda rows, values: attention(rows @ A, rows @ B, values @ C)[0]
    torch.testing.assert_close(attend(x, 2 * x), 2 * attend(x, x))
    assert not torch.allclose(attend(2 * x, 2 * x), 2 * attend(x, x))


@pytest.mark.parametrize(
    "d, layers, table, share", [(768, 12, 50257 + 1024, "45.5"), (12288, 96, 50257 + 2048, "66.4")]
)
def test_two_thirds_of_a_block_and_less_of_a_model(d, layers, table, share):
    block = parameters(d, 4 * d)
    assert f"{100 * block.feed_forward / sum(block):.1f}" in ("66.6", "66.7")
    whole = layers * sum(block) + table * d + 2 * d  # one more norm at the end
    assert f"{100 * layers * block.feed_forward / whole:.1f}" == share


def test_c196_the_network_takes_most_operations_below_two_widths():
    for n, most in ((1535, True), (1537, False)):
        one = operations(n, 768, 12, 3072)
        assert (one.feed_forward > one.projecting + one.comparing) == most


def test_c200_the_third_matrix_leads_back():
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaMLP

    network = LlamaMLP(LlamaConfig(hidden_size=12, intermediate_size=32, num_attention_heads=2))
    assert network.down_proj.weight.shape == (12, 32)
    x = torch.randn(2, 12)
    hidden = silu(x @ network.gate_proj.weight.T) * (x @ network.up_proj.weight.T)
    torch.testing.assert_close(network(x), hidden @ network.down_proj.weight.T)


def block_of_bert():
    """The first block of ours, that of HuggingFace, and rows that go in."""
    ours, library = (
        load("little-bert", dtype=torch.float64).model.blocks[0],
        theirs("little-bert").bert.encoder.layer[0],
    )
    rows = torch.randn(1, 6, 128, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    out = library(rows)
    return ours, rows, out[0] if isinstance(out, tuple) else out


def test_c206_what_came_in_is_added_and_not_the_last_step():
    block, rows, right = block_of_bert()
    assert isinstance(block, PostNormBlock)
    with torch.no_grad():
        torch.testing.assert_close(block(rows), right)
        added = block.attention(rows)
        middle = block.norm1(added + added)
        assert not torch.allclose(block.norm2(middle + block.feed_forward(middle)), right, atol=1e-2)


def test_c208_blocks_are_stacked():
    first = lambda model: model.blocks.__delitem__(slice(1, None))
    assert (logits("little-gpt2") - logits("little-gpt2", first)).abs().max() > 1


def test_c210_the_two_norms_are_two():
    block, rows, right = block_of_bert()
    assert not torch.allclose(block.norm1.gain, block.norm2.gain)
    block.norm2 = block.norm1
    with torch.no_grad():
        assert not torch.allclose(block(rows), right, atol=1e-2)


def norms(model):
    return [name for name, module in model.named_modules() if isinstance(module, nn.LayerNorm)]


def test_c213_gpt2_norms_before_each_half_and_once_at_the_end():
    names = norms(theirs("little-gpt2"))
    assert names[:2] == ["transformer.h.0.ln_1", "transformer.h.0.ln_2"] and names[-1] == "transformer.ln_f"
    one = load("little-gpt2", dtype=torch.float64)
    layer = trace(one.model, TEXT, one.tokenizer).layers[0]
    torch.testing.assert_close(layer.attention_stream, layer.input + layer.attention_output)  # no norm behind the sum
    assert layer.input.mean(-1).abs().max() > 1e-3 and layer.attention_input.std(-1).std() < layer.input.std(-1).std()


def test_c214_gain_and_offset_move_mean_and_deviation():
    torch.manual_seed(0)
    norm, rows = LayerNorm(64), torch.randn(5, 64)
    close = lambda value, to: torch.testing.assert_close(value, torch.full_like(value, to), rtol=0, atol=1e-3)
    close(norm(rows).mean(-1), 0.0), close(norm(rows).std(-1, correction=0), 1.0)
    with torch.no_grad():
        norm.gain.normal_(), norm.bias.normal_()
    assert (norm(rows).std(-1) - 1).abs().min() > 0.1 and norm(rows).mean(-1).abs().max() > 0.05


def test_c218_the_first_layout_is_post_norm():
    library = nn.TransformerEncoderLayer(8, 2, 32, 0.0, batch_first=True).eval()
    assert not library.norm_first  # PyTorch's default is that of 2017
    block = PostNormBlock(MultiHeadAttention(8, 2), LayerNorm(8), FeedForward(8, 32, "relu"), LayerNorm(8))
    with torch.no_grad():
        for name in ("weight", "bias"):
            mine = [getattr(part, name) for part in (block.attention.query, block.attention.key, block.attention.value)]
            getattr(library.self_attn, f"in_proj_{name}").copy_(torch.cat(mine))
        for yours, part in (
            (library.self_attn.out_proj, block.attention.output),
            (library.linear1, block.feed_forward.expand),
            (library.linear2, block.feed_forward.contract),
        ):
            yours.load_state_dict(part.state_dict())
        rows = torch.randn(2, 5, 8)
        torch.testing.assert_close(library(rows), block(rows), rtol=1e-5, atol=1e-5)


def test_c220_nine_lie_between():
    assert len(range(1, 13)[2:-1]) == 9


def test_c221_no_row_moves_another():
    network, rows = FeedForward(6, 24, "gelu"), torch.randn(1, 5, 6)
    other = rows.clone()
    other[0, 2] += 1
    moved = (network(rows) != network(other)).any(-1)[0]
    assert moved.tolist() == [False, False, True, False, False]
    assert gelu_tanh(torch.zeros(1)) == 0
