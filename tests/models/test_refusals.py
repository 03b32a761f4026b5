"""What a model is not: each refused with one sentence that says what was wrong."""

import numpy as np
import pytest
import torch
import transformers
from twins import small_twins

from labutils.models import BertConfig, GPT2Config

GPT, BERT = transformers.GPT2Config().to_dict(), transformers.BertConfig().to_dict()


@pytest.mark.parametrize(
    "change",
    [
        {"activation_function": "mish"},
        {"add_cross_attention": True},
        {"scale_attn_weights": False},
        {"model_type": "llama"},
        {"scale_attn_by_inverse_layer_idx": True},
        {"reorder_and_upcast_attn": True},
        {"tie_word_embeddings": "yes"},
    ],
    ids=str,
)
def test_gpt2_configurations(change):
    assert GPT2Config.from_hf(GPT) == GPT2Config()
    with pytest.raises(ValueError, match=str(next(iter(change.values())))):
        GPT2Config.from_hf(GPT | change)


@pytest.mark.parametrize(
    "change",
    [
        {"hidden_act": "mish"},
        {"is_decoder": True},
        {"add_cross_attention": True},
        {"model_type": "roberta"},
        {"position_embedding_type": "relative_key"},
        {"tie_word_embeddings": False},
    ],
    ids=str,
)
def test_bert_configurations(change):
    assert BertConfig.from_hf(BERT) == BertConfig()
    with pytest.raises(ValueError, match=str(next(iter(change.values())))):
        BertConfig.from_hf(BERT | change)


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (dict(d_model=10, n_heads=3), "10 columns cannot be cut into 3"),
        (dict(n_layers=0), "n_layers must be"),
        (dict(vocab_size=2.5), "vocab_size must be"),
        (dict(activation="swish"), "'swish' is not one of relu, gelu, gelu_tanh"),
    ],
)
def test_impossible_shapes(wrong, sentence):
    for config in (GPT2Config, BertConfig):
        with pytest.raises(ValueError, match=sentence):
            config(**wrong)


@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
@pytest.mark.parametrize(
    "ids, sentence",
    [
        (torch.zeros(1, 0, dtype=torch.long), "no token to read"),
        (torch.zeros(0, 3, dtype=torch.long), "no token to read"),
        (torch.zeros(1, 18, dtype=torch.long), "18 tokens and this model has positions for 17"),
        (torch.zeros(3, dtype=torch.long), r"pass ids\[None\]"),
        (torch.zeros(1, 3), "whole numbers"),
        ([[1, 2]], "must be a tensor"),
        (torch.tensor([[1, 2], [3, 31]]), r"id 31 \(text 1, place 1\) is outside the vocabulary, which has 0 to 30"),
        (torch.tensor([[-1]]), "id -1"),
    ],
    ids=lambda value: str(getattr(value, "shape", value))[:40],
)
def test_ids(name, ids, sentence):
    with pytest.raises(ValueError, match=sentence):
        small_twins(name)[0](ids)


@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
@pytest.mark.parametrize(
    "mask, sentence",
    [([[1, 1]], r"shape \(1, 2\)"), ([[1, 1, 2]], "only 1"), ([[0, 0, 0]], "hides every token of text 0")],
)
def test_attention_masks(name, mask, sentence):
    with pytest.raises(ValueError, match=sentence):
        small_twins(name)[0](torch.tensor([[1, 2, 3]]), attention_mask=torch.tensor(mask))


@pytest.mark.parametrize("name", ["gpt2 odd", "bert odd"])
@pytest.mark.parametrize(
    "mask",
    [[1, 1, 0], [[1, 1, 0]], ((1, 1, 0),), np.array([[1, 1, 0]]), list(torch.tensor([[1, 1, 0]])), "110"],
    ids=str,
)
def test_masks_and_rows_that_are_no_tensors(name, mask):
    model, ids = small_twins(name)[0], torch.tensor([[1, 2, 3]])
    with pytest.raises(ValueError, match="attention_mask must be a tensor of 1 and 0"):
        model(ids, mask)
    with pytest.raises(ValueError, match="position_ids must be a tensor of whole numbers"):
        model(ids, position_ids=mask)


def test_a_cache_of_huggingfaces():
    ours, theirs = small_twins("gpt2 odd")
    ids = torch.tensor([[1, 2, 3]])
    with pytest.raises(ValueError, match="a Cache of labutils.layers, not 'DynamicCache'"):
        ours(ids, cache=theirs(ids, use_cache=True).past_key_values)


def test_positions_and_segments():
    ids = torch.tensor([[1, 2, 3]])
    for name in ("gpt2 odd", "bert odd"):
        with pytest.raises(ValueError, match="position_ids 17"):
            small_twins(name)[0](ids, position_ids=torch.tensor([[0, 1, 17]]))
    for types, sentence in (([[0, 0, 2]], "type_ids 2"), ([[0]], "they must be equal")):
        with pytest.raises(ValueError, match=sentence):
            small_twins("bert odd")[0](ids, type_ids=torch.tensor(types))
