"""The table of BERT and GPT-2 says what HuggingFace's own configurations and models say."""

import pytest
import torch
import transformers

from labutils.authoring.pages.compared import ROWS, columns

THEIRS = {
    "BERT base": (transformers.BertForPreTraining, transformers.BertConfig()),
    "GPT-2 small": (transformers.GPT2LMHeadModel, transformers.GPT2Config()),
}


@pytest.fixture(scope="module")
def cells():
    """cells[model][row]"""
    return {one.name: {name: cell(one) for name, cell in ROWS.items()} for one in columns()}


@pytest.mark.parametrize("name", THEIRS)
def test_a_published_model_has_the_numbers_of_huggingfaces(cells, name):
    model, config = THEIRS[name]
    with torch.device("meta"):
        theirs = model(config)
    inner = getattr(config, "intermediate_size", None) or 4 * config.hidden_size
    eps = getattr(config, "layer_norm_eps", None) or config.layer_norm_epsilon
    numbers = {
        "Vocabulary $V$": config.vocab_size,
        "Longest text": config.max_position_embeddings,
        "Layers $L$": config.num_hidden_layers,
        "Width $d$": config.hidden_size,
        "Heads $H$": config.num_attention_heads,
        "Width of a head $d_k$": config.hidden_size // config.num_attention_heads,
        "Inner width $f$": inner,
        "Parameters": theirs.num_parameters(),
    }
    assert {row: cells[name][row] for row in numbers} == {row: f"{number:,}" for row, number in numbers.items()}
    assert float(cells[name]["ε of LayerNorm"]) == eps
    assert cells[name]["Output head is the token table"] == ("yes" if config.tie_word_embeddings else "no")
    assert cells[name]["Segments"] == str(getattr(config, "type_vocab_size", "none"))


def test_the_shipped_models_are_built_like_the_published_ones(cells):
    alike = set(ROWS) - {row for row in ROWS if "$" in row} - {"Longest text", "Parameters"}
    for little, large in (("little BERT", "BERT base"), ("little GPT-2", "GPT-2 small")):
        assert {row: cells[little][row] for row in alike} == {row: cells[large][row] for row in alike}


def test_what_tells_the_two_apart(cells):
    bert, gpt2 = cells["BERT base"], cells["GPT-2 small"]
    assert (bert["Special tokens"], gpt2["Special tokens"]) == (
        "`[CLS]` `[MASK]` `[PAD]` `[SEP]` `[UNK]`",
        r"`<\|endoftext\|>`",
    )
    assert bert["LayerNorm"].startswith("after") and gpt2["LayerNorm"].startswith("before")
    same = {row for row in ROWS if bert[row] == gpt2[row]}
    assert same == {
        "Layers $L$",
        "Width $d$",
        "Heads $H$",
        "Width of a head $d_k$",
        "Inner width $f$",
        "Output head is the token table",
    }
