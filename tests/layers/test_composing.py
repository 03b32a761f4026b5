"""The parts compose: what later chapters build needs no change in the package."""

import copy

import pytest
import torch
import transformers
from torch import nn
from torch.nn import functional as F

from labutils.layers import (
    AttentionOptions,
    Cache,
    GatedFeedForward,
    KeptKeys,
    MultiHeadAttention,
    PreNormBlock,
    Recorder,
    RMSNorm,
    attention,
    causal_mask,
    count_positions,
    padding_mask,
    rotation,
    turned,
    unseen,
)
from labutils.models import GPT2, Bert, BertConfig, GPT2Config
from labutils.models.continuing import continuing

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


@pytest.mark.parametrize("capacity", [None, 8, 11])
@pytest.mark.parametrize("steps", [(8,), (1,) * 8, (5, 1, 2)], ids=str)
def test_steps_with_a_cache_equal_the_full_pass(gpt2, steps, capacity):
    cache, past, logits = Cache(capacity), 0, []
    for n in steps:
        logits.append(gpt2(IDS[:, past : past + n], cache=cache).logits)
        past += n
    assert len(cache) == past == 8
    torch.testing.assert_close(torch.cat(logits, 1), gpt2(IDS).logits, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("capacity", [None, 8])
@pytest.mark.parametrize("side", ["left", "right"])
def test_texts_of_different_length_go_on_together(gpt2, side, capacity):
    """Each as if it stood alone: padding is not seen, and places go on after the last one of each text."""
    texts, mask = [IDS[0, :5], IDS[1, :3]], torch.tensor([[1] * 5, [0, 0, 1, 1, 1]])
    mask = mask if side == "left" else mask.flip(1)
    ids = torch.zeros(2, 5, dtype=torch.long)
    ids[0], ids[1, mask[1].bool()] = texts
    cache = Cache(capacity)
    gpt2(ids, mask, count_positions(ids, mask), cache=cache)
    for _ in range(3):
        next_ids = torch.tensor([[7], [9]])
        texts = [torch.cat([text, one]) for text, one in zip(texts, next_ids)]
        logits = gpt2(next_ids, cache=cache).logits
        for row, text in enumerate(texts):
            torch.testing.assert_close(logits[row, -1], gpt2(text[None]).logits[0, -1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("capacity", [None, 16])
def test_a_cache_forgets_and_refuses_what_does_not_fit(gpt2, capacity):
    cache = Cache(capacity)
    gpt2(IDS, cache=cache)
    cache.forget(4)
    torch.testing.assert_close(gpt2(IDS[:, 4:], cache=cache).logits, gpt2(IDS).logits[:, 4:], rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match="holds 2 texts and was given 1: begin a new one"):
        gpt2(IDS[:1], cache=cache)
    with pytest.raises(ValueError, match="17 tokens and this model has positions for 16"):
        gpt2(torch.ones(2, 9, dtype=torch.long), cache=cache)


def test_a_full_cache_refuses_and_keeps_what_it_holds(gpt2):
    cache = Cache(capacity=6)
    gpt2(IDS[:, :5], cache=cache)
    with pytest.raises(ValueError, match="room for 6 tokens and holds 5; 2 more do not fit"):
        gpt2(IDS[:, 5:7], cache=cache)
    assert len(cache) == cache.layer(0).length == 5
    torch.testing.assert_close(gpt2(IDS[:, 5:6], cache=cache).logits, gpt2(IDS).logits[:, 5:6], rtol=1e-12, atol=1e-12)
    kept = KeptKeys(capacity=2)
    kept(*torch.ones(2, 1, 1, 1, 4))
    with pytest.raises(ValueError, match="room for 2 tokens and holds 1; 2 more"):
        kept(*torch.ones(2, 1, 1, 2, 4))
    assert kept.length == 1 and kept.pair[0].shape == (1, 1, 1, 4)
    with pytest.raises(ValueError, match="at least 1 token"):
        Cache(capacity=0)


def test_room_is_taken_once_and_kept_through_a_reset(gpt2):
    cache, where = Cache(capacity=8), set()
    for part in (IDS[:, :3], IDS[:, 3:4], IDS[:, 4:8]):
        gpt2(part, cache=cache)
        where |= {one.data_ptr() for one in cache.layer(1).pair}
    cache.reset()
    assert len(cache) == 0
    torch.testing.assert_close(gpt2(IDS.flip(1), cache=cache).logits, gpt2(IDS.flip(1)).logits, rtol=1e-12, atol=1e-12)
    where |= {one.data_ptr() for one in cache.layer(1).pair}
    assert len(where) == 2 and not cache.layer(1).pair[0].requires_grad
    for batch in (IDS[:1], IDS):  # another number of texts
        for one in (cache, growing := Cache()):
            one.reset()
            torch.testing.assert_close(gpt2(batch, cache=one).logits, gpt2(batch).logits, rtol=1e-12, atol=1e-12)
        growing.reset()
        assert growing.layer(1).pair is None


def test_going_on_computes_only_what_is_new(gpt2):
    after, read = continuing(gpt2), []
    gpt2.register_forward_pre_hook(lambda module, args: read.append(args[0].shape[1]))
    whole = IDS[0].tolist()
    for ids in (whole[:4], whole[:5], whole[:5], [*whole[:2], 30], whole):
        found = after(ids)
        torch.testing.assert_close(found, gpt2(torch.tensor([ids])).logits[0, -1], rtol=1e-12, atol=1e-12)
    assert read[::2] == [4, 1, 1, 1, 6]
    with pytest.raises(ValueError, match="id 31"):
        after([*whole, 31])
    with torch.no_grad():
        gpt2.embeddings.token.weight.mul_(2)  # nothing of the old model is kept
    torch.testing.assert_close(after(whole[:3]), gpt2(IDS[:1, :3]).logits[0, -1], rtol=1e-12, atol=1e-12)
    for factor in (2, 3):  # other tensors in the place of the weights; the first may lie where the old ones lay
        for p in gpt2.parameters():
            p.data = p.data * factor
        for p in gpt2.parameters():
            p.data = p.data * 1
        torch.testing.assert_close(after(whole[:3]), gpt2(IDS[:1, :3]).logits[0, -1], rtol=1e-12, atol=1e-12)


def test_a_part_that_knows_of_no_options_fits_into_a_model():
    """As chapters 5 and 6 put the reader's own attention and block in the place of the package's."""

    class Own(nn.Module):
        def __init__(self, part):
            super().__init__()
            self.part = part

        def forward(self, x, mask=None, see=unseen):
            return self.part(x, mask, see)

    gpt2 = GPT2(GPT2Config(11, 8, 12, 2, 3)).double()
    expected = gpt2(IDS[:1] % 11).logits
    gpt2.blocks[0].attention, gpt2.blocks[1] = Own(gpt2.blocks[0].attention), Own(gpt2.blocks[1])
    torch.testing.assert_close(gpt2(IDS[:1] % 11).logits, expected, rtol=0, atol=0)


def test_keys_and_values_of_a_source_are_made_once():
    heads = MultiHeadAttention(12, 3, d_source=20).double()
    x, source = torch.randn(2, 5, 12).double(), torch.randn(2, 7, 20).double()
    made = []
    heads.key.register_forward_hook(lambda *args: made.append(1))
    kept, whole = heads.keys_values(source), heads(x, options=AttentionOptions(source=source))
    steps = [heads(x[:, i : i + 1], options=AttentionOptions(keys_values=kept)) for i in range(5)]
    torch.testing.assert_close(torch.cat(steps, 1), whole, rtol=1e-12, atol=1e-12)
    assert len(made) == 2


def test_heads_have_a_width_of_their_own():
    """As in t5-v1.1-small: 6 heads of 64 in 512."""
    ours = MultiHeadAttention(16, 3, head_dim=7, bias=False).double()
    assert ours.query.weight.shape == (21, 16) and ours.output.weight.shape == (16, 21)
    config = transformers.T5Config(d_model=16, num_heads=3, d_kv=7, _attn_implementation="eager")
    theirs = transformers.models.t5.modeling_t5.T5Attention(config).double().eval()
    for mine, name in ((ours.query, "q"), (ours.key, "k"), (ours.value, "v"), (ours.output, "o")):
        mine.weight.data.copy_(getattr(theirs, name).weight)
    x = torch.randn(2, 6, 16).double()
    expected = theirs(x, position_bias=torch.zeros(1, 3, 6, 6))[0]
    # transformers 5.0 takes its softmax in float32
    torch.testing.assert_close(ours(x, options=AttentionOptions(scale=1.0)), expected, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="16 columns cannot be cut into 3"):
        MultiHeadAttention(16, 3)


def test_turned_queries_and_keys_are_those_of_roformer():
    """Their product knows the distance alone, and `rotation` turns the same pairs, when they are neighbours."""
    q, k = torch.randn(2, 1, 1, 1, 6).double()
    met = lambda i, j: (turned(q, torch.tensor([[i]])) * turned(k, torch.tensor([[j]]))).sum()
    torch.testing.assert_close(met(3, 1), met(12, 10))
    assert not torch.isclose(met(3, 1), met(3, 2))
    order = torch.arange(6).view(3, 2).T.flatten()  # columns 0 2 4 | 1 3 5
    neighbours = torch.empty_like(q)
    neighbours[..., order] = q
    expected = neighbours[0, 0] @ rotation(5, 6).T
    torch.testing.assert_close(turned(q, torch.tensor([[5]]))[0, 0], expected[:, order])
    with pytest.raises(ValueError, match="5 columns do not fall into pairs"):
        turned(torch.ones(1, 1, 1, 5), torch.tensor([[0]]))


def test_a_cache_keeps_turned_keys():
    heads, x, kept = MultiHeadAttention(12, 2).double(), torch.randn(1, 4, 12).double(), KeptKeys()
    at = lambda first, n: lambda rows: turned(rows, torch.arange(first, first + n)[None])
    whole = heads(x, causal_mask(4), options=AttentionOptions(turn=at(0, 4)))
    each = [AttentionOptions(turn=at(i, 1), cache=kept) for i in range(4)]
    parts = [heads(x[:, i : i + 1], causal_mask(1, i), options=each[i]) for i in range(4)]
    torch.testing.assert_close(torch.cat(parts, 1), whole, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(kept.pair[0], turned(heads.keys_values(x)[0], torch.arange(4)[None]))


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
    torch.testing.assert_close(
        ours(x, padding_mask(real), options=AttentionOptions(source=source)), expected, rtol=1e-12, atol=1e-12
    )


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


def test_a_block_of_rmsnorm_and_swiglu():
    """With grouped keys and no bias, it is the formula."""
    norms = RMSNorm(16), RMSNorm(16)
    heads, network = MultiHeadAttention(16, 4, n_key_heads=2, bias=False), GatedFeedForward(16, 40, "silu")
    block, x, see = PreNormBlock(norms[0], heads, norms[1], network), torch.randn(2, 5, 16), Recorder()
    y = block(x, causal_mask(5), see)
    stream = x + heads(F.rms_norm(x, (16,), norms[0].gain, 1e-6), causal_mask(5))
    normed = F.rms_norm(stream, (16,), norms[1].gain, 1e-6)
    expected = stream + network.contract(F.silu(network.gate(normed)) * network.expand(normed))
    torch.testing.assert_close(y, expected)
    assert see.stages["ffn_gate"].shape == see.stages["ffn_activated"].shape == (2, 5, 40)
    assert network.gate.bias is None and GatedFeedForward(3, 4, "gelu_tanh", bias=True).contract.bias is not None


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


def test_torch_exports_and_saves_both_models(model, tmp_path):
    mask = torch.tensor([[1] * 8, [0] * 3 + [1] * 5])
    arguments = IDS, mask, count_positions(IDS, mask)
    torch.export.save(torch.export.export(model, arguments), tmp_path / "model.pt2")
    exported = torch.export.load(tmp_path / "model.pt2").module()
    torch.testing.assert_close(exported(*arguments).logits, model(*arguments).logits)


def test_torch_maps_both_models(model):
    """Over the texts of a batch, and over models with weights of their own."""
    one = torch.func.vmap(lambda ids: model(ids[None]).logits[0])
    torch.testing.assert_close(one(IDS), model(IDS).logits)
    weights = {name: torch.stack([p, 2 * p]).detach() for name, p in model.named_parameters()}
    both = torch.func.vmap(lambda w: torch.func.functional_call(model, w, (IDS,)).logits)(weights)
    torch.testing.assert_close(both[0], model(IDS).logits)
    assert not torch.allclose(both[0], both[1])


def test_torch_compiles_both_models(model):
    compiled = torch.compile(model, backend="eager", fullgraph=True)  # whatever stops the graph is an error
    torch.testing.assert_close(compiled(IDS).logits, model(IDS).logits)
