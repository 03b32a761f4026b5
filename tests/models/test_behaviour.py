"""What the architecture promises: who can know what, and what each part is for."""

import pytest
import torch
from twins import SHAPES, inputs, small_twins

from labutils.layers import Recorder
from labutils.models import GPT2, Bert, BertConfig, GPT2Config

IDS = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6]])


def test_gpt2_does_not_look_ahead():
    """The rows of a prefix are the rows of the whole text, to rounding; and a later token moves no earlier row by a
    bit.
    """
    model, _ = small_twins("gpt2 odd", torch.float64)
    whole = model(IDS).logits
    for n in range(1, 8):
        torch.testing.assert_close(model(IDS[:, :n]).logits, whole[:, :n], rtol=1e-12, atol=1e-12)
        changed = IDS.clone()
        changed[0, n:] = 7
        assert torch.equal(model(changed).logits[:, :n], whole[:, :n])


def test_bert_looks_both_ways():
    model, _ = small_twins("bert odd", torch.float64)
    changed = IDS.clone()
    changed[0, -1] = 7
    assert ((model(IDS).logits - model(changed).logits).abs().amax(-1) > 1e-6).all()


@pytest.mark.parametrize("name", SHAPES)
def test_what_stands_under_padding_does_not_matter(name):
    ours, _ = small_twins(name, torch.float64)
    ids, mask, _ = inputs(ours, "both")
    other = torch.where(mask.bool(), ids, (ids + 1) % ours.config.vocab_size)
    assert not torch.equal(ids, other)
    real = mask.bool()
    assert torch.equal(ours(ids, mask).logits[real], ours(other, mask).logits[real])
    assert torch.isfinite(ours(ids, mask).logits).all()


def test_the_head_is_the_token_table():
    """One table, two jobs: a change of the table moves the logits even of tokens that are not in the text."""
    for name in ("gpt2 odd", "bert odd"):
        ours, _ = small_twins(name)
        assert sum(p.shape[0] == ours.config.vocab_size and p.ndim == 2 for p in ours.parameters()) == 1
        ours.zero_grad()
        ours(IDS).logits.sum().backward()
        assert (ours.embeddings.token.weight.grad[30] != 0).any()  # 30 is not in IDS
        ours.zero_grad()


def test_recording_changes_nothing_and_is_off_by_default():
    for name in ("gpt2 odd", "bert odd"):
        ours, _ = small_twins(name)
        see = Recorder()
        assert torch.equal(ours(IDS).logits, ours(IDS, see=see).logits)
        assert (
            "layer 2 output" in see.stages
            and "layer 3 output" not in see.stages
            and see.stages["logits"].shape == (1, 8, 31)
        )


def test_fresh_models_start_near_the_uniform_guess_and_in_eval_mode():
    torch.manual_seed(0)
    gpt2 = GPT2(GPT2Config(vocab_size=50, n_positions=16, d_model=32, n_layers=4, n_heads=4))
    bert = Bert(BertConfig(vocab_size=50, n_positions=16, d_model=32, n_layers=4, n_heads=4))
    for model in (gpt2, bert):
        assert not model.training and torch.equal(model(IDS).logits, model(IDS).logits)
        p = model(IDS).logits.softmax(-1)
        assert 0.5 / 50 < p.min() and p.max() < 2 / 50
    ratio = gpt2.blocks[0].attention.query.weight.std() / gpt2.blocks[0].attention.output.weight.std()
    assert abs(ratio / 8**0.5 - 1) < 0.1  # √(2 L): what writes into the stream starts smaller
    assert (bert.embeddings.token.weight[0] == 0).all() and (bert.embeddings.token.weight[1] != 0).any()
