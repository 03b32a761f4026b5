"""Statements about GPT-2 that are wrong or loose and have no box, and some that are right: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import pytest
import torch
import transformers
from torch import nn

from labutils.checkpoints import load, load_tokenizer
from labutils.trace import trace

TEXT = "The cat sat on the mat. It was"
SIZES = {"small": (768, 12, 12), "medium": (1024, 24, 16), "large": (1280, 36, 20), "xl": (1600, 48, 25)}


def family(name):
    """A GPT-2 of a published size, without a byte of weights."""
    width, layers, heads = SIZES[name]
    with torch.device("meta"):
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(n_embd=width, n_layer=layers, n_head=heads))


def count(name):
    return sum(p.numel() for p in family(name).parameters())


@pytest.fixture(scope="module")
def theirs():
    return load("little-gpt2", library="transformers", dtype=torch.float64).model


@pytest.fixture(scope="module")
def ids():
    return torch.tensor([load("little-gpt2").tokenizer.encode(TEXT).ids])


def test_c242_small_has_124_million():
    assert count("small") == 124_439_808


def test_c243_small_is_its_tables_and_twelve_blocks():
    block = sum(p.numel() for p in family("small").transformer.h[0].parameters())
    assert 50_257 * 768 + 1024 * 768 + 12 * block + 2 * 768 == 124_439_808 and block == 7_087_872


def test_large_has_774_million():
    assert count("large") == 774_030_080


def test_c246_xl_is_nearer_to_1_6_billion():
    assert count("xl") == 1_557_611_200


def test_the_four_sizes():
    for name, (width, layers, heads) in SIZES.items():
        model = family(name).transformer
        assert len(model.h) == layers and heads * 64 == width
        assert model.h[0].mlp.c_fc.weight.shape == (width, 4 * width)
        assert model.wte.weight.shape == (50_257, width) and model.wpe.weight.shape == (1024, width)


def test_positions_are_learned_and_the_defaults_are_the_small_model():
    config = transformers.GPT2Config()
    assert (config.vocab_size, config.n_embd, config.n_positions) == (50_257, 768, 1024)
    assert (config.n_layer, config.n_head) == (12, 12)
    position = family("small").transformer.wpe
    assert isinstance(position, nn.Embedding) and position.weight.requires_grad


def test_c250_each_row_sees_itself_too_and_the_first_nothing_else(ids):
    for layer in trace(load("little-gpt2").model, ids[0].tolist()).layers:
        assert (layer.weights.diagonal(0, -2, -1) > 0).all() and (layer.weights[:, 0, 0] == 1).all()


def test_c251_a_row_holds_its_own_token_too_and_no_later_one(ids):
    """Another word at place 4: the rows before it stay, bit for bit, and row 4 is the first to change."""
    model, other = load("little-gpt2").model, ids.clone()
    other[0, 4] = ids[0, 1]
    with torch.no_grad():
        gap = (model(ids).logits - model(other).logits)[0].abs().amax(-1)
    assert (gap > 0).nonzero().flatten().tolist() == [4, 5, 6, 7, 8]


def test_c252_a_block_of_gpt2_has_two_halves_and_no_third():
    block = family("small").transformer.h[0]
    assert [name for name, _ in block.named_children()] == ["ln_1", "attn", "ln_2", "mlp"]


def test_c254_the_final_states_are_normalised(theirs, ids):
    last = {}
    hook = theirs.transformer.h[-1].register_forward_hook(lambda _, __, out: last.update(x=out))
    with torch.no_grad():
        out = theirs(ids, output_hidden_states=True)
        raw = last["x"][0] if isinstance(last["x"], tuple) else last["x"]
        torch.testing.assert_close(out.hidden_states[-1], theirs.transformer.ln_f(raw.view_as(out.hidden_states[-1])))
        assert (theirs.lm_head(raw).view_as(out.logits) - out.logits).abs().max() > 1
    hook.remove()


def test_c255_the_future_is_hidden_when_it_is_trained_and_when_it_is_used(ids):
    model = load("little-gpt2", library="transformers").model
    for mode in (model.train(), model.eval()):
        for weights in mode(ids, output_attentions=True).attentions:
            assert (weights.triu(1) == 0).all()


def test_c256_the_next_token_would_begin_with_a_space():
    tokenizer = load_tokenizer("gpt2")
    assert tokenizer.encode("The cat sat on the").ids[-1] == 262 and tokenizer.encode("the").ids != [262]
    assert tokenizer.decode([262]) == " the"


def test_every_layer_hands_on_rows_of_one_width():
    config = transformers.GPT2Config(n_embd=768, n_layer=12, n_head=12, vocab_size=100, bos_token_id=0, eos_token_id=0)
    with torch.no_grad():
        states = transformers.GPT2Model(config)(torch.tensor([[1, 2, 3, 4]]), output_hidden_states=True).hidden_states
    assert [tuple(state.shape) for state in states] == [(1, 4, 768)] * 13


def test_one_pass_gives_the_losses_of_all_beginnings(theirs, ids):
    with torch.no_grad():
        at_once = nn.functional.cross_entropy(theirs(ids).logits[0, :-1], ids[0, 1:], reduction="none")
        for n in range(1, ids.shape[1]):
            alone = nn.functional.cross_entropy(theirs(ids[:, :n]).logits[0, -1], ids[0, n])
            torch.testing.assert_close(alone, at_once[n - 1])


def test_type_ids_are_read_from_the_table_of_tokens(theirs, ids):
    """So type 0 adds the row of token 0 to every row, and the answer is another one."""
    zeros = torch.zeros_like(ids)
    with torch.no_grad():
        plain, typed = (theirs(ids, token_type_ids=types, output_hidden_states=True) for types in (None, zeros))
    added = typed.hidden_states[0] - plain.hidden_states[0]
    torch.testing.assert_close(added, theirs.transformer.wte.weight[0].detach().expand_as(added))
    assert typed.logits[0, -1].argmax() != plain.logits[0, -1].argmax()
