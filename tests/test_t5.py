"""A model that reads two texts is one file and one line as well: `t5.py` beside this test, and its record entered
below. Two stacks and two attentions in one block keep their names apart, in the trace and in every table.
"""

import copy
from dataclasses import replace

import pytest
import torch
import transformers
from t5 import FAMILY, T5, T5Cache, T5Config
from twins import one_thread, randomise  # noqa: F401

from labutils.layers import causal_mask
from labutils.models import FAMILIES
from labutils.models.stages import IN_BLOCK, Place
from labutils.parity import check, compare, compare_gradients
from labutils.trace import trace
from labutils.trace.shapes import shapes

SIZES = dict(  # odd ones, all different; the heads are wider than their share of the width, and distances share buckets
    vocab_size=31,
    d_model=20,
    d_kv=6,
    d_ff=27,
    num_layers=2,
    num_decoder_layers=3,
    num_heads=4,
    relative_attention_num_buckets=8,
    relative_attention_max_distance=6,
    feed_forward_proj="gated-gelu",
)
SOURCE, TARGET = [3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2]


@pytest.fixture(autouse=True)
def entered(monkeypatch):
    monkeypatch.setitem(FAMILIES, "t5", FAMILY)  # the one line


def twins(dtype=torch.float64):
    theirs = transformers.T5ForConditionalGeneration(transformers.T5Config(**SIZES, attn_implementation="eager"))
    randomise(theirs, spread=1.0)
    theirs.to(dtype).eval()
    ours = T5(T5Config.from_hf(theirs.config.to_dict())).to(dtype)
    ours.load_hf_state_dict(theirs.state_dict())
    return ours, theirs


def both(models, source=SOURCE, target=TARGET, **given):
    return [trace(model, source, target=target, **given) for model in models]


# --- the trace ---------------------------------------------------------------------------------------------------------


def test_each_stack_and_each_attention_has_its_names():
    ours, theirs = both(twins())
    names = list(ours.stages())
    assert names == list(theirs.stages())
    block = [stage.name for stage in IN_BLOCK]
    crossed = [f"cross {name}" for name in block[block.index("attention_input") : block.index("ffn_input")]]
    at = block.index("ffn_input")
    in_layers = lambda stack, n, stages: [f"{stack} layer {i} {stage}" for i in range(n) for stage in stages]
    assert names == [
        "encoder token",
        *in_layers("encoder", 2, block),
        "encoder final",
        "decoder token",
        *in_layers("decoder", 3, [*block[:at], *crossed, *block[at:]]),
        "decoder final",
        "logits",
    ]
    assert all(str(Place.of(name)) == name for name in names)


@pytest.mark.parametrize("whose", [0, 1], ids=["ours", "theirs"])
def test_the_stages_fit_together(whose):
    """Cross-attention asks with rows of the target and takes keys and values of the source's last rows."""
    model = twins()
    t, ours = both(model)[whose], model[0]
    same = lambda a, b: torch.testing.assert_close(
        a, b, rtol=1e-5, atol=1e-4
    )  # their norms are float32, and five layers go back through them
    assert (t.encoder.ids.tolist(), t.decoder.ids.tolist(), t.ids.tolist()) == (SOURCE, TARGET, TARGET)
    assert (len(t.encoder.layers), len(t.decoder.layers), t.layers is t.decoder.layers) == (2, 3, True)
    for layer, block in zip(t.decoder.layers, ours.decoder_blocks, strict=True):
        cross = layer.cross
        assert (cross.q.shape, cross.k.shape, cross.scores.shape) == ((4, 5, 6), (4, 8, 6), (4, 5, 8))
        assert layer.scores.shape == (4, 5, 5) and cross.context.shape == (5, 24)
        same(cross.attention_input, block.norm2(layer.attention_stream))
        same(torch.cat(list(cross.k), -1), block.cross.key(t.encoder.final))
        same(cross.scores, cross.q @ cross.k.mT)  # neither scaled nor shifted
        same(cross.weights, cross.scores.softmax(-1))
        same(torch.cat(list(cross.weights @ cross.v), -1), cross.context)
        same(cross.attention_stream, layer.attention_stream + cross.attention_output)
        same(layer.output, cross.attention_stream + layer.ffn_output)
        met = layer.q @ layer.k.mT + ours.decoder_bias(5, 5)
        same(layer.scores, met.masked_fill(~causal_mask(5), -torch.inf))
    for layer in t.encoder.layers:
        same(layer.scores, layer.q @ layer.k.mT + ours.bias(8, 8))
    same(t.logits, t.decoder.final * 20**-0.5 @ ours.token.weight.T)


@pytest.mark.parametrize("whose", [0, 1], ids=["ours", "theirs"])
def test_a_batch_gives_the_traces_of_its_pairs(whose):
    """Texts of different lengths on both sides; in float32, for in float64 HuggingFace's padding is nan."""
    model = twins(torch.float32)[whose]
    sources, targets = [SOURCE, SOURCE[:3], [7]], [TARGET[:2], TARGET, TARGET[:4]]
    for one, source, target in zip(trace(model, sources, target=targets), sources, targets, strict=True):
        alone = trace(model, source, target=target)
        assert (one.encoder.ids.tolist(), one.ids.tolist()) == (source, target)
        table = compare(one, alone)
        assert table.equal, table


class Letters:
    """A tokenizer with the interface of HuggingFace's: a letter is a token."""

    def encode(self, text):
        return [ord(letter) - ord("a") for letter in text]

    def convert_ids_to_tokens(self, ids):
        return [chr(ord("a") + i) for i in ids]


def test_both_texts_are_cut_by_the_tokenizer():
    for model in twins():
        t = trace(model, "source", Letters(), target="text")
        assert t.encoder.tokens == list("source") and t.tokens == t.decoder.tokens == list("text")
        (one, other) = trace(model, ["abc", "d"], Letters(), target=["e", "fgh"])
        assert [one.encoder.tokens, one.tokens, other.encoder.tokens, other.tokens] == [
            ["a", "b", "c"], ["e"], ["d"], ["f", "g", "h"],
        ]  # fmt: skip


def test_one_attention_is_wanted_or_changed_by_its_name():
    ours, theirs = twins()
    some = trace(theirs, SOURCE, target=TARGET, want=("weights",))
    assert set(some.stages()) == {name for name in both([ours])[0].stages() if name.endswith(" weights")}
    whole = trace(ours, SOURCE, target=TARGET)
    deaf = trace(ours, SOURCE, target=TARGET, change={"decoder layer 0 cross attention_output": lambda x: 0 * x})
    first, before = deaf.decoder.layers[0], whole.decoder.layers[0]
    assert torch.equal(first.cross.attention_stream, first.attention_stream)
    assert torch.equal(first.attention_output, before.attention_output)
    assert not torch.allclose(deaf.logits, whole.logits)
    assert torch.equal(deaf.encoder.final, whole.encoder.final)
    with pytest.raises(ValueError, match="no stage 'layer 0 cross weights' to change"):
        trace(ours, SOURCE, target=TARGET, change={"layer 0 cross weights": lambda x: x})


def test_what_two_stacks_cannot_read():
    for model in twins():
        with pytest.raises(ValueError, match="A T5 reads two texts, and the second is its target"):
            trace(model, SOURCE)
        with pytest.raises(ValueError, match=r"Each source has one target: there are \[2, 1\]"):
            trace(model, [SOURCE, SOURCE], target=[TARGET])
        with pytest.raises(ValueError, match="id 31"):
            trace(model, SOURCE, target=[31])


def test_the_shape_tracker_folds_each_stack():
    text = repr(shapes(both(twins())[0]))
    assert "\nencoder layer 1 " in text and "\ndecoder layers 1 to 2 " in text and "encoder layers" not in text
    assert "decoder layer 0 cross weights           (4, 5, 8)" in text


# --- parity ------------------------------------------------------------------------------------------------------------


def test_every_stage_is_huggingfaces():
    ours, theirs = twins()
    table = check(ours, theirs, SOURCE, target=TARGET)
    assert table.equal and not table.unclear, table.detail()
    assert len(table.rows) == 2 * 2 + 2 * 16 + 3 * 25 + 1
    assert "encoder layer 1, 16 stages" in repr(table) and "decoder layers 0 to 2, 75 stages" in repr(table)
    single = compare(*both(twins(torch.float32)))
    assert single.equal and not single.unclear, single.detail()


BLOCK = {
    "norm1": "attention input",
    "attention.query": "q",
    "attention.key": "k",
    "attention.value": "v",
    "attention.output": "attention output",
    "norm2": "feed-forward input",
    "feed_forward.gate": "feed-forward gate",
    "feed_forward.expand": "feed-forward hidden",
    "feed_forward.contract": "feed-forward output",
}
CROSS = {
    "norm2": "cross attention input",
    "cross.query": "cross q",
    "cross.key": "cross k",
    "cross.value": "cross v",
    "cross.output": "cross attention output",
    "norm3": "feed-forward input",
}
OUTSIDE = {
    "token": "encoder token embedding",
    "bias.table": "encoder layer 0 scores",
    "norm": "encoder final",
    "decoder_bias.table": "decoder layer 0 scores",
    "decoder_norm": "decoder final",
}


def stage_of(parameter: str) -> str:
    """Where a parameter of ours acts first."""
    module = parameter.rpartition(".")[0]
    if module in OUTSIDE:
        return OUTSIDE[module]
    blocks, i, inner = module.split(".", 2)
    decoder = blocks == "decoder_blocks"
    return f"{'decoder' if decoder else 'encoder'} layer {i} {(BLOCK | CROSS if decoder else BLOCK)[inner]}"


@pytest.mark.parametrize("dtype, factor", [(torch.float64, 0.999), (torch.float32, 0.99)], ids=str)
def test_every_weight_that_is_a_little_off_is_named(dtype, factor):
    ours, theirs = twins(dtype)
    (expected,) = both([theirs])
    for parameter, p in ours.named_parameters():
        kept = p.detach().clone()
        with torch.no_grad():
            p.mul_(factor)
        assert compare(*both([ours]), expected).first == stage_of(parameter), parameter
        with torch.no_grad():
            p.copy_(kept)
    assert compare(*both([ours]), expected).equal


WRONG = {
    "cross-attention is scaled": (
        lambda m: setattr(m.decoder_blocks[1].cross, "forward", _scaled(m.decoder_blocks[1].cross.forward)),
        "decoder layer 1 cross scores",
    ),
    "the source is read before its last norm": (lambda m: setattr(m.norm, "forward", lambda x: x), "encoder final"),
    "cross-attention asks the target": (
        lambda m: setattr(m.decoder_blocks[2].cross, "forward", _of_itself(m.decoder_blocks[2].cross.forward)),
        "decoder layer 2 cross k",
    ),
    "buckets on both sides in the decoder": (
        lambda m: setattr(m.decoder_bias, "how", (8, 6, True)),
        "decoder layer 0 scores",
    ),
    "the head is not scaled": (lambda m: object.__setattr__(m.config, "d_model", 1), "logits"),
}


def _scaled(whole):
    return lambda x, mask, see, options: whole(x, mask, see, replace(options, scale=6**-0.5))


def _of_itself(whole):
    return lambda x, mask, see, options: whole(x, None, see, replace(options, source=x.new_ones(1, 8, 20)))


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_what_is_wrong_is_named_by_its_stage(wrong, dtype):
    ours, theirs = twins(dtype)
    breaks, stage = WRONG[wrong]
    breaks(ours)
    assert compare(*both((ours, theirs))).first == stage


def test_a_large_column_of_the_stream_hides_nothing_in_the_head():
    """The head stands after both stacks: what may be rounding in the logits follows from the decoder's last rows."""
    ours, theirs = twins(torch.float32)
    with torch.no_grad():
        for model, name in ((ours, "token"), (theirs, "shared")):
            getattr(model, name).weight[:, 3] += 3006.0
            norms = model.decoder_norm.gain if model is ours else model.decoder.final_layer_norm.weight
            norms[3] = 0.0
    (expected,) = both([theirs])
    assert compare(*both([ours]), expected).equal
    object.__setattr__(ours.config, "d_model", ours.config.d_model * 1.01)
    assert compare(*both([ours]), expected).first == "logits"


def test_scores_that_are_not_scaled_may_be_rounded_as_such(monkeypatch):
    """What is excused in a score is so much of |q| |k|, times what the record says the scores are scaled by."""
    traces = both(twins(torch.float32))
    excused = lambda: {row.stage: row.excused for row in compare(*traces).rows}["decoder layer 1 cross scores"]
    plain = excused()
    monkeypatch.setitem(FAMILIES, "t5", replace(FAMILY, scale=10.0))
    assert excused() > 5 * plain


def test_a_forgotten_mask_of_the_source_is_seen_in_the_weights_of_cross_attention():
    ours, theirs = twins(torch.float32)
    whole = ours.write
    ours.write = lambda ids, mask, see, source, hidden, *kept: whole(
        ids, mask, see, source, torch.ones_like(hidden), *kept
    )
    traces = both((ours, theirs), [SOURCE, SOURCE[:3]], [TARGET, TARGET])
    assert [compare(a, b).first for a, b in zip(*traces)] == [None, "decoder layer 0 cross weights"]


def test_traces_of_two_texts_are_of_the_same_two():
    ours, _ = twins()
    one = trace(ours, SOURCE, target=TARGET)
    with pytest.raises(ValueError, match="different texts"):
        compare(one, trace(ours, SOURCE[::-1], target=TARGET))
    with pytest.raises(ValueError, match="different texts"):
        compare(one, trace(ours, SOURCE, target=TARGET[::-1]))
    shorter = copy.deepcopy(ours)
    del shorter.blocks[1:]
    with pytest.raises(ValueError, match="One encoder has 2 layers, the other 1"):
        compare(one, trace(shorter, SOURCE, target=TARGET))


def test_gradients_are_huggingfaces_and_folded_by_stack():
    ours, theirs = twins()
    source, target = torch.tensor([SOURCE]), torch.tensor([TARGET])
    pick = torch.randn(1, 5, 31, generator=torch.Generator().manual_seed(0)).double()
    (ours(source, target_ids=target).logits * pick).sum().backward()
    (theirs(source, decoder_input_ids=target).logits * pick).sum().backward()
    table = compare_gradients(ours, theirs, tol=1e-4)  # their norms are float32, and five layers go back through them
    assert table.equal, table.detail()
    layers = {row.layer for row in table.rows}
    assert layers == {"", *(f"encoder layer {i}" for i in range(2)), *(f"decoder layer {i}" for i in range(3))}
    with torch.no_grad():
        ours.decoder_blocks[2].cross.value.weight.grad *= 1.01
    table = compare_gradients(ours, theirs, tol=1e-4)
    assert table.first == "decoder.block.2.layer.1.EncDecAttention.v.weight" and table.layer(2, "decoder").rows
    with pytest.raises(ValueError, match="no encoder layer 2; it has 2"):
        table.layer(2, "encoder")


def test_weights_go_there_and_back():
    ours, theirs = twins()
    back, given = ours.to_hf_state_dict(), dict(theirs.named_parameters())
    assert given.keys() == back.keys() and all(torch.equal(back[name], given[name]) for name in given)
    assert T5Config.from_hf(ours.config.to_hf()) == ours.config
    assert (T5Config().n_heads, T5Config().head_dim, T5Config().d_model) == (6, 64, 512)


# --- with a cache ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [None, 5])
def test_with_a_cache_every_step_equals_the_whole_pass_and_huggingface(capacity):
    """Two sources, one padded; the source is read in the first pass alone, and never asked for again."""
    ours, theirs = twins()
    sources = torch.tensor([SOURCE, [*SOURCE[:5], 0, 0, 0]])
    mask = torch.tensor([[1] * 8, [1] * 5 + [0] * 3])
    targets = torch.tensor([TARGET, TARGET[::-1]])
    whole = ours(sources, mask, targets).logits
    cache, past, encoded = T5Cache(capacity), 0, theirs.encoder(sources, attention_mask=mask)
    kept = None
    for n in (2, 1, 1, 1):
        part = targets[:, past : past + n]
        logits = ours(*((sources, mask) if not past else (None, None)), part, cache=cache).logits
        other = theirs(
            encoder_outputs=encoded, attention_mask=mask, decoder_input_ids=part, past_key_values=kept, use_cache=True
        )
        kept = other.past_key_values
        torch.testing.assert_close(logits, whole[:, past : past + n], rtol=1e-10, atol=1e-10)
        torch.testing.assert_close(logits, other.logits, rtol=1e-5, atol=1e-5)  # their norms are float32
        past += n
    assert len(cache) == 5
    for i, layer in enumerate(kept.self_attention_cache.layers):
        for own, of_theirs in zip(cache.layer(i).pair, (layer.keys, layer.values), strict=True):
            torch.testing.assert_close(own, of_theirs, rtol=1e-5, atol=1e-5)


def test_after_a_pass_that_was_refused_its_cache_is_as_it_was():
    ours, _ = twins()
    source, target = torch.tensor([SOURCE]), torch.tensor([TARGET])
    cache = T5Cache(capacity=5)
    ours(source, None, target[:, :3], cache=cache)
    for refused in (torch.tensor([[1, 2, 3]]), torch.tensor([[31]]), torch.tensor([[1], [2]])):
        with pytest.raises(ValueError):
            ours(None, None, refused, cache=cache)
        assert len(cache) == cache.layer(2).length == 3
    logits = ours(None, None, target[:, 3:], cache=cache).logits
    torch.testing.assert_close(logits, ours(source, None, target).logits[:, 3:], rtol=1e-10, atol=1e-10)
