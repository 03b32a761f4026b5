"""Entries that no model can be made of: one sentence that names the entry, whichever library was asked for."""

import json

import pytest
import torch
import transformers
from checkpoints.asking import refused
from checkpoints.small import edit_config, edit_weights, make

from labutils.checkpoints import load

pytestmark = pytest.mark.usefixtures("one_thread")
BOTH = pytest.mark.parametrize("library", ["labutils", "transformers"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("small")
    return {"gpt2": make(root / "gpt2"), "bert": make(root / "bert", transformers.BertForPreTraining)}


SIZE, SHARE, EPS, NAME = (
    ("3", 0, -2, True, None, 2.5, [3]),
    ("0.1", 1.5, None),
    (0, -1, None, "1e-5", True, float("nan")),
    (None, 7),
)
WRONG = {
    "gpt2": (
        dict.fromkeys(("n_head", "n_layer", "n_embd", "n_positions", "vocab_size"), SIZE)
        | {
            "n_inner": ("48", 0, True),
            "layer_norm_epsilon": EPS,
            "activation_function": NAME,
            "resid_pdrop": SHARE,
            "initializer_range": ("wide", -1, None),
        }
    ),
    "bert": (
        dict.fromkeys(("num_attention_heads", "type_vocab_size", "max_position_embeddings"), SIZE)
        | {
            "intermediate_size": ("48", 0, True),
            "layer_norm_eps": EPS,
            "hidden_act": NAME,
            "hidden_dropout_prob": SHARE,
            "pad_token_id": ("0", 4000, -1, True),
        }
    ),
}


@BOTH
@pytest.mark.parametrize("kind, name", [(kind, name) for kind, names in WRONG.items() for name in names])
def test_an_entry_of_the_configuration(folder, library, kind, name):
    made = folder(kind)
    for value in WRONG[kind][name]:
        edit_config(made, **{name: value})
        message = refused(made, library)
        assert repr(value) in message and name in message


@BOTH
def test_an_activation_that_nobody_knows(folder, library):
    made = folder("bert")
    edit_config(made, hidden_act="no such thing")
    assert "'no such thing'" in refused(made, library)


@BOTH
def test_heads_that_do_not_divide_the_width(folder, library):
    made = folder("gpt2")
    edit_config(made, n_head=5)
    assert "12 columns cannot be cut into 5 equal heads" in refused(made, library)


@BOTH
def test_sizes_that_fit_no_memory(folder, library):
    made = folder("gpt2")
    edit_config(made, vocab_size=10**15)
    assert "gpt2" in refused(made, library)


@BOTH
@pytest.mark.parametrize(
    "content",
    [
        "[1, 2]",
        '"text"',
        "null",
        "{}",
        '{"model": [1]}',
        '{"model": {"type": "WordLevel", "vocab": ["a"]}}',
        '{"model": {"type": "BPE", "vocab": {"a": "0"}, "merges": []}, "pre_tokenizer": {"type": "ByteLevel"}}',
        '{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": 7}, "pre_tokenizer": {"type": "ByteLevel"}}',
        '{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}, "added_tokens": [{"content": "a"}]}',
        '{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}, "added_tokens": {"a": 1}}',
        '{"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}, "pre_tokenizer": {"type": "ByteLevel"}}',
    ],
)
def test_a_tokenizer_of_another_form(folder, library, content):
    made = folder("gpt2")
    (made / "tokenizer.json").write_text(content)
    message = refused(made, library)
    assert "tokenizer" in message and "object has no attribute" not in message and "not iterable" not in message


@BOTH
@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_weights_that_are_no_numbers(folder, library, number):
    made = folder("bert")

    def change(tensors):
        tensors["bert.encoder.layer.1.output.dense.weight"][3, 2] = number
        return tensors

    edit_weights(made, change)
    message = refused(made, library)
    assert "bert.encoder.layer.1.output.dense.weight" in message and "nan" in message


@BOTH
def test_weights_too_large_for_the_dtype(folder, library):
    made = folder("gpt2")
    edit_weights(made, lambda tensors: tensors | {"transformer.wpe.weight": tensors["transformer.wpe.weight"] + 1e6})
    message = refused(made, library, dtype=torch.float16)
    assert "transformer.wpe.weight" in message and "torch.float16" in message


@BOTH
def test_whole_numbers_in_place_of_weights(folder, library):
    made = folder("gpt2")
    edit_weights(
        made, lambda tensors: tensors | {"transformer.wpe.weight": tensors["transformer.wpe.weight"].to(torch.int8)}
    )
    assert "transformer.wpe.weight" in refused(made, library)


@BOTH
def test_a_vocabulary_fits_by_its_ids(folder, library):
    """Fewer entries than rows, and yet an id behind the last row."""
    made = folder("gpt2")
    whole = json.loads((made / "tokenizer.json").read_text())
    vocab = whole["model"]["vocab"]
    whole["model"]["vocab"] = vocab | {next(iter(vocab)): 270}
    (made / "tokenizer.json").write_text(json.dumps(whole))
    message = refused(made, library)
    assert "does not fit together" in message and "270" in message
    edit_config(made, vocab_size=271)
    edit_weights(made, lambda tensors: tensors | {"transformer.wte.weight": torch.ones(271, 12)})
    assert load(made, library).tokenizer.vocab[next(iter(vocab))] == 270


@BOTH
def test_ids_between_which_some_are_free(folder, library):
    """As many entries as a model with fewer rows would allow, and no id too high: a list with gaps is fine."""
    made = folder("bert")
    whole = json.loads((made / "tokenizer.json").read_text())
    vocab = whole["model"]["vocab"]
    whole["model"]["vocab"] = {token: i for token, i in vocab.items() if token != "mat"}
    (made / "tokenizer.json").write_text(json.dumps(whole))
    assert max(load(made, library).tokenizer.vocab.values()) < 40
