"""The trace: every stage there, of the right shape, the same whoever computed it and whatever stood beside the text."""

import copy
import pickle
from dataclasses import dataclass

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers
from twins import SHAPES, inputs, one_thread, randomise, small_twins, theirs_of  # noqa: F401

from labutils.models import GPT2, PAPER_VOCABULARY, family_of, paper_model
from labutils.models.stages import IN_BLOCK
from labutils.parity import compare, stages
from labutils.trace import Trace, trace

IDS = [1, 2, 3, 4, 5, 6]
EVERY = pytest.mark.parametrize("name", SHAPES)
BOTH = pytest.mark.parametrize("whose", [0, 1], ids=["ours", "theirs"])


@dataclass(frozen=True)
class Encoding:
    ids: list
    type_ids: list
    attention_mask: list


class Words:
    """A tokenizer with the interface of labutils.text, for the five words of the paper model."""

    def encode(self, text):
        ids = [PAPER_VOCABULARY.index(word) for word in text.split()]
        return Encoding(ids, [0] * len(ids), [1] * len(ids))

    def id_to_token(self, i):
        return PAPER_VOCABULARY[i]


@EVERY
@BOTH
def test_every_field_has_its_shape(name, whose):
    model = small_twins(name)[whose]
    c = small_twins(name)[0].config
    n, d, H, d_k, f, V = 5, c.d_model, c.n_heads, c.head_dim, c.d_ff, c.vocab_size
    t = trace(model, [1, 2, 3, 4, 5])
    heads, pairs, rows, inner = (H, n, d_k), (H, n, n), (n, d), (n, f)
    shapes = dict(q=heads, k=heads, v=heads, scores=pairs, weights=pairs, ffn_hidden=inner, ffn_activated=inner)
    for layer in t.layers:
        there = [x.name for x in IN_BLOCK if x.name in family_of(t.kind).stages]
        assert {x: tuple(getattr(layer, x).shape) for x in there} == {x: shapes.get(x, rows) for x in there}
        assert len(there) == 15 and "ffn_gate" not in layer
    assert len(t.layers) == c.n_layers and t.kind == name.split()[0] and t.tokens == ["1", "2", "3", "4", "5"]
    assert (
        list(t.ids.shape) == [n]
        and t.final.shape == rows
        and t.logits.shape == (n, V)
        and t.embedding_sum.shape == rows
    )
    assert set(t.embeddings) == ({"token", "position"} if t.kind == "gpt2" else {"token", "position", "segment"})
    assert all(part.shape == rows for part in t.embeddings.values())
    assert (t.embedding_norm is None) == (t.mlm_transform is None) == (t.kind == "gpt2")
    assert (t.pooled is None) == (t.nsp_logits is None) == (not getattr(c, "nsp", False))
    assert not any(tensor.requires_grad for tensor in stages(t).values())


@EVERY
@BOTH
def test_the_stages_fit_together(name, whose):
    """Whoever recorded them, each is what follows from the ones before."""
    model = small_twins(name, torch.float64)[whose]
    t = trace(model, [1, 2, 3, 4, 5, 6])
    same = lambda a, b: torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)
    same(sum(t.embeddings.values()), t.embedding_sum)
    x = t.embedding_sum if t.kind == "gpt2" else t.embedding_norm
    for layer in t.layers:
        same(layer.input, x)
        same(layer.weights, layer.scores.softmax(-1))
        visible = torch.ones(6, 6).tril().bool() if t.kind == "gpt2" else torch.ones(6, 6).bool()
        assert ((layer.scores != -torch.inf) == visible).all()
        same(
            torch.where(visible, layer.scores, 0.0),
            torch.where(visible, layer.q @ layer.k.mT / layer.q.shape[-1] ** 0.5, 0.0),
        )
        same(torch.cat(list(layer.weights @ layer.v), dim=-1), layer.context)
        if t.kind == "gpt2":
            same(layer.input + layer.attention_output, layer.attention_stream)
            same(layer.attention_stream + layer.ffn_output, layer.output)
        else:
            assert torch.equal(layer.attention_input, layer.input) and torch.equal(
                layer.ffn_input, layer.attention_stream
            )
        x = layer.output
    if t.kind == "bert":
        same(t.final, x)


@EVERY
@BOTH
@pytest.mark.parametrize("padding", ["left", "right", "both"])
def test_a_batch_gives_the_traces_of_its_texts(name, whose, padding):
    """Padding leaves no mark: each trace equals the one of the text alone. The pooler reads the first row, so it needs
    it.
    """
    model = small_twins(name, torch.float64)[whose]
    ids, mask, types = inputs(small_twins(name)[0], padding)
    types = None if name.startswith("gpt2") else types
    batch = trace(model, ids, attention_mask=mask, type_ids=types)
    assert len(batch) == len(ids) and {len(t.tokens) for t in batch} == set(mask.sum(-1).tolist())
    for row, t in enumerate(batch):
        real = mask[row].bool()
        alone = trace(model, ids[row][real], type_ids=None if types is None else types[row][real])
        named, other = stages(t), stages(alone)
        assert other.keys() - named.keys() == ({"pooled", "NSP logits"} & other.keys() if not real[0] else set())
        assert compare(named, {key: other[key] for key in named}, 1e-12).equal


def test_lists_of_ids_of_different_lengths_are_padded_here():
    for model in small_twins("gpt2 odd", torch.float64):
        texts = [[5, 6, 7, 8], [9], [10, 11]]
        for t, ids in zip(trace(model, texts), texts, strict=True):
            assert t.ids.tolist() == ids and compare(t, trace(model, ids), 1e-12).equal


def test_text_with_our_tokenizer_and_with_huggingfaces():
    backend = Tokenizer(models.WordLevel({word: i for i, word in enumerate(PAPER_VOCABULARY)}, unk_token="the"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    for tokenizer in (Words(), transformers.PreTrainedTokenizerFast(tokenizer_object=backend)):
        t = trace(paper_model(), "the cat sat", tokenizer)
        assert t.tokens == ["the", "cat", "sat"] and t.ids.tolist() == [0, 1, 2]
        many = trace(paper_model(), ["the cat sat on", "the"], tokenizer)
        assert [x.tokens for x in many] == [["the", "cat", "sat", "on"], ["the"]]
        assert trace(paper_model(), [0, 1], tokenizer).tokens == ["the", "cat"]
    assert trace(paper_model(), Words().encode("the cat")).ids.tolist() == [0, 1]
    assert repr(t) == "Trace(gpt2, 3 tokens, 1 layers, 2 heads, width 4)"


@EVERY
def test_tracing_leaves_huggingfaces_model_as_it_was(name):
    model = small_twins(name)[1]
    hooks = lambda: [list(m._forward_hooks) + list(m._forward_pre_hooks) for m in model.modules()]
    before, logits = hooks(), trace(model, [1, 2, 3]).logits
    assert hooks() == before and torch.equal(trace(model, [1, 2, 3]).logits, logits)


@pytest.mark.parametrize(
    "settings",
    [
        {"scale_attn_by_inverse_layer_idx": True},
        {"scale_attn_weights": False},
        {"scale_attn_by_inverse_layer_idx": True, "scale_attn_weights": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_a_gpt2_that_scales_its_scores_otherwise(settings, dtype):
    """Ours computes none, and a trace of HuggingFace's says what it does: its scores explain its weights."""
    config = transformers.GPT2Config(**SHAPES["gpt2 odd"] | settings, attn_implementation="eager")
    model = transformers.GPT2LMHeadModel(config)
    randomise(model, spread=1.0)
    model.to(dtype).eval()
    t = trace(model, IDS)
    for i, layer in enumerate(t.layers):
        scale = (1.0 if "scale_attn_weights" in settings else layer.q.shape[-1] ** -0.5) / (
            i + 1 if "scale_attn_by_inverse_layer_idx" in settings else 1
        )
        met = (layer.q @ layer.k.mT * scale).masked_fill(~layer.scores.isfinite(), -torch.inf)
        torch.testing.assert_close(layer.scores, met)
        torch.testing.assert_close(layer.scores.softmax(-1), layer.weights)
    theirs = model(torch.tensor([IDS])).logits[0]
    torch.testing.assert_close(t.logits, theirs)


def test_a_gpt2_that_computes_its_scores_in_another_precision_is_refused_as_load_refuses_it():
    config = transformers.GPT2Config(**SHAPES["gpt2 odd"], reorder_and_upcast_attn=True, attn_implementation="eager")
    with pytest.raises(ValueError, match="A gpt2 with reorder_and_upcast_attn = True is not supported"):
        trace(transformers.GPT2LMHeadModel(config).eval(), IDS)


def test_scores_that_do_not_explain_the_weights_are_refused():
    """If transformers scaled its scores in another way, the trace would say so instead of showing wrong ones."""
    model = theirs_of("gpt2 odd", torch.float32)
    model.transformer.h[1].attn.scaling = 1.0  # 5.23
    model.transformer.h[1].attn.scale_attn_weights = False  # 5.0
    with pytest.raises(AssertionError, match="scores of layer 1, computed again"):
        trace(model, [1, 2, 3])


@pytest.mark.parametrize(
    "given, sentence",
    [
        ([], "list is empty"),
        ("", "pass its tokenizer"),
        ([[1], []], "text is empty"),
        (torch.zeros(0, dtype=torch.long), "text is empty"),
        (torch.zeros(1, 1, 1, dtype=torch.long), r"expected \(tokens,\)"),
        (torch.tensor([1.0]), "whole numbers"),
        (3, "not int"),
        ([1, 31], "id 31"),
        ([1] * 18, "18 tokens"),
        ({"input_ids": [1]}, "not dict"),
    ],
    ids=str,
)
def test_what_cannot_be_read(given, sentence):
    for model in small_twins("gpt2 odd"):
        with pytest.raises(ValueError, match=sentence):
            trace(model, given)


FORMS = {
    "a tuple": tuple,
    "an array": np.array,
    "a list of arrays": lambda ids: list(np.array(ids)),
    "a list of tensors": lambda ids: list(torch.tensor(ids)),
    "a tensor of int32": lambda ids: torch.tensor(ids, dtype=torch.int32),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
def test_ids_and_masks_in_other_forms(name, form):
    """One text and several, of both libraries."""
    made, several = FORMS[form], [IDS, IDS[::-1]]
    for model in small_twins(name):
        expected = trace(model, IDS, attention_mask=torch.tensor([1, 1, 1, 1, 1, 0]))
        assert torch.equal(trace(model, made(IDS), attention_mask=made([1, 1, 1, 1, 1, 0])).logits, expected.logits)
        two = trace(model, torch.tensor(several), attention_mask=torch.tensor([[1] * 6, [0] * 2 + [1] * 4]))
        found = trace(model, made(several), attention_mask=made([[1] * 6, [0] * 2 + [1] * 4]))
        assert all(torch.equal(a.logits, b.logits) for a, b in zip(found, two, strict=True))


WRONG_MASKS = {
    "110000": "must be numbers",
    (1, 1, None, 1, 1, 1): "must be numbers",
    (1, 2, 1, 1, 1, 1): "only 1",
    (1, 0.5, 1, 1, 1, 1): "whole numbers",
    ((1, 1), (1,)): "rows of",
    (1, 1): "they must be equal",
}


@pytest.mark.parametrize("mask", WRONG_MASKS)
@BOTH
def test_masks_that_are_none(mask, whose):
    with pytest.raises(ValueError, match=f"attention_mask .*{WRONG_MASKS[mask]}"):
        trace(small_twins("gpt2 odd")[whose], IDS, attention_mask=mask)
    with pytest.raises(ValueError, match="type_ids 7"):
        trace(small_twins("bert odd")[whose], IDS, type_ids=[7] * 6)


def test_what_cannot_be_traced():
    ids = torch.tensor([[1, 2, 3]])
    with pytest.raises(ValueError, match="Linear is no model of this book"):
        trace(torch.nn.Linear(2, 2), ids)
    for model in small_twins("bert odd"):
        with pytest.raises(ValueError, match="hides every token"):
            trace(model, ids, attention_mask=torch.zeros_like(ids))
        with pytest.raises(ValueError, match="attention_mask has the shape"):
            trace(model, ids, attention_mask=[1, 1])
        model.train()
        with pytest.raises(ValueError, match=r"model.eval\(\)"):
            trace(model, ids)
        model.eval()
    fast = theirs_of("gpt2 odd", torch.float32)
    fast.set_attn_implementation("sdpa")
    with pytest.raises(ValueError, match='"eager"'):
        trace(fast, ids)
    fast.set_attn_implementation("eager")
    assert isinstance(trace(fast, [1, 2]), Trace) and isinstance(small_twins("gpt2 odd")[0], GPT2)


@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
def test_the_weights_of_all_layers_stack_and_only_eager_attention_hands_them_out(name):
    """HuggingFace's own fast attention gives an empty tuple and no error: so it is refused."""
    stacks = []
    for model in small_twins(name):
        layers = trace(model, IDS).layers
        stacks.append(torch.stack([layer.weights for layer in layers]))
        assert stacks[-1].shape == (
            len(layers),
            model.config.num_attention_heads if stacks[1:] else model.config.n_heads,
            6,
            6,
        )
        torch.testing.assert_close(stacks[-1].sum(-1), torch.ones(stacks[-1].shape[:3]))
    torch.testing.assert_close(*stacks, rtol=1e-4, atol=1e-5)
    given = theirs_of(name, torch.float32)(torch.tensor([IDS]), output_attentions=True).attentions
    assert [tuple(one.shape) for one in given] == [(1, *stacks[1].shape[1:])] * len(stacks[1])
    fast = theirs_of(name, torch.float32)
    fast.set_attn_implementation("sdpa")
    assert not fast(torch.tensor([IDS]), output_attentions=True).attentions
    with pytest.raises(ValueError, match="returns no weights"):
        trace(fast, IDS)


# --- only what is wanted, and something else ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
def test_only_what_is_wanted_is_kept(name):
    ours, theirs = small_twins(name)
    whole = trace(ours, IDS)
    for model in (ours, theirs):
        some = trace(model, IDS, want=("weights", "attention_input", "logits"))
        for mine, full in zip(some.layers, whole.layers, strict=True):
            torch.testing.assert_close(mine.weights, full.weights)
            torch.testing.assert_close(mine.attention_input, full.attention_input)
            with pytest.raises(AttributeError, match="does not hold 'scores'. It holds:"):
                mine.scores
        torch.testing.assert_close(some.logits, whole.logits)
        assert "final" not in some and repr(some) and set(some.stages()) < set(whole.stages())
    assert trace(theirs, IDS, want=("embedding_sum",)).layers == []
    with pytest.raises(ValueError, match="There is no stage 'weight'. The stages are: token"):
        trace(ours, IDS, want=("weight",))


def test_a_stage_can_be_changed_by_its_name():
    """What is put in is what the model goes on with, and what the trace then shows."""
    ours, theirs = small_twins("gpt2 odd")
    whole, other = trace(ours, IDS), trace(ours, IDS[::-1])
    put = trace(ours, IDS, change={"layer 1 output": lambda x: other.layers[1].output[None]})
    assert torch.equal(put.layers[1].output, other.layers[1].output) and torch.equal(
        put.layers[0].output, whole.layers[0].output
    )
    torch.testing.assert_close(put.logits, other.logits)
    with pytest.raises(ValueError, match="no stage 'layer 9 output' to change"):
        trace(ours, IDS, change={"layer 9 output": lambda x: x})
    with pytest.raises(ValueError, match="Only the stages of our own models can be changed"):
        trace(theirs, IDS, change={"layer 1 output": lambda x: x})


def test_a_trace_can_be_copied_and_pickled():
    whole = trace(small_twins("bert odd")[0], IDS)
    for again in (copy.deepcopy(whole), pickle.loads(pickle.dumps(whole))):
        assert torch.equal(again.layers[2].attention_input, whole.layers[2].input) and again.tokens == whole.tokens
