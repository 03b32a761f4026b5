"""The parts compose: what later chapters build needs no change in the package."""

import copy

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from labutils.layers import (
    MultiHeadAttention,
    PreNormBlock,
    Recorder,
    attention,
    causal_mask,
    count_positions,
    padding_mask,
)
from labutils.models import GPT2, Bert, BertConfig, GPT2Config

SIZES = {"vocab_size": 31, "n_positions": 16, "d_model": 24, "n_layers": 3, "n_heads": 4}
IDS = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]])


@pytest.fixture(autouse=True)
def drawn():
    torch.manual_seed(5)


@pytest.fixture
def gpt2():
    model = GPT2(GPT2Config(**SIZES)).double()
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(std=0.5)
    return model


class Cache:
    """The keys and values of all tokens so far, (B, G, m, d_k) each."""

    def __init__(self):
        self.kept = None

    def __call__(self, k, v):
        self.kept = (k, v) if self.kept is None else tuple(torch.cat(pair, 2) for pair in zip(self.kept, (k, v)))
        return self.kept


@pytest.mark.parametrize("steps", [(8,), (1,) * 8, (5, 1, 2)], ids=str)
def test_steps_with_a_cache_equal_the_full_pass(gpt2, steps):
    caches, past, logits = [Cache() for _ in gpt2.blocks], 0, []
    for n in steps:
        ids, places = IDS[:, past : past + n], torch.arange(past, past + n).expand(2, n)
        x = gpt2.embeddings(ids, places)
        for block, cache in zip(gpt2.blocks, caches):
            x = block(x, causal_mask(n, past), cache=cache)
        logits.append(gpt2.final_norm(x) @ gpt2.embeddings.token.weight.T)
        past += n
    torch.testing.assert_close(torch.cat(logits, 1), gpt2(IDS).logits, rtol=1e-12, atol=1e-12)


def test_cross_attention_equals_torch():
    ours = MultiHeadAttention(12, 3, d_source=20).double().eval()
    theirs = nn.MultiheadAttention(12, 3, kdim=20, vdim=20, batch_first=True).double().eval()
    with torch.no_grad():
        for mine, yours in ((ours.query, "q"), (ours.key, "k"), (ours.value, "v")):
            mine.bias.normal_()
            getattr(theirs, f"{yours}_proj_weight").copy_(mine.weight)
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    x, source = torch.randn(2, 5, 12).double(), torch.randn(2, 7, 20).double()
    real = torch.tensor([[1] * 7, [1] * 4 + [0] * 3])
    expected, _ = theirs(x, source, source, key_padding_mask=real == 0, need_weights=False)
    torch.testing.assert_close(ours(x, padding_mask(real), source=source), expected, rtol=1e-12, atol=1e-12)


def test_grouped_queries_equal_torch():
    ours = MultiHeadAttention(16, 4, n_key_heads=2, bias=False).double()
    assert ours.key.weight.shape == (8, 16) and ours.key.bias is None
    x, see = torch.randn(2, 5, 16).double(), Recorder()
    mixed = ours(x, causal_mask(5), see)
    q, k, v = (see.stages[name] for name in ("q", "k", "v"))
    assert k.shape == v.shape == (2, 2, 5, 4)
    expected = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)  # (B, H, n, d_k)
    torch.testing.assert_close(mixed, ours.output(expected.transpose(1, 2).reshape(2, 5, 16)), rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match="3 key heads cannot serve 4 heads equally"):
        MultiHeadAttention(16, 4, n_key_heads=3)


def test_bias_and_scale_equal_torch():
    q, k, v = torch.randn(3, 2, 4, 5, 6).double()
    bias = torch.randn(4, 5, 5).double()  # one for each head: ALiBi, T5
    mixed, _ = attention(q, k, v, causal_mask(5), bias, scale=0.3)
    expected = F.scaled_dot_product_attention(q, k, v, bias.masked_fill(~causal_mask(5), -torch.inf), scale=0.3)
    torch.testing.assert_close(mixed, expected, rtol=1e-12, atol=1e-12)


class RMSNorm(nn.Module):
    """Zhang and Sennrich 2019: LayerNorm without the mean and the offset."""

    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.eps, self.gain = eps, nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return self.gain * x / torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps)


class SwiGLU(nn.Module):
    """Shazeer 2020: a feed-forward network whose inner width is gated."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate, self.expand, self.contract = (
            nn.Linear(d_model, d_ff),
            nn.Linear(d_model, d_ff),
            nn.Linear(d_ff, d_model),
        )

    def forward(self, x, see):
        return self.contract(see("ffn_activated", F.silu(self.gate(x)) * self.expand(x)))


def test_a_block_of_rmsnorm_and_swiglu():
    """Built from new parts around the package's attention, it is the formula."""
    norms = RMSNorm(16), RMSNorm(16)
    heads, network = MultiHeadAttention(16, 4, n_key_heads=2, bias=False), SwiGLU(16, 40)
    block, x, see = PreNormBlock(norms[0], heads, norms[1], network), torch.randn(2, 5, 16), Recorder()
    y = block(x, causal_mask(5), see)
    stream = x + heads(F.rms_norm(x, (16,), norms[0].gain, 1e-6), causal_mask(5))
    normed = F.rms_norm(stream, (16,), norms[1].gain, 1e-6)
    expected = stream + network.contract(F.silu(network.gate(normed)) * network.expand(normed))
    torch.testing.assert_close(y, expected)
    assert see.stages["ffn_activated"].shape == (2, 5, 40) and "ffn_hidden" not in see.stages


def test_a_hook_switches_a_head_off_and_puts_a_state_in(gpt2):
    def without_head_2(weights):
        return weights.index_fill(1, torch.tensor([2]), 0.0)

    cut = gpt2(IDS, see=Recorder(change={"layer 1 weights": without_head_2})).logits
    headless = copy.deepcopy(gpt2)
    with torch.no_grad():
        headless.blocks[1].attention.output.weight[:, 12:18] = 0  # the strip of head 2
    torch.testing.assert_close(cut, headless(IDS).logits, rtol=1e-12, atol=1e-12)
    assert not torch.allclose(cut, gpt2(IDS).logits)

    other, see = IDS.flip(1), Recorder()
    expected = gpt2(other, see=see).logits
    patched = gpt2(IDS, see=Recorder(change={"layer 0 output": lambda x: see.stages["layer 0 output"]})).logits
    torch.testing.assert_close(patched, expected, rtol=1e-12, atol=1e-12)


@pytest.fixture(params=["gpt2", "bert"])
def model(request):
    return GPT2(GPT2Config(**SIZES)) if request.param == "gpt2" else Bert(BertConfig(**SIZES))


def test_torch_exports_both_models(model):
    mask = torch.tensor([[1] * 8, [0] * 3 + [1] * 5])
    arguments = IDS, mask, count_positions(IDS, mask)
    exported = torch.export.export(model, arguments).module()
    torch.testing.assert_close(exported(*arguments).logits, model(*arguments).logits)


def test_torch_compiles_both_models(model):
    compiled = torch.compile(model, backend="eager", fullgraph=True)  # whatever stops the graph is an error
    torch.testing.assert_close(compiled(IDS).logits, model(IDS).logits)
