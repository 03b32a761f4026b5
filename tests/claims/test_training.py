"""Statements about training that are wrong or loose and have no box, and some that are right: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import math

import pytest
import torch
import transformers

from labutils.training import IGNORE, cross_entropy

SMALL = {"n_layer": 3, "n_embd": 192, "n_head": 4, "vocab_size": 100, "bos_token_id": 0, "eos_token_id": 0}


@pytest.fixture(scope="module")
def gpt2():
    torch.manual_seed(0)
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(**SMALL))


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(0)
    return transformers.BertForMaskedLM(
        transformers.BertConfig(vocab_size=100, hidden_size=192, num_hidden_layers=1, num_attention_heads=4)
    ).eval()


def test_c317_the_loss_of_bert_is_a_mean_over_the_chosen(bert):
    """Also over those that kept their token, which are not masked."""
    ids = torch.randint(5, 100, (2, 9))
    labels = ids.masked_fill(torch.arange(9) % 3 > 0, IGNORE)  # 6 are chosen, and none is hidden
    made = bert(input_ids=ids, labels=labels)
    total = cross_entropy(made.logits, labels, reduction="sum")
    torch.testing.assert_close(made.loss, total / 6)


def test_c324_what_writes_into_the_stream_starts_smaller(gpt2):
    for block in gpt2.transformer.h:
        for writer in (block.attn.c_proj, block.mlp.c_proj):
            assert writer.weight.std().item() == pytest.approx(0.02 / math.sqrt(2 * 3), rel=0.03)
        assert block.mlp.c_fc.weight.std().item() == pytest.approx(0.02, rel=0.03)


def test_c325_biases_start_at_zero(gpt2, bert):
    for model in (gpt2, bert):
        assert all(p.abs().max() == 0 for name, p in model.named_parameters() if name.endswith("bias"))
