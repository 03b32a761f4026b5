"""A third architecture is one file and one line: `llama.py` beside this test, and its record entered below. Everything
else that the book does with a model works with it, and nothing else was touched.
"""

import pytest
import torch
import transformers
from llama import FAMILY, Llama, LlamaConfig
from twins import inputs, one_thread, randomise  # noqa: F401

from labutils.layers import Cache, Recorder, count_positions
from labutils.models import FAMILIES, family_of
from labutils.models.continuing import continuing
from labutils.parity import check, compare, compare_gradients
from labutils.trace import trace
from labutils.trace.shapes import shapes

SIZES = dict(  # odd ones, all different; two queries share a key, and a head is wider than its share of the width
    vocab_size=31,
    max_position_embeddings=23,
    hidden_size=20,
    intermediate_size=27,
    num_hidden_layers=3,
    num_attention_heads=4,
    num_key_value_heads=2,
    head_dim=6,
)
IDS = [3, 1, 4, 1, 5, 9, 2, 6]


@pytest.fixture(autouse=True)
def entered(monkeypatch):
    monkeypatch.setitem(FAMILIES, "llama", FAMILY)  # the one line


def twins(dtype=torch.float64, **other):
    theirs = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES | other, attn_implementation="eager"))
    randomise(theirs, spread=1.0)
    theirs.to(dtype).eval()
    ours = Llama(LlamaConfig.from_hf(theirs.config.to_dict())).to(dtype)
    ours.load_hf_state_dict(theirs.state_dict())
    return ours, theirs


def test_its_record_says_how_it_is_built():
    assert family_of("llama") is family_of(twins()[0]) is family_of(twins()[1]) is FAMILY
    assert FAMILY.stages >= {"ffn_gate", "scores", "weights"} and not FAMILY.stages & {"position", "embedding_sum"}
    assert (FAMILY.norm, FAMILY.causal, FAMILY.same) == ("rms", True, {})
    c = twins()[0].config
    assert (c.n_heads, c.n_key_heads, c.head_dim, c.rotary_base, c.eps) == (4, 2, 6, 10_000.0, 1e-6)


@pytest.mark.parametrize(
    "other", [{}, {"tie_word_embeddings": True}, {"num_key_value_heads": 4, "head_dim": None, "hidden_size": 24}]
)
def test_every_stage_is_huggingfaces(other):
    ours, theirs = twins(**other)
    table = check(ours, theirs, IDS)
    assert table.equal, table.detail()
    assert len(table.rows) == 3 + 3 * 16 and "1e-06" in table.criterion
    single = twins(torch.float32, **other)
    table = compare(*(trace(model, IDS) for model in single))
    assert table.equal, table.detail()


@pytest.mark.parametrize("padding", ["left", "right", "both"])
def test_every_stage_of_a_padded_batch(padding):
    """In float32: in float64 HuggingFace's rows of padding are nan, and everything after them."""
    ours, theirs = twins(torch.float32)
    ids, mask, _ = inputs(ours, padding)
    for a, b in zip(trace(ours, ids, attention_mask=mask), trace(theirs, ids, attention_mask=mask), strict=True):
        assert compare(a, b).equal


def test_keys_are_shared_and_turned_as_they_meet_the_queries():
    ours, theirs = twins()
    for model in (ours, theirs):
        t = trace(model, IDS)
        layer = t.layers[1]
        assert (layer.q.shape, layer.k.shape, layer.v.shape) == ((4, 8, 6), (2, 8, 6), (2, 8, 6))
        met = layer.q @ layer.k.repeat_interleave(2, 0).mT / 6**0.5
        seen = layer.scores.isfinite()
        torch.testing.assert_close(met[seen], layer.scores[seen], rtol=1e-12, atol=1e-12)
        assert repr(t) == "Trace(llama, 8 tokens, 3 layers, 4 heads, width 20)" and list(t.embeddings) == ["token"]
    assert "feed-forward gate" in repr(shapes(t))


WRONG = {
    "the base of the angles": (lambda m: object.__setattr__(m.config, "rotary_base", 9_000.0), "layer 0 q"),
    "the eps of a norm": (lambda m: setattr(m.blocks[1].norm2, "eps", 1e-3), "layer 1 feed-forward input"),
    "another activation": (
        lambda m: setattr(m.blocks[0].feed_forward, "activation", "gelu"),
        "layer 0 feed-forward activated",
    ),
    "gate and hidden exchanged": (lambda m: exchange(m.blocks[2].feed_forward), "layer 2 feed-forward gate"),
    "keys served in another order": (
        lambda m: setattr(m.blocks[1].attention, "shared", lambda x: x.repeat(1, 2, 1, 1)),
        "layer 1 scores",
    ),
}


def exchange(network):
    network.gate, network.expand = network.expand, network.gate


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_what_is_wrong_is_named_by_its_stage(wrong, dtype):
    ours, theirs = twins(dtype)
    breaks, stage = WRONG[wrong]
    breaks(ours)
    assert compare(trace(ours, IDS), trace(theirs, IDS)).first == stage


def test_gradients_are_huggingfaces_and_folded_by_layer():
    ours, theirs = twins()
    ids = torch.tensor([IDS])
    pick = torch.randn(1, 8, 31, generator=torch.Generator().manual_seed(0)).double()
    for model in (ours, theirs):
        (model(ids).logits * pick).sum().backward()
    table = compare_gradients(ours, theirs)
    assert table.equal, table.detail()
    assert len(table.rows) == 3 + 3 * 9 and "layers 1 to 2, 18 stages" in repr(table)


@pytest.mark.parametrize("steps", [(8,), (1,) * 8, (5, 1, 2)], ids=str)
def test_cached_steps_are_the_full_pass(steps):
    ours, _ = twins()
    ids, cache, logits, past = torch.tensor([IDS, IDS[::-1]]), Cache(), [], 0
    for n in steps:
        logits.append(ours(ids[:, past : past + n], cache=cache).logits)
        past += n
    torch.testing.assert_close(torch.cat(logits, 1), ours(ids).logits, rtol=1e-12, atol=1e-12)
    kept = cache.layer(1).pair[0]
    see = Recorder()
    ours(ids, see=see)
    torch.testing.assert_close(kept, see.stages["layer 1 k"], rtol=1e-12, atol=1e-12)  # turned, and not shared out


def test_it_goes_on_token_by_token():
    ours, _ = twins()
    after = continuing(ours)
    for n in (3, 4, 8, 5):
        whole = ours(torch.tensor([IDS[:n]])).logits[0, -1]
        torch.testing.assert_close(after(IDS[:n]), whole, rtol=1e-12, atol=1e-12)


def test_torch_exports_saves_and_loads_it(tmp_path):
    ours, _ = twins()
    ids = torch.tensor([IDS, IDS[::-1]])
    mask = torch.tensor([[1] * 8, [0] * 3 + [1] * 5])
    arguments = ids, mask, count_positions(ids, mask)
    torch.export.save(torch.export.export(ours, arguments), tmp_path / "llama.pt2")
    read = torch.export.load(tmp_path / "llama.pt2").module()
    torch.testing.assert_close(read(*arguments).logits, ours(*arguments).logits)


def test_weights_go_there_and_back():
    ours, theirs = twins()
    given, back = theirs.state_dict(), ours.to_hf_state_dict()
    assert given.keys() == back.keys() and all(torch.equal(back[name], given[name]) for name in given)
    assert LlamaConfig.from_hf(ours.config.to_hf()) == ours.config
