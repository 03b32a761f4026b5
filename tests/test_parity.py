"""The stage table: it must name the first stage that differs, for every way to be wrong that we could think of."""

import math
import types

import pytest
import torch
from twins import SHAPES, one_thread, small_twins, twins  # noqa: F401

from labutils.layers import attention as attention_module
from labutils.layers import norms
from labutils.models import bert as bert_module
from labutils.models import gpt2 as gpt2_module
from labutils.models import paper_model
from labutils.parity import agree, compare, compare_gradients, stages
from labutils.trace import trace

IDS = [1, 2, 3, 4, 5, 6]


def first(ours, theirs, tol=1e-5, ids=IDS, **given):
    return compare(trace(ours, ids, **given), trace(theirs, ids, **given), tol).first


# --- every parameter, dropped or altered, is caught where it acts ------------------------------------------------------

OUTSIDE = {
    "embeddings.token": "token embedding", "embeddings.position.table": "position embedding", "embeddings.segment": "segment embedding",
    "embeddings.norm": "embedding norm", "final_norm": "final", "mlm.transform": "mlm transform", "mlm.norm": "mlm transform",
    "mlm": "logits", "pooler.dense": "pooled", "nsp": "nsp logits",
}
INSIDE = {
    "attention.query": "q", "attention.key": "k", "attention.value": "v", "attention.output": "attention output",
    "feed_forward.expand": "feed-forward hidden", "feed_forward.contract": "feed-forward output",
}
NORMS = {"gpt2": {"norm1": "attention input", "norm2": "feed-forward input"}, "bert": {"norm1": "attention stream", "norm2": "output"}}


def stage_of(parameter: str, kind: str) -> str:
    """Where a parameter of ours acts first."""
    module = parameter.rpartition(".")[0]
    if not module.startswith("blocks."):
        return OUTSIDE[module]
    _, i, inner = module.split(".", 2)
    return f"layer {i} {(INSIDE | NORMS[kind])[inner]}"


@pytest.mark.parametrize("name", SHAPES)
def test_every_altered_parameter_is_caught_at_its_stage(name):
    """A bias set to 0, any other tensor moved by 1/2: each of them, one after the other. A key's bias moves no logit, and is caught."""
    ours, theirs = twins(name, torch.float64)
    ids = list(range(min(7, ours.config.vocab_size)))
    expected = trace(theirs, ids)
    for parameter, p in ours.named_parameters():
        kept = p.detach().clone()
        with torch.no_grad():
            p.zero_() if parameter.endswith("bias") else p.add_(0.5)
        assert compare(trace(ours, ids), expected, 1e-10).first == stage_of(parameter, expected.kind), parameter
        with torch.no_grad():
            p.copy_(kept)
    assert compare(trace(ours, ids), expected, 1e-10).equal


# --- wrong code, caught by the name of the stage -----------------------------------------------------------------------

@pytest.mark.parametrize("name, wrong, stage", [
    ("gpt2 odd", "gelu", "layer 1 feed-forward activated"), ("bert odd", "gelu_tanh", "layer 1 feed-forward activated"),
    ("gpt2 relu", "gelu", "layer 1 feed-forward activated"),
])
def test_another_activation(name, wrong, stage):
    """The two GELUs differ by less than 5e-4. float32 at 1e-5 sees it."""
    ours, theirs = twins(name)
    ours.blocks[1].feed_forward.activation = wrong
    assert first(ours, theirs) == stage


@pytest.mark.parametrize("diagonal", [-1, 1])
def test_a_shifted_mask(monkeypatch, diagonal):
    ours, theirs = small_twins("gpt2 odd")
    monkeypatch.setattr(gpt2_module, "causal_mask", lambda n, device=None: torch.ones(n, n, dtype=torch.bool).tril(diagonal))
    assert first(ours, theirs) == "layer 0 scores"


@pytest.mark.parametrize("name, module", [("gpt2 odd", gpt2_module), ("bert odd", bert_module)])
def test_a_forgotten_or_inverted_padding_mask(monkeypatch, name, module):
    """Seen only in a batch with padding; the real tokens' scores against the padding are cut from a trace, so the weights tell."""
    ours, theirs = small_twins(name)
    ids, mask = torch.tensor([IDS, IDS]), torch.tensor([[1] * 6, [0, 0, 1, 1, 1, 1]])
    real = module.padding_mask
    monkeypatch.setattr(module, "padding_mask", lambda m: torch.ones_like(real(m)))
    a, b = (trace(model, ids, attention_mask=mask) for model in (ours, theirs))
    assert compare(a[0], b[0]).equal and compare(a[1], b[1]).first == "layer 0 weights"
    monkeypatch.setattr(module, "padding_mask", lambda m: ~real(m))
    a = trace(ours, ids, attention_mask=mask)
    assert compare(a[1], b[1]).first == "layer 0 scores"


def test_heads_merged_without_the_transpose(monkeypatch):
    monkeypatch.setattr(attention_module, "merge_heads", lambda x: x.reshape(x.shape[0], x.shape[2], -1))
    for name in ("gpt2 odd", "bert odd"):
        assert first(*small_twins(name)) == "layer 0 context"


def test_heads_split_without_the_transpose(monkeypatch):
    monkeypatch.setattr(attention_module, "split_heads", lambda x, h: x.view(x.shape[0], h, x.shape[1], -1))
    assert first(*small_twins("gpt2 odd")) == "layer 0 q"


@pytest.mark.parametrize("scale", [lambda d_k: 1.0, lambda d_k: d_k], ids=["none", "d_k"])
def test_a_wrong_scale(monkeypatch, scale):
    monkeypatch.setattr(attention_module, "math", types.SimpleNamespace(sqrt=scale))
    for name in ("gpt2 odd", "bert odd"):
        assert first(*small_twins(name)) == "layer 0 scores"


def test_a_mask_after_the_softmax(monkeypatch):
    def late(q, k, v, mask=None, dropout=None, record=None):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.softmax(-1) * mask
        record(q=q, k=k, v=v, scores=scores.masked_fill(~mask, -torch.inf), weights=weights)
        return weights @ v, weights
    monkeypatch.setattr(attention_module, "attention", late)
    table = compare(trace(paper_model(1e-12), [0, 1, 2]), trace(twins("paper", torch.float64)[1], [0, 1, 2]))
    assert table.first == "layer 0 weights"
    assert f"{dict((r.stage, r.difference) for r in table.rows)['layer 0 weights']:.2f}" == "0.75"


def test_swapped_norms():
    for name, stage in (("gpt2 odd", "layer 1 attention input"), ("bert odd", "layer 1 attention stream")):
        ours, theirs = twins(name)
        block = ours.blocks[1]
        block.norm1, block.norm2 = block.norm2, block.norm1
        assert first(ours, theirs) == stage


def test_the_other_variance(monkeypatch):
    def unbiased(self, x):
        return self.gain * (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + self.eps) + self.bias
    monkeypatch.setattr(norms.LayerNorm, "forward", unbiased)
    assert first(*small_twins("gpt2 odd")) == "layer 0 attention input"
    assert first(*small_twins("bert odd")) == "embedding norm"


def test_another_eps_is_seen_in_double_precision():
    ours, theirs = twins("bert odd", torch.float64)
    ours.embeddings.norm.eps = 1e-8
    assert first(ours, theirs, 1e-5) is None and first(ours, theirs, 1e-10) == "embedding norm"


def test_a_head_that_is_not_tied():
    """HuggingFace's head, untied and trained on: all stages up to the last agree."""
    for name, head in (("gpt2 odd", lambda m: m.lm_head), ("bert odd", lambda m: m.cls.predictions.decoder)):
        ours, theirs = twins(name)
        head(theirs).weight = torch.nn.Parameter(head(theirs).weight.detach() + 0.01)
        assert first(ours, theirs) == "logits"


def test_positions_counted_from_one(monkeypatch):
    ours, theirs = twins("gpt2 odd")
    table = ours.embeddings.position.table.weight
    with torch.no_grad():
        table.copy_(table.roll(1, 0))
    assert first(ours, theirs) == "position embedding"


@pytest.mark.parametrize("swap, stage", [(("query", "key"), "layer 1 q"), (("key", "value"), "layer 1 k")])
def test_query_key_value_in_another_order(swap, stage):
    ours, theirs = twins("gpt2 odd")
    attention = ours.blocks[1].attention
    one, other = (getattr(attention, name) for name in swap)
    setattr(attention, swap[0], other), setattr(attention, swap[1], one)
    assert first(ours, theirs) == stage


def test_a_square_matrix_not_transposed():
    """Its shape is right, so nothing fails; only the numbers do."""
    ours, theirs = twins("gpt2 odd")
    with torch.no_grad():
        ours.blocks[0].attention.output.weight.copy_(ours.blocks[0].attention.output.weight.T.clone())
    assert first(ours, theirs) == "layer 0 attention output"


@pytest.mark.parametrize("name, stage", [("gpt2 odd", "layer 2 attention stream"), ("bert odd", "layer 2 attention stream")])
def test_a_residual_left_out(name, stage):
    ours, theirs = twins(name)
    block = ours.blocks[2]
    block.dropout.forward = lambda x: x - block.seen                    # takes away what the addition brings
    block.register_forward_pre_hook(lambda module, args: setattr(module, "seen", args[0]))
    assert first(ours, theirs) == stage


def test_segments_exchanged():
    ours, theirs = twins("bert odd")
    with torch.no_grad():
        ours.embeddings.segment.weight.copy_(ours.embeddings.segment.weight.flip(0).clone())
    assert first(ours, theirs) == "segment embedding"


def test_a_wrong_gradient_is_named():
    """A forward pass that is right and a backward pass that is not: a part of the graph cut off."""
    ours, theirs = twins("gpt2 odd")
    ours.blocks[1].feed_forward.expand.register_forward_hook(lambda module, args, out: out.detach() + 0 * module.weight.sum())
    ids = torch.tensor([IDS])
    a, b = ours(ids).logits, theirs(ids).logits
    assert agree(a, b, 1e-5)[1]
    a.sum().backward(), b.sum().backward()
    table = compare_gradients(ours, theirs)
    wrong = {row.stage for row in table.rows if row.state != "same"}
    assert "transformer.h.1.mlp.c_fc.weight" in wrong and "transformer.h.2.mlp.c_fc.weight" not in wrong


def test_a_parameter_without_a_gradient_counts_as_zero():
    """The loss of the hidden words alone gives the pooler nothing, in both; a gradient in one of them only is a difference."""
    ours, theirs = twins("bert odd")
    ids = torch.tensor([IDS])
    ours(ids).logits.sum().backward(), theirs(ids).prediction_logits.sum().backward()
    assert theirs.bert.pooler.dense.bias.grad is None and compare_gradients(ours, theirs).equal
    ours(ids).pooled.sum().backward()
    assert "bert.pooler.dense.bias" in {row.stage for row in compare_gradients(ours, theirs).rows if row.state != "same"}
    ours.zero_grad(), theirs.zero_grad()
    theirs(ids).seq_relationship_logits.sum().backward()
    assert not compare_gradients(ours, theirs).equal


# --- the table itself --------------------------------------------------------------------------------------------------

def test_the_criterion():
    one = torch.ones(1)
    assert agree(100 * one, 100 * one + 0.001, 1e-5)[1] and not agree(100 * one, 100 * one + 0.002, 1e-5)[1]
    assert agree(0 * one, 0 * one + 9e-6, 1e-5)[1] and not agree(0 * one, 0 * one + 2e-5, 1e-5)[1]
    hidden, nan = torch.tensor([1.0, -torch.inf]), torch.tensor([1.0, torch.nan])
    assert agree(hidden, hidden, 1e-5) == (0.0, True)
    assert agree(hidden, torch.ones(2), 1e-5) == agree(torch.ones(2), hidden, 1e-5) == (math.inf, False)
    assert not agree(nan, nan, 1e-5)[1] and not agree(torch.ones(2), nan, 1e-5)[1] and not agree(torch.ones(2), one, 1e-5)[1]
    assert agree(torch.ones(0), torch.ones(0), 1e-5)[1]


def test_the_printed_table_of_equals():
    """Fixed text: nothing in it moves with the machine."""
    ours, theirs = small_twins("bert odd")
    table = compare(trace(ours, IDS), trace(theirs, IDS))
    assert repr(table) == """\
stage                             difference  state
token embedding                 within 1e-05  equal
segment embedding               within 1e-05  equal
position embedding              within 1e-05  equal
embedding sum                   within 1e-05  equal
embedding norm                  within 1e-05  equal
layer 0 input                   within 1e-05  equal
layer 0 q                       within 1e-05  equal
layer 0 k                       within 1e-05  equal
layer 0 v                       within 1e-05  equal
layer 0 scores                  within 1e-05  equal
layer 0 weights                 within 1e-05  equal
layer 0 context                 within 1e-05  equal
layer 0 attention output        within 1e-05  equal
layer 0 attention stream        within 1e-05  equal
layer 0 feed-forward hidden     within 1e-05  equal
layer 0 feed-forward activated  within 1e-05  equal
layer 0 feed-forward output     within 1e-05  equal
layer 0 output                  within 1e-05  equal
layers 1 to 2, 26 stages        within 1e-05  equal
final                           within 1e-05  equal
mlm transform                   within 1e-05  equal
logits                          within 1e-05  equal
pooled                          within 1e-05  equal
nsp logits                      within 1e-05  equal"""
    assert table.equal and table.first is None
    assert len(repr(table.detail()).splitlines()) == 1 + len(table.rows) == 1 + 5 + 3 * 13 + 5


def test_the_printed_table_of_a_difference():
    a = {"x": torch.zeros(2), "layer 0 q": torch.ones(2), "layer 1 q": torch.ones(2), "layer 1 k": torch.ones(2), "layer 2 q": torch.ones(2), "y": torch.ones(2)}
    b = a | {"layer 1 q": torch.tensor([1.0, 0.875]), "layer 2 q": torch.tensor([0.0, -torch.inf]), "y": torch.tensor([1.0, 1.0041])}
    table = compare(a, b)
    assert repr(table) == """\
stage                difference  state
x                  within 1e-05  equal
layer 0, 1 stages  within 1e-05  equal
layer 1 q                  0.12  first stage that differs
layer 1 k          within 1e-05  equal
layer 2, 1 stages           inf  differs after it
y                         4e-03  differs after it"""
    assert table.first == "layer 1 q" and not table.equal
    assert [row.state for row in table.layer(1).rows] == ["first", "same"]
    with pytest.raises(ValueError, match="no layer 3; it has 3"):
        table.layer(3)


def test_the_drawn_table():
    html = compare({"<b>": torch.zeros(1), "y": torch.ones(1)}, {"<b>": torch.ones(1), "y": torch.zeros(1)})._repr_html_()
    assert html.startswith('<table class="itt-check">') and "&lt;b&gt;" in html and "<b>" not in html
    assert html.count('class="is-first"') == html.count('class="is-after"') == 1 and "first stage that differs" in html


def test_what_cannot_be_compared():
    ours, _ = small_twins("gpt2 odd")
    other, _ = small_twins("bert odd")
    with pytest.raises(ValueError, match="of a gpt2, the other of a bert"):
        compare(trace(ours, IDS), trace(other, IDS))
    with pytest.raises(ValueError, match="different texts"):
        compare(trace(ours, IDS), trace(ours, IDS[::-1]))
    with pytest.raises(ValueError, match="Only one of the two has the stage 'y'"):
        compare({"x": torch.ones(1)}, {"x": torch.ones(1), "y": torch.ones(1)})
    assert list(stages(trace(ours, IDS)))[:3] == ["token embedding", "position embedding", "embedding sum"]
