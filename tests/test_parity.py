"""The stage table: it must name the first stage that differs, for every way to be wrong that we could think of."""

import math
import random
import types

import pytest
import torch
import transformers
from twins import SHAPES, one_thread, ours_of, small_twins, twins  # noqa: F401

from labutils.checkpoints import load
from labutils.layers import AttentionOptions, masks, multi_head, norms, scaled_dot_product
from labutils.models import FAMILIES, paper_model
from labutils.models import bert as bert_module
from labutils.parity import agree, check, compare, compare_gradients, stages
from labutils.trace import trace

IDS = [1, 2, 3, 4, 5, 6]


def first(ours, theirs, ids=IDS, **given):
    return compare(trace(ours, ids, **given), trace(theirs, ids, **given)).first


# --- every parameter, dropped or altered, is caught where it acts ------------------------------------------------------

OUTSIDE = {
    "embeddings.token": "token embedding",
    "embeddings.position.table": "position embedding",
    "embeddings.segment": "segment embedding",
    "embeddings.norm": "embedding norm",
    "final_norm": "final",
    "mlm.transform": "MLM transform",
    "mlm.norm": "MLM transform",
    "mlm": "logits",
    "pooler.dense": "pooled",
    "nsp": "NSP logits",
    "head": "logits",
}
INSIDE = {
    "attention.query": "q",
    "attention.key": "k",
    "attention.value": "v",
    "attention.output": "attention output",
    "feed_forward.expand": "feed-forward hidden",
    "feed_forward.contract": "feed-forward output",
}
NORMS = {
    "gpt2": {"norm1": "attention input", "norm2": "feed-forward input"},
    "bert": {"norm1": "attention stream", "norm2": "output"},
}


def stage_of(parameter: str, kind: str) -> str:
    """Where a parameter of ours acts first."""
    module = parameter.rpartition(".")[0]
    if not module.startswith("blocks."):
        return OUTSIDE[module]
    _, i, inner = module.split(".", 2)
    return f"layer {i} {(INSIDE | NORMS[kind])[inner]}"


@pytest.mark.parametrize("name", SHAPES)
def test_every_altered_parameter_is_caught_at_its_stage(name):
    """A bias set to 0, any other tensor moved by 1/2: each of them, one after the other. A key's bias moves no logit,
    and is caught.
    """
    ours, theirs = twins(name, torch.float64)
    ids = list(range(min(7, ours.config.vocab_size)))
    expected = trace(theirs, ids)
    for parameter, p in ours.named_parameters():
        kept = p.detach().clone()
        with torch.no_grad():
            p.zero_() if parameter.endswith("bias") else p.add_(0.5)
        assert compare(trace(ours, ids), expected).first == stage_of(parameter, expected.kind), parameter
        with torch.no_grad():
            p.copy_(kept)
    assert compare(trace(ours, ids), expected).equal


# --- wrong code, caught by the name of the stage -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, wrong, stage",
    [
        ("gpt2 odd", "gelu", "layer 1 feed-forward activated"),
        ("bert odd", "gelu_tanh", "layer 1 feed-forward activated"),
        ("gpt2 relu", "gelu", "layer 1 feed-forward activated"),
    ],
)
def test_another_activation(name, wrong, stage):
    """The two GELUs differ by less than 5e-4. float32 sees it."""
    ours, theirs = twins(name)
    ours.blocks[1].feed_forward.activation = wrong
    assert first(ours, theirs) == stage


@pytest.mark.parametrize("diagonal", [-1, 1])
def test_a_shifted_mask(monkeypatch, diagonal):
    ours, theirs = small_twins("gpt2 odd")
    monkeypatch.setattr(
        masks, "causal_mask", lambda n, past=0, device=None: torch.ones(n, n, dtype=torch.bool).tril(diagonal)
    )
    assert first(ours, theirs) == "layer 0 scores"


@pytest.mark.parametrize("name, module", [("gpt2 odd", masks), ("bert odd", bert_module)])
def test_a_forgotten_or_inverted_padding_mask(monkeypatch, name, module):
    """Seen only in a batch with padding; the real tokens' scores against the padding are cut from a trace, so the
    weights tell.
    """
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
    monkeypatch.setattr(multi_head, "merge_heads", lambda x: x.reshape(x.shape[0], x.shape[2], -1))
    for name in ("gpt2 odd", "bert odd"):
        assert first(*small_twins(name)) == "layer 0 context"


def test_heads_split_without_the_transpose(monkeypatch):
    monkeypatch.setattr(multi_head, "split_heads", lambda x, h: x.view(x.shape[0], h, x.shape[1], -1))
    assert first(*small_twins("gpt2 odd")) == "layer 0 q"


@pytest.mark.parametrize("scale", [lambda d_k: 1.0, lambda d_k: d_k], ids=["none", "d_k"])
def test_a_wrong_scale(monkeypatch, scale):
    monkeypatch.setattr(scaled_dot_product, "math", types.SimpleNamespace(sqrt=scale))
    for name in ("gpt2 odd", "bert odd"):
        assert first(*small_twins(name)) == "layer 0 scores"


def test_a_mask_after_the_softmax(monkeypatch):
    def late(q, k, v, mask, bias, scale, dropout, see):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        see("scores", scores.masked_fill(~mask, -torch.inf))
        weights = see("weights", scores.softmax(-1) * mask)
        return weights @ v, weights

    monkeypatch.setattr(multi_head, "attention", late)
    table = compare(trace(paper_model(1e-12), [0, 1, 2]), trace(twins("paper", torch.float64)[1], [0, 1, 2]))
    assert table.first == "layer 0 weights"
    assert f"{ {r.stage: r.difference for r in table.rows}['layer 0 weights']:.2f}" == "0.75"


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
    assert first(ours, theirs) == "embedding norm" and first(ours.float(), theirs.float()) is None
    assert check(ours, theirs, IDS).first == "embedding norm"  # and float32 models are run in double precision
    assert next(ours.parameters()).dtype == torch.float32  # on copies


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


@pytest.mark.parametrize(
    "name, stage", [("gpt2 odd", "layer 2 attention stream"), ("bert odd", "layer 2 attention stream")]
)
def test_a_residual_left_out(name, stage):
    ours, theirs = twins(name)
    block = ours.blocks[2]
    block.dropout.forward = lambda x: x - block.seen  # takes away what the addition brings
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
    ours.blocks[1].feed_forward.expand.register_forward_hook(
        lambda module, args, out: out.detach() + 0 * module.weight.sum()
    )
    ids = torch.tensor([IDS])
    a, b = ours(ids).logits, theirs(ids).logits
    assert agree(a, b, 1e-5)[1]
    a.sum().backward(), b.sum().backward()
    table = compare_gradients(ours, theirs)
    wrong = {row.stage for row in table.rows if row.state != "same"}
    assert "transformer.h.1.mlp.c_fc.weight" in wrong and "transformer.h.2.mlp.c_fc.weight" not in wrong


def test_a_parameter_without_a_gradient_counts_as_zero():
    """The loss of the hidden words alone gives the pooler nothing, in both; a gradient in one of them only is a
    difference.
    """
    ours, theirs = twins("bert odd")
    ids = torch.tensor([IDS])
    ours(ids).logits.sum().backward(), theirs(ids).prediction_logits.sum().backward()
    assert theirs.bert.pooler.dense.bias.grad is None and compare_gradients(ours, theirs).equal
    ours(ids).pooled.sum().backward()
    assert "bert.pooler.dense.bias" in {
        row.stage for row in compare_gradients(ours, theirs).rows if row.state != "same"
    }
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
    assert (
        not agree(nan, nan, 1e-5)[1]
        and not agree(torch.ones(2), nan, 1e-5)[1]
        and not agree(torch.ones(2), one, 1e-5)[1]
    )
    assert agree(torch.ones(0), torch.ones(0), 1e-5)[1]


def test_a_large_number_hides_no_small_one():
    """The criterion is of every number by itself: one large column excuses nothing in the others."""
    a = torch.tensor([3000.0, 1.0], dtype=torch.float64)
    assert compare({"x": a}, {"x": a * torch.tensor([1.0, 1 - 1e-9], dtype=torch.float64)}).first == "x"
    assert compare({"x": a}, {"x": a * torch.tensor([1 - 1e-11, 1.0], dtype=torch.float64)}).equal


def test_float32_is_judged_by_the_sizes_that_entered():
    """Scores of 100 leave weights of which the fourth digit may be rounding; the same gap after scores of 1 is a
    difference.
    """
    gap = torch.tensor([0.5, 0.5 + 2.1e-4])
    for size, equal in ((100.0, True), (1.0, False)):
        table = compare(
            {"scores": torch.full((2,), size), "weights": gap},
            {"scores": torch.full((2,), size), "weights": gap[:1].expand(2)},
        )
        assert table.equal == equal


@pytest.mark.parametrize("column", [0.0, 3000.0])
@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
def test_every_weight_that_is_a_thousandth_off_is_named(name, column):
    """Also where one column of the stream is thousands: there a criterion of the largest number sees nothing."""
    ours, theirs = twins(name, torch.float64)
    with torch.no_grad():
        for table in (ours.embeddings.token.weight, (theirs.get_input_embeddings().weight)):
            table[:, 3] += column
    wrong = 0
    for parameter, p in ours.named_parameters():
        if parameter.startswith(("embeddings.token", "nsp", "pooler")):  # the table is the head as well
            continue
        kept = p.detach().clone()
        with torch.no_grad():
            p.mul_(0.999)
        assert check(ours, theirs, IDS).first == stage_of(parameter, ours_kind(name)), parameter
        with torch.no_grad():
            p.copy_(kept)
        wrong += 1
    assert wrong >= 40 and check(ours, theirs, IDS).equal


@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
def test_in_float32_too_a_large_column_hides_nothing_elsewhere(name):
    """A stream of 3,006 in one column: every weight that is a hundredth off, and a temperature of .99, are named at
    their stage. The head's bias is added to what 3,006 was multiplied into, and is rounded away.
    """
    theirs = twins(name)[1]
    with torch.no_grad():
        theirs.get_input_embeddings().weight[:, 3] += 3006.0
    ours = ours_of(theirs)
    expected, wrong = trace(theirs, IDS), 0
    table = compare(trace(ours, IDS), expected)
    assert table.equal and not table.unclear, table
    for parameter, p in ours.named_parameters():
        if parameter.startswith(("embeddings.token", "nsp", "pooler", "mlm.bias")):
            continue
        kept = p.detach().clone()
        with torch.no_grad():
            p.mul_(0.99)
        assert compare(trace(ours, IDS), expected).first == stage_of(parameter, ours_kind(name)), parameter
        with torch.no_grad():
            p.copy_(kept)
        wrong += 1
    assert wrong >= 40
    for block in ours.blocks:
        whole = block.attention.forward
        scaled = lambda x, mask, see, whole=whole: whole(x, mask, see, AttentionOptions(scale=5**-0.5 / 0.99))
        block.attention.forward = scaled
    assert compare(trace(ours, IDS), expected).first == "layer 0 scores"


def unnamed(traced):
    """Its stages, under names that say nothing of what they are computed of."""
    return {f"value {i}": tensor for i, tensor in enumerate(traced.stages().values())}


@pytest.mark.parametrize("name", SHAPES)
def test_of_stages_of_unknown_names_a_large_row_hides_no_other(name):
    """One token of thousands: a number of another row that is a hundredth off is found in every stage, or is smaller
    than what most rows may be off by, as the zeros of a ReLU are.
    """
    theirs = twins(name)[1]
    with torch.no_grad():
        theirs.get_input_embeddings().weight[2] *= 3006.0
    ids = list(range(min(7, theirs.config.vocab_size)))
    a, b = (unnamed(trace(model, ids)) for model in (ours_of(theirs), theirs))
    assert compare(a, b).equal
    missed = [stage for stage in b if b[stage].ndim > 1 and compare(a | {stage: off(a[stage])}, b).first != stage]
    assert len(missed) <= len(b) // 50, missed


def off(x):
    """The largest number of the last row, a hundredth off."""
    x = x.clone()
    row = x[..., -1, :]
    size = torch.where(row.isfinite(), row.abs(), 0.0)
    x[..., -1, :] = torch.where(size == size.max(), row * 1.01, row)
    return x


@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
def test_of_stages_of_unknown_names_a_large_column_hides_only_what_it_entered(name):
    """A stream of 3,006 in one column: what was told four stages after it is judged by its own size again."""
    theirs = twins(name)[1]
    with torch.no_grad():
        theirs.get_input_embeddings().weight[:, 3] += 3006.0
    a, b = (unnamed(trace(model, IDS)) for model in (ours_of(theirs), theirs))
    assert compare(a, b).equal
    found = [stage for stage in b if b[stage].ndim > 1 and compare(a | {stage: off(a[stage])}, b).first == stage]
    assert len(found) >= 24, found


@pytest.mark.parametrize("name", ["little-gpt2", "little-bert"])
def test_the_shipped_models_give_no_false_alarm_and_leave_nothing_unclear(name):
    """In float32, their stages with names and without, and their gradients: those of most rows of the tables are near 0,
    for most tokens are not in the text.
    """
    ours, tokenizer = load(name).model, load(name).tokenizer
    theirs = load(name, library="transformers").model
    ids = tokenizer.encode("Anna gave the old fox a letter and it smiled. The fox was glad.").ids
    a, b = trace(ours, ids), trace(theirs, ids)
    for table in (compare(a, b), compare(unnamed(a), unnamed(b))):
        assert table.equal and not table.unclear, table
    for model in (ours, theirs):
        out = model(torch.tensor([ids]))
        logits = out.logits if model is ours else out[0]
        torch.nn.functional.cross_entropy(logits[0, :-1], torch.tensor(ids[1:])).backward()
    table = compare_gradients(ours, theirs)
    assert table.equal and not table.unclear, table


def test_gradients_beside_a_far_larger_one_are_said_to_be_unclear_not_equal():
    """What may be rounding in them follows from the largest, which is no news of theirs."""
    ours, theirs = twins("gpt2 odd")
    for model in (ours, theirs):
        model(torch.tensor([IDS])).logits.square().sum().backward()
    assert compare_gradients(ours, theirs).equal and not compare_gradients(ours, theirs).unclear
    for model, largest in ((ours, ours.final_norm.bias), (theirs, theirs.transformer.ln_f.bias)):
        for p in model.parameters():
            p.grad *= 1.0 if p is largest else 1e-5
    ours.blocks[1].feed_forward.expand.weight.grad *= 1.2
    table = compare_gradients(ours, theirs)
    assert table.equal and "transformer.h.1.mlp.c_fc.weight" in table.unclear
    ours.blocks[1].feed_forward.expand.weight.grad *= 1e6
    assert compare_gradients(ours, theirs).first == "transformer.h.1.mlp.c_fc.weight"


def test_scores_of_millions_are_no_false_alarm():
    """They are sure of the key they choose, in both precisions: no other score comes near."""
    theirs = twins("gpt2 odd", torch.float64)[1]
    with torch.no_grad():
        for block in theirs.transformer.h:
            block.attn.c_attn.weight[:, :30] *= 2_000.0
    ours = ours_of(theirs)
    t = trace(ours, IDS)
    assert t.layers[0].scores[t.layers[0].scores.isfinite()].abs().max() > 4e6
    exact = compare(t, trace(theirs, IDS))
    assert exact.equal and not exact.unclear, exact
    single = compare(*(trace(model.float(), IDS) for model in (ours, theirs)))
    assert single.equal and not single.unclear, single


def test_large_scores_that_differ_slightly_are_said_to_be_unclear_not_equal():
    """Two keys that fit alike: which one wins, rounding of the scores decides."""
    q, k = torch.full((1, 1, 2), 3e3), torch.full((1, 2, 2), 3e3)
    scores = torch.tensor([[[1.3e7, 1.3e7]]])
    weights = torch.tensor([[[0.5, 0.5]]])
    b = {"layer 0 q": q, "layer 0 k": k, "layer 0 scores": scores, "layer 0 weights": weights}
    table = compare(b | {"layer 0 weights": torch.tensor([[[0.7, 0.3]]])}, b)
    assert table.equal and table.unclear == ("layer 0 weights",)
    assert "cannot tell: rounding may be as large" in repr(table)
    small = b | {"layer 0 q": q / 3e3, "layer 0 k": k / 3e3, "layer 0 scores": scores / 9e6}
    table = compare(small | {"layer 0 weights": torch.tensor([[[0.501, 0.499]]])}, small)
    assert table.first == "layer 0 weights"


def test_a_sum_of_few_products_excuses_no_more_roundings_than_it_has():
    """Scores of 10,000 made of eight products each: their weights are known well enough to be compared."""
    q, k = torch.zeros(1, 1, 8), torch.zeros(1, 2, 8)
    q[..., 0], k[..., 0] = 168.0, 168.0
    scores = (q @ k.mT) / 8**0.5
    b = {"layer 0 q": q, "layer 0 k": k, "layer 0 scores": scores, "layer 0 weights": torch.tensor([[[0.5, 0.5]]])}
    clean = compare(b, b)
    assert 9_900 < scores.max() < 10_100 and clean.equal and not clean.unclear, clean
    assert compare(b | {"layer 0 weights": torch.tensor([[[0.54, 0.46]]])}, b).first == "layer 0 weights"
    assert compare(b | {"layer 0 scores": scores + 0.05}, b).first == "layer 0 scores"


def ours_kind(name: str) -> str:
    return name.split(" ")[0]


@pytest.mark.parametrize("seed", range(25))
def test_clean_models_of_odd_sizes_are_called_equal(seed):
    """200 in all: four at each seed and dtype, with weights, biases and LayerNorms of any size."""
    draw = random.Random(seed)
    for dtype in (torch.float32, torch.float64):
        for kind in ("gpt2", "bert") * 2:
            ours, theirs = drawn_twins(kind, draw, dtype)
            ids = [draw.randrange(29) for _ in range(draw.randint(1, 12))]
            table = compare(trace(ours, ids), trace(theirs, ids))
            assert table.equal, (ours.config, table)


def drawn_twins(kind: str, draw: random.Random, dtype):
    """A model of any size with weights of any size, ours and HuggingFace's."""
    family, heads = FAMILIES[kind], draw.randint(1, 5)
    config = family.config(
        vocab_size=29,
        n_positions=12,
        n_heads=heads,
        d_model=heads * draw.randint(2, 9),
        n_layers=draw.randint(1, 4),
        d_ff=draw.randint(1, 50),
    )
    ours = family.model(config).to(dtype)
    torch.manual_seed(draw.randrange(10**6))
    size = 10 ** draw.uniform(-2, 0.3)
    with torch.no_grad():
        for p in ours.parameters():
            p.normal_(std=size)
    theirs = getattr(transformers, family.hf_classes[0])(
        transformers.AutoConfig.for_model(**config.to_hf(), attn_implementation="eager")
    )
    theirs.to(dtype).eval().load_state_dict(ours.to_hf_state_dict(), strict=False)
    return ours, theirs


def test_the_printed_table_of_equals():
    """Fixed text: nothing in it moves with the machine."""
    ours, theirs = small_twins("bert odd")
    table = compare(trace(ours, IDS), trace(theirs, IDS))
    assert (
        repr(table)
        == """\
stage                             difference  state
token embedding                  below 1e-05  equal
segment embedding                below 1e-05  equal
position embedding               below 1e-05  equal
embedding sum                    below 1e-05  equal
embedding norm                   below 1e-05  equal
layer 0 input                    below 1e-05  equal
layer 0 q                        below 1e-05  equal
layer 0 k                        below 1e-05  equal
layer 0 v                        below 1e-05  equal
layer 0 scores                   below 1e-05  equal
layer 0 weights                  below 1e-05  equal
layer 0 context                  below 1e-05  equal
layer 0 attention output         below 1e-05  equal
layer 0 attention stream         below 1e-05  equal
layer 0 feed-forward hidden      below 1e-05  equal
layer 0 feed-forward activated   below 1e-05  equal
layer 0 feed-forward output      below 1e-05  equal
layer 0 output                   below 1e-05  equal
layers 1 to 2, 26 stages         below 1e-05  equal
final                            below 1e-05  equal
MLM transform                    below 1e-05  equal
logits                           below 1e-05  equal
pooled                           below 1e-05  equal
NSP logits                       below 1e-05  equal
equal: |a - b| at most 256 roundings of what was added up, for every number, in float32"""
    )
    assert table.equal and table.first is None
    assert len(repr(table.detail()).splitlines()) - 1 == 1 + len(table.rows) == 1 + 5 + 3 * 13 + 5


def test_the_printed_table_of_a_difference():
    a = {
        "x": torch.zeros(2),
        "layer 0 q": torch.ones(2),
        "layer 1 q": torch.ones(2),
        "layer 1 k": torch.ones(2),
        "layer 2 q": torch.ones(2),
        "y": torch.ones(2),
    }
    b = a | {
        "layer 1 q": torch.tensor([1.0, 0.875]),
        "layer 2 q": torch.tensor([0.0, -torch.inf]),
        "y": torch.tensor([1.0, 1.0041]),
    }
    table = compare(a, b)
    assert (
        repr(table)
        == """\
stage                difference  state
x                   below 1e-05  equal
layer 0, 1 stages   below 1e-05  equal
layer 1 q                  0.12  first stage that differs
layer 1 k           below 1e-05  equal
layer 2, 1 stages           inf  differs after it
y                         4e-03  differs after it
equal: |a - b| at most 256 roundings of what was added up, for every number, in float32"""
    )
    assert table.first == "layer 1 q" and not table.equal
    assert [row.state for row in table.layer(1).rows] == ["first", "same"]
    with pytest.raises(ValueError, match="no layer 3; it has 3"):
        table.layer(3)


def test_the_brief_table_folds_what_agrees():
    """Each run of equal stages is one line, whatever the layer; what differs is shown as in the full table."""
    a = {name: torch.ones(2) for name in ("x", "y", "layer 0 q", "layer 1 q", "layer 1 k", "layer 2 q", "z", "w", "v")}
    b = a | {"layer 1 k": torch.zeros(2), "layer 2 q": torch.zeros(2), "z": torch.tensor([1.0, 1.0041])}
    table = compare(a, b)
    assert (
        repr(table.brief())
        == """\
stage                       difference  state
x to layer 1 q, 4 stages   below 1e-05  equal
layer 1 k                         1.00  first stage that differs
layer 2, 1 stages                 1.00  differs after it
z                                4e-03  differs after it
w to v, 2 stages           below 1e-05  equal
equal: |a - b| at most 256 roundings of what was added up, for every number, in float32"""
    )
    assert table.brief().rows == table.rows and table.brief().first == table.first == "layer 1 k"
    assert table.brief()._repr_html_().count("<tr") == 6
    assert repr(table.brief().detail()) == repr(table.detail())
    assert len(repr(table.brief().layer(1)).splitlines()) == 4


def test_the_brief_table_of_equals_has_one_line():
    ours, theirs = small_twins("bert odd")
    said = repr(compare(trace(ours, IDS), trace(theirs, IDS)).brief()).splitlines()
    assert said[1:-1] == ["token embedding to NSP logits, 49 stages   below 1e-05  equal"]


def test_the_drawn_table():
    html = compare(
        {"<b>": torch.zeros(1), "y": torch.ones(1)}, {"<b>": torch.ones(1), "y": torch.zeros(1)}
    )._repr_html_()
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
