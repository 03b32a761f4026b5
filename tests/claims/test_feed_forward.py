"""Statements about the feed-forward network and the block that are wrong or loose and have no box, and some that are
right: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

from inspect import signature

import pytest
import torch
import transformers
from torch import nn

from labutils.checkpoints import load
from labutils.layers import (
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PostNormBlock,
    PreNormBlock,
    attention,
    gelu,
    gelu_tanh,
    operations,
    parameters,
    relu,
    silu,
)
from labutils.making import deep
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


def test_c178_a_product_a_bend_and_a_product_back():
    network, x = theirs("little-gpt2").transformer.h[0].mlp, torch.randn(3, 128, dtype=torch.float64)
    hidden = gelu_tanh(x @ network.c_fc.weight + network.c_fc.bias)
    torch.testing.assert_close(network(x), hidden @ network.c_proj.weight + network.c_proj.bias)
    with torch.device("meta"):
        real = transformers.GPT2Model(transformers.GPT2Config(n_layer=1)).h[0].mlp
    assert real.c_fc.weight.shape == (768, 3072) and real.c_proj.weight.shape == (3072, 768)


def test_c179_four_times_as_wide_is_a_setting():
    assert transformers.BertConfig().intermediate_size == 4 * transformers.BertConfig().hidden_size
    first = torch.nn.Transformer  # of 2017, with 512 and 2,048
    assert signature(first).parameters["dim_feedforward"].default == 4 * signature(first).parameters["d_model"].default
    with torch.device("meta"):
        sizes = [
            transformers.GPT2Model(transformers.GPT2Config(n_layer=1, n_inner=inner)).h[0].mlp.c_fc.weight.shape[1]
            for inner in (None, 1000)
        ]
    assert sizes == [4 * 768, 1000]
    assert transformers.LlamaConfig().intermediate_size / transformers.LlamaConfig().hidden_size < 3


@pytest.mark.parametrize("config", [GPT2Config(), BertConfig()], ids=["gpt2", "bert"])
def test_c180_the_network_widens_and_then_narrows(config):
    assert config.d_ff == 4 * config.d_model
    network = FeedForward(8, 32, "gelu")
    assert network.expand.weight.shape == (32, 8) and network.contract.weight.shape == (8, 32)


def test_c182_a_network_that_narrows_would_save_and_berts_does_not():
    d = BertConfig().d_model
    wide, narrow = (parameters(d, inner) for inner in (4 * d, d // 4))
    assert BertConfig().d_ff == 4 * d and wide.feed_forward == 4_722_432 and narrow.feed_forward == 295_872
    assert abs(wide.feed_forward / sum(wide) - 2 / 3) < 0.001


def test_c183_the_two_forms_of_gelu_are_two_functions():
    assert (BertConfig().activation, GPT2Config().activation) == ("gelu", "gelu_tanh")
    grid = torch.linspace(-6, 6, 120001, dtype=torch.float64)
    gap = (gelu(grid) - gelu_tanh(grid)).abs()
    assert f"{gap.max():.6f}" == "0.000473" and f"{grid[gap.argmax()].abs():.2f}" == "2.70"


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


def test_c187_relu_then_gelu_then_a_gate():
    assert signature(torch.nn.Transformer).parameters["activation"].default is torch.nn.functional.relu
    assert transformers.BertConfig().hidden_act == "gelu"
    assert transformers.GPT2Config().activation_function == "gelu_new"  # the form with tanh
    with torch.device("meta"):
        small = transformers.LlamaConfig(num_hidden_layers=1, vocab_size=10)
        network = transformers.LlamaModel(small).layers[0].mlp
    assert small.hidden_act == "silu" and network.gate_proj.weight.shape == network.up_proj.weight.shape


def test_c189_gelu_draws_nothing():
    x = torch.linspace(-3, 3, 13, dtype=torch.float64)
    assert torch.equal(gelu(x), gelu(x))
    g = torch.Generator().manual_seed(0)
    gate = torch.randn(200_000, 1, generator=g, dtype=torch.float64) <= x
    torch.testing.assert_close((x * gate).mean(0), gelu(x), rtol=0, atol=0.01)  # the mean over draws of a gate


def test_c190_rows_and_columns_are_the_same_after_a_transpose():
    W_1, W_2, x = torch.randn(5, 3), torch.randn(3, 5), torch.randn(3)  # f × d and d × f, for a column
    torch.testing.assert_close(W_2 @ gelu(W_1 @ x), gelu(x @ W_1.T) @ W_2.T)


def test_c191_with_a_column_the_first_matrix_is_f_by_d():
    d, f = 3, 5
    x, W_1 = torch.randn(d), torch.randn(d, f)
    assert (x @ W_1).shape == (W_1.T @ x).shape == (f,)  # a row with d × f, a column with f × d
    with pytest.raises(RuntimeError, match="size mismatch"):
        W_1 @ x
    assert FeedForward(d, f, "relu").expand.weight.shape == (f, d)


def test_c192_attention_is_linear_in_its_values_only():
    g = torch.Generator().manual_seed(0)
    x, A, B, C = (torch.randn(5, 5, generator=g) for _ in range(4))
    attend = lambda rows, values: attention(rows @ A, rows @ B, values @ C)[0]
    torch.testing.assert_close(attend(x, 2 * x), 2 * attend(x, x))
    assert not torch.allclose(attend(2 * x, 2 * x), 2 * attend(x, x))


def test_c193_the_network_is_a_sum_of_numbers_times_values():
    """That it is used like a memory is an interpretation (Geva et al. 2021), and no test decides it."""
    one = load("little-gpt2", dtype=torch.float64)
    layer, network = trace(one.model, TEXT, one.tokenizer).layers[3], one.model.blocks[3].feed_forward
    values, total = network.contract.weight.T, network.contract.bias.clone()
    for number, value in zip(layer.ffn_activated[-1], values):  # one neuron after the other
        total = total + number * value
    torch.testing.assert_close(total, layer.ffn_output[-1])


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


def test_c197_swiglu_takes_two_numbers_and_a_third_matrix():
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaMLP

    network = LlamaMLP(LlamaConfig(hidden_size=48, intermediate_size=128, num_attention_heads=4))
    x = torch.randn(3, 48)
    into = torch.cat([network.gate_proj(x), network.up_proj(x)], -1)  # into the gate, and out of it
    assert into.shape[-1] == 256 and (silu(into[:, :128]) * into[:, 128:]).shape[-1] == 128
    assert sum(p.numel() for p in network.parameters()) == 3 * 48 * 128 == 8 * 48**2


def test_c198_the_exact_gelu_has_the_error_function():
    x = torch.linspace(-6, 6, 1001, dtype=torch.float64)
    exact = x * (1 + torch.erf(x / 2**0.5)) / 2
    torch.testing.assert_close(torch.nn.functional.gelu(x), exact)
    assert (torch.nn.functional.gelu(x, approximate="tanh") - exact).abs().max() > 1e-4


def test_c200_the_third_matrix_leads_back():
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaMLP

    network = LlamaMLP(LlamaConfig(hidden_size=12, intermediate_size=32, num_attention_heads=2))
    assert network.down_proj.weight.shape == (12, 32)
    x = torch.randn(2, 12)
    hidden = silu(x @ network.gate_proj.weight.T) * (x @ network.up_proj.weight.T)
    torch.testing.assert_close(network(x), hidden @ network.down_proj.weight.T)


def test_c201_eight_thirds_keep_the_parameters():
    for d in (48, 768, 4095):
        assert 3 * d * (8 * d // 3) == 8 * d**2 == 2 * d * 4 * d
    llama = transformers.LlamaConfig()
    two_thirds = 8 * llama.hidden_size // 3
    assert (llama.hidden_size, two_thirds, llama.intermediate_size) == (4096, 10_922, 11_008)
    assert llama.intermediate_size == -(-two_thirds // 256) * 256  # the next multiple of 256


def test_c204_without_sums_and_norms_next_to_no_gradient_reaches_the_first_of_eight_blocks():
    plain, with_sums = (deep.profile(kind, 8).gradients for kind in ("plain", "sum only"))
    assert plain[0] < 1e-6 * plain[-1] and with_sums[0] > 0.1 * with_sums[-1]
    block = PreNormBlock(LayerNorm(8), MultiHeadAttention(8, 2), LayerNorm(8), FeedForward(8, 32, "gelu"))
    for p in (*block.attention.output.parameters(), *block.feed_forward.contract.parameters()):
        nn.init.zeros_(p)
    rows = torch.randn(1, 5, 8)
    assert torch.equal(block(rows), rows)  # the identity is there at once


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


def test_c211_without_the_last_norm_gpt2_says_other_things():
    torch_identity = lambda model: setattr(model, "final_norm", nn.Identity())
    assert (logits("little-gpt2") - logits("little-gpt2", torch_identity)).abs().max() > 1
    paper = load("paper-gpt2", dtype=torch.float64)
    paper.model.final_norm = nn.Identity()
    assert trace(paper.model, "the cat sat", paper.tokenizer).logits[-1].argmax() == 4  # mat, where it says on


def test_c212_the_gradient_of_the_last_block_falls_with_depth_only_before_the_norm():
    """Xiong et al. 2020, theorem 1, with Xavier's matrices as there: about 1/√L with the norm before, of one size with
    the norm after.
    """

    def last(arrangement, layers):
        torch.manual_seed(0)
        model = deep.Deep(arrangement, layers)
        for module in model.modules():
            if isinstance(module, torch.nn.Linear):
                torch.nn.init.xavier_uniform_(module.weight), torch.nn.init.zeros_(module.bias)
        model.loss(deep.Chain().texts(16, 16, torch.Generator().manual_seed(0))).backward()
        return sum(p.grad.square().sum() for p in model.blocks[-1].parameters()).sqrt()

    before, after = ([float(last(name, L)) for L in (2, 8, 32)] for name in ("pre-norm", "post-norm"))
    assert before[0] > before[1] > before[2] and 1.5 < before[0] / before[2] < 4
    assert after[2] > after[0]


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


def test_c215_a_half_that_adds_nothing_still_moves_a_row_of_bert():
    one = load("little-bert", dtype=torch.float64)
    rows = trace(one.model, TEXT, one.tokenizer).layers[0].input
    with torch.no_grad():
        moved = one.model.blocks[0].norm1(rows + 0 * rows) - rows
    assert (moved.norm(dim=-1) / rows.norm(dim=-1)).mean() > 0.2


def test_c216_bert_attends_first_and_gpt2_and_llama_norm_first():
    import transformers as hf

    size = dict(num_hidden_layers=1, hidden_size=8, num_attention_heads=2, intermediate_size=16)
    gpt2 = hf.GPT2Model(hf.GPT2Config(n_embd=8, n_head=2, n_layer=1))
    bert, llama = hf.BertModel(hf.BertConfig(**size)), hf.LlamaModel(hf.LlamaConfig(**size))

    def order(model, block):
        ran = []
        for part in block.modules():
            if type(part).__name__.endswith(("Norm", "SelfAttention", "GPT2Attention", "LlamaAttention", "MLP")):
                part.register_forward_hook(lambda module, *_: ran.append(type(module).__name__))
        model.eval()(torch.tensor([[1, 2, 3]]))
        return ran

    assert order(gpt2, gpt2.h[0]) == ["LayerNorm", "GPT2Attention", "LayerNorm", "GPT2MLP"]
    assert order(llama, llama.layers[0]) == ["LlamaRMSNorm", "LlamaAttention", "LlamaRMSNorm", "LlamaMLP"]
    assert order(bert, bert.encoder.layer[0]) == ["BertSelfAttention", "LayerNorm", "LayerNorm"]
    assert len(list(llama.layers[0].input_layernorm.parameters())) == 1  # no offset


@pytest.mark.parametrize("norm_first", [False, True], ids=["post-norm", "pre-norm"])
def test_both_blocks_compute_what_pytorchs_layer_does(norm_first):
    same_as_pytorch(nn.TransformerEncoderLayer(8, 2, 32, 0.0, batch_first=True, norm_first=norm_first).eval())


def test_c218_the_first_layout_is_post_norm():
    library = nn.TransformerEncoderLayer(8, 2, 32, 0.0, batch_first=True).eval()
    assert not library.norm_first  # PyTorch's default is that of 2017
    same_as_pytorch(library)


def same_as_pytorch(library):
    parts = dict(attention=MultiHeadAttention(8, 2), feed_forward=FeedForward(8, 32, "relu"))
    parts |= dict(norm1=LayerNorm(8), norm2=LayerNorm(8))
    block = (PreNormBlock if library.norm_first else PostNormBlock)(**parts)
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
