"""Statements about whole models that are wrong and have no box: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import torch

from labutils.checkpoints import load
from labutils.models import GPT2, GPT2Config
from labutils.trace import trace

TEXT = "The cat sat on the mat."


def read(name, text=TEXT):
    one = load(name)
    return one, trace(one.model, text, one.tokenizer)


def test_c037_gpt2_adds_no_sign_and_its_numbers_name_other_tokens():
    gpt2, bert = load("little-gpt2").tokenizer, load("little-bert").tokenizer
    ours, theirs = gpt2.encode(TEXT), bert.encode(TEXT)
    assert len(ours.ids) == 7 and not {"[CLS]", "[SEP]"} & set(ours.tokens)
    assert theirs.tokens[0] == "[CLS]" and theirs.tokens[-1] == "[SEP]" and len(theirs.ids) == 9
    assert gpt2.decode(ours.ids) == TEXT and gpt2.decode(theirs.ids) != TEXT
    shape = load("little-gpt2").model(torch.tensor([theirs.ids])).logits.shape
    assert shape == (1, 9, 1000), "no error is raised: the text is a different one"


def test_c107_attention_without_a_mask_is_equivariant_not_invariant():
    bert, t = read("little-bert", "The cat sat on the [MASK].")
    rows, order = t.layers[0].input, torch.tensor([0, 6, 2, 3, 4, 5, 1, 7, 8])
    attend = bert.model.blocks[0].attention
    with torch.no_grad():
        kept, swapped = attend(rows[None])[0], attend(rows[order][None])[0]
    assert not torch.allclose(swapped, kept, atol=1e-4) and torch.allclose(swapped, kept[order], atol=1e-4)


def test_c202_gpt2_adds_without_a_norm_on_the_stream_and_its_rows_grow():
    for name, normalised in (("little-bert", True), ("little-gpt2", False)):
        one, t = read(name)
        for block, layer in zip(one.model.blocks, t.layers):
            added = layer.attention_stream + layer.ffn_output
            with torch.no_grad():
                right = block.norm2(added) if normalised else added
            assert torch.allclose(layer.output, right, atol=1e-4)
        first, last = (t.layers[i].output.norm(dim=-1).mean() for i in (0, -1))
        assert bool(last > 3 * first) is not normalised


def test_c241_gpt2_small_has_124_439_808_parameters():
    with torch.device("meta"):  # shapes without numbers
        model = GPT2(GPT2Config())
    assert sum(p.numel() for p in model.parameters()) == 124_439_808
